// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/model/families/llama_like.h"

#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

LlamaLikeDefaults gemmaDefaults(const char* family) {
    LlamaLikeDefaults defaults;
    defaults.family = family;
    defaults.vocabularySize = 256000;
    defaults.maxPositions = 8192;
    defaults.keyValueHeadsNotNull = true;
    defaults.headSize = 256;
    defaults.nullHeadSize = NullHeadSize::NotNull;
    defaults.activation = "gelu_pytorch_tanh";
    defaults.tied = true;
    defaults.paddingId = 0;
    defaults.wholeHead = true;
    defaults.norm = NormKind::RmsPlusOne;
    return defaults;
}

/// Gemma 2 and 3 share all sizes but the vocabulary and the length.
LlamaLikeDefaults gemma2Defaults(const char* family) {
    LlamaLikeDefaults defaults = gemmaDefaults(family);
    defaults.hiddenSize = 2304;
    defaults.intermediateSize = 9216;
    defaults.layers = 26;
    defaults.heads = 8;
    defaults.keyValueHeads = 4;
    defaults.activationField = "hidden_activation";
    return defaults;
}

/// What all generations have: words times the root of the model size (in float32), biases by choice.
ModelSpec gemmaLikeSpec(const Checkpoint& checkpoint, const ConfigReader& config,
                        const LlamaLikeDefaults& defaults) {
    ModelSpec spec = llamaLikeSpec(checkpoint, config, defaults);
    spec.main.embedding.scale = std::sqrt(static_cast<double>(spec.main.hiddenSize));
    if (config.boolean("attention_bias", false)) addAttentionBiases(spec, true);
    return spec;
}

/// From the second generation on: branch outputs are normalised too, and the scale has a field of its own.
void setScaleAndNorms(ModelSpec& spec, const ConfigReader& config) {
    refuseNull(config, "query_pre_attn_scalar");
    const double scale = 1.0 / std::sqrt(config.real("query_pre_attn_scalar", 256.0, 1e-6, 1e9));
    for (std::size_t layer = 0; layer < spec.main.blocks.size(); ++layer) {
        const auto norm = [&](const char* name) {
            return rmsNormSpec(fmt::format("layers.{}.{}", layer, name), spec.normEpsilon,
                               NormKind::RmsPlusOne);
        };
        BlockSpec& block = spec.main.blocks[layer];
        block.attention.scale = scale;
        block.attentionBranch.onOutput = norm("post_attention_layernorm");
        block.feedForwardBranch.before = norm("pre_feedforward_layernorm");
        block.feedForwardBranch.onOutput = norm("post_feedforward_layernorm");
    }
}

/// A cap c of c tanh(x / c): none when null.
std::optional<double> capOf(const ConfigReader& config, const char* field, std::optional<double> fallback) {
    if (config.isNull(field)) return std::nullopt;
    const auto cap = config.optionalReal(field, 1e-6, 1e9);
    return cap ? cap : fallback;
}

void capHead(ModelSpec& spec, std::optional<double> cap) {
    if (spec.head) spec.head->cap = cap;
}

/// The window, which transformers needs even where no layer slides.
std::int64_t requiredWindow(const ConfigReader& config) {
    refuseNull(config, "sliding_window");
    return *windowOf(config, 4096);
}

/// Sliding layers turn by their own base and are never stretched.
void addLocalRotary(ModelSpec& spec, const ConfigReader& config, const std::vector<bool>& sliding) {
    RotaryDefaults local;
    local.headSize = spec.main.blocks.front().attention.headSize;
    local.theta = 10000.0;
    local.thetaField = "rope_local_base_freq";
    local.maxPositions = spec.trainedPositions;
    local.layerType = "sliding_attention";
    local.forms = ScalingForms::None;
    local.wholeHead = true;
    spec.main.rotaries.push_back(rotaryOf(config, local));
    for (std::size_t layer = 0; layer < sliding.size(); ++layer)
        if (sliding[layer]) spec.main.blocks[layer].attention.rotary = 1;
}

/// The text part, with its fields at the root of config.json or in text_config.
ModelSpec gemma3LikeSpec(const Checkpoint& checkpoint, const ConfigReader& config, const char* family) {
    LlamaLikeDefaults defaults = gemma2Defaults(family);
    defaults.prefixes = {"model.", "language_model.model.", "model.language_model.", "language_model.", ""};
    defaults.vocabularySize = 262208;
    defaults.maxPositions = 131072;
    defaults.theta = 1e6;
    defaults.rotaryLayerType = "full_attention";
    defaults.forms = ScalingForms::NewNameOnly;
    ModelSpec spec = gemmaLikeSpec(checkpoint, config, defaults);
    setScaleAndNorms(spec, config);
    if (!spec.head) // older folders of the whole model name it so
        spec.head =
            languageHead(checkpoint, false, spec.main.embedding.vocabularySize, "language_model.lm_head");
    addHeadNorms(spec, HeadNormSpec::Scope::EachHead, NormKind::RmsPlusOne);
    const std::vector<bool> sliding = slidingByPattern(config, spec, 6);
    std::int64_t window = requiredWindow(config);
    if (config.boolean("use_bidirectional_attention", false)) {
        window = window / 2 + 1; // upstream does so on every load
        for (BlockSpec& block : spec.main.blocks) block.attention.causal = false;
    }
    setWindow(spec, window, sliding);
    addLocalRotary(spec, config, sliding);
    if (config.has("attn_logit_softcapping"))
        spec.notes.push_back(config.subject() +
                             ": attn_logit_softcapping is not used, as transformers does not in this family");
    return spec;
}

} // namespace

ModelSpec gemmaSpec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    LlamaLikeDefaults defaults = gemmaDefaults("gemma");
    defaults.hiddenSize = 3072;
    defaults.intermediateSize = 24576;
    defaults.layers = 28;
    defaults.heads = 16;
    defaults.keyValueHeads = 16;
    ModelSpec spec = gemmaLikeSpec(checkpoint, config, defaults);
    if (const auto other = config.optionalString("hidden_activation");
        other && *other != config.string("hidden_act", defaults.activation))
        spec.notes.push_back("config.json: hidden_activation is not used, as transformers reads hidden_act");
    completeSpec(spec);
    return spec;
}

ModelSpec gemma2Spec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    ModelSpec spec = gemmaLikeSpec(checkpoint, config, gemma2Defaults("gemma2"));
    setScaleAndNorms(spec, config);
    const auto cap = capOf(config, "attn_logit_softcapping", 50.0);
    for (BlockSpec& block : spec.main.blocks) block.attention.softCap = cap;
    setWindow(spec, requiredWindow(config),
              slidingOr(config, spec, [](int layer) { return layer % 2 == 0; }));
    capHead(spec, capOf(config, "final_logit_softcapping", 30.0));
    completeSpec(spec);
    return spec;
}

ModelSpec gemma3TextSpec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    ModelSpec spec = gemma3LikeSpec(checkpoint, config, "gemma3_text");
    capHead(spec, capOf(config, "final_logit_softcapping", std::nullopt));
    completeSpec(spec);
    return spec;
}

ModelSpec gemma3Spec(const Checkpoint& checkpoint) {
    const ConfigReader whole(checkpoint.config, "config.json");
    const std::optional<ConfigReader> config = whole.object("text_config");
    // Only the class was named, which those of text alone may share.
    if (!config && !whole.has("model_type")) return gemma3TextSpec(checkpoint);
    if (!config) fail(whole.subject(), "text_config is missing", "expected the fields of the text model");
    config->requireString("model_type", "gemma3_text");
    config->requireFalse("use_bidirectional_attention");
    ModelSpec spec = gemma3LikeSpec(checkpoint, *config, "gemma3");
    spec.notes.push_back(config->subject() + ": only this part is used, without the images");
    completeSpec(spec);
    return spec;
}

} // namespace headscope
