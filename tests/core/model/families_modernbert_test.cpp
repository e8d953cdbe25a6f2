// SPDX-License-Identifier: GPL-3.0-or-later
// ModernBERT: kinds of layers, their windows and rotary embeddings, biases. The numbers are compared in
// family_golden_test.cpp.
#include "core/model/families.h"
#include "tests/core/model/spec_from.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
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

ModelSpec spec(const std::string& members = {}) {
    return specFrom(configOf("modernbert", members));
}
std::string error(const std::string& members) {
    return specError(configOf("modernbert", members));
}

/// 0 where a layer sees the whole text.
std::vector<std::int64_t> windows(const ModelSpec& spec) {
    std::vector<std::int64_t> found;
    for (const BlockSpec& block : spec.main.blocks) found.push_back(block.attention.window.value_or(0));
    return found;
}

TEST(ModernBert, EveryThirdLayerSeesTheWholeText) {
    const ModelSpec usual = spec(R"("num_hidden_layers": 5)");
    EXPECT_THAT(windows(usual), ElementsAre(0, 65, 65, 0, 65));
    EXPECT_THAT(
        windows(spec(R"("num_hidden_layers": 4, "global_attn_every_n_layers": 2, "local_attention": 7)")),
        ElementsAre(0, 4, 0, 4));
    EXPECT_THAT(windows(spec(R"("num_hidden_layers": 2, "global_attn_every_n_layers": 1)")),
                ElementsAre(0, 0));
    EXPECT_THAT(windows(spec(R"("num_hidden_layers": 2, "local_attention": 0)")), ElementsAre(0, 1));
    EXPECT_THAT(error(R"("local_attention": -1)"), HasSubstr("local_attention"));
    EXPECT_THAT(error(R"("global_attn_every_n_layers": 0)"), HasSubstr("global_attn_every_n_layers"));
}

TEST(ModernBert, KindsOfLayersMayBeListed) {
    const std::string listed =
        R"("num_hidden_layers": 2, "layer_types": ["sliding_attention", "full_attention"])";
    EXPECT_THAT(windows(spec(listed)), ElementsAre(65, 0));
    EXPECT_THAT(error(listed + R"(, "global_attn_every_n_layers": 3)"),
                AllOf(HasSubstr("layer_types"), HasSubstr("global_attn_every_n_layers")));
    EXPECT_THAT(error(R"("num_hidden_layers": 3, "layer_types": ["full_attention", "sliding_attention",
                         "sliding_attention"], "global_attn_every_n_layers": 3)"),
                IsEmpty());
    EXPECT_THAT(error(R"("num_hidden_layers": 2, "layer_types": ["full_attention"])"),
                HasSubstr("layer_types"));
}

std::vector<double> thetas(const std::string& members = {}) {
    std::vector<double> found;
    for (const RotarySpec& rotary : spec(members).main.rotaries) found.push_back(rotary.theta);
    return found;
}

/// "rope theta moved: reader takes 1e4 when rope_parameters is used".
TEST(ModernBert, EachKindOfLayerHasItsFrequencies) {
    EXPECT_THAT(thetas(), ElementsAre(160000.0, 10000.0));
    EXPECT_THAT(thetas(R"("global_rope_theta": 5.0, "local_rope_theta": 7.0)"), ElementsAre(5.0, 7.0));
    EXPECT_THAT(thetas(R"("global_rope_theta": 5.0, "local_rope_theta": null)"), ElementsAre(5.0, 5.0));
    EXPECT_THAT(thetas(R"("rope_parameters": {"full_attention": {"rope_type": "default", "rope_theta": 3.0},
                          "sliding_attention": {"rope_type": "default", "rope_theta": 4.0}})"),
                ElementsAre(3.0, 4.0));
    const ModelSpec found = spec(R"("num_hidden_layers": 2)");
    EXPECT_EQ(found.main.blocks[0].attention.rotary, 0U);
    EXPECT_EQ(found.main.blocks[1].attention.rotary, 1U);
    // The usual name is overwritten upstream.
    EXPECT_THAT(error(R"("rope_theta": 10000.0)"), HasSubstr("rope_theta"));
    EXPECT_THAT(error(R"("rope_theta": 160000.0)"), IsEmpty());
    EXPECT_THAT(error(R"("partial_rotary_factor": 0.5)"), HasSubstr("32 of 64"));
    EXPECT_THAT(error(R"("head_dim": 32)"), HasSubstr("head_dim"));
    EXPECT_THAT(error(R"("hidden_size": 9, "num_attention_heads": 3)"), HasSubstr("rotary"));
}

TEST(ModernBert, ScalingIsForBothKinds) {
    const ModelSpec found = spec(R"("rope_scaling": {"rope_type": "linear", "factor": 2.0})");
    EXPECT_EQ(found.main.rotaries[0].scaling, RotaryScaling::Linear);
    EXPECT_EQ(found.main.rotaries[1].scaling, RotaryScaling::Linear);
    EXPECT_THAT(error(R"("rope_scaling": {"rope_type": "ntk"})"), HasSubstr("ntk"));
}

TEST(ModernBert, BiasesAreThereWhenSaidSo) {
    const ModelSpec bare = spec();
    const BlockSpec& block = bare.main.blocks[1];
    EXPECT_THAT(block.attention.projections.fused.bias, IsEmpty());
    EXPECT_THAT(block.feedForward.gateUp.bias, IsEmpty());
    EXPECT_THAT(block.attentionBranch.before->bias, IsEmpty());
    EXPECT_FALSE(bare.main.blocks[0].attentionBranch.before.has_value()); // the embeddings' norm came before
    const ModelSpec biased = spec(R"("norm_bias": true, "attention_bias": true, "mlp_bias": true)");
    EXPECT_EQ(biased.main.blocks[1].attention.projections.fused.bias, "layers.1.attn.Wqkv.bias");
    EXPECT_EQ(biased.main.blocks[1].attention.projections.output.bias, "layers.1.attn.Wo.bias");
    EXPECT_EQ(biased.main.blocks[1].feedForward.down.bias, "layers.1.mlp.Wo.bias");
    EXPECT_EQ(biased.main.finalNorm->bias, "final_norm.bias");
    EXPECT_THAT(error(R"("hidden_activation": "relu2")"), HasSubstr("hidden_activation"));
    EXPECT_THAT(error(R"("norm_bias": 1)"), HasSubstr("norm_bias"));
}

} // namespace
} // namespace headscope
