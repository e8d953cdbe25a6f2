// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/llama_like.h"

namespace headscope {

ModelSpec llamaSpec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    LlamaLikeDefaults defaults;
    defaults.family = "llama";
    defaults.oldRotaryTypeWins = true;
    defaults.wholeHead = true;
    ModelSpec spec = llamaLikeSpec(checkpoint, config, defaults);
    if (config.boolean("attention_bias", false)) addAttentionBiases(spec, true);
    if (config.boolean("mlp_bias", false)) addFeedForwardBiases(spec);
    completeSpec(spec);
    return spec;
}

} // namespace headscope
