// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/tokenizer/tokenizer_json.h"
#include "tests/support/sentence_of.h"

#include <gtest/gtest.h>

namespace headscope {
namespace {

using test::encoded;
using test::sentenceOf;
using test::TokenizerJson;

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
    EXPECT_EQ(sentence(kS, ""), "tokenizer.json: post_processor: single: 0: SpecialToken: id: found \"S\", "
                                "expected a name that special_tokens has.");
    EXPECT_EQ(sentence(R"({"Sequence":{"id":"A","type_id":0},"x":1})", ""),
              "tokenizer.json: post_processor: single: 0: 2 members, expected Sequence or SpecialToken.");
    // What no template names is read too.
    EXPECT_EQ(sentence(kA, R"("S":{"ids":[1],"tokens":["s"]})"),
              "tokenizer.json: post_processor: special_tokens: \"S\": \"id\" is missing.");
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
}

const char* const kFrame = R"("sep":["[S]",90],"cls":["[C]",91])";

std::string roberta(const std::string& more) {
    return fmt::format(R"({{"type":"RobertaProcessing",{}{}}})", kFrame, more);
}

std::string sequence(const std::string& first, const std::string& second) {
    return fmt::format(R"({{"type":"Sequence","processors":[{},{}]}})", first, second);
}

std::string trimming(bool addPrefixSpace) {
    return fmt::format(R"({{"type":"ByteLevel","add_prefix_space":{},"trim_offsets":true}})", addPrefixSpace);
}

/// A tokenizer whose tokens are a, b and b behind a space, and single byte characters.
TokenizerJson byteLevelJson(const std::string& postProcessor, bool prefix = true) {
    TokenizerJson json;
    json.preTokenizer =
        fmt::format(R"({{"type":"ByteLevel","add_prefix_space":{},"trim_offsets":true}})", prefix);
    json.vocab = R"({"[UNK]":0,"a":1,"Ġa":2,"Ġb":3,"Ġ":4,"ĠĠ":5,"aĠ":6,"Ċ":7,"Âł":8})";
    json.postProcessor = postProcessor;
    return json;
}

TEST(PostProcessors, RobertaPutsSepBeforeTheSecondTextToo) {
    TokenizerJson json;
    json.postProcessor = roberta(R"(,"trim_offsets":false,"add_prefix_space":true)");
    const auto tokenizer = json.tokenizer();
    EXPECT_EQ(withTypes(tokenizer->encode("a", std::nullopt, {})), "[C]:0/-1* a:0/0 [S]:0/-1*");
    EXPECT_EQ(withTypes(tokenizer->encode("a", "b", {})),
              "[C]:0/-1* a:0/0 [S]:0/-1* [S]:0/-1* b:0/1 [S]:0/-1*");
    EXPECT_EQ(withTypes(tokenizer->encode("a", "b", {.addSpecial = false})), "a:0/0 b:0/1");
    EXPECT_EQ(encoded(*tokenizer, ""), "91(0,0) 90(0,0)");
}

TEST(PostProcessors, BertAndRobertaAreToldByTheirFields) {
    const auto pair = [](const std::string& postProcessor) {
        TokenizerJson json;
        json.postProcessor = postProcessor;
        return withTypes(json.tokenizer()->encode("a", "b", {}));
    };
    const std::string bert = "[C]:0/-1* a:0/0 [S]:0/-1* b:1/1 [S]:1/-1*";
    EXPECT_EQ(pair(roberta("")), bert);
    EXPECT_EQ(pair(roberta(R"(,"trim_offsets":true)")), bert);
    EXPECT_EQ(pair(roberta(R"(,"trim_offsets":true,"add_prefix_space":null)")), bert);
    EXPECT_EQ(pair(fmt::format(
                  R"({{"type":"BertProcessing",{},"trim_offsets":true,"add_prefix_space":false}})", kFrame)),
              "[C]:0/-1* a:0/0 [S]:0/-1* [S]:0/-1* b:0/1 [S]:0/-1*");
    TokenizerJson json;
    json.postProcessor = R"({"type":"RobertaProcessing","sep":["[S]",90]})";
    EXPECT_EQ(sentenceOf([&] { json.tokenizer(); }), "tokenizer.json: post_processor: \"cls\" is missing.");
}

TEST(PostProcessors, TrimmingTakesSpaceOutOfTheSpans) {
    const auto with = byteLevelJson(trimming(true)).tokenizer();
    const auto without = byteLevelJson(trimming(false)).tokenizer();
    EXPECT_EQ(encoded(*with, " a b"), "2(0,2) 3(3,4)"); // the first space is taken for one that was put there
    EXPECT_EQ(encoded(*without, " a b"), "2(1,2) 3(3,4)");
    EXPECT_EQ(encoded(*with, "a b"), "2(0,1) 3(2,3)");
    EXPECT_EQ(encoded(*without, "a b"), "2(1,1) 3(2,3)"); // the space that was put there has a's span
    EXPECT_EQ(encoded(*with, " "), "4(0,0)");
    EXPECT_EQ(encoded(*without, " "), "4(1,1)");
    EXPECT_EQ(encoded(*with, "  a"), "4(0,0) 2(2,3)"); // one space is left in front, and taken behind
}

TEST(PostProcessors, TrimmingCountsCharactersOfTheTokensText) {
    // Two spaces in front, or one behind, are never taken for one that was put there.
    TokenizerJson json = byteLevelJson(trimming(true), false);
    json.preTokenizer =
        R"({"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":false})";
    EXPECT_EQ(encoded(*json.tokenizer(), "  "), "5(2,2)");
    EXPECT_EQ(encoded(*json.tokenizer(), "a "), "6(0,1)");
    // What stands for a line break is none, and neither are the bytes of U+00A0.
    EXPECT_EQ(encoded(*json.tokenizer(), "\n"), "7(0,1)");
    EXPECT_EQ(encoded(*json.tokenizer(), "\u00a0"), "8(0,1)");
}

TEST(PostProcessors, TrimmingOfAddedTokensSeesTheCharactersCutOut) {
    TokenizerJson json = byteLevelJson(trimming(true));
    json.addedTokens = fmt::format("[{}]", test::addedToken(9, "<mask>", "lstrip"));
    const auto tokenizer = json.tokenizer();
    EXPECT_EQ(encoded(*tokenizer, "a<mask>a"), "2(0,1) 9(1,7) 2(8,8)"); // the space put there is trimmed
    EXPECT_EQ(encoded(*tokenizer, "a  <mask>"), "2(0,1) 9(3,9)");       // two real spaces
}

TEST(PostProcessors, SequenceRunsItsStagesInOrder) {
    const std::string frame = templateJson(fmt::format("{},{}", kS, kA), fmt::format("{},{},{}", kS, kA, kB),
                                           R"("S":{"id":"S","ids":[90],"tokens":["s"]})");
    const auto tokenizer = byteLevelJson(sequence(trimming(false), frame)).tokenizer();
    EXPECT_EQ(encoded(*tokenizer, " a b"), "90(0,0) 2(1,2) 3(3,4)");
    // Behind the template each part has a first token of its own.
    const auto behind = byteLevelJson(sequence(frame, trimming(true))).tokenizer();
    EXPECT_EQ(test::shown(behind->encode(" a", " b", {})), "90(0,0) 2(0,2) 3(0,2)");
    TokenizerJson json;
    json.postProcessor = R"({"type":"Sequence","processors":[{"type":"Odd"}]})";
    EXPECT_EQ(sentenceOf([&] { json.tokenizer(); }).substr(0, 52),
              "tokenizer.json: post_processor: 0: type \"Odd\", expec");
}

TEST(PostProcessors, RefuseWhatTheLibraryGetsWrongInASequence) {
    const std::string frame =
        templateJson(fmt::format("{},{},{}", kS, kA, kS), fmt::format("{},{},{}", kA, kS, kB),
                     R"("S":{"id":"S","ids":[90],"tokens":["s"]})");
    const auto twice = byteLevelJson(sequence(frame, frame)).tokenizer();
    EXPECT_EQ(sentenceOf([&] { encoded(*twice, "a"); }),
              "tokenizer.json: post_processor: 1: 3 parts from the processor before it, expected one or two; "
              "the tokenizers library stops at this too.");
    const std::string bert = fmt::format(R"({{"type":"BertProcessing",{}}})", kFrame);
    const auto framed = byteLevelJson(sequence(bert, bert)).tokenizer();
    EXPECT_EQ(
        sentenceOf([&] { encoded(*framed, "a"); }),
        "tokenizer.json: post_processor: 1: special tokens from the processor before it, expected none; "
        "use another checkpoint, or give the text as token ids with --ids.");
    EXPECT_EQ(test::shown(framed->encode("a", std::nullopt, {.addSpecial = false})), "2(0,1)");
}

TEST(PostProcessors, RefuseUnknownTypes) {
    TokenizerJson json;
    json.postProcessor = R"({"type":"Roberta"})";
    EXPECT_EQ(
        sentenceOf([&] { json.tokenizer(); }),
        "tokenizer.json: post_processor: type \"Roberta\", expected one of the types that are computed "
        "(TemplateProcessing, BertProcessing, ByteLevel, RobertaProcessing, Sequence); give the text as "
        "token ids with --ids, or use another checkpoint.");
}

} // namespace
} // namespace headscope
