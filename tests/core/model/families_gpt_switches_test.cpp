// SPDX-License-Identifier: GPL-3.0-or-later
// The switches that one of the GPT families has alone.
#include "core/model/families.h"
#include "tests/core/model/spec_from.h"
#include "tests/support/temporary_folder.h"

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
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ModelSpec spec(const std::string& family, const std::string& members = {}) {
    return specFrom(configOf(family, members));
}
std::string error(const std::string& family, const std::string& members) {
    return specError(configOf(family, members));
}
const AttentionSpec& attentionOf(const ModelSpec& spec, std::size_t layer = 0) {
    return spec.main.blocks.at(layer).attention;
}

TEST(Gpt2, ScoresAreScaledAsTheSwitchesSay) {
    const double usual = 1.0 / 8.0;
    EXPECT_EQ(attentionOf(spec("gpt2"), 5).scale, usual);
    const ModelSpec byLayer = spec("gpt2", R"("scale_attn_by_inverse_layer_idx": true)");
    EXPECT_EQ(attentionOf(byLayer, 0).scale, usual);
    EXPECT_DOUBLE_EQ(attentionOf(byLayer, 5).scale, usual / 6.0);
    const ModelSpec unscaled =
        spec("gpt2", R"("scale_attn_weights": false, "scale_attn_by_inverse_layer_idx": true)");
    EXPECT_EQ(attentionOf(unscaled, 0).scale, 1.0);
    EXPECT_EQ(attentionOf(unscaled, 3).scale, 0.25);
    EXPECT_EQ(attentionOf(spec("gpt2", R"("reorder_and_upcast_attn": true)"), 5).scale, usual);
    // The other family with these fields has no scale by layer.
    EXPECT_EQ(attentionOf(spec("gpt_bigcode", R"("scale_attn_by_inverse_layer_idx": true)"), 5).scale, usual);
    EXPECT_EQ(attentionOf(spec("gpt_bigcode", R"("scale_attn_weights": false)"), 5).scale, 1.0);
}

TEST(Gpt2, CrossAttentionIsTheDecodersOfAPair) {
    const ModelSpec decoder =
        spec("gpt2", R"("add_cross_attention": true, "scale_attn_by_inverse_layer_idx": true)");
    const CrossSpec& cross = *decoder.main.blocks.at(1).cross;
    EXPECT_FALSE(cross.attention.causal);
    EXPECT_DOUBLE_EQ(cross.attention.scale, 1.0 / 16.0);
    EXPECT_EQ(cross.attention.projections.layout, FusedLayout::KeyValue);
    EXPECT_EQ(cross.attention.projections.query.weight, "h.1.crossattention.q_attn.weight");
    EXPECT_EQ(cross.attention.projections.fused.layout, WeightLayout::InOut);
    EXPECT_THAT(decoder.notes, ElementsAre(HasSubstr("cross-attention is not used")));
    EXPECT_FALSE(spec("gpt2").main.blocks.at(1).cross.has_value());
    EXPECT_THAT(spec("gpt2").notes, IsEmpty());
}

// Known pitfall "token types": upstream looks them up among the words and adds them, even zeros.
TEST(Gpt2, TokenTypesAreRefused) {
    const Checkpoint checkpoint = openCheckpoint(test::dataPath("families/gpt2/plain"));
    const auto model = loadModel(checkpoint, DeviceChoice::Cpu, {}, {});
    EXPECT_EQ(model->forward({{1, 2}, {}, {}}, {}).hidden.size(), 2U * 15U);
    EXPECT_THAT(test::sentenceOf([&] {
                    model->forward({{1, 2}, {0, 0}, {}}, {});
                }),
                HasSubstr("token type 0"));
}

// Known pitfall "stray buffers": masks that older releases stored are no unused weights.
TEST(Gpt2, BuffersOfOlderReleasesAreNotMentioned) {
    const Checkpoint checkpoint = openCheckpoint(test::dataPath("families/gpt2/old-file"));
    ASSERT_NE(checkpoint.weights->find("h.1.attn.bias"), nullptr);
    ASSERT_NE(checkpoint.weights->find("h.1.attn.masked_bias"), nullptr);
    EXPECT_THAT(loadModel(checkpoint, DeviceChoice::Cpu, {}, {})->notes(), IsEmpty());
}

TEST(GptBigCode, OneKeyForAllQueriesOrOneForEach) {
    EXPECT_EQ(attentionOf(spec("gpt_bigcode")).keyValueHeads, 1);
    EXPECT_EQ(attentionOf(spec("gpt_bigcode", R"("multi_query": false)")).keyValueHeads, 12);
    EXPECT_THAT(error("gpt_bigcode", R"("add_cross_attention": true)"), HasSubstr("add_cross_attention"));
}

std::vector<bool> localLayersOf(const ModelSpec& spec) {
    std::vector<bool> local;
    for (const BlockSpec& block : spec.main.blocks) local.push_back(block.attention.window.has_value());
    return local;
}

TEST(GptNeo, LayersAreGlobalOrLocal) {
    const ModelSpec usual = spec("gpt_neo");
    EXPECT_EQ(attentionOf(usual).scale, 1.0);
    EXPECT_EQ(attentionOf(usual, 0).window, std::nullopt);
    EXPECT_EQ(attentionOf(usual, 23).window, 256);
    const std::string three = R"("num_layers": 3, "window_size": 4, )";
    EXPECT_THAT(
        localLayersOf(spec("gpt_neo", three + R"("attention_types": [[["local"], 2], [["global"], 1]])")),
        ElementsAre(true, true, false));
    EXPECT_THAT(localLayersOf(spec("gpt_neo", three + R"("attention_types": [[["local"], 3]],
                    "attention_layers": ["global", "local", "global", "local"])")),
                ElementsAre(false, true, false));
    // Without num_layers its default is what attention_types is held against.
    EXPECT_THAT(localLayersOf(spec("gpt_neo", R"("num_hidden_layers": 3)")), ElementsAre(false, true, false));
    EXPECT_THAT(
        localLayersOf(spec(
            "gpt_neo", R"("num_layers": 1, "attention_types": [[[], 5], [["local"], 1], [["global"], -2]])")),
        ElementsAre(true));
}

TEST(GptNeo, LayersThatFitNothingAreRefused) {
    const auto types = [](const std::string& value) {
        return error("gpt_neo", R"("num_layers": 2, "attention_types": )" + value);
    };
    EXPECT_THAT(types(R"([[["global"], 3]])"),
                AllOf(HasSubstr("attention_types"), HasSubstr("kinds for 3 layers")));
    EXPECT_THAT(types(R"([[["global", "sparse"], 1]])"), HasSubstr("layer 1 is \"sparse\""));
    EXPECT_THAT(types("3"), HasSubstr("attention_types"));
    EXPECT_THAT(types("[3]"), HasSubstr("attention_types"));
    EXPECT_THAT(types("[[]]"), HasSubstr("attention_types"));
    EXPECT_THAT(types(R"([["global", 2]])"), HasSubstr("attention_types"));
    EXPECT_THAT(types(R"([[["global", 1], 1]])"), HasSubstr("a kind of layer is"));
    EXPECT_THAT(types(R"([[["global"], 1.5]])"), HasSubstr("attention_types"));
    EXPECT_THAT(types(R"([[["global"], 9223372036854775807]])"), HasSubstr("more than 1024 layers"));
    EXPECT_THAT(types(R"([[["global"], 1000], [["local"], 1000]])"), HasSubstr("more than 1024 layers"));
    EXPECT_THAT(types(R"([[["global"], -9223372036854775807]])"), HasSubstr("kinds for 0 layers"));
    EXPECT_THAT(error("gpt_neo", R"("num_layers": 2)"), HasSubstr("kinds for 24 layers"));
    EXPECT_THAT(error("gpt_neo", R"("attention_layers": ["global"])"),
                AllOf(HasSubstr("attention_layers"), HasSubstr("kinds for 1 layers")));
    EXPECT_THAT(error("gpt_neo", R"("window_size": 0)"), HasSubstr("window_size"));
    EXPECT_THAT(error("gpt_neo", R"("window_size": null)"), HasSubstr("window_size"));
}

// Known pitfall "rope theta moved".
TEST(GptNeoX, ThetaAndPartHaveNamesOfTheirOwn) {
    const ModelSpec own = spec("gpt_neox", R"("rotary_emb_base": 500, "rotary_pct": 0.5, "rope_theta": 7,
        "partial_rotary_factor": 1.0)");
    EXPECT_EQ(own.main.rotaries.at(0).theta, 500.0);
    EXPECT_EQ(own.main.rotaries.at(0).dims, 48);
    const ModelSpec newer = spec("gpt_neox", R"("rope_parameters": {"rope_type": "default", "rope_theta": 500,
        "partial_rotary_factor": 0.5})");
    EXPECT_EQ(newer.main.rotaries, own.main.rotaries);
    EXPECT_THAT(error("gpt_neox", R"("rope_scaling": {"type": "su", "factor": 2.0})"), HasSubstr("\"su\""));
    EXPECT_EQ(spec("gpt_neox", R"("rope_scaling": {"type": "linear", "rope_type": "dynamic", "factor": 2.0})")
                  .main.rotaries.at(0)
                  .scaling,
              RotaryScaling::Linear);
    EXPECT_THAT(error("gpt_neox", R"("rotary_pct": 0.01)"),
                HasSubstr("the rotary embedding would turn 0 of 96"));
    EXPECT_THAT(error("gpt_neox", R"("rotary_pct": 1.5)"), HasSubstr("rotary_pct"));
    EXPECT_THAT(error("gpt_neox", R"("head_dim": 64)"), HasSubstr("head_dim"));
    EXPECT_EQ(spec("gpt_neox", R"("head_dim": 96)").main.rotaries.at(0).dims, 24);
}

TEST(GptNeoX, ResidualsAndBiases) {
    EXPECT_TRUE(spec("gpt_neox").main.blocks[0].parallel);
    EXPECT_FALSE(spec("gpt_neox", R"("use_parallel_residual": false)").main.blocks[0].parallel);
    EXPECT_FALSE(attentionOf(spec("gpt_neox")).projections.fused.bias.empty());
    const ModelSpec without = spec("gpt_neox", R"("attention_bias": false)");
    EXPECT_TRUE(attentionOf(without).projections.fused.bias.empty());
    EXPECT_TRUE(attentionOf(without).projections.output.bias.empty());
    EXPECT_FALSE(without.main.blocks[0].feedForward.up.bias.empty());
}

TEST(GptJ, ThePartThatIsRotatedMustFitAHead) {
    EXPECT_THAT(error("gptj", R"("rotary_dim": 0)"), HasSubstr("rotary_dim: 0 of the 256 numbers"));
    EXPECT_THAT(error("gptj", R"("rotary_dim": 5)"), HasSubstr("rotary_dim"));
    EXPECT_THAT(error("gptj", R"("rotary_dim": 258)"), HasSubstr("rotary_dim"));
    EXPECT_THAT(error("gptj", R"("rotary_dim": null)"),
                HasSubstr("rotary_dim: null: 4096 of the 256 numbers"));
    EXPECT_THAT(error("gptj", R"("n_embd": 32, "n_head": 2)"), HasSubstr("64 of the 16"));
    EXPECT_EQ(spec("gptj", R"("n_embd": 32, "n_head": 1, "rotary_dim": null)").main.rotaries.at(0).dims, 32);
}

TEST(Opt, NormsAndWidthsAsTheSwitchesSay) {
    const ModelSpec usual = spec("opt");
    EXPECT_TRUE(usual.main.blocks[0].attentionBranch.before.has_value());
    EXPECT_TRUE(usual.main.finalNorm.has_value());
    EXPECT_FALSE(usual.main.embedding.projection.exists());
    EXPECT_EQ(usual.main.outputSize, 768);
    const ModelSpec after = spec("opt", R"("do_layer_norm_before": false, "word_embed_proj_dim": 512)");
    EXPECT_FALSE(after.main.blocks[0].attentionBranch.before.has_value());
    EXPECT_TRUE(after.main.blocks[0].feedForwardBranch.after.has_value());
    EXPECT_FALSE(after.main.finalNorm.has_value());
    EXPECT_EQ(after.main.embedding.width, 512);
    EXPECT_EQ(after.main.outputSize, 512);
    EXPECT_TRUE(after.main.outputProjection.exists());
    EXPECT_FALSE(spec("opt", R"("_remove_final_layer_norm": true)").main.finalNorm.has_value());
    const ModelSpec bare = spec("opt", R"("layer_norm_elementwise_affine": false, "enable_bias": false)");
    EXPECT_TRUE(bare.main.finalNorm->weight.empty());
    EXPECT_TRUE(bare.main.finalNorm->bias.empty());
    EXPECT_EQ(bare.main.finalNorm->epsilon, 1e-5);
    EXPECT_TRUE(attentionOf(bare).projections.query.bias.empty());
    EXPECT_TRUE(bare.main.blocks[0].feedForward.down.bias.empty());
    EXPECT_THAT(error("opt", R"("pad_token_id": 50272)"), HasSubstr("pad_token_id"));
    EXPECT_THAT(error("opt", R"("vocab_size": 1)"), HasSubstr("pad_token_id"));
}

TEST(Bloom, ResidualsAndSlices) {
    EXPECT_FALSE(std::get<Alibi>(attentionOf(spec("bloom")).position).bfloat16);
    EXPECT_FALSE(spec("bloom").main.blocks[0].residualFromNorm);
    EXPECT_TRUE(
        spec("bloom", R"("apply_residual_connection_post_layernorm": true)").main.blocks[0].residualFromNorm);
    const auto outputBias = [](const std::string& members) {
        return attentionOf(spec("bloom", members)).projections.output.bias;
    };
    EXPECT_EQ(outputBias(""), "h.0.self_attention.dense.bias");
    EXPECT_EQ(outputBias(R"("pretraining_tp": 4)"), "h.0.self_attention.dense.bias");
    EXPECT_EQ(outputBias(R"("slow_but_exact": true)"), "h.0.self_attention.dense.bias");
    EXPECT_EQ(outputBias(R"("pretraining_tp": 2, "slow_but_exact": true)"), "") << "upstream leaves it out";
    const Checkpoint slices = openCheckpoint(test::dataPath("families/bloom/slices"));
    EXPECT_THAT(loadModel(slices, DeviceChoice::Cpu, {}, {})->notes(), ElementsAre(HasSubstr("4 tensors")));
}

TEST(Falcon, ThreeGenerationsOfLayers) {
    const ModelSpec first = spec("falcon", R"("parallel_attn": false, "multi_query": false, "alibi": true)");
    EXPECT_FALSE(first.main.blocks[0].parallel);
    EXPECT_EQ(attentionOf(first).keyValueHeads, 71);
    EXPECT_TRUE(std::get<Alibi>(attentionOf(first).position).bfloat16);
    EXPECT_EQ(first.main.blocks[0].feedForwardBranch.before->weight, "h.0.post_attention_layernorm.weight");
    const ModelSpec second = spec("falcon", R"("num_kv_heads": 71)");
    EXPECT_TRUE(second.main.blocks[0].parallel);
    EXPECT_EQ(attentionOf(second).keyValueHeads, 1) << "multi_query decides, not num_kv_heads";
    EXPECT_FALSE(second.main.blocks[0].feedForwardBranch.before.has_value());
    const ModelSpec third =
        spec("falcon", R"("new_decoder_architecture": true, "num_attention_heads": 64, "hidden_size": 4096,
        "num_kv_heads": 8, "bias": true)");
    EXPECT_EQ(attentionOf(third).keyValueHeads, 8);
    EXPECT_EQ(third.main.blocks[0].attentionBranch.before->weight, "h.0.ln_attn.weight");
    EXPECT_EQ(third.main.blocks[0].feedForwardBranch.before->weight, "h.0.ln_mlp.weight");
    EXPECT_FALSE(third.main.blocks[0].feedForward.up.bias.empty());
    const ModelSpec oneNorm =
        spec("falcon", R"("new_decoder_architecture": true, "num_ln_in_parallel_attn": 1)");
    EXPECT_EQ(attentionOf(oneNorm).keyValueHeads, 71);
    EXPECT_EQ(oneNorm.main.blocks[0].attentionBranch.before->weight, "h.0.input_layernorm.weight");
}

TEST(Falcon, CombinationsOnWhichItFailsUpstreamAreRefused) {
    const std::string isNew = R"("new_decoder_architecture": true, )";
    EXPECT_THAT(error("falcon", isNew + R"("parallel_attn": false)"), HasSubstr("parallel_attn"));
    EXPECT_THAT(error("falcon", isNew + R"("num_ln_in_parallel_attn": 3)"),
                HasSubstr("num_ln_in_parallel_attn"));
    EXPECT_THAT(error("falcon", isNew + R"("num_kv_heads": 3)"), HasSubstr("num_kv_heads"));
    EXPECT_THAT(error("falcon", R"("num_ln_in_parallel_attn": 2)"), HasSubstr("num_ln_in_parallel_attn"));
    EXPECT_THAT(error("falcon", R"("multi_query": false, "num_kv_heads": 8)"), HasSubstr("num_kv_heads"));
    EXPECT_THAT(error("falcon", R"("head_dim": 64)"), HasSubstr("head_dim"));
    EXPECT_THAT(error("falcon", R"("partial_rotary_factor": 0.5)"), HasSubstr("partial_rotary_factor"));
    EXPECT_THAT(error("falcon", R"("num_attention_heads": 64, "hidden_size": 4160)"), HasSubstr("65 of 65"));
    EXPECT_EQ(error("falcon", R"("num_attention_heads": 64, "hidden_size": 4160, "alibi": true)"), "");
}

TEST(Falcon, ItsNamesOfBeforeAreRefused) {
    EXPECT_THAT(error("RefinedWeb", ""), HasSubstr("\"RefinedWeb\" is not supported (Falcon's name"));
    EXPECT_THAT(error("RefinedWebModel", ""),
                HasSubstr("\"RefinedWebModel\" is not supported (Falcon's name"));
    EXPECT_THAT(error("falcon", R"("n_layer": 2)"),
                AllOf(HasSubstr("n_layer"), HasSubstr("num_hidden_layers")));
    EXPECT_THAT(error("falcon", R"("n_head": 2)"),
                AllOf(HasSubstr("n_head"), HasSubstr("num_attention_heads")));
    EXPECT_THAT(error("falcon", R"("n_head_kv": 2)"),
                AllOf(HasSubstr("n_head_kv"), HasSubstr("num_kv_heads")));
    EXPECT_EQ(error("falcon", R"("n_layer": 2, "num_hidden_layers": 2)"), "");
}

} // namespace
} // namespace headscope
