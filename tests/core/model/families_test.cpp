// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/model/model.h"
#include "tests/core/model/tiny_checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope {
namespace {

using headscope::test::sentenceOf;
using headscope::test::TinyCheckpoint;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

ModelSpec specFrom(const std::string& config) {
    TinyCheckpoint tiny;
    tiny.config = config;
    return specOf(tiny.checkpoint());
}

std::string specError(const std::string& config) {
    return sentenceOf([&] { specFrom(config); });
}

/// The error of a BERT whose config.json has these further members.
std::string bertError(const std::string& members) {
    return specError(R"({"model_type": "bert", )" + members + "}");
}

TEST(Families, BertDefaultsAreThoseOfTransformers) {
    const ModelSpec spec = specFrom(R"({"model_type": "bert"})");
    EXPECT_EQ(spec.family, "bert");
    ASSERT_EQ(spec.stacks.size(), 1U);
    EXPECT_EQ(spec.stacks[0].kind, AttentionKind::Self);
    EXPECT_EQ(spec.stacks[0].layers, 12);
    EXPECT_EQ(spec.stacks[0].heads, 12);
    EXPECT_EQ(spec.stacks[0].keyValueHeads, 12);
    EXPECT_EQ(spec.stacks[0].headSize, 64);
    EXPECT_FALSE(spec.stacks[0].causal);
    EXPECT_EQ(spec.hiddenSize, 768);
    EXPECT_EQ(spec.intermediateSize, 3072);
    EXPECT_EQ(spec.vocabularySize, 30522);
    EXPECT_EQ(spec.maxPositions, 512);
    EXPECT_EQ(spec.tokenTypes, 2);
    EXPECT_EQ(spec.activation, Activation::GeluErf);
    EXPECT_EQ(spec.normEpsilon, 1e-12);
}

TEST(Families, FieldsAreRead) {
    const ModelSpec spec = specFrom(R"({"model_type": "bert", "hidden_size": 384, "num_hidden_layers": 6,
        "num_attention_heads": 12, "intermediate_size": 1536, "layer_norm_eps": 1e-5, "hidden_act": "gelu_new",
        "max_position_embeddings": 128, "type_vocab_size": 1, "vocab_size": 100, "pruned_heads": {},
        "position_embedding_type": "absolute", "is_decoder": false, "add_cross_attention": null})");
    EXPECT_EQ(spec.stacks[0].headSize, 32);
    EXPECT_EQ(spec.normEpsilon, 1e-5);
    EXPECT_EQ(spec.activation, Activation::GeluTanh);
    EXPECT_EQ(spec.maxPositions, 128);
    EXPECT_EQ(spec.tokenTypes, 1);
}

TEST(Families, EveryActivationName) {
    const auto activation = [](const std::string& name) {
        return specFrom(R"({"model_type": "bert", "hidden_act": ")" + name + "\"}").activation;
    };
    EXPECT_EQ(activation("gelu"), Activation::GeluErf);
    EXPECT_EQ(activation("gelu_new"), Activation::GeluTanh);
    EXPECT_EQ(activation("gelu_fast"), Activation::GeluTanh);
    EXPECT_EQ(activation("gelu_pytorch_tanh"), Activation::GeluTanh);
    EXPECT_EQ(activation("quick_gelu"), Activation::QuickGelu);
    EXPECT_EQ(activation("relu"), Activation::Relu);
    EXPECT_EQ(activation("silu"), Activation::Silu);
    EXPECT_EQ(activation("swish"), Activation::Silu);
}

TEST(Families, WhatChangesTheMathsIsRefusedByName) {
    EXPECT_THAT(bertError(R"("hidden_act": "mish")"),
                AllOf(HasSubstr("hidden_act"), HasSubstr("mish"), HasSubstr("gelu_new")));
    EXPECT_THAT(bertError(R"("position_embedding_type": "relative_key")"),
                AllOf(HasSubstr("position_embedding_type"), HasSubstr("relative_key")));
    EXPECT_THAT(bertError(R"("is_decoder": true)"), HasSubstr("is_decoder"));
    EXPECT_THAT(bertError(R"("add_cross_attention": true)"), HasSubstr("add_cross_attention"));
    EXPECT_THAT(bertError(R"("pruned_heads": {"3": [0, 2]})"),
                AllOf(HasSubstr("pruned_heads"), HasSubstr("layer 3")));
    EXPECT_THAT(bertError(R"("pruned_heads": [1])"), HasSubstr("pruned_heads"));
}

TEST(Families, SizesAreChecked) {
    EXPECT_THAT(bertError(R"("hidden_size": 768, "num_attention_heads": 10)"),
                AllOf(HasSubstr("768"), HasSubstr("10")));
    EXPECT_THAT(bertError(R"("num_hidden_layers": 0)"), HasSubstr("num_hidden_layers"));
    EXPECT_THAT(bertError(R"("num_attention_heads": 0)"), HasSubstr("num_attention_heads"));
    EXPECT_THAT(bertError(R"("num_hidden_layers": 1000000)"), HasSubstr("num_hidden_layers"));
    EXPECT_THAT(bertError(R"("hidden_size": 99999999999)"), HasSubstr("hidden_size"));
    EXPECT_THAT(bertError(R"("hidden_size": "768")"), HasSubstr("hidden_size"));
    EXPECT_THAT(bertError(R"("layer_norm_eps": NaN)"), HasSubstr("layer_norm_eps"));
    EXPECT_THAT(bertError(R"("layer_norm_eps": -1e-5)"), HasSubstr("layer_norm_eps"));
}

TEST(Families, UnknownFamiliesGetTheSupportedOnes) {
    EXPECT_THAT(specError(R"({"model_type": "gpt_oss"})"),
                AllOf(HasSubstr("\"gpt_oss\" is not supported"), HasSubstr("expected one of: bert")));
    EXPECT_THAT(specError(R"({"model_type": 3})"), HasSubstr("model_type"));
    EXPECT_THAT(supportedFamilies(), ElementsAre("bert"));
}

TEST(Families, ArchitecturesStandInForAMissingModelType) {
    EXPECT_EQ(specFrom(R"({"architectures": ["BertModel"]})").family, "bert");
    EXPECT_EQ(specFrom(R"({"model_type": null, "architectures": ["BertForMaskedLM"]})").family, "bert");
    EXPECT_THAT(specError(R"({"architectures": ["BertGenerationEncoder"]})"),
                HasSubstr("BertGenerationEncoder"));
    EXPECT_THAT(specError(R"({"architectures": ["RobertaModel"]})"), HasSubstr("RobertaModel"));
    EXPECT_THAT(specError(R"({"architectures": []})"), HasSubstr("neither model_type nor architectures"));
    EXPECT_THAT(specError("{}"), HasSubstr("neither model_type nor architectures"));
}

} // namespace
} // namespace headscope
