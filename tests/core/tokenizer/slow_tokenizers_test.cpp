// SPDX-License-Identifier: GPL-3.0-or-later
// Classes without a fast tokenizer: what cases.json does not say, and where they stop.
#include "core/checkpoint/checkpoint.h"
#include "core/tokenizer/text_limit.h"
#include "core/tokenizer/tokenizer.h"
#include "tests/core/tokenizer/protobuf_text.h"
#include "tests/core/tokenizer/tokenizer_json.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <map>

namespace headscope {
namespace {

using namespace test::protobuf;
using test::sentenceOf;

using Files = std::map<std::string, std::string>;

std::shared_ptr<const Tokenizer> tokenizerOf(const std::string& modelType, const Files& files) {
    const test::TemporaryFolder folder;
    folder.write("config.json", R"({"model_type":")" + modelType + "\"}");
    folder.write("model.safetensors", std::string("\2\0\0\0\0\0\0\0{}", 10));
    for (const auto& [name, content] : files) folder.write(name, content);
    return loadTokenizer(openCheckpoint(folder.path()), {});
}

std::shared_ptr<const Tokenizer> byT5(const std::string& settings = "") {
    return tokenizerOf("t5",
                       {{"tokenizer_config.json", R"({"tokenizer_class":"ByT5Tokenizer")" + settings + "}"}});
}

/// Marian with one piece, "a", and byte pieces where asked for.
std::shared_ptr<const Tokenizer> marian(const std::string& trainer, const std::string& settings = "{}") {
    const std::string model = piece("<unk>", 0.0F, 2) + piece("a", -1.0F) + trainer;
    return tokenizerOf("marian", {{"source.spm", model},
                                  {"target.spm", model},
                                  {"vocab.json", R"({"</s>":0,"<unk>":1,"<pad>":2,"a":3})"},
                                  {"tokenizer_config.json", settings}});
}

std::string textError(const Tokenizer& tokenizer, const std::string& text) {
    return sentenceOf([&] { tokenizer.encode(text, std::nullopt, {}); });
}

TEST(SlowTokenizers, BytesStandWhereTheirCharactersDo) {
    const auto tokenizer = byT5();
    const std::vector<Token> tokens = tokenizer->encode("aé </s>  b", std::nullopt, {});
    EXPECT_EQ(test::shown(tokens), "100(0,1) 198(1,2) 172(1,2) 1(2,9) 101(9,10) 1(0,0)");
    EXPECT_EQ(tokens[1].piece, "\u00c3");
    EXPECT_EQ(tokens[3].piece, "</s>");
    EXPECT_FALSE(tokens[3].special);
    EXPECT_TRUE(tokens[5].special);
}

TEST(SlowTokenizers, BytesHaveNamesAndIds) {
    const auto tokenizer = byT5(R"(,"additional_special_tokens":["é"],"extra_ids":0)");
    EXPECT_EQ(tokenizer->idLimit(), 259);
    EXPECT_EQ(tokenizer->piece(0), "<pad>");
    EXPECT_EQ(tokenizer->piece(3 + 0xc3), "\u00c3");
    EXPECT_EQ(tokenizer->bytes(3 + 0xc3), "\xc3");
    EXPECT_EQ(tokenizer->bytes(3), std::string(1, '\0'));
    EXPECT_EQ(tokenizer->bytes(3 + 0xe9), std::nullopt) << "é is a token of its own";
    EXPECT_EQ(tokenizer->bytes(2), std::nullopt);
    EXPECT_EQ(tokenizer->bytes(259), std::nullopt);
    EXPECT_EQ(tokenizer->id("b"), 101);
    EXPECT_EQ(tokenizer->id("\u4e2d"), std::nullopt);
    EXPECT_TRUE(tokenizer->isSpecial(1));
    EXPECT_FALSE(tokenizer->isSpecial(101));
}

TEST(SlowTokenizers, BytesThatAFolderCannotHave) {
    EXPECT_EQ(
        sentenceOf([] { byT5(R"(,"additional_special_tokens":["<a>"])"); }),
        "tokenizer_config.json: additional_special_tokens: 0 tokens extra_id, expected 125 (extra_ids), "
        "or no list.");
    EXPECT_EQ(sentenceOf([] { byT5(R"(,"extra_ids":100001)"); }),
              "tokenizer_config.json: extra_ids: found 100001, expected an integer from 0 to 100000.");
    EXPECT_EQ(
        sentenceOf([] { byT5(R"(,"eos_token":null)"); }),
        "tokenizer_config.json: eos_token: null, expected the token, which this class cannot do without.");
}

TEST(SlowTokenizers, BytesMustBeNamed) {
    const auto holds = [](const std::string& model, const std::string& settings) {
        Checkpoint checkpoint;
        checkpoint.config = parseJson(model, "config.json");
        if (!settings.empty()) checkpoint.tokenizerConfig = parseJson(settings, "tokenizer_config.json");
        return holdsTokenizer(checkpoint);
    };
    const std::string named = R"({"tokenizer_class":"ByT5Tokenizer"})";
    EXPECT_TRUE(holds("{}", named));
    EXPECT_TRUE(holds(named, ""));
    EXPECT_TRUE(holds(named, R"({"tokenizer_class":null})"));
    EXPECT_FALSE(holds(named, R"({"tokenizer_class":"T5Tokenizer"})"));
    EXPECT_FALSE(holds(R"({"model_type":"t5"})", "{}"));
    EXPECT_FALSE(holds(R"({"tokenizer_class":7})", R"({"tokenizer_class":[]})"));
}

TEST(SlowTokenizers, TooManyTokens) {
    const std::string tooMany =
        "the text: more than 16777216 tokens, expected at most that; use a shorter text.";
    const std::string text(kMaxTokens + 1, 'a');
    EXPECT_EQ(textError(*byT5(), text), tooMany);
    EXPECT_EQ(textError(*byT5(R"(,"extra_ids":0,"additional_special_tokens":["a"])"), text), tooMany);
    EXPECT_EQ(textError(*marian(""), text), tooMany);
    EXPECT_EQ(textError(*marian(field(2, number(3, 2))), text),
              "the text: more than 16777216 characters, expected at most that; use a shorter text.");
}

TEST(SlowTokenizers, TooManyBytesOfUnknownCharacters) {
    std::string bytes;
    for (int byte = 0; byte < 256; ++byte) bytes += piece(fmt::format("<0x{:02X}>", byte), 0.0F, 6);
    const auto tokenizer = marian(bytes + field(2, number(35, 1)));
    std::string text;
    for (std::size_t i = 0; i < kMaxTokens / 3 + 1; ++i) text += "\u4e2d";
    EXPECT_EQ(textError(*tokenizer, text),
              "the text: more than 16777216 tokens, expected at most that; use a shorter text.");
}

TEST(SlowTokenizers, LongTokensThatBeginAlike) {
    const std::string token = std::string(4000, 'a') + "b";
    const auto tokenizer = byT5(R"(,"extra_ids":0,"additional_special_tokens":["a b",")" + token + R"("])");
    EXPECT_EQ(test::shown(tokenizer->encode("a" + token + "a", std::nullopt, {})),
              "100(0,1) 260(1,4002) 100(4002,4003) 1(0,0)");
    EXPECT_EQ(textError(*tokenizer, std::string(3000, 'a')), "");
    EXPECT_EQ(textError(*tokenizer, std::string(20'000, 'a')),
              "the text: beginnings of long added tokens at nearly every character, expected at most 64 of "
              "them at one, on average; use a shorter text.");
}

} // namespace
} // namespace headscope
