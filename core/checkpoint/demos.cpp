// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/demos.h"

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/checkpoint/embedded_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace headscope {

namespace {

constexpr std::string_view kScheme = "demo:";

std::vector<Demo> readDemos() {
    std::map<std::string, std::map<std::string, std::span<const std::byte>, std::less<>>> folders;
    for (const EmbeddedFile& file : embeddedDemoFiles()) {
        const std::size_t slash = file.path.find('/');
        HS_CHECK(slash != std::string_view::npos);
        folders[std::string(file.path.substr(0, slash))].emplace(file.path.substr(slash + 1), file.content);
    }
    std::vector<Demo> found;
    for (auto& [name, files] : folders) found.emplace_back(std::string(kScheme) + name, std::move(files));
    return found;
}

} // namespace

FolderContents Demo::contents() const {
    FolderContents contents;
    for (const auto& [name, content] : m_files) contents.files.insert(name);
    return contents;
}

InputFile Demo::open(const std::string& file) const {
    const auto found = m_files.find(file);
    HS_CHECK(found != m_files.end());
    return {std::filesystem::path(m_name) / file, found->second};
}

bool isDemoName(const std::filesystem::path& given) {
    return given.string().starts_with(kScheme);
}

const std::vector<Demo>& demos() {
    static const std::vector<Demo> all = readDemos();
    return all;
}

const Demo& findDemo(const std::filesystem::path& given) {
    const std::string name = given.string();
    const auto found = std::ranges::find(demos(), name, &Demo::name);
    if (found != demos().end()) return *found;
    std::vector<std::string> names;
    for (const Demo& demo : demos()) names.push_back(demo.name());
    const std::string expected = fmt::format("expected one of: {}", fmt::join(names, ", "));
    if (name == kScheme) fail("demo", "no name follows the colon", expected);
    fail(escapeForMessage(name), "there is no such demo", expected,
         fmt::format("a folder of that name is opened as ./{}", escapeForMessage(name)));
}

} // namespace headscope
