// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/model/families/llama_like.h"

#include <fmt/format.h>

namespace headscope {

namespace {

/// Which layers turn queries and keys: no_rope_layers says 1 for those that do.
std::vector<bool> rotaryLayers(const ConfigReader& config, std::size_t layers) {
    std::vector<bool> rotary;
    if (const auto given = config.integers("no_rope_layers", 0, 1)) {
        if (given->size() != layers)
            fail(config.subject() + ": no_rope_layers",
                 fmt::format("{} entries for {} layers", given->size(), layers),
                 "expected one for each layer");
        for (const std::int64_t one : *given) rotary.push_back(one != 0);
        return rotary;
    }
    refuseNull(config, "no_rope_layer_interval");
    const std::int64_t interval = config.integer("no_rope_layer_interval", 4, 1, spec_limits::kLayers);
    for (std::size_t layer = 0; layer < layers; ++layer)
        rotary.push_back((static_cast<std::int64_t>(layer) + 1) % interval != 0);
    return rotary;
}

} // namespace

ModelSpec smollm3Spec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    LlamaLikeDefaults defaults;
    defaults.family = "smollm3";
    defaults.vocabularySize = 128256;
    defaults.hiddenSize = 2048;
    defaults.layers = 36;
    defaults.heads = 16;
    defaults.keyValueHeads = 4;
    defaults.maxPositions = 32768;
    defaults.nullHeadSize = NullHeadSize::NotNull;
    defaults.tied = true;
    defaults.paddingId = 128004;
    defaults.oldRotaryTypeWins = true;
    defaults.wholeHead = true;
    defaults.theta = 2e6;
    ModelSpec spec = llamaLikeSpec(checkpoint, config, defaults);
    std::vector<BlockSpec>& blocks = spec.main.blocks;
    const std::vector<bool> rotary = rotaryLayers(config, blocks.size());
    for (std::size_t layer = 0; layer < blocks.size(); ++layer)
        if (!rotary[layer]) blocks[layer].attention.rotary = std::nullopt;
    const auto window = windowOf(config, std::nullopt);
    // use_sliding_window only decides where there are no layer_types.
    const bool used = config.boolean("use_sliding_window", false) && window.has_value();
    setWindow(spec, window, slidingOr(config, spec, [&](int layer) {
                  return used && !rotary[static_cast<std::size_t>(layer)];
              }));
    if (config.boolean("attention_bias", false)) addAttentionBiases(spec, true);
    if (config.boolean("mlp_bias", false)) addFeedForwardBiases(spec);
    completeSpec(spec);
    return spec;
}

} // namespace headscope
