// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/mpnet.h"

#include "core/base/error.h"
#include "core/model/families/masked_head.h"

#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

/// Fixed upstream, whatever pad_token_id says.
constexpr std::int64_t kPaddingId = 1;
/// Likewise; the field in config.json sizes the table alone.
constexpr std::int64_t kBuckets = 32;
constexpr std::int64_t kMaxDistance = 128;

BlockSpec blockSpec(const BlockSpec& common, int layer, double epsilon) {
    const std::string prefix = fmt::format("encoder.layer.{}.", layer);
    BlockSpec block = common;
    ProjectionSpec& projections = block.attention.projections;
    projections.query = linearSpec(prefix + "attention.attn.q");
    projections.key = linearSpec(prefix + "attention.attn.k");
    projections.value = linearSpec(prefix + "attention.attn.v");
    projections.output = linearSpec(prefix + "attention.attn.o");
    block.attentionBranch.after = layerNormSpec(prefix + "attention.LayerNorm", epsilon);
    block.feedForward.up = linearSpec(prefix + "intermediate.dense");
    block.feedForward.down = linearSpec(prefix + "output.dense");
    block.feedForwardBranch.after = layerNormSpec(prefix + "output.LayerNorm", epsilon);
    block.weightsOf = static_cast<std::size_t>(layer);
    return block;
}

} // namespace

ModelSpec mpnetSpec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    refusePrunedHeads(config);
    refuseNull(config, "relative_attention_num_buckets");
    config.requireInteger("relative_attention_num_buckets", kBuckets);
    ModelSpec spec;
    spec.family = "mpnet";
    spec.normEpsilon = epsilonOf(config, "layer_norm_eps", 1e-12);
    spec.initializerRange = config.real("initializer_range", 0.02, 0.0, 1e6);
    TransformerSpec& stack = spec.main;
    stack.prefixes = {"mpnet.", ""};
    stack.hiddenSize = hiddenSizeOf(config, "hidden_size", 768);
    EmbeddingSpec& embedding = stack.embedding;
    embedding.words = "embeddings.word_embeddings.weight";
    embedding.vocabularySize = vocabularySizeOf(config, 30527);
    embedding.width = stack.hiddenSize;
    embedding.norm = layerNormSpec("embeddings.LayerNorm", spec.normEpsilon);
    embedding.positions.source = PositionEmbeddingSpec::Source::Table;
    embedding.positions.table = "embeddings.position_embeddings.weight";
    embedding.positions.rows = positionsOf(config, "max_position_embeddings", 512);
    embedding.positions.paddingId = kPaddingId;
    stack.maxPositions = embedding.positions.rows - kPaddingId - 1;
    if (embedding.vocabularySize <= kPaddingId || *stack.maxPositions < 1)
        fail(config.subject(),
             fmt::format("{} words and {} positions", embedding.vocabularySize, embedding.positions.rows),
             fmt::format("expected room beside the padding id, which is {}", kPaddingId));

    BlockSpec common;
    AttentionSpec& attention = common.attention;
    attention.heads = attention.keyValueHeads = headsOf(config, "num_attention_heads", 12);
    attention.headSize = evenHeadSize(stack.hiddenSize, attention.heads);
    attention.scale = 1.0 / std::sqrt(static_cast<double>(attention.headSize));
    attention.causal = config.boolean("is_decoder", false);
    attention.position = BucketBias{"encoder.relative_attention_bias.weight", kBuckets, kMaxDistance, true};
    common.feedForward.intermediateSize = intermediateSizeOf(config, "intermediate_size", 3072);
    common.feedForward.activation = activationOf(config, "hidden_act", "gelu");
    const int layers = layersOf(config, "num_hidden_layers", 12);
    for (int layer = 0; layer < layers; ++layer)
        stack.blocks.push_back(blockSpec(common, layer, spec.normEpsilon));

    MaskedHead head;
    head.dense = "lm_head.dense";
    head.norm = "lm_head.layer_norm";
    head.words = "lm_head.decoder";
    head.biases = {"lm_head.bias", "lm_head.decoder.bias"};
    head.epsilon = spec.normEpsilon;
    head.vocabularySize = embedding.vocabularySize;
    head.width = stack.hiddenSize;
    spec.head = maskedHeadSpec(checkpoint, head, flagOf(config, "tie_word_embeddings", true));
    completeSpec(spec);
    return spec;
}

} // namespace headscope
