// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/probe_sources.h"

#include "core/base/check.h"
#include "core/checkpoint/embedded_file.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headscope {

/// Files of resources/texts/probes; written by cmake/EmbeddedFiles.cmake.
std::span<const EmbeddedFile> embeddedProbeFiles();

namespace {

/// Counted up when the same sources give other texts: other limits, other random repeats.
constexpr std::string_view kRecipe = "1";

ProbeKind kindOfFolder(std::string_view folder) {
    constexpr std::array kWritten{ProbeKind::Natural, ProbeKind::Duplicates, ProbeKind::Pair,
                                  ProbeKind::Roles};
    const auto* found = std::ranges::find(kWritten, folder, [](ProbeKind kind) { return nameOf(kind); });
    HS_CHECK(found != kWritten.end());
    return *found;
}

std::vector<ProbeSource> readProbes() {
    std::vector<ProbeSource> sources;
    for (const EmbeddedFile& file : embeddedProbeFiles())
        sources.push_back(readProbe(file.path, file.content));
    std::ranges::sort(sources, {}, [](const ProbeSource& one) { return std::pair(one.kind, one.name); });
    return sources;
}

} // namespace

ProbeSource readProbe(std::string_view path, std::span<const std::byte> content) {
    constexpr std::string_view kSuffix = ".txt";
    constexpr std::string_view kParting = "\n--\n";
    HS_CHECK(path.ends_with(kSuffix) && path.find('/') != std::string_view::npos);
    ProbeSource source;
    source.name = path.substr(0, path.size() - kSuffix.size());
    source.kind = kindOfFolder(path.substr(0, path.find('/')));
    source.text.assign(reinterpret_cast<const char*>(content.data()), content.size());
    source.text.erase(source.text.find_last_not_of('\n') + 1);
    const std::size_t parting = source.text.find(kParting);
    if (parting != std::string::npos) {
        source.pair = source.text.substr(parting + kParting.size());
        source.text.erase(parting);
    }
    HS_CHECK(source.pair.has_value() == (source.kind == ProbeKind::Pair));
    return source;
}

const std::vector<ProbeSource>& probeSources() {
    static const std::vector<ProbeSource> all = readProbes();
    return all;
}

std::string fingerprintOf(const std::vector<ProbeSource>& sources) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    const auto add = [&](std::string_view text) {
        for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
        hash = (hash ^ 0xffU) * 0x100000001b3U; // no byte of UTF-8: where one text ends
    };
    add(kRecipe);
    for (const ProbeSource& source : sources) {
        add(source.name);
        add(source.text);
        if (source.pair) add(*source.pair);
    }
    return fmt::format("{:016x}", hash);
}

} // namespace headscope
