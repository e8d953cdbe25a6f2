// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/linked_cells.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace headscope::ui {
namespace {

struct Piece {
    std::string piece;
    std::int64_t start = 0;
    std::int64_t end = 0;
    bool special = false;
};

Axis axisOf(const std::string& text, const std::vector<Piece>& pieces) {
    Axis axis;
    axis.texts = {text};
    for (const Piece& one : pieces)
        axis.entries.push_back(
            {one.piece, one.piece, 0, one.start, one.end, one.special ? -1 : 0, one.special});
    return axis;
}

const std::string kText = "the matting";
// "[CLS] the mat ##ting [SEP]" and "the matting" and "th e mat ting"
const Axis kPieces = axisOf(
    kText, {{"[CLS]", 0, 0, true}, {"the", 0, 3}, {"mat", 4, 7}, {"##ting", 7, 11}, {"[SEP]", 0, 0, true}});
const Axis kWhole = axisOf(kText, {{"the", 0, 3}, {"matting", 3, 11}});
const Axis kOther = axisOf("a cat sat", {{"a", 0, 1}, {"cat", 2, 5}, {"sat", 6, 9}});
const Axis kThird = axisOf("one two six", {{"one", 0, 3}, {"two", 4, 7}, {"six", 8, 11}});

TEST(LinkedToken, OfTheSameTokensIsTheSame) {
    const Axis again = kPieces;
    for (std::int64_t token = 0; token < kPieces.size(); ++token)
        EXPECT_EQ(linkedToken(kPieces, token, again), token) << "special tokens too";
    EXPECT_EQ(linkedToken(kPieces, 5, again), std::nullopt);
}

TEST(LinkedToken, OfOneTextCutDifferentlyHoldsTheFirstCharacter) {
    EXPECT_EQ(linkedToken(kPieces, 1, kWhole), 0);
    EXPECT_EQ(linkedToken(kPieces, 2, kWhole), 1);
    EXPECT_EQ(linkedToken(kPieces, 3, kWhole), 1) << "the second piece of the word";
    EXPECT_EQ(linkedToken(kWhole, 0, kPieces), 1);
    EXPECT_EQ(linkedToken(kPieces, 0, kWhole), std::nullopt) << "[CLS] stands for no character";
    EXPECT_TRUE(areLinked(kPieces, kWhole));
}

TEST(LinkedToken, OfOtherTextsGoesByPositionWhereTheyAreAsLong) {
    EXPECT_EQ(linkedToken(kOther, 2, kThird), 2);
    EXPECT_TRUE(areLinked(kOther, kThird));
    EXPECT_EQ(linkedToken(kOther, 1, kPieces), std::nullopt);
    EXPECT_FALSE(areLinked(kOther, kPieces));
}

/// Rows that are words without special tokens: "the" shows token 1, "matting" tokens 2 and 3.
TEST(ShownPlace, CountsInTokensOfTheRun) {
    auto axes = std::make_shared<ViewedAxes>();
    axes->queries.tokens = {{1, 2}, {2, 4}};
    axes->queries.positions = {1, 2};
    axes->keys = axes->queries;
    const ShownPlace words{nullptr, AttentionKind::Self, axes};
    EXPECT_EQ(words.tokenOf(false, 1), 2);
    EXPECT_EQ(words.tokenOf(false, 1, 3), 3) << "the chosen one stays";
    EXPECT_EQ(words.tokenOf(false, 0, 3), 1);
    EXPECT_EQ(words.indexOf(true, 3), 1);
    EXPECT_EQ(words.indexOf(true, 0), std::nullopt) << "left out";
    const ShownPlace tokens{nullptr, AttentionKind::Self, nullptr};
    EXPECT_EQ(tokens.tokenOf(true, 4), 4);
    EXPECT_EQ(tokens.indexOf(true, 4), 4);
}

} // namespace
} // namespace headscope::ui
