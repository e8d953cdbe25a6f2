// SPDX-License-Identifier: GPL-3.0-or-later
// Every expected value is what the tokenizers library (0.22.2) gives.
#include "tests/core/tokenizer/model_json.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <thread>

namespace headscope {
namespace {

using test::bpeModel;
using test::encoded;
using test::kSplitWords;
using test::sentenceOf;
using test::tokenizerOf;
using test::withBytePieces;

std::string bpe(const std::string& model, std::string_view text) {
    return encoded(*tokenizerOf(model), text);
}

TEST(Bpe, TheLowestRankGoesFirst) {
    const auto tokenizer =
        tokenizerOf(bpeModel({"a", "b", "c", "ab", "bc", "abc"}, R"("b c","a b","a bc")"), kSplitWords);
    EXPECT_EQ(encoded(*tokenizer, "abc ab"), "5(0,3) 3(4,6)");
    EXPECT_EQ(encoded(*tokenizer, "bca"), "4(0,2) 0(2,3)");
    EXPECT_EQ(encoded(*tokenizer, ""), "");
}

TEST(Bpe, OfOneRankTheLeftmostGoesFirst) {
    const std::string model = bpeModel({"a", "aa", "aaa", "aaaa"}, R"("a a","aa a")");
    EXPECT_EQ(bpe(model, "aaa"), "2(0,3)");
    EXPECT_EQ(bpe(model, "aaaa"), "1(0,2) 1(2,4)");
    EXPECT_EQ(bpe(model, "aaaaa"), "1(0,2) 2(2,5)");
}

TEST(Bpe, APairThatStandsTwiceHasTheLaterRank) {
    EXPECT_EQ(bpe(bpeModel({"a", "b", "c", "ab", "bc"}, R"("a b","b c")"), "abc"), "3(0,2) 2(2,3)");
    EXPECT_EQ(bpe(bpeModel({"a", "b", "c", "ab", "bc"}, R"("a b","b c","a b")"), "abc"), "0(0,1) 4(1,3)");
}

TEST(Bpe, MergesAreLinesOrPairs) {
    // Pairs may hold spaces; lines that start with #version are no merges, as pairs they are.
    EXPECT_EQ(bpe(bpeModel({"a", " ", "a ", "a a", "b"}, R"(["a"," "],["a ","a"])"), "a ab"),
              "3(0,3) 4(3,4)");
    EXPECT_EQ(bpe(bpeModel({"a", "b", "c", "ab", "bc"}, R"("#version: 0.2","a b","#versionx","b c")"), "abc"),
              "3(0,2) 2(2,3)");
    EXPECT_EQ(bpe(bpeModel({"#version", "a", "b", "#versiona"}, R"(["#version","a"])"), "a"), "1(0,1)");
    EXPECT_EQ(bpe(bpeModel({"", "a", "b"}, R"(" a")"), "ab"), "1(0,1) 2(1,2)");
}

TEST(Bpe, WithoutUnknownTokenCharactersVanish) {
    // What stood beside them may be merged, and all behind them moves to the left.
    const std::string model = bpeModel({"a", "b", "ab"}, R"("a b")");
    EXPECT_EQ(bpe(model, "xab"), "2(0,2)");
    EXPECT_EQ(bpe(model, "axb"), "2(0,2)");
    EXPECT_EQ(bpe(model, "xaxbx"), "2(0,2)");
    EXPECT_EQ(bpe(model, "é"), "");
}

TEST(Bpe, UnknownCharactersAreOneTokenEachOrFused) {
    const std::vector<std::string> pieces = {"U", "a", "b"};
    const std::string apart = bpeModel(pieces, "", R"(,"unk_token":"U")");
    EXPECT_EQ(bpe(apart, "xya"), "0(0,1) 0(1,2) 1(2,3)");
    EXPECT_EQ(bpe(apart, "axyb"), "1(0,1) 0(1,2) 0(2,3) 2(3,4)");
    const std::string fused = bpeModel(pieces, "", R"(,"unk_token":"U","fuse_unk":true)");
    EXPECT_EQ(bpe(fused, "xya"), "0(0,2) 1(2,3)");
    EXPECT_EQ(bpe(fused, "éxb"), "0(0,2) 2(2,3)");
}

TEST(Bpe, UnknownTokensTakePartInMerges) {
    const std::string model = bpeModel({"U", "a", "Ua", "UU"}, R"("U a","U U")", R"(,"unk_token":"U")");
    EXPECT_EQ(bpe(model, "xa"), "2(0,2)");
    EXPECT_EQ(bpe(model, "xyz"), "3(0,2) 0(2,3)");
}

TEST(Bpe, NeedsItsUnknownTokenOnlyWhenACharacterIsUnknown) {
    const auto tokenizer = tokenizerOf(bpeModel({"a"}, "", R"(,"unk_token":"U")"));
    EXPECT_EQ(encoded(*tokenizer, "a"), "0(0,1)");
    EXPECT_EQ(
        sentenceOf([&] { encoded(*tokenizer, "ax"); }),
        "tokenizer.json: model: \"x\" is not in the vocabulary, and neither is the unknown token \"U\".");
}

TEST(Bpe, BytesStandForACharacterIfAllOfThemAreThere) {
    const std::vector<std::string> pieces = withBytePieces({"U", "a", "b"}, "\xc3\xa9X");
    const std::string model = bpeModel(pieces, "", R"(,"unk_token":"U","byte_fallback":true)");
    EXPECT_EQ(bpe(model, "aéb"), "1(0,1) 3(1,2) 4(1,2) 2(2,3)");
    EXPECT_EQ(bpe(model, "X"), "5(0,1)");
    EXPECT_EQ(bpe(bpeModel(pieces, "", R"(,"unk_token":"U")"), "é"), "0(0,1)");
    EXPECT_EQ(bpe(bpeModel(pieces, "", R"(,"byte_fallback":true)"), "éaê"), "3(0,1) 4(0,1) 1(1,2)");
    // The spelling is the one with upper case digits.
    EXPECT_EQ(bpe(bpeModel({"a", "<0xc3>", "<0xa9>"}, "", R"(,"unk_token":"a","byte_fallback":true)"), "é"),
              "0(0,1)");
}

TEST(Bpe, AnUnknownTokenIsWrittenBehindTheBytesThatFollow) {
    const std::vector<std::string> pieces = withBytePieces({"U", "a", "b"}, "\xc3\xa9X");
    const std::string apart = bpeModel(pieces, "", R"(,"unk_token":"U","byte_fallback":true)");
    EXPECT_EQ(bpe(apart, "ÀXb"), "5(0,1) 0(0,2) 2(2,3)");
    EXPECT_EQ(bpe(apart, "êX"), "5(0,1) 0(0,2)");
    EXPECT_EQ(bpe(apart, "Xê"), "5(0,1) 0(1,2)");
    EXPECT_EQ(bpe(apart, "êXê"), "5(0,1) 0(0,2) 0(2,3)");
    const std::string fused =
        bpeModel(pieces, "", R"(,"unk_token":"U","byte_fallback":true,"fuse_unk":true)");
    EXPECT_EQ(bpe(fused, "ÀXÀb"), "5(0,1) 0(0,3) 2(3,4)");
}

TEST(Bpe, BytesTakePartInMerges) {
    const std::string model = bpeModel({"a", "<0xC3>", "<0xA9>", "<0xC3><0xA9>", "a<0xC3><0xA9>"},
                                       R"("<0xC3> <0xA9>","a <0xC3><0xA9>")", R"(,"byte_fallback":true)");
    EXPECT_EQ(bpe(model, "aé"), "4(0,2)");
    EXPECT_EQ(bpe(model, "é"), "3(0,1)");
}

TEST(Bpe, TheSuffixStandsBehindTheLastCharacter) {
    const auto tokenizer = tokenizerOf(
        bpeModel({"a", "b", "a$", "b$", "ab$"}, R"("a b$")", R"(,"end_of_word_suffix":"$")"), kSplitWords);
    EXPECT_EQ(encoded(*tokenizer, "ab a"), "4(0,2) 2(3,4)");
    EXPECT_EQ(encoded(*tokenizer, "abab"), "0(0,1) 1(1,2) 4(2,4)");
}

TEST(Bpe, BytesOfTheSuffixReachBeyondTheWord) {
    // The library then takes the place in the word for one in the text, and bytes for code points at its end.
    const auto tokenizer =
        tokenizerOf(bpeModel(withBytePieces({"U", "a"}, "\xc3\xa9$"), "",
                             R"(,"unk_token":"U","byte_fallback":true,"end_of_word_suffix":"$")"),
                    kSplitWords);
    EXPECT_EQ(encoded(*tokenizer, "aé"), "1(0,1) 2(1,2) 3(1,2) 4(3,4)");
    EXPECT_EQ(encoded(*tokenizer, "aa é"), "1(0,1) 0(1,2) 2(3,4) 3(3,4) 4(2,3)");
    EXPECT_EQ(encoded(*tokenizer, "é é"), "2(0,1) 3(0,1) 4(1,2) 2(2,3) 3(2,3) 4(1,2)");
    EXPECT_EQ(encoded(*tokenizer, "a éé"), "0(0,1) 2(2,3) 3(2,3) 2(3,4) 3(3,4) 4(3,3)");
}

TEST(Bpe, ThePrefixStandsBeforeAllButTheFirstCharacter) {
    const std::string fields = R"(,"continuing_subword_prefix":"#")";
    const std::string model = bpeModel({"a", "b", "#b", "#a", "ab", "aba"}, R"("a #b","ab #a")", fields);
    EXPECT_EQ(bpe(model, "aba"), "5(0,3)");
    EXPECT_EQ(bpe(model, "abab"), "5(0,3) 2(3,4)");
    EXPECT_EQ(bpe(model, "bab"), "1(0,1) 3(1,2) 2(2,3)");
    // As many bytes as the prefix has are cut off the second piece, whatever they are.
    EXPECT_EQ(bpe(bpeModel({"a", "#b", "xb", "ab"}, R"("a xb")", fields), "ab"), "0(0,1) 1(1,2)");
    EXPECT_EQ(bpe(bpeModel({"a", "#b$", "a$"}, "", fields + R"(,"end_of_word_suffix":"$")"), "ab"),
              "0(0,1) 1(1,2)");
    EXPECT_EQ(bpe(bpeModel({"a", "b", "ab"}, R"("a b")",
                           R"(,"continuing_subword_prefix":"","end_of_word_suffix":"")"),
                  "ab"),
              "2(0,2)");
}

TEST(Bpe, IgnoringMergesTakesAWholeWordOfTheVocabulary) {
    const std::string model = bpeModel({"a", "b", "ab", "xé"}, "", R"(,"ignore_merges":true)");
    EXPECT_EQ(bpe(model, "ab"), "2(0,2)");
    EXPECT_EQ(bpe(model, "aba"), "0(0,1) 1(1,2) 0(2,3)");
    EXPECT_EQ(bpe(model, "xé"), "3(0,2)");
}

TEST(Bpe, FieldsMayBeNull) {
    EXPECT_EQ(
        bpe(bpeModel(
                {"a"}, "",
                R"(,"dropout":null,"unk_token":null,"continuing_subword_prefix":null,)"
                R"("end_of_word_suffix":null,"fuse_unk":null,"byte_fallback":null,"ignore_merges":null)"),
            "a"),
        "0(0,1)");
    for (const char* dropout : {"0", "0.0", "-0.0", "1e-46"})
        EXPECT_EQ(bpe(bpeModel({"a"}, "", fmt::format(R"(,"dropout":{})", dropout)), "a"), "0(0,1)")
            << dropout;
}

TEST(Bpe, KeepsHolesAndLargeIds) {
    const auto tokenizer = tokenizerOf(
        R"({"type":"BPE","vocab":{"a":7,"b":4294967295,"ab":100},"merges":["a b"]})", kSplitWords);
    EXPECT_EQ(encoded(*tokenizer, "ab b a"), "100(0,2) 4294967295(3,4) 7(5,6)");
    EXPECT_EQ(tokenizer->piece(100), "ab");
    EXPECT_EQ(tokenizer->piece(8), std::nullopt);
    EXPECT_EQ(tokenizer->idLimit(), 4294967296);
}

TEST(Bpe, OneWordOfTwoMegabytesTakesBoundedTime) {
    const std::string model =
        bpeModel({"a", "b", "aa", "ab", "aaaa", "abab"}, R"("a a","aa aa","a b","ab ab")");
    const auto tokenizer = tokenizerOf(model);
    std::vector<Token> tokens = tokenizer->encode(std::string(2'000'000, 'a'), std::nullopt, {});
    ASSERT_EQ(tokens.size(), 500'000U);
    EXPECT_EQ(tokens.back().start, 1'999'996);
    EXPECT_EQ(tokens.back().end, 2'000'000);
}

TEST(Bpe, RepeatedWordsHaveTheSameTokensAtTheirOwnPlaces) {
    // More different words than are remembered, each of them twice and once too long to be remembered.
    std::string text;
    std::string want;
    const auto tokenizer = tokenizerOf(bpeModel({"0", "1", "00", "11"}, R"("0 0","1 1")"), kSplitWords);
    std::vector<std::string> words;
    for (unsigned i = 0; i < 18'000; ++i) words.push_back(fmt::format("{:b}", i));
    words.push_back(std::string(70, '1'));
    for (int pass = 0; pass < 2; ++pass)
        for (const std::string& word : words) text += word + " ";
    const std::vector<Token> tokens = tokenizer->encode(text, std::nullopt, {});
    std::size_t at = 0;
    std::int64_t begin = 0;
    for (int pass = 0; pass < 2; ++pass) {
        for (const std::string& word : words) {
            const std::vector<Token> alone = tokenizer->encode(word, std::nullopt, {});
            for (const Token& token : alone) {
                ASSERT_LT(at, tokens.size());
                ASSERT_EQ(tokens[at].id, token.id) << word;
                ASSERT_EQ(tokens[at].start, begin + token.start) << word;
                ASSERT_EQ(tokens[at].end, begin + token.end) << word;
                ++at;
            }
            begin += static_cast<std::int64_t>(word.size()) + 1;
        }
    }
    EXPECT_EQ(at, tokens.size());
}

TEST(Bpe, EncodesFromSeveralThreadsAtOnce) {
    const std::string json = test::readBytes(test::dataPath("tokenizer/models/bpe_some_bytes.json"));
    const auto tokenizer = parseTokenizer(json, "tokenizer.json", {});
    std::string text = "Été 中文 the sea, the sea 10 ing";
    for (int i = 0; i < 6; ++i) text += text;
    const std::string want = encoded(*tokenizer, text);
    std::vector<std::string> found(4);
    std::vector<std::thread> threads;
    for (std::string& result : found)
        threads.emplace_back([&] {
            for (int i = 0; i < 20; ++i) result = encoded(*tokenizer, text);
        });
    for (std::thread& thread : threads) thread.join();
    for (const std::string& result : found) EXPECT_EQ(result, want);
}

} // namespace
} // namespace headscope
