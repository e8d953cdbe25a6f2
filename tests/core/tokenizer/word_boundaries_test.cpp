// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/word_boundaries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope {
namespace {

using testing::ElementsAre;

TEST(WordBoundaries, CutAtWordsSpacesAndPunctuation) {
    EXPECT_THAT(wordBoundaries("It's 3.5 km, ok?"), ElementsAre(0, 4, 5, 8, 9, 11, 12, 13, 15, 16));
    EXPECT_THAT(wordBoundaries(""), ElementsAre(0));
    EXPECT_THAT(wordBoundaries("word"), ElementsAre(0, 4));
}

TEST(WordBoundaries, CountCodePointsAndKeepClustersWhole) {
    // e with an accent of its own; a family of three people; a flag.
    EXPECT_THAT(wordBoundaries("e\xCC\x81t "), ElementsAre(0, 3, 4));
    EXPECT_THAT(wordBoundaries("\U0001F468\u200D\U0001F469\u200D\U0001F467 x"), ElementsAre(0, 5, 6, 7));
    EXPECT_THAT(wordBoundaries("\U0001F1E9\U0001F1EA\U0001F1EB\U0001F1F7"), ElementsAre(0, 2, 4));
}

TEST(WordBoundaries, KnowWordsWithoutSpaces) {
    // "Hello world" in Chinese, and "Thai language" in Thai.
    EXPECT_THAT(wordBoundaries("你好世界"), ElementsAre(0, 2, 4));
    EXPECT_THAT(wordBoundaries("ภาษาไทย"), ElementsAre(0, 4, 7));
}

} // namespace
} // namespace headscope
