// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/added_tokens.h"
#include "tests/core/tokenizer/tokenizer_json.h"
#include "tests/support/sentence_of.h"

#include <gtest/gtest.h>

namespace headscope {
namespace {

using test::addedToken;
using test::encoded;
using test::sentenceOf;
using test::TokenizerJson;

constexpr const char* kLowercase = R"({"type":"Lowercase"})";

std::string encodedWith(const std::string& addedTokens, std::string_view text,
                        const std::string& normalizer = "null") {
    TokenizerJson json;
    json.addedTokens = "[" + addedTokens + "]";
    json.normalizer = normalizer;
    return encoded(*json.tokenizer(), text);
}

TEST(AddedTokens, TheLeftmostThenTheLongestIsCut) {
    const std::string tokens = addedToken(6, "<x>") + "," + addedToken(7, "<x>>") + "," + addedToken(8, "x");
    EXPECT_EQ(encodedWith(tokens, "a<x>>b"), "1(0,1) 7(1,5) 2(5,6)");
    EXPECT_EQ(encodedWith(tokens, "<x><x"), "6(0,3) 0(3,4) 8(4,5)");
}

TEST(AddedTokens, CutsInsideAWordMakeTextsOfTheirOwn) {
    // "ab" is one piece of the vocabulary; cut by a token it is not.
    EXPECT_EQ(encodedWith(addedToken(6, "<x>"), "ab a<x>b"), "4(0,2) 1(3,4) 6(4,7) 2(7,8)");
}

TEST(AddedTokens, IdsAreGivenInOrderWhateverTheFileSays) {
    // 6 entries in the vocabulary; "c" is one of them.
    const std::string tokens =
        addedToken(90, "<x>") + "," + addedToken(91, "c") + "," + addedToken(92, "<y>");
    EXPECT_EQ(encodedWith(tokens, "<y>c<x>"), "7(0,3) 5(3,4) 6(4,7)");
    // A vocabulary with holes: the next number is the number of entries, which collides with an id.
    TokenizerJson holes;
    holes.vocab = R"({"[UNK]":0,"a":1,"b":3})";
    holes.addedTokens = "[" + addedToken(3, "<x>") + "]";
    const auto tokenizer = holes.tokenizer();
    EXPECT_EQ(encoded(*tokenizer, "b<x>"), "3(0,1) 3(1,4)");
    EXPECT_EQ(tokenizer->piece(3), "<x>");
    EXPECT_EQ(tokenizer->id("b"), 3);
    EXPECT_EQ(tokenizer->idLimit(), 4);
}

TEST(AddedTokens, TheSameContentTwiceHasOneIdAndTheLastFlags) {
    const std::string tokens = addedToken(6, "<x>", "lstrip") + "," + addedToken(7, "<x>", "rstrip");
    EXPECT_EQ(encodedWith(tokens, "a <x> b"), "1(0,1) 6(2,6) 2(6,7)");
}

TEST(AddedTokens, LstripTakesSpaceUpToTheTokenBefore) {
    const std::string tokens = addedToken(6, "<x>", "lstrip") + "," + addedToken(7, "<y>", "rstrip");
    EXPECT_EQ(encodedWith(tokens, "a \u3000\t<x>b"), "1(0,1) 6(1,7) 2(7,8)");
    EXPECT_EQ(encodedWith(tokens, "<y>  <x>"), "7(0,5) 6(5,8)");
    EXPECT_EQ(encodedWith(tokens, " <x>  <x>"), "6(0,4) 6(4,9)");
    // U+200B and U+001C are no white space.
    EXPECT_EQ(encodedWith(tokens, "\u200b<x>"), "0(0,1) 6(1,4)");
}

TEST(AddedTokens, RstripDoesNotMoveTheSearch) {
    const std::string tokens = addedToken(6, "<y>", "rstrip") + "," + addedToken(7, " b");
    EXPECT_EQ(encodedWith(tokens, "<y>  b"), "6(0,5) 7(4,6)");
    EXPECT_EQ(encodedWith(tokens, "<y>  a"), "6(0,5) 1(5,6)");
    // The same on the normalised side.
    EXPECT_EQ(encodedWith(addedToken(6, "<Y>", "rstrip normalized") + "," + addedToken(7, " B", "normalized"),
                          "<y>  b", kLowercase),
              "6(0,5) 7(4,6)");
}

TEST(AddedTokens, ASpaceTokenInsideTakenSpaceIsRefusedWhereTheLibraryStops) {
    const std::string tokens = addedToken(6, "<y>", "rstrip") + "," + addedToken(7, " ", "lstrip");
    EXPECT_EQ(sentenceOf([&] { encodedWith(tokens, "<y>   a"); }),
              "the text: the added token \" \" is found in white space that another one has taken; the "
              "tokenizers library "
              "stops at this too: change the text, or give it as token ids with --ids.");
}

TEST(AddedTokens, SingleWordLooksAtBothNeighbours) {
    const std::string tokens = addedToken(6, "xy", "single_word") + "," + addedToken(7, "-");
    EXPECT_EQ(encodedWith(tokens, "xy a xy"), "6(0,2) 1(3,4) 6(5,7)");
    for (const char* text : {"axy", "xya", "_xy", "xy\u200d", "中xy", "xy\u0301", "xy٣"})
        EXPECT_EQ(encodedWith(tokens, text).find("6("), std::string::npos) << text;
    for (const char* text : {"²xy", "xy😀", ".xy.", "\u200bxy"})
        EXPECT_NE(encodedWith(tokens, text).find("6("), std::string::npos) << text;
    // The end of the text that is searched is a boundary; a cut in the same search is none.
    EXPECT_EQ(encodedWith(tokens, "-xy-"), "7(0,1) 6(1,3) 7(3,4)");
    // A refused match is passed over whole: the shorter token inside it is not tried.
    EXPECT_EQ(encodedWith(addedToken(6, "xyz", "single_word") + "," + addedToken(7, "yz"), "xyza"), "0(0,4)");
}

TEST(AddedTokens, AnEarlierCutIsABoundaryForNormalizedTokens) {
    const std::string tokens = addedToken(6, "<x>") + "," + addedToken(7, "A", "single_word normalized");
    EXPECT_EQ(encodedWith(tokens, "c<x>a", kLowercase), "5(0,1) 6(1,4) 7(4,5)");
    EXPECT_EQ(encodedWith(addedToken(6, "x") + "," + addedToken(7, "A", "single_word normalized"), "cxa",
                          kLowercase),
              "5(0,1) 6(1,2) 7(2,3)");
}

TEST(AddedTokens, NormalizedOnesAreSearchedInTheNormalizedText) {
    const std::string tokens = addedToken(6, "XY", "normalized") + "," + addedToken(7, "ZZ");
    EXPECT_EQ(encodedWith(tokens, "xyXYzzZZ", kLowercase), "6(0,2) 6(2,4) 0(4,6) 7(6,8)");
    // Typed tokens are cut first, whatever stands in front of them.
    EXPECT_EQ(encodedWith(addedToken(6, "xyz", "normalized") + "," + addedToken(7, "yz"), "xyz"),
              "0(0,1) 7(1,3)");
}

TEST(AddedTokens, ContentThatNormalisesToNothingCutsAtEveryCharacter) {
    const char* strip = R"({"type":"StripAccents"})";
    const std::string tokens = addedToken(6, "\u0301", "normalized");
    EXPECT_EQ(encodedWith(tokens, "abc", strip), "1(0,1) 2(1,2) 5(2,3)");
    EXPECT_EQ(sentenceOf([&] { encodedWith(tokens, "a中", strip); }),
              "the text: the added token \"\u0301\" normalises to nothing and is found inside a character; "
              "the tokenizers "
              "library stops at this too: change the text, or give it as token ids with --ids.");
}

TEST(AddedTokens, SpecialHasNoEffectUnlessTheyAreSplit) {
    TokenizerJson json;
    json.addedTokens = "[" + addedToken(0, "[UNK]", "special") + "," + addedToken(6, "c") + "]";
    const auto tokenizer = json.tokenizer();
    const std::vector<Token> tokens = tokenizer->encode("a[UNK]c", std::nullopt, {});
    EXPECT_EQ(test::shown(tokens), "1(0,1) 0(1,6) 5(6,7)");
    EXPECT_FALSE(tokens[1].special); // only what the post-processor adds is special
    EXPECT_TRUE(tokenizer->isSpecial(0));
    EXPECT_FALSE(tokenizer->isSpecial(5));
    EXPECT_FALSE(tokenizer->isSpecial(99));
}

TEST(AddedTokens, EmptyContentIsSkipped) {
    EXPECT_EQ(encodedWith(addedToken(6, "") + "," + addedToken(7, "<x>"), "a<x>"), "1(0,1) 6(1,4)");
}

TEST(AddedTokens, ThePieceIsTheVocabularysSpelling) {
    TokenizerJson json;
    json.addedTokens = "[" + addedToken(6, "<X>", "lstrip normalized") + "]";
    json.normalizer = kLowercase;
    const std::vector<Token> tokens = json.tokenizer()->encode("ab  <x>", std::nullopt, {});
    ASSERT_EQ(tokens.size(), 2u);
    EXPECT_EQ(tokens[0].piece, "ab");
    EXPECT_EQ(tokens[1].piece, "<X>");
}

TEST(AddedTokens, ManyTokensInsideTakenSpaceCostLinearTime) {
    // Each of the matches takes all the space behind it; reading that anew each time would take minutes.
    TokenizerJson json;
    json.addedTokens = "[" + addedToken(6, "\u2003", "rstrip normalized") + "]";
    const std::vector<Token> tokens = json.tokenizer()->encode(
        [] {
            std::string spaces;
            for (int i = 0; i < 300000; ++i) spaces += "\u2003";
            return spaces;
        }(),
        std::nullopt, {});
    ASSERT_EQ(tokens.size(), 300000u);
    EXPECT_EQ(tokens.back().start, 299999);
    EXPECT_EQ(tokens.front().end, 300000);
}

TEST(AddedTokens, LongTokensThatBeginAlikeCostLinearTime) {
    // At each place the whole token but its end is there; comparing it anew each time would take minutes.
    TokenizerJson json;
    const std::string token = std::string(4000, 'a') + "b";
    json.addedTokens = "[" + addedToken(6, token) + "," + addedToken(7, "aac") + "]";
    const std::string text = std::string(20'000'000, 'a') + "c" + token + " b";
    EXPECT_EQ(encoded(*json.tokenizer(), text),
              "0(0,19999998) 7(19999998,20000001) 6(20000001,20004002) 2(20004003,20004004)");
}

} // namespace
} // namespace headscope
