// SPDX-License-Identifier: GPL-3.0-or-later
// Falcon: three generations of layers under one name, with rotary embeddings or with linear biases.
#include "core/base/error.h"
#include "core/model/families/gpt.h"
#include "core/model/families/rotary_config.h"

#include <array>
#include <fmt/format.h>

namespace headscope {

namespace {

/// What is normalised before the two parts of a block.
enum class Norms {
    Sequential, ///< attention, then the feed-forward part, each with its own
    Shared,     ///< both read the same normalised input
    Both        ///< both read the input, each with its own
};

/// Files of before the family had its name count in other fields, which transformers would not read.
void refuseOldSpelling(const ConfigReader& config) {
    constexpr std::array<std::array<const char*, 2>, 3> kOldNames{
        {{"n_layer", "num_hidden_layers"}, {"n_head", "num_attention_heads"}, {"n_head_kv", "num_kv_heads"}}};
    for (const auto& [old, now] : kOldNames)
        if (config.has(old) && !config.has(now))
            fail(config.subject() + ": " + old,
                 "this is the spelling of RefinedWeb, before Falcon had its name",
                 fmt::format("expected {}", now), "rename the fields as a newer release of the model does");
}

/// Key/value heads. The matrix lies as the query heads of each, its key, its value, in all three generations.
int sharedHeads(const ConfigReader& config, int heads, bool newArchitecture) {
    if (newArchitecture) return keyValueHeadsOf(config, "num_kv_heads", heads, heads);
    if (flagOf(config, "multi_query", true)) return 1;
    config.requireInteger("num_kv_heads", heads);
    return heads;
}

Norms normsOf(const ConfigReader& config, bool newArchitecture) {
    const bool parallel = flagOf(config, "parallel_attn", true);
    const std::optional<std::int64_t> count = config.optionalInteger("num_ln_in_parallel_attn", 0, INT32_MAX);
    if (!newArchitecture) {
        if (!parallel) return Norms::Sequential;
        if (count == 2) config.refuse("num_ln_in_parallel_attn", "1 without new_decoder_architecture");
        return Norms::Shared;
    }
    if (!parallel) config.refuse("parallel_attn", "true with new_decoder_architecture");
    if (count.value_or(2) == 2) return Norms::Both;
    config.requireInteger("num_ln_in_parallel_attn", 1);
    return Norms::Shared;
}

RotarySpec rotarySpec(const ConfigReader& config, std::int64_t headSize,
                      std::optional<std::int64_t> positions) {
    RotaryDefaults defaults;
    defaults.headSize = headSize;
    defaults.maxPositions = positions;
    defaults.wholeHead = true;
    return rotaryOf(config, defaults);
}

void nameNorms(BlockSpec& block, const std::string& prefix, Norms norms, double epsilon) {
    const bool both = norms == Norms::Both;
    block.parallel = norms != Norms::Sequential;
    block.attentionBranch.before = layerNormSpec(prefix + (both ? "ln_attn" : "input_layernorm"), epsilon);
    if (norms == Norms::Shared) return;
    block.feedForwardBranch.before =
        layerNormSpec(prefix + (both ? "ln_mlp" : "post_attention_layernorm"), epsilon);
}

DecoderSizes sizesOf(const ConfigReader& config) {
    DecoderSizes sizes;
    sizes.hidden = hiddenSizeByEitherName(config, 4544);
    sizes.layers = layersOf(config, "num_hidden_layers", 32);
    sizes.heads = headsOf(config, "num_attention_heads", 71);
    // Not of the model size where that is called n_embed: upstream looks at hidden_size alone.
    sizes.intermediate = innerSizeOf(config, "ffn_hidden_size", hiddenSizeOf(config, "hidden_size", 4544));
    sizes.vocabulary = vocabularySizeOf(config, 65024);
    sizes.epsilon = epsilonOf(config, "layer_norm_epsilon", 1e-5);
    return sizes;
}

} // namespace

ModelSpec falconSpec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    refuseOldSpelling(config);
    config.requireAbsent("head_dim"); // upstream it cannot be set, not even to null
    refuseNull(config, "head_dim");
    const DecoderSizes sizes = sizesOf(config);
    ModelSpec spec = decoderSpec(config, "falcon", sizes, "word_embeddings.weight");
    spec.trainedPositions = positionsOrNone(config, "max_position_embeddings", 2048);

    const bool newArchitecture = config.boolean("new_decoder_architecture", false);
    BlockSpec common;
    common.attention = causalAttention(sizes);
    common.attention.keyValueHeads = sharedHeads(config, sizes.heads, newArchitecture);
    common.attention.projections.layout = FusedLayout::Grouped;
    if (config.boolean("alibi", false)) {
        common.attention.position = Alibi{.bfloat16 = true};
    } else {
        spec.main.rotaries = {rotarySpec(config, common.attention.headSize, spec.trainedPositions)};
        common.attention.rotary = 0;
    }
    common.feedForward.intermediateSize = sizes.intermediate;
    common.feedForward.activation = activationOf(config, "activation", "gelu");
    const Norms norms = normsOf(config, newArchitecture);
    const bool bias = config.boolean("bias", false);
    for (int layer = 0; layer < sizes.layers; ++layer) {
        const std::string prefix = fmt::format("h.{}.", layer);
        BlockSpec block = common;
        block.weightsOf = static_cast<std::size_t>(layer);
        block.attention.projections.fused = linearSpec(prefix + "self_attention.query_key_value", bias);
        block.attention.projections.output = linearSpec(prefix + "self_attention.dense", bias);
        block.feedForward.up = linearSpec(prefix + "mlp.dense_h_to_4h", bias);
        block.feedForward.down = linearSpec(prefix + "mlp.dense_4h_to_h", bias);
        nameNorms(block, prefix, norms, sizes.epsilon);
        spec.main.blocks.push_back(std::move(block));
    }
    spec.main.finalNorm = layerNormSpec("ln_f", sizes.epsilon);
    spec.head = languageHead(checkpoint, flagOf(config, "tie_word_embeddings", true), sizes.vocabulary);
    completeSpec(spec);
    return spec;
}

} // namespace headscope
