// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/models/piece_trie.h"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <utility>

namespace headscope {
namespace {

using Found = std::vector<std::pair<std::size_t, std::uint32_t>>;

Found prefixes(const PieceTrie& trie, std::string_view text) {
    Found found;
    trie.prefixesOf(text,
                    [&](std::size_t bytes, std::uint32_t number) { found.emplace_back(bytes, number); });
    return found;
}

TEST(PieceTrie, FindsAllPiecesFromTheShortestOn) {
    const std::vector<std::string_view> pieces = {"abc", "b", "a", "ab", "abcd", "é", ""};
    const PieceTrie trie(pieces);
    EXPECT_EQ(prefixes(trie, "abcx"), (Found{{1, 2}, {2, 3}, {3, 0}}));
    EXPECT_EQ(prefixes(trie, "éa"), (Found{{2, 5}}));
    EXPECT_EQ(prefixes(trie, "x"), Found());
    EXPECT_EQ(prefixes(trie, ""), Found());
    EXPECT_EQ(trie.find("abc"), 0U);
    EXPECT_EQ(trie.find("abcd"), 4U);
    for (const char* absent : {"", "abcde", "\xc3", "c"})
        EXPECT_EQ(trie.find(absent), PieceTrie::kNone) << absent;
}

TEST(PieceTrie, OfEqualPiecesTheLastCounts) {
    const std::vector<std::string_view> pieces = {"a", "ab", "a", "ab", "a"};
    EXPECT_EQ(prefixes(PieceTrie(pieces), "ab"), (Found{{1, 4}, {2, 3}}));
}

TEST(PieceTrie, MayBeEmpty) {
    const PieceTrie trie(std::vector<std::string_view>{});
    EXPECT_EQ(prefixes(trie, "a"), Found());
    EXPECT_EQ(trie.find("a"), PieceTrie::kNone);
}

TEST(PieceTrie, AgreesWithComparingEveryPiece) {
    std::mt19937 random(3); // NOLINT: the same pieces at every run
    const auto randomText = [&](std::size_t longest) {
        std::string text(random() % longest, '\0');
        // Few different bytes, the largest and NUL among them.
        for (char& byte : text) byte = static_cast<char>("ab\xff"[random() % 4]);
        return text;
    };
    std::vector<std::string> texts;
    for (int i = 0; i < 2000; ++i) texts.push_back(randomText(13));
    const std::vector<std::string_view> pieces(texts.begin(), texts.end());
    const PieceTrie trie(pieces);
    for (int i = 0; i < 500; ++i) {
        const std::string text = randomText(20);
        Found want;
        for (std::size_t bytes = 1; bytes <= text.size(); ++bytes)
            for (std::size_t piece = pieces.size(); piece-- > 0;) {
                if (pieces[piece] != std::string_view(text).substr(0, bytes)) continue;
                want.emplace_back(bytes, static_cast<std::uint32_t>(piece));
                break;
            }
        ASSERT_EQ(prefixes(trie, text), want);
    }
}

} // namespace
} // namespace headscope
