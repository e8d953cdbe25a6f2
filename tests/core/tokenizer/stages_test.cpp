// SPDX-License-Identifier: GPL-3.0-or-later
// The WordPiece model through whole tokenizers, and its vocabulary.
#include "core/tokenizer/models/vocabulary.h"
#include "tests/core/tokenizer/tokenizer_json.h"
#include "tests/support/sentence_of.h"

#include <gtest/gtest.h>

namespace headscope {
namespace {

using test::encoded;
using test::sentenceOf;
using test::TokenizerJson;

TEST(WordPiece, MatchesTheLongestPieceOrGivesUpOnTheWord) {
    TokenizerJson json;
    json.vocab = R"({"[UNK]":0,"a":1,"ab":2,"##b":3,"##bc":4,"##c":5,"##":6,"##b##":7,"é":8,"##é":9})";
    const auto tokenizer = json.tokenizer();
    EXPECT_EQ(encoded(*tokenizer, "abc"), "2(0,2) 5(2,3)");            // greedy: not a + ##bc
    EXPECT_EQ(encoded(*tokenizer, "abb abx"), "2(0,2) 3(2,3) 0(4,7)"); // the whole word becomes unknown
    EXPECT_EQ(encoded(*tokenizer, "éaé"), "0(0,3)");
    EXPECT_EQ(encoded(*tokenizer, "éé"), "8(0,1) 9(1,2)");
    // Typed continuation signs: punctuation is cut off before the model sees it, so they need another
    // pre-tokenizer.
    json.preTokenizer = "null";
    EXPECT_EQ(encoded(*json.tokenizer(), "##bc"), "4(0,4)");
    EXPECT_EQ(encoded(*json.tokenizer(), "##b"), "3(0,3)");
    EXPECT_EQ(encoded(*json.tokenizer(), "##"), "6(0,2)");
    EXPECT_EQ(encoded(*json.tokenizer(), "ab##"), "0(0,4)"); // "##" + "##" is in no vocabulary
}

TEST(WordPiece, WordsAboveTheLimitOfCodePointsAreUnknown) {
    TokenizerJson json;
    json.vocab = R"({"[UNK]":0,"é":1,"##é":2})";
    const auto tokenizer = json.tokenizer();
    std::string word;
    for (int i = 0; i < 100; ++i) word += "é";
    EXPECT_EQ(tokenizer->encode(word, std::nullopt, {}).size(), 100u);
    EXPECT_EQ(encoded(*tokenizer, word + "é"), "0(0,101)");
}

TEST(WordPiece, NeedsItsUnknownTokenOnlyWhenAWordIsUnknown) {
    TokenizerJson json;
    json.unknown = "<unk>";
    const auto tokenizer = json.tokenizer();
    EXPECT_EQ(encoded(*tokenizer, "ab"), "4(0,2)");
    EXPECT_EQ(sentenceOf([&] { encoded(*tokenizer, "ab zzz"); }),
              "tokenizer.json: model: the word \"zzz\" is not in the vocabulary, and neither is the unknown "
              "token \"<unk>\".");
    EXPECT_EQ(sentenceOf([&] { encoded(*tokenizer, "c" + std::string(100, 'b')); }).substr(0, 44),
              "tokenizer.json: model: the word \"cbbbbbbbbbb");
}

TEST(WordPiece, OneWordOfFiveMegabytesTakesLinearTime) {
    TokenizerJson json;
    EXPECT_EQ(encoded(*json.tokenizer(), std::string(5'000'000, 'a')), "0(0,5000000)");
    // Even where the model may look at it.
    std::string text = json.text();
    const std::string limit = "\"max_input_chars_per_word\":100";
    text.replace(text.find(limit), limit.size(), "\"max_input_chars_per_word\":99000000");
    const auto tokenizer = parseTokenizer(text, "tokenizer.json", {});
    EXPECT_EQ(tokenizer->encode("a" + std::string(999'999, 'b'), std::nullopt, {}).size(), 999'999u);
}

std::string vocabularySentence(const std::string& vocab) {
    TokenizerJson json;
    json.vocab = vocab;
    return sentenceOf([&] { json.tokenizer(); });
}

TEST(Vocabulary, RefusesWhatCannotBeLookedUp) {
    const std::string subject = "tokenizer.json: model: vocab: ";
    EXPECT_EQ(vocabularySentence("{}"), subject + "no pieces, expected at least one.");
    EXPECT_EQ(vocabularySentence("[]"), subject + "found an array, expected an object of pieces and ids.");
    EXPECT_EQ(vocabularySentence(R"({"a":1,"b":1})"),
              subject + "\"a\" and \"b\" have the same id 1, expected one id for each piece.");
    EXPECT_EQ(vocabularySentence(R"({"a":-1})"),
              subject + "the id of \"a\" is -1, expected an integer from 0 to 4294967295.");
    EXPECT_EQ(vocabularySentence(R"({"a":4294967296})"),
              subject + "the id of \"a\" is 4294967296, expected an integer from 0 to 4294967295.");
    EXPECT_EQ(vocabularySentence(R"({"a":1.5})"),
              subject + "the id of \"a\" is a number, expected an integer from 0 to 4294967295.");
    EXPECT_EQ(vocabularySentence(R"({"a":4294967295})"), "");
}

TEST(Vocabulary, TheLastOfARepeatedPieceCounts) {
    const Vocabulary vocabulary(parseJson(R"({"a":1,"b":2,"a":3})", "test"), "test");
    EXPECT_EQ(vocabulary.size(), 2u);
    ASSERT_NE(vocabulary.find("a"), nullptr);
    EXPECT_EQ(vocabulary.find("a")->id, 3);
    EXPECT_EQ(vocabulary.findId(1), nullptr);
    EXPECT_EQ(vocabulary.find(""), nullptr);
    EXPECT_EQ(vocabulary.largestId(), 3);
}

TEST(Vocabulary, FindsEveryPieceOfMany) {
    std::string json = "{";
    for (int i = 0; i < 20000; ++i) json += fmt::format("{}\"p{}\":{}", i == 0 ? "" : ",", i, 3 * i);
    const Vocabulary vocabulary(parseJson(json + "}", "test"), "test");
    for (int i = 0; i < 20000; ++i) {
        const std::string piece = fmt::format("p{}", i);
        ASSERT_NE(vocabulary.find(piece), nullptr);
        ASSERT_EQ(vocabulary.find(piece)->id, 3 * i);
        ASSERT_EQ(vocabulary.findId(3 * i)->piece, piece);
    }
    EXPECT_EQ(vocabulary.find("p20000"), nullptr);
    EXPECT_EQ(vocabulary.findId(1), nullptr);
}

} // namespace
} // namespace headscope
