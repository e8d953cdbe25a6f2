// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/distilbert.h"

#include "core/model/families/masked_head.h"

#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr double kEpsilon = 1e-12;

BlockSpec blockSpec(const AttentionSpec& attention, const FeedForwardSpec& forward, int layer) {
    const std::string prefix = fmt::format("transformer.layer.{}.", layer);
    BlockSpec block;
    block.attention = attention;
    ProjectionSpec& projections = block.attention.projections;
    projections.query = linearSpec(prefix + "attention.q_lin");
    projections.key = linearSpec(prefix + "attention.k_lin");
    projections.value = linearSpec(prefix + "attention.v_lin");
    projections.output = linearSpec(prefix + "attention.out_lin");
    block.attentionBranch.after = layerNormSpec(prefix + "sa_layer_norm", kEpsilon);
    block.feedForward = forward;
    block.feedForward.up = linearSpec(prefix + "ffn.lin1");
    block.feedForward.down = linearSpec(prefix + "ffn.lin2");
    block.feedForwardBranch.after = layerNormSpec(prefix + "output_layer_norm", kEpsilon);
    block.weightsOf = static_cast<std::size_t>(layer);
    return block;
}

} // namespace

ModelSpec distilbertSpec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    refusePrunedHeads(config);
    ModelSpec spec;
    spec.family = "distilbert";
    spec.normEpsilon = kEpsilon;
    spec.initializerRange = config.real("initializer_range", 0.02, 0.0, 1e6);
    TransformerSpec& stack = spec.main;
    stack.prefixes = {"distilbert.", ""};
    stack.hiddenSize = hiddenSizeOf(config, {"dim", "hidden_size"}, 768);
    stack.embedding.words = "embeddings.word_embeddings.weight";
    stack.embedding.vocabularySize = vocabularySizeOf(config, 30522);
    stack.embedding.width = stack.hiddenSize;
    // The table is in the file also when sinusoidal_pos_embds says what it was filled with.
    stack.embedding.positions.source = PositionEmbeddingSpec::Source::Table;
    stack.embedding.positions.table = "embeddings.position_embeddings.weight";
    stack.embedding.positions.rows = positionsOf(config, "max_position_embeddings", 512);
    stack.maxPositions = stack.embedding.positions.rows;
    stack.embedding.norm = layerNormSpec("embeddings.LayerNorm", kEpsilon);
    paddingIdOf(config, 0, stack.embedding.vocabularySize);

    AttentionSpec attention;
    attention.heads = attention.keyValueHeads = headsOf(config, {"n_heads", "num_attention_heads"}, 12);
    attention.headSize = evenHeadSize(stack.hiddenSize, attention.heads);
    attention.scale = 1.0 / std::sqrt(static_cast<double>(attention.headSize));
    FeedForwardSpec forward;
    forward.intermediateSize = intermediateSizeOf(config, "hidden_dim", 3072);
    forward.activation = activationOf(config, "activation", "gelu");
    const int layers = layersOf(config, {"n_layers", "num_hidden_layers"}, 6);
    for (int layer = 0; layer < layers; ++layer) stack.blocks.push_back(blockSpec(attention, forward, layer));

    MaskedHead head;
    head.dense = "vocab_transform";
    head.norm = "vocab_layer_norm";
    head.words = "vocab_projector";
    head.biases = {"vocab_projector.bias"};
    head.activation = forward.activation;
    head.epsilon = kEpsilon;
    head.vocabularySize = stack.embedding.vocabularySize;
    head.width = stack.hiddenSize;
    spec.head = maskedHeadSpec(checkpoint, head, flagOf(config, "tie_word_embeddings", true));
    completeSpec(spec);
    return spec;
}

} // namespace headscope
