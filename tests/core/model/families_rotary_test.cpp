// SPDX-License-Identifier: GPL-3.0-or-later
// Rotary embeddings of config.json in both spellings, what wins, and what is refused.
#include "tests/core/model/spec_from.h"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope {
namespace {

using test::configOf;
using test::specError;
using test::specFrom;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A small model of the family: two heads of 8 numbers, 64 positions.
std::string small(const std::string& family, const std::string& members) {
    return configOf(family,
                    R"("hidden_size": 16, "num_attention_heads": 2, "num_key_value_heads": 2, "head_dim": 8,
        "num_hidden_layers": 1, "vocab_size": 50, "pad_token_id": null, "max_position_embeddings": 64, )" +
                        members);
}

RotarySpec rotaryFrom(const std::string& members, const std::string& family = "llama") {
    return specFrom(small(family, members)).main.rotaries.front();
}

std::string rotaryError(const std::string& members, const std::string& family = "llama") {
    return specError(small(family, members));
}

/// rope_scaling with these members.
RotarySpec scaledBy(const std::string& members, const std::string& family = "llama") {
    return rotaryFrom("\"rope_scaling\": {" + members + "}", family);
}

std::string scalingError(const std::string& members, const std::string& family = "llama") {
    return rotaryError("\"rope_scaling\": {" + members + "}", family);
}

const std::string kFactors = R"("short_factor": [1, 1, 2, 2], "long_factor": [1, 2, 3, 4])";

TEST(RotaryConfig, DefaultsAreThoseOfTransformers) {
    const RotarySpec plain = rotaryFrom(R"("rope_scaling": null)");
    EXPECT_EQ(plain.dims, 8);
    EXPECT_EQ(plain.theta, 10000.0);
    EXPECT_EQ(plain.scaling, RotaryScaling::None);
    EXPECT_EQ(plain.attentionFactor, 1.0);
    EXPECT_FALSE(
        plain.interleaved); // known pitfall "RoPE layout": halves, and the weights are as they must be
    EXPECT_EQ(rotaryFrom(R"("rope_theta": 500000)").theta, 5e5);
    EXPECT_EQ(specFrom(small("smollm3", R"("attention_bias": false)")).main.rotaries.front().theta, 2e6);
}

TEST(RotaryConfig, EveryTypeIsRead) {
    EXPECT_EQ(scaledBy(R"("rope_type": "default", "factor": 8)").scaling, RotaryScaling::None);
    const RotarySpec linear = scaledBy(R"("rope_type": "linear", "factor": 4)");
    EXPECT_EQ(linear.scaling, RotaryScaling::Linear);
    EXPECT_EQ(linear.factor, 4.0);
    // The length before stretching is max_position_embeddings whatever the scaling says.
    const RotarySpec dynamic =
        scaledBy(R"("rope_type": "dynamic", "factor": 2.0, "original_max_position_embeddings": 16)");
    EXPECT_EQ(dynamic.scaling, RotaryScaling::Dynamic);
    EXPECT_EQ(dynamic.originalPositions, 64);
    const RotarySpec llama3 = scaledBy(R"("rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
        "high_freq_factor": 4.0, "original_max_position_embeddings": 16)");
    EXPECT_EQ(llama3.scaling, RotaryScaling::Llama3);
    EXPECT_EQ(llama3.lowFrequencyFactor, 1.0);
    EXPECT_EQ(llama3.highFrequencyFactor, 4.0);
    EXPECT_EQ(llama3.originalPositions, 16);
}

TEST(RotaryConfig, YarnHasTheReferenceFactors) {
    const RotarySpec yarn = scaledBy(R"("rope_type": "yarn", "factor": 4.0)");
    EXPECT_EQ(yarn.scaling, RotaryScaling::Yarn);
    EXPECT_EQ(yarn.originalPositions, 64);
    EXPECT_EQ(yarn.betaFast, 32.0);
    EXPECT_EQ(yarn.betaSlow, 1.0);
    EXPECT_TRUE(yarn.truncate);
    EXPECT_NEAR(yarn.attentionFactor, 1.1386294, 1e-7);
    EXPECT_NEAR(scaledBy(R"("rope_type": "yarn", "factor": 32)").attentionFactor, 1.3465736, 1e-7);
    EXPECT_EQ(scaledBy(R"("rope_type": "yarn", "factor": 0.5)").attentionFactor, 1.0);
    EXPECT_EQ(scaledBy(R"("rope_type": "yarn", "factor": 4.0, "attention_factor": 1.5)").attentionFactor,
              1.5);
    // 0.1 m ln 4 + 1 for m = 1 and 2; one of the two alone does nothing.
    EXPECT_NEAR(
        scaledBy(R"("rope_type": "yarn", "factor": 4, "mscale": 1, "mscale_all_dim": 2)").attentionFactor,
        1.1386294 / 1.2772589, 1e-7);
    EXPECT_EQ(scaledBy(R"("rope_type": "yarn", "factor": 4.0, "mscale": 3.0, "mscale_all_dim": 0)"), yarn);
    EXPECT_FALSE(scaledBy(R"("rope_type": "yarn", "factor": 4.0, "truncate": false)").truncate);
    EXPECT_FALSE(
        scaledBy(R"("rope_type": "yarn", "factor": 4.0, "truncate": null)").truncate); // as Python reads it
    EXPECT_EQ(scaledBy(R"("rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16)")
                  .originalPositions,
              16);
}

TEST(RotaryConfig, LongRopeTakesItsLengthFromTheRoot) {
    const RotarySpec atRoot =
        rotaryFrom(R"("max_position_embeddings": 131072, "original_max_position_embeddings": 4096,
        "rope_scaling": {"rope_type": "longrope", "factor": 2.0, )" +
                   kFactors + "}");
    EXPECT_EQ(atRoot.scaling, RotaryScaling::LongRope);
    EXPECT_EQ(atRoot.originalPositions, 4096);
    EXPECT_NEAR(atRoot.attentionFactor, 1.1902381, 1e-7); // of the ratio of lengths, not of the factor
    EXPECT_THAT(atRoot.shortFactors, ElementsAre(1, 1, 2, 2));
    EXPECT_THAT(atRoot.longFactors, ElementsAre(1, 2, 3, 4));
    // A length inside rope_scaling is not read.
    const RotarySpec inside = scaledBy(
        R"("rope_type": "longrope", "factor": 4.0, "original_max_position_embeddings": 16, )" + kFactors);
    EXPECT_EQ(inside.originalPositions, 64);
    EXPECT_NEAR(inside.attentionFactor, std::sqrt(1.0 + std::log(4.0) / std::log(64.0)), 1e-12);
    EXPECT_EQ(scaledBy(R"("rope_type": "longrope", "attention_factor": 1.5, )" + kFactors).attentionFactor,
              1.5);
}

TEST(RotaryConfig, WhichNameOfTheTypeWins) {
    const std::string both = R"("type": "linear", "rope_type": "dynamic", "factor": 2.0)";
    for (const char* family :
         {"llama", "qwen2", "qwen3", "qwen2_moe", "qwen3_moe", "smollm3", "starcoder2", "gpt_oss"})
        EXPECT_EQ(scaledBy(both, family).scaling, RotaryScaling::Linear) << family;
    // These turn a part of the head, of which the usual share leaves too little here.
    const std::string whole =
        R"("partial_rotary_factor": 1.0, "rotary_pct": 1.0, "rope_scaling": {)" + both + "}";
    for (const char* family : {"phi", "stablelm", "gpt_neox"})
        EXPECT_EQ(rotaryFrom(whole, family).scaling, RotaryScaling::Linear) << family;
    for (const char* family : {"mistral", "ministral", "mixtral", "gemma", "gemma2", "gemma3_text", "granite",
                               "cohere", "cohere2", "modernbert"})
        EXPECT_EQ(scaledBy(both, family).scaling, RotaryScaling::Dynamic) << family;
    for (const char* family : {"llama", "mistral", "gemma2"}) {
        EXPECT_EQ(scaledBy(R"("type": "linear", "factor": 2.0)", family).scaling, RotaryScaling::Linear);
        EXPECT_EQ(scaledBy(R"("rope_type": "linear", "factor": 2.0)", family).scaling, RotaryScaling::Linear);
    }
}

// Known pitfall "rope theta moved": the newer spelling holds the base itself.
TEST(RotaryConfig, TheNewerSpelling) {
    const RotarySpec plain =
        rotaryFrom(R"("rope_parameters": {"rope_type": "default", "rope_theta": 500000.0})");
    EXPECT_EQ(plain.theta, 5e5);
    EXPECT_EQ(plain.scaling, RotaryScaling::None);
    EXPECT_EQ(rotaryFrom(R"("rope_parameters": {}, "rope_theta": 700.0)").theta, 700.0);
    const RotarySpec yarn = rotaryFrom(
        R"("rope_parameters": {"rope_type": "yarn", "rope_theta": 50.0, "factor": 4.0,
           "original_max_position_embeddings": 16})");
    EXPECT_EQ(yarn, rotaryFrom(R"("rope_theta": 50.0, "rope_scaling": {"rope_type": "yarn", "factor": 4.0,
           "original_max_position_embeddings": 16})"));
    // Here a length inside counts for longrope, and a factor goes before the ratio of lengths.
    const RotarySpec longRope = rotaryFrom(
        R"("rope_parameters": {"rope_type": "longrope", "original_max_position_embeddings": 16, )" +
        kFactors + "}");
    EXPECT_EQ(longRope.originalPositions, 16);
    EXPECT_NEAR(longRope.attentionFactor, std::sqrt(1.0 + std::log(4.0) / std::log(16.0)), 1e-12);
    EXPECT_NEAR(rotaryFrom(R"("rope_parameters": {"rope_type": "longrope", "factor": 2.0,
                    "original_max_position_embeddings": 16, )" +
                           kFactors + "}")
                    .attentionFactor,
                std::sqrt(1.0 + std::log(2.0) / std::log(16.0)), 1e-12);
    EXPECT_EQ(rotaryFrom(R"("original_max_position_embeddings": 8, "rope_parameters": {"rope_type": "yarn",
                  "factor": 4.0})")
                  .originalPositions,
              8);
    EXPECT_EQ(rotaryFrom(R"("rope_parameters": {"rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0,
                  "high_freq_factor": 4.0})")
                  .originalPositions,
              64);
}

TEST(RotaryConfig, TheNewerSpellingHasASetForEachKindOfLayer) {
    const std::string sets =
        R"("num_hidden_layers": 2, "layer_types": ["sliding_attention", "full_attention"],
        "rope_parameters": {"full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1000.0},
                            "sliding_attention": {"rope_type": "default", "rope_theta": 100.0}})";
    const ModelSpec spec = specFrom(small("gemma3_text", sets));
    const auto of = [&](std::size_t layer) {
        return spec.main.rotaries.at(*spec.main.blocks.at(layer).attention.rotary);
    };
    EXPECT_EQ(of(0).theta, 100.0);
    EXPECT_EQ(of(0).scaling, RotaryScaling::None);
    EXPECT_EQ(of(1).theta, 1000.0);
    EXPECT_EQ(of(1).factor, 8.0);
    EXPECT_THAT(rotaryError(sets), AllOf(HasSubstr("rope_parameters"), HasSubstr("one kind of layer")));
    EXPECT_THAT(rotaryError(R"("rope_parameters": {"rope_theta": 100.0})", "gemma3_text"),
                HasSubstr("expected one for each of full_attention and sliding_attention"));
    EXPECT_THAT(rotaryError(R"("rope_parameters": {"full_attention": {}})", "gemma3_text"),
                HasSubstr("no set for \"sliding_attention\""));
}

TEST(RotaryConfig, SpellingsThatDisagreeAreRefused) {
    EXPECT_THAT(rotaryError(R"("rope_theta": 1e4, "rope_parameters": {"rope_theta": 500000.0})"),
                AllOf(HasSubstr("rope_theta is 10000"), HasSubstr("rope_parameters says 500000")));
    EXPECT_THAT(rotaryError(R"("rope_theta": 500000, "rope_parameters": {"rope_theta": 500000.0})"),
                IsEmpty());
    EXPECT_THAT(
        rotaryError(R"("rope_scaling": {"rope_type": "linear", "factor": 2.0}, "rope_parameters": {})"),
        HasSubstr("rope_scaling and rope_parameters do not say the same"));
    EXPECT_THAT(rotaryError(R"("rope_scaling": {"rope_type": "linear", "factor": 2.0},
                    "rope_parameters": {"type": "linear", "factor": 2.0})"),
                IsEmpty());
}

TEST(RotaryConfig, UnknownTypesAreRefused) {
    for (const char* type : {"su", "mrope", "proportional", "Linear", ""})
        EXPECT_THAT(scalingError(fmt::format(R"("rope_type": "{}", "factor": 2.0)", type)),
                    AllOf(HasSubstr("config.json: rope_scaling"),
                          HasSubstr(fmt::format("the rope_type \"{}\"", type)),
                          HasSubstr("expected one of: default, linear, dynamic, llama3, yarn, longrope")));
    EXPECT_THAT(rotaryError(R"("rope_parameters": {"rope_type": "proportional"})"),
                HasSubstr("proportional"));
    EXPECT_THAT(scalingError(""), HasSubstr("neither rope_type nor type"));
    EXPECT_THAT(scalingError(R"("factor": 2.0)"), HasSubstr("neither rope_type nor type"));
    EXPECT_THAT(scalingError(R"("type": null, "rope_type": "linear", "factor": 2.0)"),
                HasSubstr("type: found null"));
    EXPECT_THAT(rotaryError(R"("rope_scaling": [])"), HasSubstr("expected an object"));
}

TEST(RotaryConfig, MissingAndMalformedParametersAreNamed) {
    for (const char* type : {"linear", "dynamic", "yarn", "llama3"})
        EXPECT_THAT(scalingError(fmt::format(R"("rope_type": "{}")", type)),
                    HasSubstr("\"factor\" is missing"));
    EXPECT_THAT(scalingError(R"("rope_type": "linear", "factor": "2.0")"), HasSubstr("rope_scaling: factor"));
    EXPECT_THAT(scalingError(R"("rope_type": "linear", "factor": 0)"), HasSubstr("rope_scaling: factor"));
    EXPECT_THAT(scalingError(R"("rope_type": "linear", "factor": NaN)"), HasSubstr("rope_scaling: factor"));
    const std::string llama3 = R"("rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0)";
    EXPECT_THAT(scalingError(llama3), HasSubstr("\"high_freq_factor\" is missing"));
    EXPECT_THAT(scalingError(llama3 + R"(, "high_freq_factor": 4.0)"),
                HasSubstr("\"original_max_position_embeddings\" is missing"));
    EXPECT_THAT(scalingError(R"("rope_type": "longrope", "factor": 2.0)"), HasSubstr("short_factor"));
    EXPECT_THAT(
        scalingError(R"("rope_type": "longrope", "factor": 2.0, "short_factor": [1], "long_factor": [1])"),
        AllOf(HasSubstr("short_factor"), HasSubstr("expected 4")));
    EXPECT_THAT(scalingError(R"("rope_type": "longrope", )" + kFactors), HasSubstr("\"factor\" is missing"));
    EXPECT_THAT(rotaryError(R"("rope_theta": null)"), HasSubstr("rope_theta: found null"));
    EXPECT_THAT(rotaryError(R"("rope_theta": 0)"), HasSubstr("rope_theta"));
    EXPECT_THAT(rotaryError(R"("head_dim": 7)"), HasSubstr("expected an even number"));
    EXPECT_THAT(rotaryError(R"("partial_rotary_factor": 0.5)"), HasSubstr("turns whole heads"));
}

TEST(RotaryConfig, WhatWouldDivideByZeroIsRefused) {
    EXPECT_THAT(rotaryError(R"("rope_theta": 1.0, "rope_scaling": {"rope_type": "yarn", "factor": 2.0})"),
                HasSubstr("rope_theta of 1"));
    EXPECT_THAT(
        rotaryError(R"("original_max_position_embeddings": 1, "rope_scaling": {"rope_type": "longrope", )" +
                    kFactors + "}"),
        HasSubstr("an original length of 1"));
    EXPECT_THAT(
        rotaryError(R"("original_max_position_embeddings": null, "rope_scaling": {"rope_type": "longrope",
                    "factor": 2.0, )" +
                    kFactors + "}"),
        HasSubstr("original_max_position_embeddings: found null"));
    EXPECT_THAT(rotaryError(R"("head_dim": 2, "rope_scaling": {"rope_type": "dynamic", "factor": 2.0})"),
                HasSubstr("dynamic scaling of 2 dimensions"));
}

TEST(RotaryConfig, FamiliesWithRulesOfTheirOwn) {
    EXPECT_EQ(scaledBy(R"("type": "dynamic", "factor": 2.0)", "olmo2").scaling, RotaryScaling::Dynamic);
    EXPECT_THAT(scalingError(R"("rope_type": "linear", "factor": 2.0)", "olmo2"),
                HasSubstr("\"type\" is missing"));
    EXPECT_THAT(scalingError(R"("type": "yarn", "factor": 2.0)", "olmo2"),
                HasSubstr("\"linear\", \"dynamic\""));
    EXPECT_THAT(scalingError(R"("type": "linear", "factor": 2)", "olmo2"), HasSubstr("factor"));
    EXPECT_THAT(scalingError(R"("type": "linear", "factor": 1.0)", "olmo2"), HasSubstr("factor"));
    EXPECT_THAT(scalingError(R"("type": "linear", "rope_type": "linear", "factor": 2.0)", "olmo2"),
                AllOf(HasSubstr("3 fields"), HasSubstr("type and factor")));
    // The newer spelling knows all types there.
    EXPECT_EQ(rotaryFrom(R"("rope_parameters": {"rope_type": "yarn", "factor": 2.0})", "olmo2").scaling,
              RotaryScaling::Yarn);
    for (const char* family : {"granite", "gemma3_text", "cohere", "cohere2"})
        EXPECT_THAT(scalingError(R"("type": "linear", "factor": 2.0)", family),
                    AllOf(HasSubstr("\"rope_type\" is missing"), HasSubstr("rename")));
    // Without head_dim, Mistral's class cannot compute those that look for it there.
    const std::string noHeadSize = R"("head_dim": null, "rope_scaling": {"rope_type": ")";
    EXPECT_THAT(rotaryError(noHeadSize + R"(yarn", "factor": 2.0})", "mistral"),
                AllOf(HasSubstr("\"yarn\" without a head_dim"), HasSubstr("\"head_dim\": 8")));
    EXPECT_THAT(rotaryError(noHeadSize + R"(linear", "factor": 2.0})", "mistral"), IsEmpty());
    EXPECT_THAT(rotaryError(noHeadSize + R"(yarn", "factor": 2.0})", "llama"), IsEmpty());
}

/// An odd number of turned dimensions: GPT-NeoX and Phi-3 turn one more, with the frequencies of the odd
/// number; all others cannot.
TEST(RotaryConfig, AnOddPartOfTheHead) {
    const RotarySpec odd = rotaryFrom(R"("rotary_pct": 0.7)", "gpt_neox"); // int(8 * 0.7) = 5
    EXPECT_EQ(odd.dims, 6);
    EXPECT_TRUE(odd.roundedUp);
    EXPECT_FALSE(rotaryFrom(R"("rotary_pct": 0.5)", "gpt_neox").roundedUp);
    EXPECT_EQ(rotaryFrom(R"("rotary_pct": 0.5)", "gpt_neox").dims, 4);
    const std::string longRope =
        R"("rotary_pct": 0.7, "rope_scaling": {"rope_type": "longrope", "factor": 4.0,
        "short_factor": [1, 1.5, 2], "long_factor": [2, 3, 5]})";
    EXPECT_THAT(rotaryFrom(longRope, "gpt_neox").longFactors, ElementsAre(2, 3, 5));
    EXPECT_THAT(
        rotaryError(R"("rotary_pct": 0.7, "rope_scaling": {"rope_type": "yarn", "factor": 4.0})", "gpt_neox"),
        AllOf(HasSubstr("yarn for 5 dimensions"), HasSubstr("even")));
    // The exponent is dims / (dims - 2), and only one dimension is counted.
    const std::string dynamic = R"("rope_scaling": {"rope_type": "dynamic", "factor": 4.0})";
    EXPECT_EQ(rotaryFrom(R"("rotary_pct": 0.125, )" + dynamic, "gpt_neox").dims, 2);
    EXPECT_THAT(rotaryError(R"("rotary_pct": 0.25, )" + dynamic, "gpt_neox"),
                HasSubstr("dynamic scaling of 2 dimensions"));
    EXPECT_THAT(rotaryError(R"("rotary_pct": 0.1)", "gpt_neox"), HasSubstr("would turn 0 of 8 dimensions"));
    // Nothing is left of the head to turn one more of.
    EXPECT_THAT(
        specError(configOf("gpt_neox", R"("hidden_size": 10, "num_attention_heads": 2, "rotary_pct": 1.0)")),
        HasSubstr("would turn 5 of 5 dimensions"));
    for (const char* family : {"phi", "stablelm"})
        EXPECT_THAT(rotaryError(R"("partial_rotary_factor": 0.7)", family),
                    HasSubstr("would turn 5 of 8 dimensions"));
}

TEST(RotaryConfig, AnOddPartOfPhi3s) {
    const RotarySpec odd = rotaryFrom(R"("partial_rotary_factor": 0.7)", "phi3");
    EXPECT_EQ(odd.dims, 6);
    EXPECT_TRUE(odd.roundedUp);
    // Its class wants two factors for five dimensions, and cannot use them.
    for (const char* factors : {"[1, 2]", "[1, 2, 3]"}) {
        const std::string lists =
            fmt::format(R"("type": "longrope", "short_factor": {0}, "long_factor": {0})", factors);
        EXPECT_THAT(
            rotaryError(R"("partial_rotary_factor": 0.7, "rope_scaling": {)" + lists + "}", "phi3"),
            AllOf(HasSubstr("rope_scaling"), HasSubstr("longrope for 5 dimensions"), HasSubstr("even")));
        EXPECT_THAT(
            rotaryError(R"("partial_rotary_factor": 0.7, "rope_parameters": {)" + lists + "}", "phi3"),
            AllOf(HasSubstr("rope_parameters"), HasSubstr("longrope for 5 dimensions")));
    }
}

} // namespace
} // namespace headscope
