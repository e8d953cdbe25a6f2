// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families.h"
#include "core/model/families/unsupported.h"
#include "tests/core/model/spec_from.h"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace headscope {
namespace {

using test::configOf;
using test::specError;
using test::specFrom;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

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
    EXPECT_THAT(bertError(R"("position_embedding_type": "rotary")"),
                AllOf(HasSubstr("position_embedding_type"), HasSubstr("rotary")));
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
    EXPECT_THAT(specError(configOf("nonesuch")),
                AllOf(HasSubstr("\"nonesuch\" is not supported"), HasSubstr("expected one of: albert, "),
                      Not(HasSubstr("did you mean"))));
    EXPECT_THAT(specError(R"({"model_type": 3})"), HasSubstr("model_type"));
    const std::vector<std::string> supported = supportedFamilies();
    EXPECT_TRUE(std::is_sorted(supported.begin(), supported.end()));
    EXPECT_THAT(supported, IsSupersetOf({"bert", "llama"}));
    EXPECT_EQ(std::set<std::string>(supported.begin(), supported.end()).size(), families().size());
}

TEST(Families, KnownButUnsupportedTypesSayWhatTheyAre) {
    const std::pair<const char*, const char*> known[] = {
        {"longformer", "sparse"},        {"led", "sparse"},
        {"big_bird", "sparse"},          {"bigbird", "sparse"},
        {"bigbird_pegasus", "sparse"},   {"reformer", "sparse"},
        {"transfo-xl", "memory"},        {"mamba", "state-space"},
        {"mamba2", "state-space"},       {"jamba", "mix of attention"},
        {"recurrent_gemma", "mix of"},   {"qwen3_next", "mix of"},
        {"llama4", "in chunks"},         {"deepseek_v2", "latent"},
        {"deepseek_v3", "latent"},       {"funnel", "pools"},
        {"perceiver", "pools"},          {"vit", "a vision model"},
        {"deit", "a vision model"},      {"dinov2", "a vision model"},
        {"swin", "a vision model"},      {"beit", "a vision model"},
        {"sam", "a vision model"},       {"clip", "with images"},
        {"siglip", "with images"},       {"llava", "with images"},
        {"qwen2_vl", "with images"},     {"whisper", "an audio model"},
        {"wav2vec2", "an audio model"},  {"hubert", "an audio model"},
        {"olmoe", "a text model whose"}, {"gemma3n", "not those of Gemma 2 and 3"},
        {"gemma4", "not those of"},      {"patchtst", "time series"},
    };
    for (const auto& [type, what] : known)
        EXPECT_THAT(specError(configOf(type)),
                    AllOf(HasSubstr(fmt::format("\"{}\" is not supported (", type)), HasSubstr(what),
                          HasSubstr("expected one of: "), Not(HasSubstr("did you mean"))));
    for (const Family& family : families())
        EXPECT_EQ(unsupportedKind(family.modelType), "") << family.modelType;
    // Neither parts of names nor several at once.
    for (const char* other : {"", " ", "vit deit", "mamb", "led "})
        EXPECT_EQ(unsupportedKind(other), "") << other;
}

TEST(Families, TheNearestNameIsOffered) {
    const auto offered = [](const std::string& type) { return specError(configOf(type)); };
    EXPECT_THAT(offered("lama"), HasSubstr("did you mean \"llama\"?"));
    EXPECT_THAT(offered("Llama"), HasSubstr("did you mean \"llama\"?"));
    EXPECT_THAT(offered("gpt-neox"), HasSubstr("did you mean \"gpt_neox\"?"));
    EXPECT_THAT(offered("xlm_roberta"), HasSubstr("did you mean \"xlm-roberta\"?"));
    EXPECT_THAT(offered("minstral"), HasSubstr("did you mean \"mi"));
    for (const char* far : {"", "x", "brt2x", "transformer", "llama-but-quite-another-one"})
        EXPECT_THAT(offered(far), Not(HasSubstr("did you mean"))) << far;
    EXPECT_THAT(offered(std::string(100000, 'a')), HasSubstr("is not supported"));
    const std::string_view names[] = {"abcd", "abce", "abcdefgh"};
    EXPECT_EQ(nearestName("abcd", names), "abcd");
    EXPECT_EQ(nearestName("abcf", names), "abcd"); // the first of those equally near
    EXPECT_EQ(nearestName("abxdexgh", names), "abcdefgh");
    EXPECT_EQ(nearestName("abxdexgx", names), "");
}

TEST(Families, ArchitecturesStandInForAMissingModelType) {
    EXPECT_EQ(specFrom(R"({"architectures": ["BertModel"]})").family, "bert");
    EXPECT_EQ(specFrom(R"({"model_type": null, "architectures": ["BertForMaskedLM"]})").family, "bert");
    EXPECT_THAT(specError(R"({"architectures": ["BertGenerationEncoder"]})"),
                HasSubstr("BertGenerationEncoder"));
    EXPECT_THAT(specError(R"({"architectures": ["NonesuchModel"]})"), HasSubstr("NonesuchModel"));
    EXPECT_THAT(specError(R"({"architectures": []})"), HasSubstr("neither model_type nor architectures"));
    EXPECT_THAT(specError("{}"), HasSubstr("neither model_type nor architectures"));
}

} // namespace
} // namespace headscope
