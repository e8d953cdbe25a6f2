// SPDX-License-Identifier: GPL-3.0-or-later
// Pre-tokenizers, the model and post-processors, through whole tokenizers.
#include "core/tokenizer/models/vocabulary.h"
#include "tests/core/tokenizer/tokenizer_json.h"
#include "tests/support/sentence_of.h"

#include <gtest/gtest.h>

namespace headscope {
namespace {

using test::encoded;
using test::sentenceOf;
using test::TokenizerJson;

TEST(BertPreTokenizer, SplitsAtWhiteSpaceAndIsolatesPunctuation) {
    TokenizerJson json;
    json.vocab = R"({"[UNK]":0,"a":1,"b":2,".":3,"$":4})";
    const auto tokenizer = json.tokenizer();
    EXPECT_EQ(encoded(*tokenizer, " a\u2003b\n"), "1(1,2) 2(3,4)");
    EXPECT_EQ(encoded(*tokenizer, "a..b$"), "1(0,1) 3(1,2) 3(2,3) 2(3,4) 4(4,5)"); // $ is ASCII, though no P*
    EXPECT_EQ(encoded(*tokenizer, "a。b€"), "1(0,1) 0(1,2) 0(2,4)");               // € is no punctuation
    EXPECT_EQ(encoded(*tokenizer, "a\u2e42b"), "1(0,1) 0(1,2) 2(2,3)");            // P of Unicode 7.0
    EXPECT_EQ(encoded(*tokenizer, "a\u2e43b"), "0(0,3)");                          // P of Unicode 9.0
    EXPECT_EQ(encoded(*tokenizer, "a\u200bb\u001cb"), "0(0,5)");                   // neither is white space
    EXPECT_EQ(encoded(*tokenizer, ""), "");
    EXPECT_EQ(encoded(*tokenizer, "   "), "");
}

TEST(PreTokenizers, RefuseUnknownTypes) {
    TokenizerJson json;
    json.preTokenizer = R"({"type":"ByteLevel","add_prefix_space":false})";
    EXPECT_EQ(
        sentenceOf([&] { json.tokenizer(); }),
        "tokenizer.json: pre_tokenizer: type \"ByteLevel\", expected one of the types that are computed "
        "(BertPreTokenizer, Sequence); give the text as token ids with --ids, or use another checkpoint.");
    json.preTokenizer =
        R"({"type":"Sequence","pretokenizers":[{"type":"BertPreTokenizer"},{"type":"Digits"}]})";
    EXPECT_EQ(sentenceOf([&] { json.tokenizer(); }).substr(0, 52),
              "tokenizer.json: pre_tokenizer: 1: type \"Digits\", exp");
    json.preTokenizer = "null";
    EXPECT_EQ(encoded(*json.tokenizer(), "ab a"), "0(0,4)");
}

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

std::string withTypes(const std::vector<Token>& tokens) {
    std::string result;
    for (const Token& token : tokens)
        result += fmt::format("{}{}:{}/{}{}", result.empty() ? "" : " ", token.piece, token.typeId,
                              token.text, token.special ? "*" : "");
    return result;
}

TEST(PostProcessors, NullPutsTheTextsOneBehindTheOther) {
    const auto tokenizer = TokenizerJson().tokenizer();
    const std::vector<Token> tokens = tokenizer->encode("a", "b c", {});
    EXPECT_EQ(withTypes(tokens), "a:0/0 b:1/1 c:1/1");
    EXPECT_EQ(test::shown(tokens),
              "1(0,1) 2(0,1) 5(2,3)"); // spans of the second text count from its own start
}

TEST(PostProcessors, BertProcessing) {
    TokenizerJson json;
    json.postProcessor = R"({"type":"BertProcessing","sep":["[S]",90],"cls":["[C]",91]})";
    const auto tokenizer = json.tokenizer();
    EXPECT_EQ(withTypes(tokenizer->encode("a", std::nullopt, {})), "[C]:0/-1* a:0/0 [S]:0/-1*");
    EXPECT_EQ(withTypes(tokenizer->encode("a", "b", {})), "[C]:0/-1* a:0/0 [S]:0/-1* b:1/1 [S]:1/-1*");
    EXPECT_EQ(withTypes(tokenizer->encode("a", "b", {.addSpecial = false})), "a:0/0 b:1/1");
    EXPECT_EQ(encoded(*tokenizer, ""), "91(0,0) 90(0,0)");
    json.postProcessor = R"({"type":"BertProcessing","sep":["[S]"],"cls":["[C]",91]})";
    EXPECT_EQ(sentenceOf([&] { json.tokenizer(); }),
              "tokenizer.json: post_processor: sep: an array of another form, expected [\"spelling\", id].");
}

std::string templateJson(const std::string& single, const std::string& pair, const std::string& tokens) {
    return fmt::format(R"({{"type":"TemplateProcessing","single":[{}],"pair":[{}],"special_tokens":{{{}}}}})",
                       single, pair, tokens);
}

const char* const kA = R"({"Sequence":{"id":"A","type_id":2}})";
const char* const kB = R"({"Sequence":{"id":"B","type_id":3}})";
const char* const kS = R"({"SpecialToken":{"id":"S","type_id":4}})";

TEST(PostProcessors, TemplateTakesAnyOrderRepetitionAndSeveralIds) {
    TokenizerJson json;
    json.postProcessor = templateJson(fmt::format("{},{},{}", kA, kS, kA), fmt::format("{},{}", kB, kS),
                                      R"("S":{"id":"S","ids":[90,91],"tokens":["s","t"]})");
    const auto tokenizer = json.tokenizer();
    EXPECT_EQ(withTypes(tokenizer->encode("a", std::nullopt, {})), "a:2/0 s:4/-1* t:4/-1* a:2/0");
    EXPECT_EQ(withTypes(tokenizer->encode("a", "b", {})), "b:3/1 s:4/-1* t:4/-1*");
    // Types are set without special tokens too.
    EXPECT_EQ(withTypes(tokenizer->encode("a", "b", {.addSpecial = false})), "b:3/1");
}

TEST(PostProcessors, TemplatesThatTheLibraryCannotRunAreRefused) {
    TokenizerJson json;
    const auto sentence = [&](const std::string& single, const std::string& tokens) {
        json.postProcessor = templateJson(single, kA, tokens);
        return sentenceOf([&] { json.tokenizer(); });
    };
    EXPECT_EQ(
        sentence(kS, ""),
        "tokenizer.json: post_processor: special_tokens: \"S\": the template names it and it is missing.");
    EXPECT_EQ(sentence(kB, ""),
              "tokenizer.json: post_processor: single: 0: Sequence: id: \"B\" in the template of a single "
              "text, expected \"A\".");
    EXPECT_EQ(
        sentence(R"({"Sequence":{"id":"C","type_id":0}})", ""),
        "tokenizer.json: post_processor: single: 0: Sequence: id: found \"C\", expected \"A\" or \"B\".");
    EXPECT_EQ(
        sentence(R"({"Sequence":{"id":"A","type_id":-1}})", ""),
        "tokenizer.json: post_processor: single: 0: Sequence: type_id: found -1, expected an integer from 0 "
        "to 2147483647.");
    EXPECT_EQ(sentence(kS, R"("S":{"id":"S","ids":[1,2],"tokens":["s"]})"),
              "tokenizer.json: post_processor: special_tokens: \"S\": 2 ids and 1 tokens, expected as many "
              "of both.");
    EXPECT_EQ(
        sentence(kS, R"("S":{"id":"S","ids":["x"],"tokens":["s"]})"),
        "tokenizer.json: post_processor: special_tokens: \"S\": ids: found \"x\", expected an integer from 0 "
        "to 4294967295.");
    EXPECT_EQ(sentence("7", ""), "tokenizer.json: post_processor: single: 0: found 7, expected an object.");
    EXPECT_EQ(sentence("{}", ""), "tokenizer.json: post_processor: single: 0: \"SpecialToken\" is missing.");
    json.postProcessor = R"({"type":"RobertaProcessing"})";
    EXPECT_EQ(sentenceOf([&] { json.tokenizer(); }),
              "tokenizer.json: post_processor: type \"RobertaProcessing\", expected one of the types that "
              "are computed "
              "(TemplateProcessing, BertProcessing); give the text as token ids with --ids, or use another "
              "checkpoint.");
}

} // namespace
} // namespace headscope
