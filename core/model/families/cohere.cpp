// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/llama_cousins.h"

#include <fmt/format.h>

namespace headscope {

namespace {

/// LayerNorms without bias, both branches on one input, neighbouring numbers rotated together.
ModelSpec cohereLikeSpec(const Checkpoint& checkpoint, const ConfigReader& config, const char* family) {
    LlamaLikeDefaults defaults;
    defaults.family = family;
    defaults.hiddenSize = 8192;
    defaults.intermediateSize = 22528;
    defaults.layers = 40;
    defaults.heads = 64;
    defaults.vocabularySize = 256000;
    defaults.maxPositions = 8192;
    defaults.nullHeadSize = NullHeadSize::NotNull;
    defaults.epsilon = 1e-5;
    defaults.epsilonField = "layer_norm_eps";
    defaults.tied = true;
    defaults.paddingId = 0;
    defaults.interleaved = true;
    defaults.forms = ScalingForms::NewNameOnly;
    defaults.wholeHead = true;
    defaults.norm = NormKind::Layer;
    ModelSpec spec = llamaLikeSpec(checkpoint, config, defaults);
    makeParallel(spec);
    if (config.boolean("attention_bias", false)) addAttentionBiases(spec, true);
    refuseNull(config, "logit_scale");
    const double scale = config.real("logit_scale", 0.0625, -1e9, 1e9);
    if (spec.head) spec.head->scale = scale;
    return spec;
}

} // namespace

ModelSpec cohereSpec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    ModelSpec spec = cohereLikeSpec(checkpoint, config, "cohere");
    if (config.boolean("use_qk_norm", false)) {
        for (std::size_t layer = 0; layer < spec.main.blocks.size(); ++layer) {
            const auto norm = [&](const char* name) {
                return NormSpec{fmt::format("layers.{}.self_attn.{}.weight", layer, name),
                                {},
                                NormKind::Layer,
                                spec.normEpsilon};
            };
            spec.main.blocks[layer].attention.headNorm =
                HeadNormSpec{HeadNormSpec::Scope::OwnOfHead, norm("q_norm"), norm("k_norm")};
        }
    }
    completeSpec(spec);
    return spec;
}

/// Only sliding layers have rotary positions; the others have none at all.
ModelSpec cohere2Spec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    ModelSpec spec = cohereLikeSpec(checkpoint, config, "cohere2");
    const std::vector<bool> sliding = slidingByPattern(config, spec, 4);
    setWindow(spec, windowOf(config, 4096), sliding);
    for (std::size_t layer = 0; layer < sliding.size(); ++layer)
        if (!sliding[layer]) spec.main.blocks[layer].attention.rotary.reset();
    completeSpec(spec);
    return spec;
}

} // namespace headscope
