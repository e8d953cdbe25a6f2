// SPDX-License-Identifier: GPL-3.0-or-later
// What the generations of Gemma differ in.
#include "tests/core/model/spec_from.h"
#include "tests/support/temporary_folder.h"

#include <cmath>
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

const std::string kSmall =
    R"("hidden_size": 24, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 6,
    "num_hidden_layers": 3, "vocab_size": 50, )";

ModelSpec smallSpec(const std::string& family, const std::string& members = R"("attention_bias": false)") {
    return specFrom(configOf(family, kSmall + members));
}

std::string smallError(const std::string& family, const std::string& members) {
    return specError(configOf(family, kSmall + members));
}

std::vector<std::int64_t> windowsOf(const ModelSpec& spec) {
    std::vector<std::int64_t> windows;
    for (const BlockSpec& block : spec.main.blocks) windows.push_back(block.attention.window.value_or(0));
    return windows;
}

// Known pitfalls "Gemma norm" and the rounding of the embeddings' factor: float32 is computed.
TEST(GemmaFamilies, NormsAndEmbeddings) {
    const ModelSpec spec = specFrom(configOf("gemma"));
    EXPECT_NEAR(spec.main.embedding.scale, 55.4256, 1e-4);
    EXPECT_EQ(spec.main.finalNorm->kind, NormKind::RmsPlusOne);
    EXPECT_EQ(spec.main.blocks[0].attentionBranch.before->kind, NormKind::RmsPlusOne);
    EXPECT_FALSE(spec.main.blocks[0].attentionBranch.onOutput.has_value());
    const BlockSpec block = smallSpec("gemma2").main.blocks[1];
    EXPECT_EQ(block.attentionBranch.onOutput->weight, "layers.1.post_attention_layernorm.weight");
    EXPECT_EQ(block.feedForwardBranch.before->weight, "layers.1.pre_feedforward_layernorm.weight");
    EXPECT_EQ(block.feedForwardBranch.onOutput->kind, NormKind::RmsPlusOne);
}

// Known pitfall "GELU variants": the field that is read decides, whatever the other one says.
TEST(GemmaFamilies, Activations) {
    EXPECT_EQ(smallSpec("gemma").activation, Activation::GeluTanh);
    const ModelSpec erf =
        smallSpec("gemma", R"("hidden_act": "gelu", "hidden_activation": "gelu_pytorch_tanh")");
    EXPECT_EQ(erf.activation, Activation::GeluErf);
    EXPECT_THAT(erf.notes, ElementsAre(HasSubstr("hidden_activation is not used")));
    EXPECT_THAT(smallSpec("gemma", R"("hidden_activation": null)").notes, IsEmpty());
    EXPECT_EQ(smallSpec("gemma2", R"("hidden_act": "gelu", "hidden_activation": "silu")").activation,
              Activation::Silu);
    EXPECT_EQ(smallSpec("gemma3_text", R"("hidden_act": "gelu")").activation, Activation::GeluTanh);
}

// Known pitfall "Gemma2 softcap".
TEST(GemmaFamilies, Caps) {
    const ModelSpec spec = smallSpec("gemma2");
    EXPECT_EQ(spec.main.blocks[0].attention.softCap, 50.0);
    EXPECT_EQ(spec.head->cap, 30.0);
    const ModelSpec none =
        smallSpec("gemma2", R"("attn_logit_softcapping": null, "final_logit_softcapping": null)");
    EXPECT_EQ(none.main.blocks[0].attention.softCap, std::nullopt);
    EXPECT_EQ(none.head->cap, std::nullopt);
    const ModelSpec third = smallSpec("gemma3_text", R"("attn_logit_softcapping": 50.0)");
    EXPECT_EQ(third.main.blocks[0].attention.softCap, std::nullopt);
    EXPECT_EQ(third.head->cap, std::nullopt);
    EXPECT_THAT(third.notes, ElementsAre(HasSubstr("attn_logit_softcapping is not used")));
    EXPECT_EQ(smallSpec("gemma3_text", R"("final_logit_softcapping": 20)").head->cap, 20.0);
}

TEST(GemmaFamilies, ScalesAndWindows) {
    EXPECT_DOUBLE_EQ(smallSpec("gemma").main.blocks[0].attention.scale, 1.0 / std::sqrt(6.0));
    EXPECT_DOUBLE_EQ(smallSpec("gemma2").main.blocks[0].attention.scale, 0.0625);
    EXPECT_DOUBLE_EQ(smallSpec("gemma2", R"("query_pre_attn_scalar": 144)").main.blocks[0].attention.scale,
                     1.0 / 12.0);
    EXPECT_THAT(windowsOf(smallSpec("gemma2")), ElementsAre(4096, 0, 4096));
    EXPECT_THAT(windowsOf(smallSpec("gemma2", R"("sliding_window": 5, "layer_types": ["full_attention",
                    "sliding_attention", "full_attention"])")),
                ElementsAre(0, 5, 0));
    EXPECT_THAT(windowsOf(specFrom(configOf("gemma3_text", R"("num_hidden_layers": 7)"))),
                ElementsAre(4096, 4096, 4096, 4096, 4096, 0, 4096));
    EXPECT_THAT(windowsOf(smallSpec("gemma3_text", R"("sliding_window": 5, "sliding_window_pattern": 2)")),
                ElementsAre(5, 0, 5));
    EXPECT_THAT(windowsOf(smallSpec("gemma3_text", R"("_sliding_window_pattern": 2)")),
                ElementsAre(4096, 4096, 4096)); // written by transformers, never read
    for (const char* family : {"gemma2", "gemma3_text"})
        EXPECT_THAT(
            smallError(family, R"("sliding_window": null, "layer_types": ["full_attention", "full_attention",
                        "full_attention"])"),
            HasSubstr("sliding_window: found null"));
    EXPECT_THAT(smallError("gemma3_text", R"("sliding_window_pattern": 0)"),
                HasSubstr("sliding_window_pattern"));
}

TEST(GemmaFamilies, TheThirdTurnsSlidingLayersByABaseOfTheirOwn) {
    const ModelSpec spec = smallSpec("gemma3_text", R"("sliding_window_pattern": 3,
        "rope_scaling": {"rope_type": "linear", "factor": 8.0})");
    ASSERT_EQ(spec.main.rotaries.size(), 2U);
    EXPECT_EQ(spec.main.blocks[0].attention.rotary, 1U);
    EXPECT_EQ(spec.main.blocks[2].attention.rotary, 0U);
    EXPECT_EQ(spec.main.rotaries[0].theta, 1e6);
    EXPECT_EQ(spec.main.rotaries[0].factor, 8.0);
    EXPECT_EQ(spec.main.rotaries[1].theta, 1e4);
    EXPECT_EQ(spec.main.rotaries[1].scaling, RotaryScaling::None);
    EXPECT_EQ(spec.main.blocks[0].attention.headNorm->query.kind, NormKind::RmsPlusOne);
}

TEST(GemmaFamilies, TheThirdMayLookBothWays) {
    const ModelSpec spec =
        smallSpec("gemma3_text", R"("use_bidirectional_attention": true, "sliding_window": 512,
        "sliding_window_pattern": 3)");
    EXPECT_FALSE(spec.stacks[0].causal);
    EXPECT_THAT(windowsOf(spec), ElementsAre(257, 257, 0)); // half and one, on every load
}

TEST(GemmaFamilies, TheTextPartOfTheThird) {
    const ModelSpec spec = specFrom(configOf("gemma3", "\"vision_config\": {}, \"text_config\": {" + kSmall +
                                                           R"("final_logit_softcapping": 20.0})"));
    EXPECT_EQ(spec.family, "gemma3");
    EXPECT_EQ(spec.hiddenSize, 24);
    EXPECT_EQ(spec.vocabularySize, 50);
    EXPECT_EQ(spec.head->cap, std::nullopt);
    EXPECT_THAT(spec.notes, ElementsAre(HasSubstr("only this part is used")));
    EXPECT_EQ(specFrom(configOf("gemma3", R"("text_config": {})")).intermediateSize, 9216);
    EXPECT_THAT(specError(configOf("gemma3")), HasSubstr("text_config is missing"));
    EXPECT_EQ(specFrom(R"({"architectures": ["Gemma3ForCausalLM"]})").family, "gemma3_text");
    EXPECT_EQ(specFrom(R"({"architectures": ["Gemma3ForConditionalGeneration"], "text_config": {}})").family,
              "gemma3");
    EXPECT_THAT(specError(configOf("gemma3", R"("text_config": {"hidden_size": 0})")),
                HasSubstr("config.json: text_config: hidden_size"));
    EXPECT_THAT(specError(configOf("gemma3", R"("text_config": {"use_bidirectional_attention": true})")),
                HasSubstr("use_bidirectional_attention"));
    EXPECT_THAT(specError(configOf("gemma3", R"("text_config": {"model_type": "llama"})")),
                AllOf(HasSubstr("text_config"), HasSubstr("gemma3_text")));
}

TEST(GemmaFamilies, TheImagePartIsNamedOnce) {
    const std::shared_ptr<const Model> model =
        loadModel(openCheckpoint(test::dataPath("families/gemma3/plain")), DeviceChoice::Cpu, {}, {});
    EXPECT_THAT(model->notes(), ElementsAre(HasSubstr("only this part is used")));
}

} // namespace
} // namespace headscope
