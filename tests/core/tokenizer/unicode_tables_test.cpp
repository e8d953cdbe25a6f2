// SPDX-License-Identifier: GPL-3.0-or-later
// Every code point against what the tokenizers library does with it (tests/tools/make_tokenizer_fixtures.py).
#include "core/base/utf8.h"
#include "core/tokenizer/normalizers/normalizer.h"
#include "core/tokenizer/unicode_tables.h"
#include "tests/support/temporary_folder.h"

#include <fmt/format.h>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

namespace headscope {
namespace {

constexpr char32_t kEnd = 0x110000;

bool isSurrogate(char32_t c) {
    return c >= 0xd800 && c < 0xe000;
}

struct Expected {
    std::map<std::string, std::vector<bool>> properties;
    std::map<std::string, std::map<char32_t, std::uint64_t>>
        blocks; ///< stage -> block of 256 -> hash of the outputs
};

const Expected& expected() {
    static const Expected result = [] {
        Expected read;
        std::istringstream file(test::readBytes(test::dataPath("tokenizer/code_points.txt")));
        std::string name;
        std::string first;
        std::string second;
        while (file >> name >> first >> second) {
            if (name == "lowercase" || name == "nfd") {
                read.blocks[name][static_cast<char32_t>(std::stoul(first, nullptr, 16))] =
                    std::stoull(second, nullptr, 16);
                continue;
            }
            std::vector<bool>& property = read.properties[name];
            property.resize(kEnd);
            for (std::size_t c = std::stoul(first, nullptr, 16); c <= std::stoul(second, nullptr, 16); ++c)
                property[c] = true;
        }
        return read;
    }();
    return result;
}

void compareProperty(const char* name, const std::function<bool(char32_t)>& holds) {
    ASSERT_EQ(expected().properties.count(name), 1u);
    const std::vector<bool>& property = expected().properties.at(name);
    std::string different;
    for (char32_t c = 0; c < kEnd; ++c)
        if (!isSurrogate(c) && holds(c) != property[c] && different.size() < 400)
            different += fmt::format("{:x} ", static_cast<std::uint32_t>(c));
    EXPECT_EQ(different, "") << name;
}

TEST(UnicodeTables, PropertiesOfEveryCodePoint) {
    compareProperty("removed", [](char32_t c) {
        const bool layout = c == '\t' || c == '\n' || c == '\r';
        return c == 0xfffd || (!layout && unicode::isControl(c));
    });
    compareProperty("nonspacing", unicode::isNonspacingMark);
    compareProperty("mark", unicode::isMark);
    compareProperty("punctuation", unicode::isBertPunctuation);
    compareProperty("space", unicode::isWhiteSpace);
    compareProperty("word", unicode::isWord);
}

/// FNV-1a of the outputs of one block, each ended by a NUL.
std::uint64_t blockHash(const Normalizer& stage, char32_t block, bool& changed) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (char32_t c = block * 256; c < block * 256 + 256; ++c) {
        if (isSurrogate(c)) continue;
        std::string typed;
        appendUtf8(typed, c);
        NormalizedText text(typed, 0);
        stage.normalize(text);
        changed |= text.text() != typed;
        for (const char byte : text.text() + '\0')
            hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
    }
    return hash;
}

TEST(UnicodeTables, MappingsOfEveryCodePoint) {
    for (const auto& [name, type] : {std::pair("lowercase", "Lowercase"), std::pair("nfd", "NFD")}) {
        const NormalizerPtr stage =
            parseNormalizer(parseJson(fmt::format(R"({{"type":"{}"}})", type), "test"), "test");
        const std::map<char32_t, std::uint64_t>& blocks = expected().blocks.at(name);
        for (char32_t block = 0; block < kEnd / 256; ++block) {
            bool changed = false;
            const std::uint64_t hash = blockHash(*stage, block, changed);
            const auto want = blocks.find(block);
            const std::string where =
                fmt::format("{} of block {:x}00", name, static_cast<std::uint32_t>(block));
            ASSERT_EQ(changed, want != blocks.end()) << where;
            if (changed) {
                EXPECT_EQ(hash, want->second) << where;
            }
        }
    }
}

} // namespace
} // namespace headscope
