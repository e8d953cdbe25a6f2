// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/llama_like.h"

#include <fmt/format.h>

namespace headscope {

/// Norms stand on the outputs of the branches instead of before them.
ModelSpec olmo2Spec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    LlamaLikeDefaults defaults;
    defaults.family = "olmo2";
    defaults.vocabularySize = 50304;
    defaults.epsilon = 1e-5;
    defaults.nullHeadSize = NullHeadSize::NotNull;
    defaults.paddingId = 1;
    defaults.forms = ScalingForms::LinearOrDynamic;
    defaults.wholeHead = true;
    ModelSpec spec = llamaLikeSpec(checkpoint, config, defaults);
    for (std::size_t layer = 0; layer < spec.main.blocks.size(); ++layer) {
        const auto norm = [&](const char* name) {
            return rmsNormSpec(fmt::format("layers.{}.{}", layer, name), spec.normEpsilon);
        };
        BlockSpec& block = spec.main.blocks[layer];
        block.attentionBranch = {std::nullopt, norm("post_attention_layernorm"), std::nullopt};
        block.feedForwardBranch = {std::nullopt, norm("post_feedforward_layernorm"), std::nullopt};
    }
    addHeadNorms(spec, HeadNormSpec::Scope::Whole, NormKind::Rms);
    if (config.boolean("attention_bias", false)) addAttentionBiases(spec, true);
    completeSpec(spec);
    return spec;
}

} // namespace headscope
