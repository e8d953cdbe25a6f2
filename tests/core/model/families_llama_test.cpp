// SPDX-License-Identifier: GPL-3.0-or-later
// Defaults and refusals of Llama's relatives.
#include "core/model/weight_loader.h"
#include "tests/core/model/spec_from.h"

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

/// A model of three small layers.
std::string small(const std::string& family, const std::string& members = R"("attention_bias": false)") {
    return configOf(family,
                    R"("hidden_size": 24, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 6,
        "num_hidden_layers": 3, "vocab_size": 50, "pad_token_id": 0, )" +
                        members);
}

ModelSpec smallSpec(const std::string& family, const std::string& members = R"("attention_bias": false)") {
    return specFrom(small(family, members));
}

std::string smallError(const std::string& family, const std::string& members) {
    return specError(small(family, members));
}

const AttentionSpec& attentionOf(const ModelSpec& spec, std::size_t layer = 0) {
    return spec.main.blocks.at(layer).attention;
}

/// The window of each layer, 0 where there is none.
std::vector<std::int64_t> windowsOf(const ModelSpec& spec) {
    std::vector<std::int64_t> windows;
    for (const BlockSpec& block : spec.main.blocks) windows.push_back(block.attention.window.value_or(0));
    return windows;
}

struct Defaults {
    const char* family;
    std::int64_t hidden;
    int layers;
    int heads;
    int keyValueHeads;
    std::int64_t headSize;
    std::int64_t intermediate;
    std::int64_t vocabulary;
    std::int64_t trained;
    double epsilon;
    bool tied;
};

TEST(LlamaFamilies, DefaultsAreThoseOfTransformers) {
    const Defaults all[] = {
        {"llama", 4096, 32, 32, 32, 128, 11008, 32000, 2048, 1e-6, false},
        {"mistral", 4096, 32, 32, 8, 128, 14336, 32000, 131072, 1e-6, false},
        {"qwen2", 4096, 32, 32, 32, 128, 22016, 151936, 32768, 1e-6, false},
        {"qwen3", 4096, 32, 32, 32, 128, 22016, 151936, 32768, 1e-6, false},
        {"gemma", 3072, 28, 16, 16, 256, 24576, 256000, 8192, 1e-6, true},
        {"gemma2", 2304, 26, 8, 4, 256, 9216, 256000, 8192, 1e-6, true},
        {"gemma3_text", 2304, 26, 8, 4, 256, 9216, 262208, 131072, 1e-6, true},
        {"olmo2", 4096, 32, 32, 32, 128, 11008, 50304, 2048, 1e-5, false},
        {"smollm3", 2048, 36, 16, 4, 128, 11008, 128256, 32768, 1e-6, true},
        {"granite", 4096, 32, 32, 32, 128, 11008, 32000, 2048, 1e-6, false},
    };
    for (const Defaults& one : all) {
        SCOPED_TRACE(one.family);
        const ModelSpec spec = specFrom(configOf(one.family));
        EXPECT_EQ(spec.family, one.family);
        ASSERT_EQ(spec.stacks.size(), 1U);
        EXPECT_TRUE(spec.stacks[0].causal);
        EXPECT_EQ(spec.stacks[0].layers, one.layers);
        EXPECT_EQ(spec.stacks[0].heads, one.heads);
        EXPECT_EQ(spec.stacks[0].keyValueHeads, one.keyValueHeads);
        EXPECT_EQ(spec.stacks[0].headSize, one.headSize);
        EXPECT_EQ(spec.hiddenSize, one.hidden);
        EXPECT_EQ(spec.intermediateSize, one.intermediate);
        EXPECT_EQ(spec.vocabularySize, one.vocabulary);
        EXPECT_EQ(spec.trainedPositions, one.trained);
        EXPECT_EQ(spec.maxPositions, std::nullopt);
        EXPECT_EQ(spec.tokenTypes, 0);
        EXPECT_EQ(spec.normEpsilon, one.epsilon);
        // Known pitfall "tied weights": the head is the word table, or lm_head (which this file lacks).
        EXPECT_EQ(spec.head.has_value(), one.tied);
        EXPECT_THAT(specError(configOf(one.family, R"("tie_word_embeddings": null)")), IsEmpty());
        EXPECT_FALSE(specFrom(configOf(one.family, R"("tie_word_embeddings": null)")).head.has_value());
    }
}

TEST(LlamaFamilies, HeadSizes) {
    const auto headSize = [](const std::string& family, const std::string& head) {
        return specFrom(
                   configOf(family, R"("hidden_size": 26, "num_attention_heads": 4, "num_key_value_heads": 4,
            "vocab_size": 50, "pad_token_id": 0, )" +
                                        head))
            .stacks[0]
            .headSize;
    };
    EXPECT_EQ(headSize("llama", R"("head_dim": 10)"), 10);
    EXPECT_EQ(headSize("llama", R"("mlp_bias": false)"), 6); // what is left over is not used
    for (const char* family : {"llama", "mistral"})
        EXPECT_EQ(headSize(family, R"("head_dim": null)"), 6) << family;
    for (const char* family :
         {"qwen2", "qwen3", "gemma", "gemma2", "gemma3_text", "olmo2", "smollm3", "granite", "ministral"})
        EXPECT_THAT(smallError(family, R"("head_dim": null)"), HasSubstr("head_dim: found null")) << family;
    EXPECT_THAT(specError(configOf("ministral", R"("hidden_size": 64)")),
                AllOf(HasSubstr("head_dim is missing"), HasSubstr("\"head_dim\": 2")));
    EXPECT_THAT(specError(configOf("llama", R"("hidden_size": 8, "num_attention_heads": 16)")),
                HasSubstr("a model size of 8 for 16 heads"));
    EXPECT_THAT(smallError("llama", R"("head_dim": 100000)"), HasSubstr("head_dim"));
}

TEST(LlamaFamilies, KeyValueHeads) {
    for (const char* family : {"llama", "mistral", "qwen2", "qwen3", "olmo2", "smollm3", "granite"})
        EXPECT_EQ(smallSpec(family, R"("num_key_value_heads": null)").stacks[0].keyValueHeads, 4) << family;
    for (const char* family : {"gemma", "gemma2", "gemma3_text"})
        EXPECT_THAT(smallError(family, R"("num_key_value_heads": null)"),
                    HasSubstr("num_key_value_heads: found null"));
    EXPECT_THAT(smallError("llama", R"("num_key_value_heads": 3)"),
                HasSubstr("3 key/value heads for 4 heads"));
    EXPECT_THAT(specError(configOf("mistral", R"("num_attention_heads": 4)")),
                HasSubstr("8 key/value heads"));
}

TEST(LlamaFamilies, WhatTransformersFailsOnIsRefused) {
    for (const char* field : {"hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
                              "vocab_size", "rms_norm_eps", "hidden_act"})
        EXPECT_THAT(smallError("llama", fmt::format("\"{}\": null", field)),
                    HasSubstr(std::string(field) + ": found null"));
    EXPECT_THAT(smallError("granite", R"("logits_scaling": null)"), HasSubstr("logits_scaling: found null"));
    EXPECT_THAT(smallError("granite", R"("logits_scaling": 0)"), HasSubstr("logits_scaling"));
    EXPECT_THAT(smallError("gemma2", R"("query_pre_attn_scalar": 0)"), HasSubstr("query_pre_attn_scalar"));
    EXPECT_THAT(smallError("gemma2", R"("attn_logit_softcapping": 0.0)"),
                HasSubstr("attn_logit_softcapping"));
    EXPECT_THAT(smallError("llama", R"("pad_token_id": 50)"), HasSubstr("pad_token_id"));
    EXPECT_THAT(smallError("llama", R"("hidden_act": "mish")"),
                AllOf(HasSubstr("hidden_act"), HasSubstr("mish")));
    EXPECT_THAT(specError(configOf("smollm3", R"("vocab_size": 100)")), HasSubstr("128004 is outside"));
}

TEST(LlamaFamilies, Biases) {
    const ModelSpec none = smallSpec("llama");
    EXPECT_THAT(attentionOf(none).projections.query.bias, IsEmpty());
    const ModelSpec all = smallSpec("llama", R"("attention_bias": true, "mlp_bias": true)");
    EXPECT_EQ(attentionOf(all, 1).projections.output.bias, "layers.1.self_attn.o_proj.bias");
    EXPECT_EQ(all.main.blocks[2].feedForward.gate.bias, "layers.2.mlp.gate_proj.bias");
    const ModelSpec qwen2 = smallSpec("qwen2");
    EXPECT_EQ(attentionOf(qwen2).projections.value.bias, "layers.0.self_attn.v_proj.bias");
    EXPECT_THAT(attentionOf(qwen2).projections.output.bias, IsEmpty());
    EXPECT_THAT(attentionOf(smallSpec("mistral", R"("attention_bias": true)")).projections.query.bias,
                IsEmpty());
}

TEST(LlamaFamilies, MistralsWindow) {
    EXPECT_THAT(windowsOf(smallSpec("mistral")), ElementsAre(4096, 4096, 4096)); // absent is not null
    EXPECT_THAT(windowsOf(smallSpec("mistral", R"("sliding_window": null)")), ElementsAre(0, 0, 0));
    EXPECT_THAT(windowsOf(smallSpec("mistral", R"("sliding_window": 5)")), ElementsAre(5, 5, 5));
    EXPECT_THAT(smallError("mistral", R"("sliding_window": 0)"), HasSubstr("sliding_window"));
    const std::string types =
        R"(, "layer_types": ["sliding_attention", "full_attention", "sliding_attention"])";
    for (const char* family : {"mistral", "ministral"}) {
        const ModelSpec spec = smallSpec(family, R"("sliding_window": 5)" + types);
        EXPECT_EQ(spec.family, "ministral");
        EXPECT_THAT(windowsOf(spec), ElementsAre(5, 0, 5));
        EXPECT_THAT(windowsOf(smallSpec(family, R"("layer_types": null)")), ElementsAre(4096, 4096, 4096));
        EXPECT_THAT(smallError(family, R"("sliding_window": null)" + types), HasSubstr("no sliding_window"));
    }
    EXPECT_THAT(smallError("ministral", R"("layer_types": ["full_attention"])"),
                HasSubstr("1 entries for 3 layers"));
    EXPECT_THAT(smallError("ministral",
                           R"("layer_types": ["full_attention", "full_attention", "chunked_attention"])"),
                HasSubstr("chunked_attention"));
}

TEST(LlamaFamilies, QwensWindow) {
    for (const char* family : {"qwen2", "qwen3"}) {
        EXPECT_THAT(windowsOf(smallSpec(family, R"("sliding_window": 5, "max_window_layers": 0)")),
                    ElementsAre(0, 0, 0));
        EXPECT_THAT(windowsOf(smallSpec(family, R"("use_sliding_window": true, "sliding_window": 5)")),
                    ElementsAre(0, 0, 0)); // the first 28 layers do not slide
        EXPECT_THAT(windowsOf(smallSpec(family, R"("use_sliding_window": true, "sliding_window": 5,
                        "max_window_layers": 1)")),
                    ElementsAre(0, 5, 5));
        const std::string types =
            R"("layer_types": ["sliding_attention", "full_attention", "full_attention"])";
        EXPECT_THAT(windowsOf(smallSpec(family, R"("use_sliding_window": true, )" + types)),
                    ElementsAre(4096, 0, 0));
        EXPECT_THAT(smallError(family, types), HasSubstr("no sliding_window"));
    }
}

TEST(LlamaFamilies, SmolLm3HasLayersWithoutRotaryEmbedding) {
    const auto rotaryOf = [](const ModelSpec& spec) {
        std::vector<bool> rotary;
        for (const BlockSpec& block : spec.main.blocks) rotary.push_back(block.attention.rotary.has_value());
        return rotary;
    };
    EXPECT_THAT(rotaryOf(smallSpec("smollm3", R"("num_hidden_layers": 5)")),
                ElementsAre(true, true, true, false, true));
    EXPECT_THAT(rotaryOf(smallSpec("smollm3", R"("no_rope_layer_interval": 2)")),
                ElementsAre(true, false, true));
    EXPECT_THAT(rotaryOf(smallSpec("smollm3", R"("no_rope_layers": [0, 1, 0])")),
                ElementsAre(false, true, false));
    EXPECT_THAT(smallError("smollm3", R"("no_rope_layers": [0])"), HasSubstr("1 entries for 3 layers"));
    EXPECT_THAT(smallError("smollm3", R"("no_rope_layer_interval": 0)"), HasSubstr("no_rope_layer_interval"));
    const std::string window = R"("no_rope_layers": [0, 1, 0], "sliding_window": 5)";
    EXPECT_THAT(windowsOf(smallSpec("smollm3", window)), ElementsAre(0, 0, 0));
    EXPECT_THAT(windowsOf(smallSpec("smollm3", window + R"(, "use_sliding_window": true)")),
                ElementsAre(5, 0, 5));
    EXPECT_THAT(
        windowsOf(smallSpec("smollm3", window + R"(, "layer_types": ["full_attention", "sliding_attention",
                    "full_attention"])")),
        ElementsAre(0, 5, 0)); // whatever use_sliding_window says
    EXPECT_THAT(
        smallError("smollm3", R"("layer_types": ["sliding_attention", "full_attention", "full_attention"])"),
        HasSubstr("no sliding_window"));
}

TEST(LlamaFamilies, NormsAndMultipliers) {
    const ModelSpec qwen3 = smallSpec("qwen3");
    ASSERT_TRUE(attentionOf(qwen3).headNorm.has_value());
    EXPECT_EQ(attentionOf(qwen3).headNorm->scope, HeadNormSpec::Scope::EachHead);
    EXPECT_FALSE(attentionOf(smallSpec("qwen2")).headNorm.has_value());
    const ModelSpec olmo2 = smallSpec("olmo2");
    EXPECT_EQ(attentionOf(olmo2).headNorm->scope, HeadNormSpec::Scope::Whole);
    EXPECT_FALSE(olmo2.main.blocks[0].attentionBranch.before.has_value());
    EXPECT_EQ(olmo2.main.blocks[0].attentionBranch.onOutput->weight,
              "layers.0.post_attention_layernorm.weight");
    const ModelSpec plain = smallSpec("granite");
    EXPECT_EQ(attentionOf(plain).scale, 1.0); // not 1 / sqrt(6)
    const ModelSpec granite =
        smallSpec("granite", R"("attention_multiplier": 0.25, "embedding_multiplier": 12,
        "residual_multiplier": 0.22, "logits_scaling": 8, "tie_word_embeddings": true)");
    EXPECT_EQ(attentionOf(granite).scale, 0.25);
    EXPECT_EQ(granite.main.embedding.scale, 12.0);
    EXPECT_EQ(granite.main.blocks[1].residualScale, 0.22);
    EXPECT_EQ(granite.head->scale, 0.125);
}

// Known pitfall "stray buffers": old files keep the frequencies of rotary embeddings.
TEST(LlamaFamilies, StoredFrequenciesAreNoNews) {
    MemoryTensorSource weights;
    weights.add("model.layers.0.self_attn.rotary_emb.inv_freq", {2}, {1.0F, 0.5F});
    EXPECT_THAT(notesOnUnusedTensors(weights, {}), IsEmpty());
}

} // namespace
} // namespace headscope
