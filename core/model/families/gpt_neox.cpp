// SPDX-License-Identifier: GPL-3.0-or-later
// GPT-NeoX (Pythia): the first part of each head is rotated; both halves of a block read its input, unless
// use_parallel_residual is false.
#include "core/model/families/gpt.h"
#include "core/model/families/rotary_config.h"

#include <fmt/format.h>

namespace headscope {

namespace {

RotarySpec rotarySpec(const ConfigReader& config, std::int64_t headSize,
                      std::optional<std::int64_t> positions) {
    // Any other head_dim would change the rotation upstream, and nothing else.
    config.requireInteger("head_dim", headSize);
    RotaryDefaults defaults;
    defaults.headSize = headSize;
    defaults.partialFactor = 0.25;
    defaults.thetaField = "rotary_emb_base";
    defaults.partialField = "rotary_pct";
    defaults.maxPositions = positions;
    defaults.oldTypeWins = true;
    defaults.roundsUp = true;
    return rotaryOf(config, defaults);
}

} // namespace

ModelSpec gptNeoXSpec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    DecoderSizes sizes;
    sizes.hidden = hiddenSizeOf(config, "hidden_size", 6144);
    sizes.layers = layersOf(config, "num_hidden_layers", 44);
    sizes.heads = headsOf(config, "num_attention_heads", 64);
    sizes.intermediate = intermediateSizeOf(config, "intermediate_size", 24576);
    sizes.vocabulary = vocabularySizeOf(config, 50432);
    sizes.epsilon = epsilonOf(config, "layer_norm_eps", 1e-5);
    ModelSpec spec = decoderSpec(config, "gpt_neox", sizes, "embed_in.weight");
    spec.main.prefixes = {"gpt_neox.", ""};
    spec.trainedPositions = positionsOrNone(config, "max_position_embeddings", 2048);

    BlockSpec common;
    common.attention = causalAttention(sizes);
    common.attention.rotary = 0;
    spec.main.rotaries = {rotarySpec(config, common.attention.headSize, spec.trainedPositions)};
    common.attention.projections.layout = FusedLayout::Grouped;
    common.feedForward.intermediateSize = sizes.intermediate;
    common.feedForward.activation = activationOf(config, "hidden_act", "gelu");
    common.parallel = flagOf(config, "use_parallel_residual", true);
    const bool bias = flagOf(config, "attention_bias", true);
    for (int layer = 0; layer < sizes.layers; ++layer) {
        const std::string prefix = fmt::format("layers.{}.", layer);
        BlockSpec block = common;
        block.weightsOf = static_cast<std::size_t>(layer);
        block.attention.projections.fused = linearSpec(prefix + "attention.query_key_value", bias);
        block.attention.projections.output = linearSpec(prefix + "attention.dense", bias);
        block.attentionBranch.before = layerNormSpec(prefix + "input_layernorm", sizes.epsilon);
        block.feedForward.up = linearSpec(prefix + "mlp.dense_h_to_4h");
        block.feedForward.down = linearSpec(prefix + "mlp.dense_4h_to_h");
        block.feedForwardBranch.before = layerNormSpec(prefix + "post_attention_layernorm", sizes.epsilon);
        spec.main.blocks.push_back(std::move(block));
    }
    spec.main.finalNorm = layerNormSpec("final_layer_norm", sizes.epsilon);
    spec.head =
        languageHead(checkpoint, config.boolean("tie_word_embeddings", false), sizes.vocabulary, "embed_out");
    completeSpec(spec);
    return spec;
}

} // namespace headscope
