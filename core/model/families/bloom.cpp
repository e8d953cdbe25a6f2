// SPDX-License-Identifier: GPL-3.0-or-later
// Bloom: linear biases instead of positions.
#include "core/model/families/gpt.h"

#include <fmt/format.h>

namespace headscope {

ModelSpec bloomSpec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    DecoderSizes sizes;
    sizes.hidden = hiddenSizeByEitherName(config, 64);
    sizes.layers = layersOf(config, {"n_layer", "num_hidden_layers"}, 2);
    sizes.heads = headsOf(config, {"n_head", "num_attention_heads"}, 8);
    sizes.intermediate = 4 * sizes.hidden;
    sizes.vocabulary = vocabularySizeOf(config, 250880);
    sizes.epsilon = epsilonOf(config, "layer_norm_epsilon", 1e-5);
    ModelSpec spec = decoderSpec(config, "bloom", sizes, "word_embeddings.weight");
    spec.main.embedding.norm = layerNormSpec("word_embeddings_layernorm", sizes.epsilon);

    BlockSpec common;
    common.attention = causalAttention(sizes);
    common.attention.projections.layout = FusedLayout::Grouped;
    common.attention.position = Alibi{};
    common.feedForward.intermediateSize = sizes.intermediate;
    common.feedForward.activation = Activation::GeluTanh;
    common.residualFromNorm = config.boolean("apply_residual_connection_post_layernorm", false);
    // The product in slices, meant to repeat the rounding of the training, leaves out the output's bias.
    refuseNull(config, "pretraining_tp");
    const bool bias = config.integer("pretraining_tp", 1, INT32_MIN, INT32_MAX) <= 1 ||
                      !config.boolean("slow_but_exact", false);
    for (int layer = 0; layer < sizes.layers; ++layer) {
        const std::string prefix = fmt::format("h.{}.", layer);
        BlockSpec block = common;
        block.weightsOf = static_cast<std::size_t>(layer);
        block.attention.projections.fused = linearSpec(prefix + "self_attention.query_key_value");
        block.attention.projections.output = linearSpec(prefix + "self_attention.dense", bias);
        block.attentionBranch.before = layerNormSpec(prefix + "input_layernorm", sizes.epsilon);
        block.feedForward.up = linearSpec(prefix + "mlp.dense_h_to_4h");
        block.feedForward.down = linearSpec(prefix + "mlp.dense_4h_to_h", bias);
        block.feedForwardBranch.before = layerNormSpec(prefix + "post_attention_layernorm", sizes.epsilon);
        spec.main.blocks.push_back(std::move(block));
    }
    spec.main.finalNorm = layerNormSpec("ln_f", sizes.epsilon);
    spec.head = languageHead(checkpoint, flagOf(config, "tie_word_embeddings", true), sizes.vocabulary);
    completeSpec(spec);
    return spec;
}

} // namespace headscope
