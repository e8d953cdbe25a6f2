// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/albert.h"

#include "core/base/error.h"
#include "core/model/families/masked_head.h"

#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

/// How often the groups' layers are run.
struct Steps {
    int count = 0;
    int groups = 1;
    int inner = 1; ///< layers of a group

    /// As upstream, where the number of steps need not be a multiple of the groups.
    int groupOf(int step) const {
        return static_cast<int>(step / (static_cast<double>(count) / static_cast<double>(groups)));
    }
};

Steps stepsOf(const ConfigReader& config) {
    Steps steps;
    steps.count = layersOf(config, "num_hidden_layers", 12);
    steps.groups = layersOf(config, "num_hidden_groups", 1);
    steps.inner = layersOf(config, "inner_group_num", 1);
    if (steps.inner > steps.count / steps.groups)
        fail(config.subject() + ": inner_group_num",
             fmt::format("{} layers in each of {} groups for {} steps", steps.inner, steps.groups,
                         steps.count),
             "expected at most as many as each group has steps", "transformers cannot run such a model");
    if (steps.count * steps.inner > spec_limits::kLayers)
        fail(config.subject() + ": inner_group_num",
             fmt::format("{} layers in each of {} steps", steps.inner, steps.count),
             fmt::format("expected at most {} layers in all", spec_limits::kLayers));
    return steps;
}

BlockSpec blockSpec(const BlockSpec& common, const std::string& prefix, double epsilon) {
    BlockSpec block = common;
    ProjectionSpec& projections = block.attention.projections;
    projections.query = linearSpec(prefix + "attention.query");
    projections.key = linearSpec(prefix + "attention.key");
    projections.value = linearSpec(prefix + "attention.value");
    projections.output = linearSpec(prefix + "attention.dense");
    if (auto* relative = std::get_if<RelativeKey>(&block.attention.position))
        relative->table = prefix + "attention.distance_embedding.weight";
    block.attentionBranch.after = layerNormSpec(prefix + "attention.LayerNorm", epsilon);
    block.feedForward.up = linearSpec(prefix + "ffn");
    block.feedForward.down = linearSpec(prefix + "ffn_output");
    block.feedForwardBranch.after = layerNormSpec(prefix + "full_layer_layer_norm", epsilon);
    return block;
}

std::vector<BlockSpec> blocksOf(const Steps& steps, const BlockSpec& common, double epsilon) {
    std::vector<BlockSpec> blocks;
    std::vector<std::size_t> firstOf(static_cast<std::size_t>(steps.groups));
    for (int step = 0; step < steps.count; ++step) {
        const int group = steps.groupOf(step);
        const bool again = step > 0 && steps.groupOf(step - 1) == group;
        if (!again) firstOf[static_cast<std::size_t>(group)] = blocks.size();
        for (int inner = 0; inner < steps.inner; ++inner) {
            blocks.push_back(blockSpec(
                common, fmt::format("encoder.albert_layer_groups.{}.albert_layers.{}.", group, inner),
                epsilon));
            blocks.back().weightsOf =
                firstOf[static_cast<std::size_t>(group)] + static_cast<std::size_t>(inner);
        }
    }
    return blocks;
}

} // namespace

ModelSpec albertSpec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    refusePrunedHeads(config);
    refuseNulls(config, {"type_vocab_size", "position_embedding_type"});
    ModelSpec spec;
    spec.family = "albert";
    spec.normEpsilon = epsilonOf(config, "layer_norm_eps", 1e-12);
    spec.initializerRange = config.real("initializer_range", 0.02, 0.0, 1e6);
    TransformerSpec& stack = spec.main;
    stack.prefixes = {"albert.", ""};
    stack.hiddenSize = hiddenSizeOf(config, "hidden_size", 4096);
    EmbeddingSpec& embedding = stack.embedding;
    embedding.words = "embeddings.word_embeddings.weight";
    embedding.vocabularySize = vocabularySizeOf(config, 30000);
    embedding.width = hiddenSizeOf(config, "embedding_size", 128);
    embedding.types = "embeddings.token_type_embeddings.weight";
    embedding.typeCount = config.integer("type_vocab_size", 2, 1, spec_limits::kTokenTypes);
    embedding.norm = layerNormSpec("embeddings.LayerNorm", spec.normEpsilon);
    embedding.projection = linearSpec("encoder.embedding_hidden_mapping_in");
    paddingIdOf(config, 0, embedding.vocabularySize);
    spec.tokenTypes = embedding.typeCount;
    const std::int64_t positions = positionsOf(config, "max_position_embeddings", 512);
    stack.maxPositions = positions;

    BlockSpec common;
    AttentionSpec& attention = common.attention;
    attention.heads = attention.keyValueHeads = headsOf(config, "num_attention_heads", 64);
    attention.headSize = evenHeadSize(stack.hiddenSize, attention.heads);
    attention.scale = 1.0 / std::sqrt(static_cast<double>(attention.headSize));
    const std::string positionType = config.oneOf("position_embedding_type", "absolute",
                                                  {"absolute", "relative_key", "relative_key_query"});
    if (positionType == "absolute") {
        embedding.positions.source = PositionEmbeddingSpec::Source::Table;
        embedding.positions.table = "embeddings.position_embeddings.weight";
        embedding.positions.rows = positions;
    } else {
        // Its terms are not scaled, unlike BERT's.
        attention.position = RelativeKey{{}, positions, positionType == "relative_key_query", false};
    }
    common.feedForward.intermediateSize = intermediateSizeOf(config, "intermediate_size", 16384);
    common.feedForward.activation = activationOf(config, "hidden_act", "gelu_new");
    stack.blocks = blocksOf(stepsOf(config), common, spec.normEpsilon);

    MaskedHead head;
    head.dense = "predictions.dense";
    head.norm = "predictions.LayerNorm";
    head.words = "predictions.decoder";
    head.biases = {"predictions.decoder.bias", "predictions.bias"};
    head.activation = common.feedForward.activation;
    head.epsilon = spec.normEpsilon;
    head.vocabularySize = embedding.vocabularySize;
    head.width = embedding.width;
    spec.head = maskedHeadSpec(checkpoint, head, flagOf(config, "tie_word_embeddings", true));
    completeSpec(spec);
    return spec;
}

} // namespace headscope
