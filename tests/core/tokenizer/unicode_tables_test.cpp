// SPDX-License-Identifier: GPL-3.0-or-later
// Every code point against what the tokenizers library does with it (tests/tools/make_tokenizer_fixtures.py
// and tokenizer_stage_fixtures.py).
#include "core/base/utf8.h"
#include "core/tokenizer/grapheme_clusters.h"
#include "core/tokenizer/normalizers/normalizer.h"
#include "core/tokenizer/unicode_16.h"
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
        blocks;                    ///< stage -> block of 256 -> hash of the outputs
    std::vector<char32_t> scripts; ///< for each code point the first one of the same script; 0: none
};

void readInto(Expected& read, const char* file) {
    std::istringstream lines(test::readBytes(test::dataPath(file)));
    std::string name;
    while (lines >> name) {
        std::string first;
        std::string second;
        lines >> first >> second;
        const std::size_t begin = std::stoul(first, nullptr, 16);
        if (name == "lowercase" || name.starts_with("nf")) {
            read.blocks[name][static_cast<char32_t>(begin)] = std::stoull(second, nullptr, 16);
            continue;
        }
        const std::size_t end = std::stoul(second, nullptr, 16) + 1;
        if (name == "script") {
            std::string script;
            lines >> script;
            for (std::size_t c = begin; c < end; ++c)
                read.scripts[c] = static_cast<char32_t>(std::stoul(script, nullptr, 16));
            continue;
        }
        std::vector<bool>& property = read.properties[name];
        property.resize(kEnd);
        for (std::size_t c = begin; c < end; ++c) property[c] = true;
    }
}

const Expected& expected() {
    static const Expected result = [] {
        Expected read;
        read.scripts.resize(kEnd);
        readInto(read, "tokenizer/code_points.txt");
        readInto(read, "tokenizer/stage_code_points.txt");
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
    compareProperty("numeric", unicode::isNumeric);
    const auto isClass = [](unicode::RegexClass kind) {
        return [kind](char32_t c) { return unicode::regexClass(c) == kind; };
    };
    compareProperty("letter", isClass(unicode::RegexClass::Letter));
    compareProperty("number", isClass(unicode::RegexClass::Number));
    compareProperty("regex_space", isClass(unicode::RegexClass::Space));
}

TEST(UnicodeTables, ScriptsOfEveryCodePoint) {
    // The library shows which ones are the same, with Japanese as one and U+30FC in it.
    std::map<int, char32_t> firstOf;
    const auto script = [&](char32_t c) -> char32_t {
        int code = c == 0x30fc ? unicode::script(0x4e00) : unicode::script(c);
        if (code == unicode::script(0x3042) || code == unicode::script(0x30a2))
            code = unicode::script(0x4e00);
        if (code == unicode::kNoScript || c == ' ') return 0;
        return firstOf.try_emplace(code, c).first->second;
    };
    std::string different;
    for (char32_t c = 0; c < kEnd; ++c)
        if (!isSurrogate(c) && script(c) != expected().scripts[c] && different.size() < 400)
            different += fmt::format("{:x} ", static_cast<std::uint32_t>(c));
    EXPECT_EQ(different, "");
    EXPECT_EQ(expected().scripts['a'], U'A');
    EXPECT_EQ(expected().scripts[0x3042], expected().scripts[0x4e00]);
}

TEST(GraphemeClusters, OfEveryCodePointAndALetter) {
    const auto isOne = [](const std::u32string& text) {
        const std::string utf8 = toUtf8(text);
        return graphemeClusterEnd(utf8, 0) == utf8.size();
    };
    compareProperty("joins_before", [&](char32_t c) { return c > 0 && isOne({U'a', c}); });
    compareProperty("joins_behind", [&](char32_t c) { return c > 0 && isOne({c, U'a'}); });
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
    for (const auto& [name, type] :
         {std::pair("lowercase", "Lowercase"), std::pair("nfd", "NFD"), std::pair("nfc", "NFC"),
          std::pair("nfkc", "NFKC"), std::pair("nfkd", "NFKD")}) {
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

/// Regular expressions are matched with these in the place of younger code points.
TEST(Unicode16, TwinsAreOlderAndOfTheSameKind) {
    int twins = 0;
    for (char32_t c = 0; c < kEnd; ++c) {
        if (isSurrogate(c)) continue;
        const char32_t twin = unicode::twinOf14(c);
        if (twin == c) continue;
        ++twins;
        ASSERT_TRUE(unicode::isAssignedIn(twin, 14)) << static_cast<std::uint32_t>(c);
        ASSERT_FALSE(unicode::isSameIn14(c)) << static_cast<std::uint32_t>(c);
        ASSERT_EQ(unicode::categoryMask16(twin), unicode::categoryMask16(c)) << static_cast<std::uint32_t>(c);
        ASSERT_EQ(toUtf8({&twin, 1}).size(), toUtf8({&c, 1}).size()) << static_cast<std::uint32_t>(c);
    }
    // 4,489 characters of 15.0, 627 of 15.1 and 5,185 of 16.0, and one of another category since.
    EXPECT_EQ(twins, 10302);
    EXPECT_EQ(unicode::twinOf14(0x31350), 0x3134au); // an ideograph of 15.0: the last one before it
    EXPECT_EQ(unicode::twinOf14(0x2ebf0), 0x2ebe0u); // likewise of 15.1
    EXPECT_EQ(unicode::twinOf14(0xa7cb), 0xa7c9u);   // a capital of 16.0; U+A7CA is a small letter
    EXPECT_EQ(unicode::twinOf14(0x378), 0x378u);     // unassigned
}

} // namespace
} // namespace headscope
