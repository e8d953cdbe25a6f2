// SPDX-License-Identifier: GPL-3.0-or-later
// DeBERTa, DeBERTa v2 and v3, XLNet: defaults, switches and what is refused. The numbers they compute are
// compared in family_golden_test.cpp.
#include "core/model/families.h"
#include "tests/core/model/spec_from.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <variant>
#include <vector>

namespace headscope {
namespace {

using test::configOf;
using test::specError;
using test::specFrom;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ModelSpec spec(const std::string& family, const std::string& members = {}) {
    return specFrom(configOf(family, members));
}
std::string error(const std::string& family, const std::string& members) {
    return specError(configOf(family, members));
}
const AttentionSpec& attentionOf(const ModelSpec& spec) {
    return spec.main.blocks.at(0).attention;
}
const Disentangled& termsOf(const ModelSpec& spec) {
    return std::get<Disentangled>(attentionOf(spec).position);
}

const std::string kBoth = R"("relative_attention": true, "pos_att_type": ["c2p", "p2c"])";
/// As published: v3's base, in small.
const std::string kV3 =
    kBoth + R"(, "position_buckets": 256, "share_att_key": true, "norm_rel_ebd": "layer_norm",
    "position_biased_input": false, "max_relative_positions": -1)";

TEST(Deberta, DefaultsAreThoseOfTransformers) {
    const ModelSpec first = spec("deberta");
    EXPECT_EQ(first.hiddenSize, 768);
    EXPECT_EQ(first.stacks[0].layers, 12);
    EXPECT_EQ(first.stacks[0].heads, 12);
    EXPECT_EQ(first.intermediateSize, 3072);
    EXPECT_EQ(first.vocabularySize, 50265);
    EXPECT_EQ(first.normEpsilon, 1e-7);
    EXPECT_EQ(first.tokenTypes, 0);
    EXPECT_EQ(first.maxPositions, 512); // absolute positions, and no relative ones
    EXPECT_FALSE(first.main.relativeTable.has_value());
    EXPECT_TRUE(std::holds_alternative<std::monostate>(attentionOf(first).position));
    const ModelSpec second = spec("deberta-v2");
    EXPECT_EQ(second.hiddenSize, 1536);
    EXPECT_EQ(second.stacks[0].layers, 24);
    EXPECT_EQ(second.stacks[0].heads, 24);
    EXPECT_EQ(second.intermediateSize, 6144);
    EXPECT_EQ(second.vocabularySize, 128100);
    // The feed-forward size does not follow the model's.
    EXPECT_EQ(spec("deberta", R"("hidden_size": 24)").intermediateSize, 3072);
}

TEST(Deberta, TermsAreListedInEitherWay) {
    for (const char* types : {R"(["c2p", "p2c"])", R"("c2p|p2c")", R"("P2C | C2P")"}) {
        const std::string members = std::string(R"("relative_attention": true, "pos_att_type": )") + types;
        EXPECT_EQ(termsOf(spec("deberta", members)).positionKey.weight,
                  "encoder.layer.0.attention.self.pos_proj.weight");
        EXPECT_THAT(termsOf(spec("deberta", members)).positionKey.bias, IsEmpty());
        EXPECT_EQ(termsOf(spec("deberta", members)).positionQuery.bias,
                  "encoder.layer.0.attention.self.pos_q_proj.bias");
        EXPECT_DOUBLE_EQ(attentionOf(spec("deberta", members)).scale, 1.0 / std::sqrt(64.0 * 3.0));
    }
    const ModelSpec one = spec("deberta-v2", R"("relative_attention": true, "pos_att_type": ["p2c"])");
    EXPECT_FALSE(termsOf(one).positionKey.exists());
    EXPECT_TRUE(termsOf(one).positionQuery.exists());
    EXPECT_DOUBLE_EQ(attentionOf(one).scale, 1.0 / std::sqrt(64.0 * 2.0));
    EXPECT_THAT(error("deberta", R"("pos_att_type": ["p2p"])"),
                AllOf(HasSubstr("pos_att_type"), HasSubstr("p2p")));
    EXPECT_THAT(error("deberta", R"("pos_att_type": "")"), HasSubstr("pos_att_type"));
    EXPECT_THAT(error("deberta-v2", R"("pos_att_type": 3)"), HasSubstr("pos_att_type"));
}

/// Terms that are listed lower the scale even where they are not in use; the first version counts them as
/// often as they are listed.
TEST(Deberta, TheScaleCountsTheTerms) {
    const std::string unused = R"("pos_att_type": ["c2p", "p2c"])";
    EXPECT_DOUBLE_EQ(attentionOf(spec("deberta", unused)).scale, 1.0 / std::sqrt(64.0 * 3.0));
    EXPECT_DOUBLE_EQ(attentionOf(spec("deberta-v2", unused)).scale, 1.0 / std::sqrt(64.0 * 3.0));
    const std::string twice = R"("pos_att_type": ["c2p", "c2p"])";
    EXPECT_DOUBLE_EQ(attentionOf(spec("deberta", twice)).scale, 1.0 / std::sqrt(64.0 * 3.0));
    EXPECT_DOUBLE_EQ(attentionOf(spec("deberta-v2", twice)).scale, 1.0 / std::sqrt(64.0 * 2.0));
}

TEST(Deberta, TheTableOfRelativePositions) {
    const ModelSpec first = spec("deberta", kBoth + R"(, "position_biased_input": false)");
    EXPECT_EQ(first.main.relativeTable->span, 512);
    EXPECT_TRUE(first.main.relativeTable->spanFollowsLength);
    EXPECT_FALSE(first.maxPositions.has_value());
    EXPECT_EQ(first.trainedPositions, 512);
    EXPECT_EQ(spec("deberta", kBoth + R"(, "max_relative_positions": 64)").main.relativeTable->span, 64);
    const ModelSpec third = spec("deberta-v2", kV3);
    EXPECT_EQ(third.main.relativeTable->span, 256);
    EXPECT_EQ(third.main.relativeTable->buckets, 256);
    EXPECT_EQ(third.main.relativeTable->maxPositions, 512);
    EXPECT_FALSE(third.main.relativeTable->spanFollowsLength);
    EXPECT_EQ(third.main.relativeTable->norm->weight, "encoder.LayerNorm.weight");
    const ModelSpec second = spec("deberta-v2", kBoth);
    EXPECT_EQ(second.main.relativeTable->span, 512);
    EXPECT_FALSE(second.main.relativeTable->norm.has_value());
    EXPECT_THAT(error("deberta-v2", kBoth + R"(, "norm_rel_ebd": "rms")"), HasSubstr("norm_rel_ebd"));
}

TEST(Deberta, BucketsThatDivideByZero) {
    EXPECT_THAT(error("deberta-v2", kBoth + R"(, "position_buckets": 1)"), HasSubstr("position_buckets"));
    EXPECT_THAT(error("deberta-v2", kBoth + R"(, "position_buckets": 8, "max_relative_positions": 5)"),
                HasSubstr("position_buckets"));
    EXPECT_THAT(error("deberta-v2", kBoth + R"(, "position_buckets": 8, "max_relative_positions": 4)"),
                IsEmpty());
    EXPECT_THAT(error("deberta-v2", kBoth + R"(, "position_buckets": 8, "max_relative_positions": 1)"),
                IsEmpty());
}

TEST(Deberta, PositionsMayShareTheProjections) {
    const ModelSpec shared = spec("deberta-v2", kV3);
    EXPECT_EQ(termsOf(shared).positionKey.weight, attentionOf(shared).projections.key.weight);
    EXPECT_EQ(termsOf(shared).positionQuery.weight, attentionOf(shared).projections.query.weight);
    const ModelSpec own = spec("deberta-v2", kBoth);
    EXPECT_EQ(termsOf(own).positionKey.bias, "encoder.layer.0.attention.self.pos_key_proj.bias");
    EXPECT_EQ(termsOf(own).positionQuery.weight, "encoder.layer.0.attention.self.pos_query_proj.weight");
}

TEST(Deberta, TheConvolution) {
    EXPECT_FALSE(spec("deberta-v2", R"("conv_kernel_size": 0)").main.convolution.has_value());
    const ModelSpec found =
        spec("deberta-v2", R"("conv_kernel_size": 3, "conv_act": "gelu", "conv_groups": 2)");
    EXPECT_EQ(found.main.convolution->kernel, 3);
    EXPECT_EQ(found.main.convolution->groups, 2);
    EXPECT_EQ(found.main.convolution->activation, Activation::GeluErf);
    EXPECT_EQ(spec("deberta-v2", R"("conv_kernel_size": 3)").main.convolution->activation, Activation::Tanh);
    EXPECT_THAT(error("deberta-v2", R"("conv_kernel_size": 4)"), HasSubstr("conv_kernel_size"));
    EXPECT_THAT(error("deberta-v2", R"("conv_kernel_size": 3, "conv_groups": 7)"), HasSubstr("conv_groups"));
    EXPECT_THAT(error("deberta-v2", R"("conv_kernel_size": 3, "conv_act": "mish")"), HasSubstr("conv_act"));
}

TEST(Deberta, EmbeddingsAndTypes) {
    const ModelSpec found = spec("deberta-v2", R"("embedding_size": 10, "type_vocab_size": 2)");
    EXPECT_EQ(found.main.embedding.width, 10);
    EXPECT_EQ(found.main.embedding.place, EmbeddingSpec::ProjectionPlace::AfterSum);
    EXPECT_THAT(found.main.embedding.projection.bias, IsEmpty());
    EXPECT_EQ(found.tokenTypes, 2);
    EXPECT_THAT(spec("deberta").main.embedding.types, IsEmpty());
}

TEST(Deberta, WhatCannotBeRunIsRefused) {
    EXPECT_THAT(error("deberta", R"("talking_head": true)"), HasSubstr("talking_head"));
    EXPECT_THAT(error("deberta-v2", R"("attention_head_size": 32)"), HasSubstr("attention_head_size"));
    EXPECT_THAT(error("deberta-v2", R"("attention_head_size": 64)"), IsEmpty());
    EXPECT_THAT(error("deberta", R"("hidden_size": 10, "num_attention_heads": 3)"), HasSubstr("10"));
    EXPECT_THAT(error("deberta", R"("pad_token_id": 50265)"), HasSubstr("pad_token_id"));
}

TEST(Xlnet, DefaultsAreThoseOfTransformers) {
    const ModelSpec found = spec("xlnet");
    EXPECT_EQ(found.hiddenSize, 1024);
    EXPECT_EQ(found.stacks[0].layers, 24);
    EXPECT_EQ(found.stacks[0].heads, 16);
    EXPECT_FALSE(found.stacks[0].causal);
    EXPECT_EQ(found.intermediateSize, 4096);
    EXPECT_EQ(found.vocabularySize, 32000);
    EXPECT_EQ(found.normEpsilon, 1e-12);
    EXPECT_FALSE(found.maxPositions.has_value());
    EXPECT_EQ(found.tokenTypes, 3); // the last is <cls>'s
    EXPECT_EQ(attentionOf(found).projections.query.weight, "layer.0.rel_attn.q");
    EXPECT_EQ(attentionOf(found).projections.query.layout, WeightLayout::InHeads);
    EXPECT_EQ(std::get<XlnetRelative>(attentionOf(found).position).clampLength, -1);
}

TEST(Xlnet, OtherNamesOfItsFields) {
    const ModelSpec found =
        spec("xlnet", R"("hidden_size": 24, "num_attention_heads": 3, "num_hidden_layers": 2,
        "n_token": 100, "clamp_len": 7, "attn_type": "uni", "mem_len": 512, "reuse_len": null, "d_head": 8)");
    EXPECT_EQ(found.hiddenSize, 24);
    EXPECT_EQ(found.stacks[0].heads, 3);
    EXPECT_EQ(found.vocabularySize, 100);
    EXPECT_TRUE(found.stacks[0].causal);
    EXPECT_EQ(std::get<XlnetRelative>(attentionOf(found).position).clampLength, 7);
}

TEST(Xlnet, WhatCannotBeRunIsRefused) {
    EXPECT_THAT(error("xlnet", R"("bi_data": true)"), HasSubstr("bi_data"));
    EXPECT_THAT(error("xlnet", R"("same_length": true, "attn_type": "uni")"), HasSubstr("same_length"));
    EXPECT_THAT(error("xlnet", R"("same_length": true)"), IsEmpty()); // no mask, so nothing to change
    EXPECT_THAT(error("xlnet", R"("attn_type": "both")"), HasSubstr("attn_type"));
    EXPECT_THAT(error("xlnet", R"("d_head": 32)"), HasSubstr("d_head"));
    EXPECT_THAT(error("xlnet", R"("d_model": 9, "n_head": 3)"),
                AllOf(HasSubstr("d_model"), HasSubstr("odd")));
    EXPECT_THAT(error("xlnet", R"("max_position_embeddings": 512)"), HasSubstr("max_position_embeddings"));
    EXPECT_THAT(error("xlnet", R"("ff_activation": "mish")"), HasSubstr("ff_activation"));
}

} // namespace
} // namespace headscope
