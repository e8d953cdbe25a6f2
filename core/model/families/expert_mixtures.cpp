// SPDX-License-Identifier: GPL-3.0-or-later
// Decoders with mixtures of experts: Mixtral, Qwen2-MoE, Qwen3-MoE, gpt-oss.
#include "core/base/error.h"
#include "core/model/families/llama_cousins.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

std::int64_t expertsOf(const ConfigReader& config, const FieldName& field, std::int64_t fallback,
                       std::int64_t least) {
    refuseNull(config, field);
    return config.integer(field, fallback, least, spec_limits::kExperts);
}

/// Which of `experts` are chosen for a token. Throws Error for more than there are.
std::int64_t chosenOf(const ConfigReader& config, std::int64_t fallback, std::int64_t experts) {
    const char* field = "num_experts_per_tok";
    refuseNull(config, field);
    const std::int64_t chosen = config.integer(field, fallback, 1, spec_limits::kExperts);
    if (chosen > experts)
        fail(config.subject() + ": " + field, fmt::format("{} of {} experts", chosen, experts),
             "expected at most as many as there are");
    return chosen;
}

/// Layers that are no mixture: those listed, and all but every decoder_sparse_step-th.
bool isMixture(const ConfigReader& config, int layer) {
    refuseNull(config, "decoder_sparse_step");
    const std::int64_t step = config.integer("decoder_sparse_step", 1, 1, spec_limits::kLayers);
    const auto dense = config.integers("mlp_only_layers", 0, spec_limits::kLayers);
    const bool listed = dense && std::find(dense->begin(), dense->end(), layer) != dense->end();
    return !listed && (layer + 1) % step == 0;
}

MixtureSpec qwenMixture(const ConfigReader& config, const std::string& prefix, std::int64_t experts,
                        std::int64_t usualChosen) {
    MixtureSpec mixture;
    mixture.experts = experts;
    mixture.chosen = chosenOf(config, usualChosen, experts);
    mixture.normalised = config.boolean("norm_topk_prob", false);
    mixture.router = linearSpec(prefix + "gate", false);
    mixture.gate = linearSpec(prefix + "experts.{}.gate_proj", false);
    mixture.up = linearSpec(prefix + "experts.{}.up_proj", false);
    mixture.down = linearSpec(prefix + "experts.{}.down_proj", false);
    return mixture;
}

LlamaLikeDefaults qwenDefaults(const char* family) {
    LlamaLikeDefaults defaults;
    defaults.family = family;
    defaults.hiddenSize = 2048;
    defaults.layers = 24;
    defaults.vocabularySize = 151936;
    defaults.maxPositions = 32768;
    defaults.keyValueHeadsNotNull = true;
    defaults.oldRotaryTypeWins = true;
    defaults.wholeHead = true;
    return defaults;
}

/// Windows are off unless asked for, and then for all layers.
void setWindows(ModelSpec& spec, const ConfigReader& config) {
    if (!config.boolean("use_sliding_window", false)) return;
    if (const auto window = windowOf(config, 4096))
        setWindow(spec, window, std::vector<bool>(spec.main.blocks.size(), true));
}

/// Where rope_scaling is absent, gpt-oss takes the one it was trained with.
void setUsualScaling(RotarySpec& rotary) {
    rotary.scaling = RotaryScaling::Yarn;
    rotary.factor = 32.0;
    rotary.originalPositions = 4096;
    rotary.truncate = false;
    rotary.attentionFactor = 0.1 * std::log(rotary.factor) + 1.0;
}

} // namespace

ModelSpec mixtralSpec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    LlamaLikeDefaults defaults;
    defaults.family = "mixtral";
    defaults.intermediateSize = 14336;
    defaults.keyValueHeads = 8;
    defaults.maxPositions = 131072;
    defaults.epsilon = 1e-5;
    defaults.theta = 1e6;
    defaults.wholeHead = true;
    defaults.nullHeadSize = NullHeadSize::Unscaled;
    ModelSpec spec = llamaLikeSpec(checkpoint, config, defaults);
    const std::int64_t experts = expertsOf(config, "num_local_experts", 8, 1);
    for (std::size_t layer = 0; layer < spec.main.blocks.size(); ++layer) {
        const std::string prefix = fmt::format("layers.{}.block_sparse_moe.", layer);
        FeedForwardSpec& forward = spec.main.blocks[layer].feedForward;
        MixtureSpec mixture;
        mixture.experts = experts;
        mixture.chosen = chosenOf(config, 2, experts);
        mixture.normalised = true;
        mixture.intermediateSize = forward.intermediateSize;
        mixture.router = linearSpec(prefix + "gate", false);
        mixture.gate = linearSpec(prefix + "experts.{}.w1", false);
        mixture.up = linearSpec(prefix + "experts.{}.w3", false);
        mixture.down = linearSpec(prefix + "experts.{}.w2", false);
        forward.mixture = std::move(mixture);
    }
    if (const auto window = windowOf(config, std::nullopt))
        setWindow(spec, window, std::vector<bool>(spec.main.blocks.size(), true));
    completeSpec(spec);
    return spec;
}

/// With an expert that every token passes.
ModelSpec qwen2MoeSpec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    LlamaLikeDefaults defaults = qwenDefaults("qwen2_moe");
    defaults.intermediateSize = 5632;
    defaults.heads = 16;
    defaults.keyValueHeads = 16;
    ModelSpec spec = llamaLikeSpec(checkpoint, config, defaults);
    refuseNull(config, "head_dim");
    config.requireInteger("head_dim",
                          evenHeadSize(spec.main.hiddenSize, spec.main.blocks.front().attention.heads));
    if (flagOf(config, "qkv_bias", true)) addAttentionBiases(spec, false);
    const std::int64_t experts = expertsOf(config, "num_experts", 60, 0);
    for (std::size_t layer = 0; layer < spec.main.blocks.size(); ++layer) {
        if (experts == 0 || !isMixture(config, static_cast<int>(layer))) continue;
        const std::string prefix = fmt::format("layers.{}.mlp.", layer);
        MixtureSpec mixture = qwenMixture(config, prefix, experts, 4);
        mixture.intermediateSize = intermediateSizeOf(config, "moe_intermediate_size", 1408);
        mixture.sharedIntermediateSize = intermediateSizeOf(config, "shared_expert_intermediate_size", 5632);
        mixture.sharedGate = linearSpec(prefix + "shared_expert.gate_proj", false);
        mixture.sharedUp = linearSpec(prefix + "shared_expert.up_proj", false);
        mixture.sharedDown = linearSpec(prefix + "shared_expert.down_proj", false);
        mixture.sharedWeight = linearSpec(prefix + "shared_expert_gate", false);
        spec.main.blocks[layer].feedForward.mixture = std::move(mixture);
    }
    setWindows(spec, config);
    completeSpec(spec);
    return spec;
}

ModelSpec qwen3MoeSpec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    LlamaLikeDefaults defaults = qwenDefaults("qwen3_moe");
    defaults.intermediateSize = 6144;
    defaults.keyValueHeads = 4;
    ModelSpec spec = llamaLikeSpec(checkpoint, config, defaults);
    if (config.boolean("attention_bias", false)) addAttentionBiases(spec, true);
    addHeadNorms(spec, HeadNormSpec::Scope::EachHead, NormKind::Rms);
    const std::int64_t experts = expertsOf(config, "num_experts", 128, 0);
    for (std::size_t layer = 0; layer < spec.main.blocks.size(); ++layer) {
        if (experts == 0 || !isMixture(config, static_cast<int>(layer))) continue;
        MixtureSpec mixture = qwenMixture(config, fmt::format("layers.{}.mlp.", layer), experts, 8);
        mixture.intermediateSize = intermediateSizeOf(config, "moe_intermediate_size", 768);
        spec.main.blocks[layer].feedForward.mixture = std::move(mixture);
    }
    setWindows(spec, config);
    completeSpec(spec);
    return spec;
}

/// Learned sinks, every other layer with a window, all experts of a layer in one tensor.
ModelSpec gptOssSpec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    LlamaLikeDefaults defaults;
    defaults.family = "gpt_oss";
    defaults.hiddenSize = 2880;
    defaults.intermediateSize = 2880;
    defaults.layers = 36;
    defaults.heads = 64;
    defaults.keyValueHeads = 8;
    defaults.headSize = 64;
    defaults.vocabularySize = 201088;
    defaults.maxPositions = 131072;
    defaults.epsilon = 1e-5;
    defaults.theta = 150000.0;
    defaults.oldRotaryTypeWins = true;
    defaults.wholeHead = true;
    ModelSpec spec = llamaLikeSpec(checkpoint, config, defaults);
    const bool saysScaling =
        checkpoint.config.find("rope_scaling") != nullptr || config.has("rope_parameters");
    if (!saysScaling) {
        refuseNull(config, "max_position_embeddings"); // upstream compares it with the scaling
        setUsualScaling(spec.main.rotaries.front());
    }
    if (flagOf(config, "attention_bias", true)) addAttentionBiases(spec, true);
    setWindow(spec, windowOf(config, 128), slidingOr(config, spec, [](int layer) { return layer % 2 == 0; }));
    const std::int64_t experts = expertsOf(config, "num_local_experts", 128, 1);
    for (std::size_t layer = 0; layer < spec.main.blocks.size(); ++layer) {
        const std::string prefix = fmt::format("layers.{}.", layer);
        BlockSpec& block = spec.main.blocks[layer];
        block.attention.sinks = prefix + "self_attn.sinks";
        MixtureSpec mixture;
        mixture.experts = experts;
        mixture.chosen = chosenOf(config, 4, experts);
        mixture.softmaxOverChosen = true;
        mixture.intermediateSize = block.feedForward.intermediateSize;
        mixture.router = linearSpec(prefix + "mlp.router");
        mixture.stackedGateUp = prefix + "mlp.experts.gate_up_proj";
        mixture.stackedGateUpBias = prefix + "mlp.experts.gate_up_proj_bias";
        mixture.stackedDown = prefix + "mlp.experts.down_proj";
        mixture.stackedDownBias = prefix + "mlp.experts.down_proj_bias";
        block.feedForward.mixture = std::move(mixture);
    }
    completeSpec(spec);
    return spec;
}

} // namespace headscope
