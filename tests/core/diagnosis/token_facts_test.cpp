// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/token_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace headscope {
namespace {

using ::testing::ElementsAre;

struct Piece {
    const char* piece;
    int text = 0; ///< -1: a special token
};

Axis axisOf(const std::vector<Piece>& pieces) {
    Axis axis;
    for (const Piece& one : pieces) {
        AxisEntry entry;
        entry.piece = one.piece;
        entry.text = one.text;
        entry.special = one.text < 0;
        axis.entries.push_back(entry);
    }
    return axis;
}

TokenClass classOf(const char* piece, bool special = false) {
    return tokenFacts(axisOf({{"x"}, {piece, special ? -1 : 0}})).classes[1];
}

TEST(TokenFacts, ClassesOfEverySpelling) {
    for (const char* mark : {".", " ,", "Ġ;", "▁:", "##?", "!</w>", "Ġ.</w>"})
        EXPECT_EQ(classOf(mark), TokenClass::Punctuation) << mark;
    for (const char* newline : {"\n", "\r\n", "Ċ", "ĊĊ", "ĠĊ", "▁\n", "<0x0A>"})
        EXPECT_EQ(classOf(newline), TokenClass::Newline) << newline;
    for (const char* word :
         {"the", "...", "..", "Ġ", "▁", "##", " ", "</w>", "-", "。", "Ċa", "<0x0B>", "", "Ġ ."})
        EXPECT_EQ(classOf(word), TokenClass::Content) << word;
    // Only one mark is taken off, and only where something is left.
    EXPECT_EQ(classOf("▁▁."), TokenClass::Content);
}

TEST(TokenFacts, SpecialTokensAreStartOrSeparator) {
    EXPECT_EQ(classOf("[CLS]", true), TokenClass::Start);
    EXPECT_EQ(classOf("<s>", true), TokenClass::Start);
    EXPECT_EQ(classOf("[CLS]"), TokenClass::Content) << "typed, and no special token to the model";
    for (const char* piece : {"[SEP]", "</s>", "<|im_start|>", "<|endoftext|>", ".", "[MASK]"})
        EXPECT_EQ(classOf(piece, true), TokenClass::Separator) << piece;
    // Whatever stands first is the start, a full stop too.
    EXPECT_THAT(tokenFacts(axisOf({{"."}, {"."}})).classes,
                ElementsAre(TokenClass::Start, TokenClass::Punctuation));
}

TEST(TokenFacts, PaddingIsWhatTheMaskHides) {
    const TokenFacts facts = tokenFacts(axisOf({{"[PAD]", -1}, {"[CLS]", -1}, {"a"}, {"b"}}), {0, 1, 1, 0});
    EXPECT_THAT(facts.classes, ElementsAre(TokenClass::Padding, TokenClass::Start, TokenClass::Content,
                                           TokenClass::Padding));
    EXPECT_EQ(facts.count(TokenClass::Padding), 2);
}

TEST(TokenFacts, TypesAreEqualWherePiecesAre) {
    EXPECT_THAT(tokenFacts(axisOf({{"a"}, {"Ġa"}, {"a"}, {"A"}, {"Ġa"}})).types, ElementsAre(0, 1, 0, 2, 1));
    Axis withoutVocabulary = axisOf({{""}, {""}, {""}});
    withoutVocabulary.entries[0].id = withoutVocabulary.entries[2].id = 7;
    withoutVocabulary.entries[1].id = 8;
    EXPECT_THAT(tokenFacts(withoutVocabulary).types, ElementsAre(0, 1, 0));
}

TEST(TokenFacts, SegmentsOfAPairAreItsTexts) {
    const TokenFacts facts = tokenFacts(axisOf(
        {{"[CLS]", -1}, {"a"}, {"."}, {"b"}, {"[SEP]", -1}, {"c", 1}, {".", 1}, {"d", 1}, {"[SEP]", -1}}));
    EXPECT_TRUE(facts.segmentsAreTexts);
    EXPECT_THAT(facts.segments, ElementsAre(0, 0, 0, 0, 0, 1, 1, 1, 1));
}

TEST(TokenFacts, SegmentsOfOneTextAreItsSentences) {
    // A run of closing tokens belongs to the sentence before it; commas close nothing.
    const TokenFacts facts = tokenFacts(
        axisOf({{"[CLS]", -1}, {"a"}, {","}, {"b"}, {"?"}, {"!"}, {"\n"}, {"c"}, {"[SEP]", -1}, {"d"}}));
    EXPECT_FALSE(facts.segmentsAreTexts);
    EXPECT_THAT(facts.segments, ElementsAre(0, 0, 0, 0, 0, 0, 0, 1, 1, 2));
    EXPECT_TRUE(tokenFacts({}).segments.empty());
}

} // namespace
} // namespace headscope
