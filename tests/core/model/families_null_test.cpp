// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of config.json that are null, which is not the same as absent: transformers takes a null for no
// value at all and fails, reads it as false, or as "as usual" where the class says so.
#include "tests/core/model/spec_from.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace headscope {
namespace {

using test::configOf;
using test::specError;
using test::specFrom;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Fields = std::pair<std::vector<const char*>, std::vector<const char*>>; ///< families, names

std::string errorOfNull(const std::string& family, const std::string& field,
                        const std::string& members = {}) {
    return specError(configOf(family, fmt::format("\"{}\": null{}", field, members)));
}

ModelSpec spec(const std::string& family, const std::string& members) {
    return specFrom(configOf(family, members));
}

void expectRefused(const std::vector<Fields>& fields) {
    for (const auto& [families, names] : fields)
        for (const char* family : families)
            for (const char* name : names)
                EXPECT_THAT(errorOfNull(family, name),
                            HasSubstr(fmt::format("config.json: {}: found null", name)))
                    << family;
}

/// Where the class has a number or a name as its default, null is no way to ask for it.
TEST(NullFields, AreNoNumbersInEncoders) {
    expectRefused({
        {{"bert", "roberta", "xlm-roberta", "camembert", "electra", "albert"},
         {"vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
          "hidden_act", "max_position_embeddings", "type_vocab_size", "layer_norm_eps",
          "position_embedding_type"}},
        {{"electra", "albert"}, {"embedding_size"}},
        {{"distilbert"},
         {"dim", "n_layers", "n_heads", "hidden_dim", "activation", "vocab_size", "max_position_embeddings",
          "hidden_size"}},
        {{"albert"}, {"num_hidden_groups", "inner_group_num"}},
        {{"mpnet"}, {"relative_attention_num_buckets", "hidden_size", "layer_norm_eps"}},
        {{"modernbert"},
         {"norm_eps", "local_attention", "global_attn_every_n_layers", "global_rope_theta",
          "hidden_activation"}},
        {{"deberta", "deberta-v2"}, {"type_vocab_size", "layer_norm_eps", "embedding_size", "hidden_act"}},
        {{"deberta-v2"}, {"attention_head_size", "norm_rel_ebd", "conv_kernel_size"}},
        {{"xlnet"},
         {"d_model", "n_head", "n_layer", "d_inner", "ff_activation", "attn_type", "clamp_len", "d_head"}},
    });
}

TEST(NullFields, AreNoNumbersInDecoders) {
    const std::vector<const char*> sizes{"hidden_size", "num_hidden_layers", "num_attention_heads",
                                         "vocab_size"};
    expectRefused({
        {{"llama",   "mistral",   "qwen2",     "qwen3",   "gemma",    "gemma2",     "gemma3_text", "phi",
          "phi3",    "olmo2",     "smollm3",   "granite", "stablelm", "starcoder2", "cohere",      "cohere2",
          "mixtral", "qwen2_moe", "qwen3_moe", "gpt_oss", "gpt_neox", "opt",        "falcon"},
         sizes},
        {{"opt", "gpt_oss"}, {"max_position_embeddings"}}, // a table; a scaling that is compared with it
        {{"llama", "qwen3", "phi3", "mixtral", "gpt_neox"}, {"intermediate_size", "hidden_act"}},
        {{"llama", "gemma", "cohere2", "gpt_oss", "falcon"}, {"rope_theta"}},
        {{"phi", "stablelm", "phi3"}, {"partial_rotary_factor"}},
        {{"gemma3_text"}, {"rope_local_base_freq", "sliding_window_pattern"}},
        {{"cohere2"}, {"sliding_window_pattern"}},
        {{"smollm3"}, {"no_rope_layer_interval"}},
        {{"mixtral", "gpt_oss"}, {"num_local_experts", "num_experts_per_tok"}},
        {{"qwen2_moe", "qwen3_moe"},
         {"num_experts", "num_experts_per_tok", "decoder_sparse_step", "moe_intermediate_size"}},
        {{"qwen2_moe"}, {"shared_expert_intermediate_size"}},
        {{"gpt2", "gpt_bigcode", "gptj"},
         {"n_embd", "n_layer", "n_head", "n_positions", "vocab_size", "layer_norm_epsilon",
          "activation_function", "hidden_size", "max_position_embeddings"}},
        {{"gpt_neo"},
         {"hidden_size", "num_layers", "num_heads", "window_size", "attention_types", "attention_layers",
          "activation_function"}},
        {{"gpt_neox"}, {"rotary_emb_base", "rotary_pct", "layer_norm_eps"}},
        {{"opt"}, {"ffn_dim", "activation_function"}},
        {{"bloom"}, {"hidden_size", "n_layer", "n_head", "layer_norm_epsilon", "pretraining_tp"}},
        {{"qwen2_moe", "falcon"}, {"head_dim"}},
        {{"falcon"}, {"activation", "layer_norm_epsilon"}},
    });
    EXPECT_THAT(errorOfNull("qwen2", "max_window_layers", R"(, "use_sliding_window": true)"),
                HasSubstr("max_window_layers: found null"));
    EXPECT_THAT(errorOfNull("qwen2", "max_window_layers"), IsEmpty()); // no window: nobody looks at it
    EXPECT_THAT(
        specError(configOf("llama", R"("rope_parameters": {"rope_type": "default", "rope_theta": null})")),
        HasSubstr("rope_parameters: rope_theta: found null"));
    EXPECT_THAT(specError(configOf("llama", R"("rope_parameters": {"rope_type": null})")),
                HasSubstr("rope_parameters: rope_type: found null"));
}

TEST(NullFields, AreNoNumbersInPairs) {
    expectRefused({
        {{"t5", "mt5", "umt5"},
         {"d_model", "d_kv", "d_ff", "num_layers", "num_heads", "vocab_size", "layer_norm_epsilon",
          "feed_forward_proj", "dense_act_fn", "relative_attention_num_buckets",
          "relative_attention_max_distance"}},
        {{"bart", "mbart", "marian", "pegasus", "m2m_100"},
         {"d_model", "encoder_layers", "decoder_layers", "encoder_attention_heads", "decoder_attention_heads",
          "encoder_ffn_dim", "decoder_ffn_dim", "vocab_size", "max_position_embeddings",
          "activation_function"}},
        {{"bart", "marian", "t5", "umt5"}, {"is_encoder_decoder"}},
        {{"m2m_100"}, {"pad_token_id"}},
    });
}

/// One name of two.
TEST(NullFields, AreRefusedBesideTheOtherName) {
    EXPECT_THAT(errorOfNull("gpt2", "hidden_size", R"(, "n_embd": 768)"),
                HasSubstr("hidden_size: found null"));
    EXPECT_THAT(errorOfNull("distilbert", "n_layers", R"(, "num_hidden_layers": 6)"),
                HasSubstr("n_layers: found null"));
}

/// A switch that is null is off, whatever it is when absent.
TEST(NullFields, AreFalse) {
    EXPECT_THAT(errorOfNull("bert", "use_cache",
                            R"(, "position_embedding_type": "relative_key", "is_decoder": true)"),
                IsEmpty());
    EXPECT_EQ(spec("deberta", R"("position_biased_input": null)").main.embedding.positions.source,
              PositionEmbeddingSpec::Source::None);
    const auto first = [](const std::string& family, const std::string& field) {
        return spec(family, fmt::format("\"{}\": null", field)).main.blocks.front();
    };
    for (const char* family : {"gpt2", "gpt_bigcode"})
        EXPECT_EQ(first(family, "scale_attn_weights").attention.scale, 1.0) << family;
    EXPECT_EQ(first("gpt_bigcode", "multi_query").attention.keyValueHeads, 12);
    EXPECT_EQ(first("falcon", "multi_query").attention.keyValueHeads, 71);
    EXPECT_FALSE(first("falcon", "parallel_attn").parallel);
    EXPECT_FALSE(first("gpt_neox", "use_parallel_residual").parallel);
    EXPECT_THAT(first("gpt_neox", "attention_bias").attention.projections.fused.bias, IsEmpty());
    EXPECT_FALSE(first("opt", "do_layer_norm_before").attentionBranch.before.has_value());
    EXPECT_THAT(first("opt", "enable_bias").attention.projections.query.bias, IsEmpty());
    EXPECT_THAT(first("opt", "layer_norm_elementwise_affine").attentionBranch.before->weight, IsEmpty());
    EXPECT_THAT(first("starcoder2", "use_bias").attention.projections.query.bias, IsEmpty());
    EXPECT_THAT(first("starcoder2", "use_bias").feedForward.up.bias, IsEmpty());
    EXPECT_THAT(first("qwen2_moe", "qkv_bias").attention.projections.query.bias, IsEmpty());
    EXPECT_EQ(spec("m2m_100", R"("scale_embedding": null)").main.embedding.scale, 1.0);
    EXPECT_FALSE(first("t5", "is_gated_act").feedForward.gate.exists());
    for (const char* family : {"gpt2", "gpt_bigcode", "gpt_neo", "opt", "bloom", "falcon", "t5", "bart",
                               "gemma", "starcoder2", "xlnet"})
        EXPECT_FALSE(spec(family, R"("tie_word_embeddings": null)").head.has_value()) << family;
    EXPECT_THAT(specError(configOf("bert", R"("tie_word_embeddings": 1)")), HasSubstr("tie_word_embeddings"));
}

/// Where positions are turned by rotary embeddings or are distances, their number is asked for by the
/// scalings that compare a length with it, and by nothing else.
TEST(NullFields, AreNoEndOfPositions) {
    const std::string scaled = R"(, "rope_scaling": {"rope_type": )";
    for (const char* family :
         {"llama",   "qwen2",     "qwen3",     "gemma",    "gemma2",     "gemma3_text", "phi",
          "phi3",    "smollm3",   "granite",   "stablelm", "starcoder2", "cohere",      "cohere2",
          "mixtral", "qwen2_moe", "qwen3_moe", "gpt_neox", "falcon",     "mistral",     "modernbert"}) {
        SCOPED_TRACE(family);
        const std::string null = R"("max_position_embeddings": null)";
        ASSERT_THAT(specError(configOf(family, null)), IsEmpty());
        EXPECT_FALSE(spec(family, null).trainedPositions.has_value());
    }
    for (const char* family : {"llama", "falcon", "gpt_oss", "gpt_neox", "gemma3_text"}) {
        SCOPED_TRACE(family);
        const auto error = [&](const std::string& scaling) {
            return errorOfNull(family, "max_position_embeddings", scaled + scaling + "}");
        };
        EXPECT_THAT(error(R"("default")"), IsEmpty());
        EXPECT_THAT(error(R"("linear", "factor": 2.0)"), IsEmpty());
        EXPECT_THAT(error(R"("dynamic", "factor": 2.0)"),
                    AllOf(HasSubstr("\"dynamic\""), HasSubstr("max_position_embeddings is null")));
        EXPECT_THAT(error(R"("yarn", "factor": 2.0, "original_max_position_embeddings": 8)"),
                    HasSubstr("max_position_embeddings is null"));
        EXPECT_THAT(error(R"("llama3", "factor": 2.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                             "original_max_position_embeddings": 8)"),
                    HasSubstr("max_position_embeddings is null"));
        EXPECT_THAT(error(R"("longrope", "factor": 2.0, "short_factor": [1], "long_factor": [1])"),
                    HasSubstr("max_position_embeddings is null"));
    }
    EXPECT_THAT(errorOfNull("gpt_oss", "max_position_embeddings", R"(, "rope_scaling": null)"), IsEmpty());
}

/// "As usual", where the class says so.
TEST(NullFields, AreDerived) {
    const auto intermediate = [](const std::string& family, const std::string& members) {
        return spec(family, members).intermediateSize;
    };
    EXPECT_EQ(intermediate("gpt2", R"("n_embd": 24, "n_inner": null)"), 96);
    EXPECT_EQ(intermediate("gptj", R"("n_embd": 256, "n_head": 4, "n_inner": null)"), 1024);
    EXPECT_EQ(intermediate("gpt_neo", R"("hidden_size": 32, "intermediate_size": null)"), 128);
    EXPECT_EQ(intermediate("falcon", R"("hidden_size": 142, "ffn_hidden_size": null)"), 568);
    EXPECT_EQ(spec("opt", R"("word_embed_proj_dim": null, "hidden_size": 24)").main.embedding.width, 24);
    EXPECT_EQ(spec("t5", R"("num_layers": 3, "num_decoder_layers": null)").decoder->blocks.size(), 3U);
    EXPECT_EQ(
        spec("falcon", R"("new_decoder_architecture": true, "num_kv_heads": null)").stacks[0].keyValueHeads,
        71);
}

} // namespace
} // namespace headscope
