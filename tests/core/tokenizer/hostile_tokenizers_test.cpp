// SPDX-License-Identifier: GPL-3.0-or-later
// Files that are read, or nearly, and would take all memory or all time of the machine: one sentence each.
#include "core/tokenizer/text_limit.h"
#include "tests/core/tokenizer/model_json.h"
#include "tests/support/sentence_of.h"

#include <gtest/gtest.h>

namespace headscope {
namespace {

using test::addedToken;
using test::bpeModel;
using test::sentenceOf;
using test::TokenizerJson;
using test::tokenizerOf;
using test::unigramModel;

const std::string kTooMany =
    "the text: more than 16777216 tokens, expected at most that; use a shorter text.";

std::string repeated(const std::string& item, std::size_t count) {
    std::string list;
    for (std::size_t i = 0; i < count; ++i) list += (i == 0 ? "" : ",") + item;
    return list;
}

std::string loadError(const TokenizerJson& json) {
    return sentenceOf([&] { json.tokenizer(); });
}

std::string encodeError(const Tokenizer& tokenizer, const std::string& text) {
    return sentenceOf([&] { tokenizer.encode(text, std::nullopt, {}); });
}

TEST(HostileTokenizers, EveryBeginningOfAFileIsRefused) {
    TokenizerJson json;
    json.addedTokens = "[" + addedToken(6, "<é>", "special") + "]";
    json.normalizer = R"({"type":"Replace","pattern":{"Regex":"\\s+"},"content":"\u00e9"})";
    const std::string whole = json.text();
    for (std::size_t bytes = 0; bytes < whole.size(); ++bytes)
        EXPECT_TRUE(sentenceOf([&] {
                        parseTokenizer(std::string_view(whole).substr(0, bytes), "tokenizer.json", {});
                    }).starts_with("tokenizer.json: "))
            << bytes;
    EXPECT_EQ(sentenceOf([&] { parseTokenizer(whole, "tokenizer.json", {}); }), "");
}

TEST(HostileTokenizers, BytesThatAreNoJson) {
    const auto error = [](const std::string& text) {
        return sentenceOf([&] { parseTokenizer(text, "tokenizer.json", {}); });
    };
    const std::string whole = TokenizerJson().text();
    for (const std::size_t at : {std::size_t{0}, whole.find("##b"), whole.size()}) {
        EXPECT_NE(error(std::string(whole).insert(at, 1, '\0')).find("(at byte "), std::string::npos) << at;
        EXPECT_NE(error(std::string(whole).insert(at, "\xff")).find("(at byte "), std::string::npos) << at;
    }
    for (const char* opening : {"[", "{\"model\":", "{\"normalizer\":[{\"normalizers\":"}) {
        std::string nested;
        for (int i = 0; i < 100'000; ++i) nested += opening;
        EXPECT_EQ(error(nested), "tokenizer.json: the JSON is nested deeper than 512 levels.");
    }
}

TEST(HostileTokenizers, Stages) {
    const auto sequence = [](const char* list, const std::string& stage, std::size_t count) {
        return fmt::format(R"({{"type":"Sequence","{}":[{}]}})", list, repeated(stage, count));
    };
    TokenizerJson json;
    json.normalizer = sequence("normalizers", R"({"type":"NFC"})", 255);
    EXPECT_EQ(loadError(json), "");
    json.normalizer = sequence("normalizers", R"({"type":"NFC"})", 256);
    EXPECT_EQ(loadError(json), "tokenizer.json: normalizer: 257 stages, expected at most 256.");
    // Sequences in sequences count with all that is in them.
    json.normalizer = sequence("normalizers", sequence("normalizers", R"({"type":"NFC"})", 20), 20);
    EXPECT_EQ(loadError(json), "tokenizer.json: normalizer: 421 stages, expected at most 256.");
    json.normalizer = "null";
    json.preTokenizer = sequence("pretokenizers", R"({"type":"Whitespace"})", 300);
    EXPECT_EQ(loadError(json), "tokenizer.json: pre_tokenizer: 301 stages, expected at most 256.");
    json.preTokenizer = "null";
    json.postProcessor =
        sequence("processors", R"({"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true})", 300);
    EXPECT_EQ(loadError(json), "tokenizer.json: post_processor: 301 stages, expected at most 256.");
}

std::string templateOf(const std::string& single, const std::string& ids, const std::string& tokens) {
    return fmt::format(R"({{"type":"TemplateProcessing","single":[{}],"pair":[],)"
                       R"("special_tokens":{{"x":{{"id":"x","ids":[{}],)"
                       R"("tokens":[{}]}}}}}})",
                       single, ids, tokens);
}

TEST(HostileTokenizers, TemplatesThatMultiply) {
    const std::string special = R"({"SpecialToken":{"id":"x","type_id":0}})";
    const std::string text = R"({"Sequence":{"id":"A","type_id":0}})";
    TokenizerJson json;
    json.postProcessor = templateOf(repeated(special, 256), repeated("1", 256), repeated("\"a\"", 256));
    EXPECT_EQ(json.tokenizer()->encode("a", std::nullopt, {}).size(), 65536U);
    json.postProcessor = templateOf(repeated(special, 257), repeated("1", 256), repeated("\"a\"", 256));
    EXPECT_EQ(
        loadError(json),
        "tokenizer.json: post_processor: single: more than 65536 special tokens, expected at most that.");

    json.postProcessor = templateOf(repeated(text, 4096), "", "");
    const auto tokenizer = json.tokenizer();
    EXPECT_EQ(encodeError(*tokenizer, "a a a a"), "");
    std::string words;
    for (int i = 0; i < 4097; ++i) words += "a ";
    EXPECT_EQ(encodeError(*tokenizer, words), kTooMany);
}

TEST(HostileTokenizers, PiecesAndTokensOfOneText) {
    const std::string text(kMaxTokens + 1, 'a');
    EXPECT_EQ(encodeError(*tokenizerOf(bpeModel({"a"}), R"({"type":"FixedLength","length":1})"), text),
              kTooMany);
    EXPECT_EQ(encodeError(*tokenizerOf(bpeModel({"a"})), text), kTooMany);
    EXPECT_EQ(encodeError(*tokenizerOf(unigramModel(R"(["<unk>",0],["a",-1])")), text), kTooMany);
    TokenizerJson json;
    json.addedTokens = "[" + addedToken(6, "a") + "]";
    EXPECT_EQ(encodeError(*json.tokenizer(), text), kTooMany);
    // Both texts together count.
    const auto tokenizer = tokenizerOf(bpeModel({"a"}));
    const std::string half(kMaxTokens / 2 + 1, 'a');
    EXPECT_EQ(sentenceOf([&] { tokenizer->encode(half, half, {}); }), kTooMany);
}

TEST(HostileTokenizers, SpellingsOfTokens) {
    // The unknown token is spelled with a megabyte, and each of 300 words is one.
    TokenizerJson json;
    json.unknown = std::string(1'000'000, 'u');
    json.vocab = "{\"" + json.unknown + "\":0}";
    std::string words;
    for (int i = 0; i < 300; ++i) words += "w ";
    EXPECT_EQ(encodeError(*json.tokenizer(), words),
              "the text: tokens whose spellings have more than 256 MB, expected at most that; use a shorter "
              "text.");
}

TEST(HostileTokenizers, TextsThatGrow) {
    const std::string grown =
        "the text: more than 128 MB after normalisation, expected at most that; use a shorter text.";
    const auto replace = [](const std::string& pattern, std::size_t bytes) {
        return fmt::format(R"({{"type":"Replace","pattern":{{{}}},"content":"{}"}})", pattern,
                           std::string(bytes, 'x'));
    };
    const std::string doubling = R"({"type":"Replace","pattern":{"String":"a"},"content":"aa"})";
    for (const std::string& normalizer :
         {replace(R"("String":"a")", 1000), replace(R"("String":"")", 1000),
          replace(R"("Regex":"a|b")", 1000),
          fmt::format(R"({{"type":"Prepend","prepend":"{}"}})", std::string(1000, 'x')),
          fmt::format(R"({{"type":"Sequence","normalizers":[{}]}})", repeated(doubling, 30))}) {
        TokenizerJson json;
        json.normalizer = normalizer;
        json.addedTokens = "[" + addedToken(6, "<s>") + "]";
        std::string text;
        for (int i = 0; i < 130'000; ++i) text += "a<s>";
        EXPECT_EQ(encodeError(*json.tokenizer(), text), grown) << normalizer.substr(0, 60);
    }
}

TEST(HostileTokenizers, LongPiecesAndLongWords) {
    const auto model = [](std::size_t piece, std::int64_t word) {
        return fmt::format(R"({{"type":"WordPiece","unk_token":"a","continuing_subword_prefix":"##",)"
                           R"("max_input_chars_per_word":{},"vocab":{{"a":0,"{}":1}}}})",
                           word, std::string(piece, 'b'));
    };
    const auto error = [](const std::string& json) { return sentenceOf([&] { tokenizerOf(json); }); };
    EXPECT_EQ(error(model(1024, 1'000'000'000)), "");
    EXPECT_EQ(error(model(1'000'000, 1024)), "");
    EXPECT_EQ(error(model(1025, 1025)),
              "tokenizer.json: model: max_input_chars_per_word: found 1025, where the longest piece has 1025 "
              "bytes, expected at most 1024 for one of the two.");
}

TEST(HostileTokenizers, AddedTokensThatCannotBeNormalised) {
    TokenizerJson json;
    json.normalizer = R"({"type":"Sequence","normalizers":[{"type":"Prepend","prepend":""},{"type":"NFC"}]})";
    json.addedTokens = "[" + addedToken(6, "é", "normalized") + "]";
    EXPECT_EQ(loadError(json),
              "the added token \"é\": a normalizer put something before its first character, and the next "
              "stage rewrites that; the tokenizers library stops at this too: give the text as token ids "
              "with --ids.");
}

} // namespace
} // namespace headscope
