// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/llama_like.h"

namespace headscope {

/// Llama with multipliers: of the embeddings, the scores, what each branch adds, and a divisor of the logits.
ModelSpec graniteSpec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    LlamaLikeDefaults defaults;
    defaults.family = "granite";
    defaults.nullHeadSize = NullHeadSize::NotNull;
    defaults.forms = ScalingForms::NewNameOnly;
    defaults.wholeHead = true;
    ModelSpec spec = llamaLikeSpec(checkpoint, config, defaults);
    const auto multiplier = [&](const char* field) {
        refuseNull(config, field);
        return config.real(field, 1.0, 1e-9, 1e9);
    };
    spec.main.embedding.scale = multiplier("embedding_multiplier");
    for (BlockSpec& block : spec.main.blocks) {
        block.attention.scale = multiplier("attention_multiplier");
        block.residualScale = multiplier("residual_multiplier");
    }
    const double divisor = multiplier("logits_scaling");
    if (spec.head) spec.head->scale = 1.0 / divisor;
    if (config.boolean("attention_bias", false)) addAttentionBiases(spec, true);
    if (config.boolean("mlp_bias", false)) addFeedForwardBiases(spec);
    completeSpec(spec);
    return spec;
}

} // namespace headscope
