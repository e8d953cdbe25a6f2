// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/normalized_text.h"

#include <gtest/gtest.h>

namespace headscope {
namespace {

TEST(NormalizedText, TypedTextCountsCodePointsFromTheGivenOne) {
    const NormalizedText text("aé中😀", 7);
    EXPECT_EQ(text.size(), 10u);
    EXPECT_EQ(text.span(0, 1), (Span{7, 8}));
    EXPECT_EQ(text.span(1, 3), (Span{8, 9}));
    EXPECT_EQ(text.span(2, 4), (Span{8, 10})); // a cut inside a character has the whole character's span
    EXPECT_EQ(text.span(6, 10), (Span{10, 11}));
    EXPECT_EQ(text.span(0, 10), (Span{7, 11}));
}

TEST(NormalizedText, EditKeepsOriginsByTheRulesOfTheLibrary) {
    NormalizedText text("xaéb", 0);
    TextEdit edit(text);
    edit.drop(1);        // x
    edit.replace(U'中'); // a -> three bytes with a's origin
    edit.insert(U'-');   // the character before the cursor is a
    edit.keep(2);        // é
    edit.insert(U'+');
    edit.drop(1); // b
    edit.insert(U'!');
    edit.finish();
    EXPECT_EQ(text.text(), "中-é+!");
    EXPECT_EQ(text.span(0, 3), (Span{1, 2}));
    EXPECT_EQ(text.span(3, 4), (Span{1, 2}));
    EXPECT_EQ(text.span(4, 6), (Span{2, 3}));
    EXPECT_EQ(text.span(6, 7), (Span{2, 3}));
    EXPECT_EQ(text.span(7, 8), (Span{3, 4})); // a dropped character counts as the one before the cursor
}

TEST(NormalizedText, WhatIsPutBeforeEverythingHasNoOrigin) {
    NormalizedText text("ab", 5);
    TextEdit edit(text);
    edit.insert(U'>');
    edit.keep(2);
    edit.finish();
    EXPECT_EQ(text.text(), ">ab");
    EXPECT_EQ(text.origin(0), NormalizedText::kNoOrigin);
    EXPECT_EQ(text.span(0, 1), (Span{0, 0}));
    EXPECT_EQ(text.span(0, 2), (Span{0, 6}));
}

TEST(NormalizedText, AppendTakesTextAndOrigins) {
    NormalizedText text("ab", 0);
    text.append(NormalizedText("cde", 10), 1, 3);
    EXPECT_EQ(text.text(), "abde");
    EXPECT_EQ(text.span(1, 3), (Span{1, 12}));
}

TEST(NormalizedText, EverythingDroppedIsEmpty) {
    NormalizedText text("ab", 0);
    TextEdit edit(text);
    edit.drop(2);
    edit.finish();
    EXPECT_TRUE(text.empty());
}

} // namespace
} // namespace headscope
