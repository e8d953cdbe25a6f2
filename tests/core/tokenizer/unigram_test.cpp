// SPDX-License-Identifier: GPL-3.0-or-later
// Every expected value is what the tokenizers library (0.22.2) gives.
#include "tests/core/tokenizer/model_json.h"
#include "tests/support/sentence_of.h"

#include <gtest/gtest.h>

namespace headscope {
namespace {

using test::encoded;
using test::sentenceOf;
using test::tokenizerOf;
using test::unigramModel;

std::string unigram(const std::string& pieces, std::string_view text,
                    const std::string& fields = R"(,"unk_id":0)") {
    return encoded(*tokenizerOf(unigramModel(pieces, fields)), text);
}

TEST(Unigram, TheLargestSumOfScoresIsTaken) {
    const std::string pieces =
        R"(["<unk>",0.0],["a",0.0],["b",0.0],["c",0.0],["d",0.0],["cd",1.0],["ab",2.0],)"
        R"(["abc",5.0],["abcd",10.0])";
    EXPECT_EQ(unigram(pieces, "abcdacdxx"), "8(0,4) 1(4,5) 5(5,7) 0(7,9)");
    EXPECT_EQ(unigram(pieces, ""), "");
    EXPECT_EQ(unigram(R"(["<unk>",0],["a",-1],["aa",-3])", "aa"), "1(0,1) 1(1,2)");
}

TEST(Unigram, OfEqualPathsTheFirstFoundStays) {
    const std::string runs = R"(["<unk>",0.0],["a",-1.0],["aa",-2.0],["aaa",-3.0])";
    EXPECT_EQ(unigram(runs, "aa"), "2(0,2)");
    EXPECT_EQ(unigram(runs, "aaa"), "3(0,3)");
    EXPECT_EQ(unigram(runs, "aaaa"), "1(0,1) 3(1,4)");
    EXPECT_EQ(unigram(R"(["<unk>",0.0],["a",-1.0],["b",-1.0],["c",-1.0],["ab",-1.0],["bc",-1.0])", "abc"),
              "1(0,1) 5(1,3)");
}

TEST(Unigram, ScoresAreReadAsTheLibraryReadsThem) {
    // Read to the nearest double they would give rr rr r, and r rr r r.
    EXPECT_EQ(unigram(R"(["<unk>",0.0],["r",-1.8061854646744073],["rr",-3.6123709293488142],)"
                      R"(["rrr",-5.4185563940232218])",
                      "rrrrr"),
              "1(0,1) 3(1,4) 1(4,5)");
    EXPECT_EQ(unigram(R"(["<unk>",0.0],["r",-2.5304141544365302],["rr",-5.0608283088730612],)"
                      R"(["rrr",-7.5912424633095918])",
                      "rrrrr"),
              "2(0,2) 3(2,5)");
}

TEST(Unigram, AnUnknownCharacterCostsTenMoreThanTheWorstPiece) {
    // The worst counts whether it is in the text or not.
    EXPECT_EQ(unigram(R"(["<unk>",0.0],["a",12.0],["xa",-4.0],["b",-5.0])", "xa"), "0(0,1) 1(1,2)");
    EXPECT_EQ(unigram(R"(["<unk>",0.0],["a",12.0],["xa",-4.0],["b",-8.0])", "xa"), "2(0,2)");
    // There is no such way where the character is a piece.
    EXPECT_EQ(unigram(R"(["<unk>",0.0],["x",-1000.0],["a",-1.0])", "axa"), "2(0,1) 1(1,2) 2(2,3)");
}

TEST(Unigram, UnknownNeighboursAreOneToken) {
    const std::string pieces = R"(["<unk>",0.0],["a",-1.0])";
    EXPECT_EQ(unigram(pieces, "axyaé中b"), "1(0,1) 0(1,3) 1(3,4) 0(4,7)");
    EXPECT_EQ(unigram(pieces, "<unk>"), "0(0,5)");
    EXPECT_EQ(unigram(pieces, "x<unk>x"), "0(0,7)"); // typed ones too
    EXPECT_EQ(unigram(pieces, "<unk><unk>"), "0(0,10)");
    // The piece of unk_id is a piece like others.
    const std::string others = R"(["xy",-1.0],["u",-1.0],["a",-1.0])";
    EXPECT_EQ(unigram(others, "uu", R"(,"unk_id":1)"), "1(0,2)");
    EXPECT_EQ(unigram(others, "aua", R"(,"unk_id":1)"), "2(0,1) 1(1,2) 2(2,3)");
    EXPECT_EQ(unigram(others, "zuz", R"(,"unk_id":1)"), "1(0,3)");
}

TEST(Unigram, UnknownTextIsLookedUpAsAWhole) {
    // The typed token is worth more than the piece, so the path runs through it; then both are one text.
    const std::string pieces = R"(["<unk>",100.0],["xy",-2.0],["x<unk>",-50.0],["a",5.0])";
    EXPECT_EQ(unigram(pieces, "x<unk>a"), "2(0,6) 3(6,7)");
    EXPECT_EQ(unigram(pieces, "<unk>"), "0(0,5)");
}

TEST(Unigram, BytesStandForUnknownTextIfAllOfThemAreThere) {
    const std::string pieces = R"(["<unk>",0.0],["a",-1.0],["<0xC3>",0.0],["<0xA9>",0.0],["<0xE4>",0.0],)"
                               R"(["<0xB8>",0.0],["<0xAD>",0.0])";
    const std::string fields = R"(,"unk_id":0,"byte_fallback":true)";
    EXPECT_EQ(unigram(pieces, "aéa", fields), "1(0,1) 2(1,2) 3(1,2) 1(2,3)");
    EXPECT_EQ(unigram(pieces, "é中", fields), "2(0,2) 3(0,2) 4(0,2) 5(0,2) 6(0,2)"); // the span of all
    EXPECT_EQ(unigram(pieces, "éx", fields), "0(0,2)");
    EXPECT_EQ(unigram(pieces, "aé<0xC3>", fields), "1(0,1) 2(1,2) 3(1,2) 2(2,8)");
    EXPECT_EQ(unigram(pieces, "aé"), "1(0,1) 0(1,2)");
}

TEST(Unigram, WithoutUnkIdUnknownTextIsRefusedOnceItIsNeeded) {
    const auto tokenizer = tokenizerOf(
        unigramModel(R"(["a",-1.0],["b",-1.0],["<0xC3>",0.0],["<0xA9>",0.0])", R"(,"byte_fallback":true)"));
    EXPECT_EQ(encoded(*tokenizer, "ab"), "0(0,1) 1(1,2)");
    EXPECT_EQ(sentenceOf([&] { encoded(*tokenizer, "aé"); }),
              "tokenizer.json: model: \"é\" is not in the vocabulary, and unk_id names no unknown token.");
    // "b" is in no piece of its own.
    const std::string pieces = R"(["abc",-1.0],["c",-1.0],["ab",-1.0])";
    EXPECT_NE(sentenceOf([&] { unigram(pieces, "ab", R"(,"unk_id":null)"); }), "");
}

TEST(Unigram, OfAPieceThatStandsTwiceTheLaterCounts) {
    EXPECT_EQ(unigram(R"(["<unk>",0.0],["a",-1.0],["b",-1.0],["ab",-5.0],["ab",-1.0])", "ab"), "4(0,2)");
    EXPECT_EQ(unigram(R"(["<unk>",0.0],["a",-1.0],["b",-1.0],["ab",-1.0],["ab",-5.0])", "ab"),
              "1(0,1) 2(1,2)");
    const std::string pieces = R"(["<unk>",0.0],["a",-1.0],["<unk>",-1.0])";
    EXPECT_EQ(unigram(pieces, "x<unk>"), "0(0,1) 2(1,6)");
    EXPECT_EQ(unigram(pieces, "x<unk>", R"(,"unk_id":2)"), "2(0,6)");
    const auto tokenizer = tokenizerOf(unigramModel(pieces));
    EXPECT_EQ(tokenizer->id("<unk>"), 2);
    EXPECT_EQ(tokenizer->piece(0), "<unk>");
    EXPECT_EQ(tokenizer->piece(2), "<unk>");
    EXPECT_EQ(tokenizer->piece(3), std::nullopt);
    EXPECT_EQ(tokenizer->idLimit(), 3);
}

TEST(Unigram, AnEmptyPieceIsNeverFound) {
    EXPECT_EQ(unigram(R"(["<unk>",0.0],["",5.0],["a",-1.0])", "aa"), "2(0,1) 2(1,2)");
}

TEST(Unigram, UnknownTokensAreSpelledAsInTheVocabulary) {
    const auto tokenizer = tokenizerOf(unigramModel(R"(["<unk>",0.0],["a",-1.0])"));
    const std::vector<Token> tokens = tokenizer->encode("axy", std::nullopt, {});
    ASSERT_EQ(tokens.size(), 2U);
    EXPECT_EQ(tokens[0].piece, "a");
    EXPECT_EQ(tokens[1].piece, "<unk>");
}

TEST(Unigram, OneWordOfTwoMegabytesTakesLinearTime) {
    const auto tokenizer =
        tokenizerOf(unigramModel(R"(["<unk>",0.0],["a",-1.0],["aa",-1.5],["aaaa",-2.0],["aaaaaaaa",-3.0])"));
    const std::vector<Token> tokens = tokenizer->encode(std::string(2'000'000, 'a'), std::nullopt, {});
    ASSERT_EQ(tokens.size(), 250'000U);
    EXPECT_EQ(tokens.back().end, 2'000'000);
    EXPECT_EQ(encoded(*tokenizer, std::string(2'000'000, 'x')), "0(0,2000000)");
}

} // namespace
} // namespace headscope
