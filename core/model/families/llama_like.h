// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/families/family_tools.h"
#include "core/model/families/rotary_config.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// What transformers 4.57 makes of a head_dim that is null.
enum class NullHeadSize {
    Derived,    ///< hidden size / heads, as where it is absent
    Unscaled,   ///< the same, null or absent, but rotary scalings other than linear and llama3 fail (Mistral)
    NotNull,    ///< it fails
    NotMissing, ///< it fails, and so it does where head_dim is absent (Ministral)
};

/// What a relative of Llama has in common with it, as config.json says: the starting point that a family file
/// changes.
struct LlamaLikeDefaults {
    std::string family;
    std::vector<std::string> prefixes{"model.", "transformer.", ""}; ///< the second: for question answering
    std::int64_t hiddenSize = 4096;
    int layers = 32;
    int heads = 32;
    std::int64_t intermediateSize = 11008;
    std::int64_t vocabularySize = 32000;
    std::int64_t maxPositions = 2048;
    int keyValueHeads = 0;             ///< 0: as many as heads
    bool keyValueHeadsNotNull = false; ///< a null num_key_value_heads fails; else it means as many as heads
    std::int64_t headSize = 0;         ///< 0: hidden size / heads, where head_dim is absent
    NullHeadSize nullHeadSize = NullHeadSize::Derived;
    double epsilon = 1e-6;
    const char* epsilonField = "rms_norm_eps";
    const char* activationField = "hidden_act";
    const char* activation = "silu";
    bool tied = false;
    std::optional<std::int64_t> paddingId; ///< pad_token_id
    bool oldRotaryTypeWins = false;        ///< RotaryDefaults::oldTypeWins
    ScalingForms forms = ScalingForms::All;
    std::optional<std::int64_t> originalPositions; ///< RotaryDefaults::originalPositions
    std::string rotaryLayerType;                   ///< RotaryDefaults::layerType
    bool wholeHead = false;                        ///< RotaryDefaults::wholeHead
    bool roundsUp = false;                         ///< RotaryDefaults::roundsUp
    bool interleaved = false;
    double theta = 10000.0;
    double partialFactor = 1.0;
    NormKind norm = NormKind::Rms;
};

/// A causal decoder of pre-norm blocks with rotary embeddings (one for all layers) and a gated feed-forward
/// part: no biases, no windows; Llama's tensor names. trainedPositions, the head and everything else that
/// follows from config.json is filled in, but completeSpec() is left to the caller.
ModelSpec llamaLikeSpec(const Checkpoint& checkpoint, const ConfigReader& config,
                        const LlamaLikeDefaults& defaults);

/// NAME.weight has a NAME.bias beside it.
void addBias(LinearSpec& linear);
/// Gives q, k, v and, with `output`, o a bias in every layer.
void addAttentionBiases(ModelSpec& spec, bool output);
void addFeedForwardBiases(ModelSpec& spec);
/// Normalises queries and keys by self_attn.q_norm and k_norm, before the rotary embedding.
void addHeadNorms(ModelSpec& spec, HeadNormSpec::Scope scope, NormKind kind);

/// sliding_window: `fallback` when absent, none when null.
std::optional<std::int64_t> windowOf(const ConfigReader& config, std::optional<std::int64_t> fallback);
/// The last `window` keys in the given layers. Throws Error where there are such layers and no window.
void setWindow(ModelSpec& spec, std::optional<std::int64_t> window, const std::vector<bool>& sliding);
/// Which layers slide: layer_types, else what `isSliding` says of each.
std::vector<bool> slidingOr(const ConfigReader& config, const ModelSpec& spec,
                            const std::function<bool(int layer)>& isSliding);
/// The same, where all slide but every sliding_window_pattern-th.
std::vector<bool> slidingByPattern(const ConfigReader& config, const ModelSpec& spec, std::int64_t fallback);

// The families, one line each in the table of families.cpp.
ModelSpec gemmaSpec(const Checkpoint& checkpoint);
ModelSpec gemma2Spec(const Checkpoint& checkpoint);
ModelSpec gemma3Spec(const Checkpoint& checkpoint);
ModelSpec gemma3TextSpec(const Checkpoint& checkpoint);
ModelSpec graniteSpec(const Checkpoint& checkpoint);
ModelSpec llamaSpec(const Checkpoint& checkpoint);
ModelSpec ministralSpec(const Checkpoint& checkpoint);
ModelSpec mistralSpec(const Checkpoint& checkpoint);
ModelSpec olmo2Spec(const Checkpoint& checkpoint);
ModelSpec qwen2Spec(const Checkpoint& checkpoint);
ModelSpec qwen3Spec(const Checkpoint& checkpoint);
ModelSpec smollm3Spec(const Checkpoint& checkpoint);

} // namespace headscope
