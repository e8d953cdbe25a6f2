// SPDX-License-Identifier: GPL-3.0-or-later
// T5 and its relatives: whose table of distances counts where, scales and activations. The numbers they
// compute are compared in family_golden_test.cpp.
#include "tests/core/model/spec_from.h"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <variant>

namespace headscope {
namespace {

using test::configOf;
using test::specError;
using test::specFrom;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ModelSpec spec(const std::string& family, const std::string& members = R"("num_layers": 3)") {
    return specFrom(configOf(family, members));
}

const BucketBias& biasOf(const TransformerSpec& stack, std::size_t layer) {
    return std::get<BucketBias>(stack.blocks.at(layer).attention.position);
}

std::string tableOf(const char* stack, int block) {
    return fmt::format("{}.block.{}.layer.0.SelfAttention.relative_attention_bias.weight", stack, block);
}

// Known pitfall "T5 bias": shared from block 0; none in cross-attention.
TEST(T5, TheFirstBlocksTableServesItsStack) {
    for (const char* family : {"t5", "mt5", "umt5"}) {
        const ModelSpec found = spec(family);
        const bool own = std::string(family) == "umt5"; // the exception: a table in every block
        for (int layer = 0; layer < 3; ++layer) {
            const auto at = static_cast<std::size_t>(layer);
            EXPECT_EQ(biasOf(found.main, at).table, tableOf("encoder", own ? layer : 0)) << family;
            EXPECT_EQ(biasOf(*found.decoder, at).table, tableOf("decoder", own ? layer : 0)) << family;
            EXPECT_TRUE(biasOf(found.main, at).bidirectional);
            EXPECT_FALSE(biasOf(*found.decoder, at).bidirectional);
            EXPECT_TRUE(std::holds_alternative<std::monostate>(
                found.decoder->blocks.at(at).cross->attention.position));
        }
    }
}

TEST(T5, ScoresAreNotScaled) {
    const ModelSpec found = spec("t5", R"("num_layers": 2, "d_model": 64)");
    EXPECT_EQ(found.main.blocks[1].attention.scale, 1.0);
    EXPECT_EQ(found.decoder->blocks[1].cross->attention.scale, 1.0);
    EXPECT_EQ(found.main.blocks[1].attention.headSize, 64); // d_kv, whatever the model size
    EXPECT_EQ(found.head->inputScale, 0.125);               // of a tied head
}

// Known pitfall "GELU variants": gated-gelu means the tanh form, a plain gelu the erf form.
TEST(T5, ActivationsByTheirField) {
    const auto activation = [](const std::string& members) { return spec("t5", members).activation; };
    EXPECT_EQ(activation(R"("feed_forward_proj": "gated-gelu")"), Activation::GeluTanh);
    EXPECT_EQ(activation(R"("feed_forward_proj": "gelu")"), Activation::GeluErf);
    EXPECT_EQ(activation(R"("feed_forward_proj": "gated-silu")"), Activation::Silu);
    EXPECT_EQ(activation(R"("feed_forward_proj": "gated-gelu", "dense_act_fn": "relu")"), Activation::Relu);
    EXPECT_EQ(spec("t5").activation, Activation::Relu);
    EXPECT_EQ(spec("mt5").activation, Activation::GeluTanh);
    EXPECT_THAT(specError(configOf("t5", R"("feed_forward_proj": "gated-gelu-new")")),
                HasSubstr("feed_forward_proj"));
}

TEST(T5, ThePairReadsItsEncoder) {
    EXPECT_THAT(specError(configOf("t5", R"("is_encoder_decoder": false)")), HasSubstr("is_encoder_decoder"));
    const std::string alone = R"("architectures": ["T5EncoderModel"], "is_encoder_decoder": false)";
    EXPECT_FALSE(spec("t5", alone).decoder.has_value());
}

/// Fields of every configuration that make other models of these.
TEST(T5, IsNoOtherModel) {
    for (const char* family : {"t5", "mt5", "umt5"}) {
        SCOPED_TRACE(family);
        const auto error = [&](const std::string& members) { return specError(configOf(family, members)); };
        const std::string alone = R"(, "architectures": ["T5EncoderModel"])";
        // The encoder's weights would be the decoder's, whatever the file has.
        EXPECT_THAT(error(R"("tie_encoder_decoder": true)"), HasSubstr("tie_encoder_decoder: found true"));
        EXPECT_THAT(error(R"("tie_encoder_decoder": true)" + alone), IsEmpty()); // there is no decoder
        // An encoder alone that is a decoder sees earlier tokens only; a pair's is none whatever it says.
        EXPECT_THAT(error(R"("is_decoder": true)" + alone), HasSubstr("is_decoder: found true"));
        EXPECT_THAT(error(R"("is_decoder": true)"), IsEmpty());
        EXPECT_THAT(error(R"("pruned_heads": {"0": [1]})"), HasSubstr("pruned_heads"));
        EXPECT_THAT(error(R"("pruned_heads": {})"), IsEmpty());
    }
}

} // namespace
} // namespace headscope
