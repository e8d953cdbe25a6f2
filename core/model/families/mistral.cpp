// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/llama_like.h"

namespace headscope {

namespace {

LlamaLikeDefaults mistralDefaults(const char* family) {
    LlamaLikeDefaults defaults;
    defaults.family = family;
    defaults.intermediateSize = 14336;
    defaults.keyValueHeads = 8;
    defaults.maxPositions = 131072;
    defaults.wholeHead = true;
    return defaults;
}

constexpr std::int64_t kWindow = 4096;

} // namespace

ModelSpec mistralSpec(const Checkpoint& checkpoint) {
    // Even a null there makes transformers read another class.
    if (checkpoint.config.find("layer_types") != nullptr) return ministralSpec(checkpoint);
    const ConfigReader config(checkpoint.config, "config.json");
    LlamaLikeDefaults defaults = mistralDefaults("mistral");
    defaults.nullHeadSize = NullHeadSize::Unscaled;
    ModelSpec spec = llamaLikeSpec(checkpoint, config, defaults);
    if (const auto window = windowOf(config, kWindow))
        setWindow(spec, window, std::vector<bool>(spec.main.blocks.size(), true));
    completeSpec(spec);
    return spec;
}

ModelSpec ministralSpec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    LlamaLikeDefaults defaults = mistralDefaults("ministral");
    defaults.nullHeadSize = NullHeadSize::NotMissing;
    ModelSpec spec = llamaLikeSpec(checkpoint, config, defaults);
    const auto window = windowOf(config, kWindow);
    setWindow(spec, window, slidingOr(config, spec, [&](int) { return window.has_value(); }));
    completeSpec(spec);
    return spec;
}

} // namespace headscope
