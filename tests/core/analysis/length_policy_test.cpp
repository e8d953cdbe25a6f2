// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/length_policy.h"
#include "tests/support/sentence_of.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope {
namespace {

using test::sentenceOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Token token(std::int64_t id, int text) {
    Token result;
    result.id = id;
    result.text = text;
    result.special = text < 0;
    return result;
}

/// [CLS] first... [SEP], and second... [SEP] where there is one; ids count from 100 and from 200.
std::vector<Token> tokens(int first, int second = -1) {
    std::vector<Token> result{token(1, -1)};
    for (int i = 0; i < first; ++i) result.push_back(token(100 + i, 0));
    result.push_back(token(2, -1));
    if (second < 0) return result;
    for (int i = 0; i < second; ++i) result.push_back(token(200 + i, 1));
    result.push_back(token(2, -1));
    return result;
}

std::vector<std::int64_t> ids(const std::vector<Token>& list) {
    std::vector<std::int64_t> result;
    for (const Token& one : list) result.push_back(one.id);
    return result;
}

TEST(LengthPolicy, TruncatesPairsAsTheTokenizersLibrary) {
    // Counts that tokenizers 0.22.2 keeps with strategy longest_first.
    struct Case {
        int first, second;
        std::int64_t limit, keptFirst, keptSecond;
    };
    for (const Case& one :
         {Case{5, 5, 20, 5, 5}, Case{10, 3, 10, 4, 3}, Case{3, 10, 10, 3, 4}, Case{10, 10, 12, 4, 5},
          Case{10, 10, 11, 4, 4}, Case{10, 9, 10, 4, 3}, Case{9, 10, 10, 3, 4}, Case{2, 20, 9, 2, 4},
          Case{20, 2, 9, 4, 2}, Case{7, 7, 3, 0, 0}, Case{7, 7, 4, 0, 1}, Case{8, 0, 6, 3, 0},
          Case{1, 1, 4, 0, 1}, Case{30, 4, 9, 3, 3}, Case{4, 30, 9, 3, 3}, Case{4, 4, 10, 3, 4},
          Case{4, 5, 10, 3, 4}, Case{5, 4, 10, 4, 3}}) {
        const TokenCounts counts =
            countTokens(truncated(tokens(one.first, one.second), one.limit, TruncationSide::Right));
        EXPECT_EQ(counts.first, one.keptFirst) << one.first << " " << one.second << " " << one.limit;
        EXPECT_EQ(counts.second, one.keptSecond) << one.first << " " << one.second << " " << one.limit;
        EXPECT_EQ(counts.added, 3);
    }
}

TEST(LengthPolicy, TruncatesAtEitherSideAndKeepsSpecialTokens) {
    EXPECT_THAT(ids(truncated(tokens(6), 5, TruncationSide::Right)), ElementsAre(1, 100, 101, 102, 2));
    EXPECT_THAT(ids(truncated(tokens(6), 5, TruncationSide::Left)), ElementsAre(1, 103, 104, 105, 2));
    EXPECT_THAT(ids(truncated(tokens(2), 5, TruncationSide::Right)), ElementsAre(1, 100, 101, 2));
    EXPECT_THAT(ids(truncated(tokens(2), 2, TruncationSide::Right)), ElementsAre(1, 2));
    EXPECT_THAT(sentenceOf([] { truncated(tokens(2), 1, TruncationSide::Right); }),
                HasSubstr("2 special tokens"));
}

TEST(LengthPolicy, PiecesCoverTheTextOnce) {
    const std::vector<Token> all = tokens(7);
    EXPECT_EQ(pieceCount(countTokens(all), 5), 3);
    EXPECT_THAT(ids(piece(all, 5, 0)), ElementsAre(1, 100, 101, 102, 2));
    EXPECT_THAT(ids(piece(all, 5, 1)), ElementsAre(1, 103, 104, 105, 2));
    EXPECT_THAT(ids(piece(all, 5, 2)), ElementsAre(1, 106, 2));
    EXPECT_EQ(pieceCount(countTokens(tokens(6)), 5), 2);
    EXPECT_EQ(pieceCount(countTokens(tokens(0)), 5), 1);
    EXPECT_THAT(ids(piece(tokens(0), 5, 0)), ElementsAre(1, 2));
}

TEST(LengthPolicy, PiecesOutOfRangeNameTheCount) {
    EXPECT_THAT(sentenceOf([] { piece(tokens(7), 5, 3); }), HasSubstr("no piece 3, expected 0 to 2"));
    EXPECT_THAT(sentenceOf([] { piece(tokens(7), 5, -1); }), HasSubstr("no piece -1"));
    EXPECT_THAT(sentenceOf([] { piece(tokens(2), 5, 1); }), HasSubstr("expected 0, the only one"));
    EXPECT_THAT(sentenceOf([] { piece(tokens(2), 2, 0); }), HasSubstr("leave no room"));
}

} // namespace
} // namespace headscope
