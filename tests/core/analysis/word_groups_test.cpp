// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/word_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope {
namespace {

using testing::ElementsAre;

AxisEntry token(const std::string& piece, std::int64_t start, std::int64_t end, int text = 0) {
    return {piece, piece, 7, start, end, text, false};
}
AxisEntry special(const std::string& piece) {
    return {piece, piece, 1, 0, 0, -1, true};
}

std::vector<std::string> labels(const WordGroups& groups) {
    std::vector<std::string> labels;
    for (const AxisEntry& entry : groups.axis->entries) labels.push_back(entry.label);
    return labels;
}

TEST(WordGroups, PutPiecesTogetherAndLeaveSpecialTokensAlone) {
    const Axis axis{{special("[CLS]"), token("un", 0, 2), token("##believ", 2, 8), token("##able", 8, 12),
                     token("!", 12, 13), special("[SEP]"), special("[SEP]")},
                    {"unbelievable!"}};
    const WordGroups groups = wordGroups(axis);
    EXPECT_THAT(groups.tokens, ElementsAre(Span{0, 1}, Span{1, 4}, Span{4, 5}, Span{5, 6}, Span{6, 7}));
    EXPECT_THAT(labels(groups), ElementsAre("[CLS]", "unbelievable", "!", "[SEP]", "[SEP]"));
    EXPECT_EQ(groups.axis->entries[1].piece, "un##believ##able");
    EXPECT_EQ(groups.axis->entries[1].start, 0);
    EXPECT_EQ(groups.axis->entries[1].end, 12);
    EXPECT_TRUE(groups.axis->entries[0].special);
    EXPECT_EQ(groups.axis->entries[2].id, 7) << "a token that is a word is left as it is";
}

TEST(WordGroups, WhiteSpaceBeforeAWordBelongsToIt) {
    // Vocabularies with "▁" have the space in the span.
    const Axis axis{
        {token("▁The", 0, 3), token("▁th", 3, 6), token("en", 6, 8), token("▁", 8, 9), token("\n", 9, 10)},
        {"The then \n"}};
    const WordGroups groups = wordGroups(axis);
    EXPECT_THAT(groups.tokens, ElementsAre(Span{0, 1}, Span{1, 3}, Span{3, 4}, Span{4, 5}));
    EXPECT_THAT(labels(groups), ElementsAre("▁The", "then", "▁", "\n"));
}

TEST(WordGroups, WordsOfTwoTextsStayApart) {
    const Axis axis{{token("a", 0, 1, 0), token("##b", 1, 2, 0), token("a", 0, 1, 1), token("##b", 1, 2, 1)},
                    {"ab", "ab"}};
    EXPECT_THAT(wordGroups(axis).tokens, ElementsAre(Span{0, 2}, Span{2, 4}));
}

TEST(WordGroups, PartsOfACharacterAreOneWord) {
    const Axis axis{{token("part1", 0, 1), token("part2", 0, 1), token("part3", 0, 1)}, {"\U0001F984"}};
    const WordGroups groups = wordGroups(axis);
    EXPECT_THAT(groups.tokens, ElementsAre(Span{0, 3}));
    EXPECT_THAT(labels(groups), ElementsAre("\U0001F984"));
}

TEST(WordGroups, WithoutATextEveryTokenIsAWord) {
    const Axis axis{{token("a", 0, 0, -1), token("b", 0, 0, -1)}, {}};
    EXPECT_THAT(wordGroups(axis).tokens, ElementsAre(Span{0, 1}, Span{1, 2}));
    EXPECT_THAT(wordGroups(Axis{}).tokens, ElementsAre());
}

} // namespace
} // namespace headscope
