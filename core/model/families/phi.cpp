// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/llama_cousins.h"

#include <fmt/format.h>

namespace headscope {

void addNormBiases(ModelSpec& spec) {
    const auto addTo = [](std::optional<NormSpec>& norm) {
        constexpr std::string_view kEnding = "weight";
        if (norm) norm->bias = norm->weight.substr(0, norm->weight.size() - kEnding.size()) + "bias";
    };
    addTo(spec.main.finalNorm);
    for (BlockSpec& block : spec.main.blocks) {
        addTo(block.attentionBranch.before);
        addTo(block.feedForwardBranch.before);
    }
}

void makeParallel(ModelSpec& spec) {
    for (BlockSpec& block : spec.main.blocks) {
        block.parallel = true;
        block.feedForwardBranch.before.reset();
    }
}

/// LayerNorms and biases everywhere, an ungated feed-forward part beside the attention.
ModelSpec phiSpec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    LlamaLikeDefaults defaults;
    defaults.family = "phi";
    defaults.hiddenSize = 2048;
    defaults.intermediateSize = 8192;
    defaults.layers = 24;
    defaults.vocabularySize = 51200;
    defaults.epsilon = 1e-5;
    defaults.epsilonField = "layer_norm_eps";
    defaults.activation = "gelu_new";
    defaults.oldRotaryTypeWins = true;
    defaults.partialFactor = 0.5;
    defaults.nullHeadSize = NullHeadSize::NotNull;
    defaults.norm = NormKind::Layer;
    ModelSpec spec = llamaLikeSpec(checkpoint, config, defaults);
    spec.main.finalNorm->weight = "final_layernorm.weight";
    const bool headNorms = config.boolean("qk_layernorm", false);
    for (std::size_t layer = 0; layer < spec.main.blocks.size(); ++layer) {
        const std::string prefix = fmt::format("layers.{}.", layer);
        BlockSpec& block = spec.main.blocks[layer];
        block.attention.projections.output = linearSpec(prefix + "self_attn.dense");
        if (headNorms)
            block.attention.headNorm =
                HeadNormSpec{HeadNormSpec::Scope::EachHead,
                             layerNormSpec(prefix + "self_attn.q_layernorm", spec.normEpsilon),
                             layerNormSpec(prefix + "self_attn.k_layernorm", spec.normEpsilon)};
        block.feedForward.gate = {};
        block.feedForward.up = linearSpec(prefix + "mlp.fc1");
        block.feedForward.down = linearSpec(prefix + "mlp.fc2");
    }
    addAttentionBiases(spec, false);
    makeParallel(spec);
    addNormBiases(spec);
    // The head has a bias of its own, also where its matrix is the word table.
    const std::vector<std::string> noPrefix{""};
    if (spec.head && hasTensor(checkpoint, noPrefix, "lm_head.bias")) spec.head->bias = "lm_head.bias";
    completeSpec(spec);
    return spec;
}

/// Projections and the gated feed-forward part are fused.
ModelSpec phi3Spec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    LlamaLikeDefaults defaults;
    defaults.family = "phi3";
    defaults.hiddenSize = 3072;
    defaults.intermediateSize = 8192;
    defaults.vocabularySize = 32064;
    defaults.maxPositions = 4096;
    defaults.originalPositions = 4096;
    defaults.forms = ScalingForms::LongRopeOnly;
    defaults.epsilon = 1e-5;
    defaults.nullHeadSize = NullHeadSize::NotNull;
    defaults.paddingId = 32000;
    defaults.roundsUp = true;
    ModelSpec spec = llamaLikeSpec(checkpoint, config, defaults);
    for (std::size_t layer = 0; layer < spec.main.blocks.size(); ++layer) {
        const std::string prefix = fmt::format("layers.{}.", layer);
        BlockSpec& block = spec.main.blocks[layer];
        ProjectionSpec& projections = block.attention.projections;
        projections.query = projections.key = projections.value = {};
        projections.fused = linearSpec(prefix + "self_attn.qkv_proj", false);
        projections.layout = FusedLayout::Joined;
        block.feedForward.gate = block.feedForward.up = {};
        block.feedForward.gateUp = linearSpec(prefix + "mlp.gate_up_proj", false);
    }
    if (const auto window = windowOf(config, std::nullopt))
        setWindow(spec, window, std::vector<bool>(spec.main.blocks.size(), true));
    completeSpec(spec);
    return spec;
}

} // namespace headscope
