// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/imported_layers.h"
#include "tests/fuzz/fuzz_support.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace headscope;
using namespace headscope::test;

namespace {

/// A folder for the files of this process: what is read depends on their names.
const std::filesystem::path& folder() {
    static const struct Folder {
        Folder() {
            std::string name = (std::filesystem::temp_directory_path() / "headscope-fuzz-XXXXXX").string();
            HS_CHECK(::mkdtemp(name.data()) != nullptr);
            path = name;
        }
        ~Folder() { std::filesystem::remove_all(path); }
        std::filesystem::path path;
    } one;
    return one.path;
}

void write(const std::filesystem::path& path, std::string_view content) {
    std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
}

const char* endingOf(std::uint8_t form) {
    switch (form) {
    case 'n':
        return "maps.npz";
    case 'y':
        return "maps.npy";
    case 'p':
        return "maps.pt";
    default:
        return "maps.safetensors";
    }
}

} // namespace

/// An attention file: "n", "y", "p" or "s" for its form, two bytes for the length of the JSON beside it, that
/// JSON, the file. What is read is measured and judged too.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 3) return 0;
    const std::string_view rest = textOf(data, size).substr(3);
    const std::size_t json =
        std::min<std::size_t>(data[1] | static_cast<std::size_t>(data[2]) << 8U, rest.size());
    const std::filesystem::path file = folder() / endingOf(data[0]);
    write(folder() / "maps.json", rest.substr(0, json));
    write(file, rest.substr(json));
    readOrRefuse([&] {
        const ImportedAttention maps = readAttentionFile(file, {}, {});
        for (const auto& layer : measureImported(maps, {}, {}))
            for (const HeadResult& head : layer->heads) HS_CHECK(head.metrics.entropy >= 0.0);
    });
    return 0;
}
