// SPDX-License-Identifier: GPL-3.0-or-later
// Every expected value is what the tokenizers library (0.22.2) gives.
#include "tests/core/tokenizer/model_json.h"
#include "tests/support/sentence_of.h"

#include <gtest/gtest.h>

namespace headscope {
namespace {

using test::encoded;
using test::kSplitWords;
using test::sentenceOf;
using test::tokenizerOf;

TEST(WordLevel, EveryPieceIsOneToken) {
    const auto tokenizer =
        tokenizerOf(R"({"type":"WordLevel","vocab":{"a":1,"U":0},"unk_token":"U"})", kSplitWords);
    EXPECT_EQ(encoded(*tokenizer, "ab a U é"), "0(0,2) 1(3,4) 0(5,6) 0(7,8)");
    EXPECT_EQ(tokenizer->encode("é", std::nullopt, {})[0].piece, "U");
    EXPECT_EQ(encoded(*tokenizer, std::string(1'000'000, 'a')), "0(0,1000000)");
}

TEST(WordLevel, NeedsItsUnknownTokenOnlyWhenAWordIsUnknown) {
    const auto tokenizer = tokenizerOf(R"({"type":"WordLevel","vocab":{"a":1},"unk_token":"U"})");
    EXPECT_EQ(encoded(*tokenizer, "a"), "1(0,1)");
    EXPECT_EQ(
        sentenceOf([&] { encoded(*tokenizer, "b"); }),
        "tokenizer.json: model: the word \"b\" is not in the vocabulary, and neither is the unknown token "
        "\"U\".");
}

} // namespace
} // namespace headscope
