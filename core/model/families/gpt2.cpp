// SPDX-License-Identifier: GPL-3.0-or-later
// GPT-2 and GPTBigCode (StarCoder), which has its names and fields.
#include "core/model/families/gpt.h"

#include <fmt/format.h>

namespace headscope {

namespace {

/// Where the two differ.
struct Differences {
    std::string family;
    WeightLayout layout = WeightLayout::InOut;
    const char* activation = "gelu_new";
    bool scaledByLayer = false; ///< the scores of layer n are divided by n + 1 too
};

LinearSpec named(const Differences& differences, const std::string& name) {
    return {name + ".weight", name + ".bias", differences.layout};
}

DecoderSizes sizesOf(const ConfigReader& config) {
    DecoderSizes sizes;
    sizes.hidden = hiddenSizeOf(config, {"n_embd", "hidden_size"}, 768);
    sizes.layers = layersOf(config, {"n_layer", "num_hidden_layers"}, 12);
    sizes.heads = headsOf(config, {"n_head", "num_attention_heads"}, 12);
    sizes.intermediate = innerSizeOf(config, "n_inner", sizes.hidden);
    sizes.vocabulary = vocabularySizeOf(config, 50257);
    sizes.epsilon = epsilonOf(config, "layer_norm_epsilon", 1e-5);
    return sizes;
}

CrossSpec crossSpec(const Differences& differences, const std::string& prefix, const AttentionSpec& own,
                    double epsilon) {
    CrossSpec cross;
    cross.branch.before = layerNormSpec(prefix + "ln_cross_attn", epsilon);
    cross.attention = own;
    cross.attention.causal = false;
    ProjectionSpec& projections = cross.attention.projections;
    projections.layout = FusedLayout::KeyValue;
    projections.query = named(differences, prefix + "crossattention.q_attn");
    projections.fused = named(differences, prefix + "crossattention.c_attn");
    projections.output = named(differences, prefix + "crossattention.c_proj");
    return cross;
}

/// All but the head. `attention` says what the layers have in common.
ModelSpec stackSpec(const ConfigReader& config, const Differences& differences, const DecoderSizes& sizes,
                    const AttentionSpec& attention) {
    ModelSpec spec = decoderSpec(config, differences.family, sizes, "wte.weight");
    addPositionTable(spec, "wpe.weight",
                     positionsOf(config, {"n_positions", "max_position_embeddings"}, 1024));
    const bool cross = config.boolean("add_cross_attention", false);
    for (int layer = 0; layer < sizes.layers; ++layer) {
        const std::string prefix = fmt::format("h.{}.", layer);
        BlockSpec block;
        block.weightsOf = static_cast<std::size_t>(layer);
        block.attention = attention;
        if (differences.scaledByLayer) block.attention.scale /= layer + 1;
        if (cross) block.cross = crossSpec(differences, prefix, block.attention, sizes.epsilon);
        block.attention.projections.fused = named(differences, prefix + "attn.c_attn");
        block.attention.projections.output = named(differences, prefix + "attn.c_proj");
        block.attentionBranch.before = layerNormSpec(prefix + "ln_1", sizes.epsilon);
        block.feedForward.intermediateSize = sizes.intermediate;
        block.feedForward.activation = activationOf(config, "activation_function", differences.activation);
        block.feedForward.up = named(differences, prefix + "mlp.c_fc");
        block.feedForward.down = named(differences, prefix + "mlp.c_proj");
        block.feedForwardBranch.before = layerNormSpec(prefix + "ln_2", sizes.epsilon);
        spec.main.blocks.push_back(std::move(block));
    }
    spec.main.finalNorm = layerNormSpec("ln_f", sizes.epsilon);
    if (cross)
        spec.notes.push_back(
            "config.json: the decoder's cross-attention is not used, as no encoder is given");
    completeSpec(spec);
    return spec;
}

AttentionSpec attentionSpec(const ConfigReader& config, const DecoderSizes& sizes) {
    AttentionSpec attention = causalAttention(sizes);
    if (!flagOf(config, "scale_attn_weights", true)) attention.scale = 1.0;
    return attention;
}

} // namespace

ModelSpec gpt2Spec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    // reorder_and_upcast_attn changes the order of operations in half precision, not the maths.
    Differences differences;
    differences.family = "gpt2";
    if (checkpoint.linearsAreOutIn) differences.layout = WeightLayout::OutIn;
    differences.scaledByLayer = config.boolean("scale_attn_by_inverse_layer_idx", false);
    const DecoderSizes sizes = sizesOf(config);
    ModelSpec spec = stackSpec(config, differences, sizes, attentionSpec(config, sizes));
    spec.head = languageHead(checkpoint, flagOf(config, "tie_word_embeddings", true), spec.vocabularySize);
    return spec;
}

ModelSpec gptBigCodeSpec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    // transformers builds it for multi_query false only, and cannot run it then.
    config.requireFalse("add_cross_attention");
    Differences differences;
    differences.family = "gpt_bigcode";
    differences.layout = WeightLayout::OutIn;
    differences.activation = "gelu_pytorch_tanh";
    const DecoderSizes sizes = sizesOf(config);
    AttentionSpec attention = attentionSpec(config, sizes);
    attention.projections.layout = FusedLayout::Grouped;
    if (flagOf(config, "multi_query", true)) attention.keyValueHeads = 1;
    ModelSpec spec = stackSpec(config, differences, sizes, attention);
    spec.head = languageHead(checkpoint, flagOf(config, "tie_word_embeddings", true), spec.vocabularySize);
    return spec;
}

} // namespace headscope
