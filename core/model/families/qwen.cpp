// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/llama_like.h"

namespace headscope {

namespace {

LlamaLikeDefaults qwenDefaults(const char* family) {
    LlamaLikeDefaults defaults;
    defaults.family = family;
    defaults.intermediateSize = 22016;
    defaults.vocabularySize = 151936;
    defaults.maxPositions = 32768;
    defaults.keyValueHeads = 32;
    defaults.nullHeadSize = NullHeadSize::NotNull;
    defaults.oldRotaryTypeWins = true;
    defaults.wholeHead = true;
    return defaults;
}

/// Windows are off unless asked for, and then for the layers from max_window_layers on.
void setWindows(ModelSpec& spec, const ConfigReader& config) {
    const bool used = config.boolean("use_sliding_window", false);
    const std::optional<std::int64_t> window = used ? windowOf(config, 4096) : std::nullopt;
    if (window && !config.has("layer_types")) refuseNull(config, "max_window_layers");
    const std::int64_t most = std::int64_t{1} << 40;
    const std::int64_t full = config.integer("max_window_layers", 28, -most, most);
    setWindow(spec, window,
              slidingOr(config, spec, [&](int layer) { return window.has_value() && layer >= full; }));
}

} // namespace

ModelSpec qwen2Spec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    ModelSpec spec = llamaLikeSpec(checkpoint, config, qwenDefaults("qwen2"));
    addAttentionBiases(spec, false);
    setWindows(spec, config);
    completeSpec(spec);
    return spec;
}

ModelSpec qwen3Spec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    LlamaLikeDefaults defaults = qwenDefaults("qwen3");
    defaults.headSize = 128;
    ModelSpec spec = llamaLikeSpec(checkpoint, config, defaults);
    if (config.boolean("attention_bias", false)) addAttentionBiases(spec, true);
    addHeadNorms(spec, HeadNormSpec::Scope::EachHead, NormKind::Rms);
    setWindows(spec, config);
    completeSpec(spec);
    return spec;
}

} // namespace headscope
