// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/llama_cousins.h"

#include <fmt/format.h>

namespace headscope {

/// LayerNorms, a part of each head rotated, perhaps a norm of its own for each head.
ModelSpec stablelmSpec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    LlamaLikeDefaults defaults;
    defaults.family = "stablelm";
    defaults.hiddenSize = 2560;
    defaults.intermediateSize = 6912;
    defaults.vocabularySize = 50304;
    defaults.maxPositions = 4096;
    defaults.keyValueHeads = 32;
    defaults.keyValueHeadsNotNull = true;
    defaults.epsilon = 1e-5;
    defaults.epsilonField = "layer_norm_eps";
    defaults.oldRotaryTypeWins = true;
    defaults.partialFactor = 0.25;
    defaults.norm = NormKind::Layer;
    ModelSpec spec = llamaLikeSpec(checkpoint, config, defaults);
    const AttentionSpec& first = spec.main.blocks.front().attention;
    config.requireInteger("head_dim", evenHeadSize(spec.main.hiddenSize, first.heads));
    if (config.boolean("qk_layernorm", false)) {
        for (std::size_t layer = 0; layer < spec.main.blocks.size(); ++layer) {
            const auto norm = [&](const char* name) {
                const std::string weight = fmt::format("layers.{}.self_attn.{}.norms.", layer, name);
                return NormSpec{weight + "{}.weight", {}, NormKind::Layer, spec.normEpsilon};
            };
            spec.main.blocks[layer].attention.headNorm =
                HeadNormSpec{HeadNormSpec::Scope::OwnTensors, norm("q_layernorm"), norm("k_layernorm")};
        }
    }
    if (config.boolean("use_qkv_bias", false)) addAttentionBiases(spec, false);
    if (config.boolean("use_parallel_residual", false)) makeParallel(spec);
    addNormBiases(spec);
    completeSpec(spec);
    return spec;
}

/// LayerNorms, an ungated feed-forward part, biases by choice.
ModelSpec starcoder2Spec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    LlamaLikeDefaults defaults;
    defaults.family = "starcoder2";
    defaults.hiddenSize = 3072;
    defaults.intermediateSize = 12288;
    defaults.layers = 30;
    defaults.heads = 24;
    defaults.keyValueHeads = 2;
    defaults.keyValueHeadsNotNull = true;
    defaults.vocabularySize = 49152;
    defaults.maxPositions = 4096;
    defaults.epsilon = 1e-5;
    defaults.epsilonField = "norm_epsilon";
    defaults.activation = "gelu_pytorch_tanh";
    defaults.tied = true;
    defaults.oldRotaryTypeWins = true;
    defaults.wholeHead = true;
    defaults.norm = NormKind::Layer;
    ModelSpec spec = llamaLikeSpec(checkpoint, config, defaults);
    for (std::size_t layer = 0; layer < spec.main.blocks.size(); ++layer) {
        const std::string prefix = fmt::format("layers.{}.mlp.", layer);
        FeedForwardSpec& forward = spec.main.blocks[layer].feedForward;
        const bool bias = flagOf(config, "use_bias", true);
        forward.gate = {};
        forward.up = linearSpec(prefix + "c_fc", bias);
        forward.down = linearSpec(prefix + "c_proj", bias);
    }
    if (flagOf(config, "use_bias", true)) addAttentionBiases(spec, true);
    addNormBiases(spec);
    if (const auto window = windowOf(config, std::nullopt))
        setWindow(spec, window, std::vector<bool>(spec.main.blocks.size(), true));
    completeSpec(spec);
    return spec;
}

} // namespace headscope
