// SPDX-License-Identifier: GPL-3.0-or-later
// No value in a config.json may do anything but give a spec or a sentence: every number, word and list item
// of every family's fixtures, replaced by what does not belong there.
#include "core/base/error.h"
#include "core/checkpoint/checkpoint.h"
#include "core/model/model.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <string_view>

namespace headscope {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHostile[] = {
    "null",  "-1", "0",  "1",   "3",    "0.5",       "1e300", "NaN", "9223372036854775807",
    "\"x\"", "[]", "{}", "[1]", "true", "1073741824"};

std::string textOf(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// A value that stands alone on its line, as json.dumps writes with an indentation: its place in the text.
struct Place {
    std::size_t begin = std::string::npos; ///< npos: there is none
    std::size_t size = 0;
};

Place scalarInLine(std::string_view text, std::size_t lineBegin, std::size_t lineEnd) {
    const std::string_view line = text.substr(lineBegin, lineEnd - lineBegin);
    const std::size_t colon = line.find("\": ");
    const std::size_t begin = colon == std::string_view::npos ? line.find_first_not_of(' ') : colon + 3;
    if (begin == std::string_view::npos) return {};
    const std::size_t end = line.ends_with(',') ? line.size() - 1 : line.size();
    const std::string_view value = line.substr(begin, end - begin);
    if (value.empty() || value == "{" || value == "[" || value == "}" || value == "]") return {};
    return {lineBegin + begin, value.size()};
}

/// Reads `config` beside the weights of `checkpoint`; every Error is fine.
void readHostile(Checkpoint checkpoint, const std::string& config) {
    try {
        checkpoint.config = parseJson(config, "config.json", {.allowNonFinite = true});
        specOf(checkpoint);
    } catch (const Error& error) {
        EXPECT_FALSE(error.sentence().empty());
    }
}

void tryEveryValue(const fs::path& folder) {
    const Checkpoint checkpoint = openCheckpoint(folder);
    const std::string text = textOf(folder / "config.json");
    std::size_t tried = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const Place place = scalarInLine(text, begin, end);
        for (const std::string_view value : kHostile) {
            if (place.begin == std::string::npos) break;
            std::string changed = text;
            changed.replace(place.begin, place.size, value);
            SCOPED_TRACE(std::string(text, begin, end - begin) + " as " + std::string(value));
            EXPECT_NO_THROW(readHostile(checkpoint, changed));
            ++tried;
        }
        begin = end + 1;
    }
    EXPECT_GT(tried, 100U);
}

TEST(HostileConfig, GivesASpecOrASentence) {
    for (const fs::directory_entry& family : fs::directory_iterator(test::dataPath("families"))) {
        // One variant of each family: those that differ share the code that reads them.
        fs::path first;
        for (const fs::directory_entry& variant : fs::directory_iterator(family.path()))
            if (first.empty() || variant.path() < first) first = variant.path();
        if (first.empty()) continue;
        SCOPED_TRACE(first.string());
        tryEveryValue(first);
    }
}

} // namespace
} // namespace headscope
