// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/xlnet.h"

#include "core/base/error.h"

#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

/// Its tokenizer's: the first text, the second, and the token that stands for all.
constexpr std::int64_t kSegments = 3;

LinearSpec headed(const std::string& weight) {
    return {weight, {}, WeightLayout::InHeads};
}

BlockSpec blockSpec(const BlockSpec& common, int layer, double epsilon) {
    const std::string prefix = fmt::format("layer.{}.", layer);
    const std::string attention = prefix + "rel_attn.";
    BlockSpec block = common;
    ProjectionSpec& projections = block.attention.projections;
    projections.query = headed(attention + "q");
    projections.key = headed(attention + "k");
    projections.value = headed(attention + "v");
    projections.output = headed(attention + "o");
    projections.queryBias = attention + "r_w_bias";
    auto& relative = std::get<XlnetRelative>(block.attention.position);
    relative.position = headed(attention + "r");
    relative.contentBias = attention + "r_w_bias";
    relative.positionBias = attention + "r_r_bias";
    relative.segmentBias = attention + "r_s_bias";
    relative.segments = attention + "seg_embed";
    block.attentionBranch.after = layerNormSpec(attention + "layer_norm", epsilon);
    block.feedForward.up = linearSpec(prefix + "ff.layer_1");
    block.feedForward.down = linearSpec(prefix + "ff.layer_2");
    block.feedForwardBranch.after = layerNormSpec(prefix + "ff.layer_norm", epsilon);
    block.weightsOf = static_cast<std::size_t>(layer);
    return block;
}

AttentionSpec attentionSpec(const ConfigReader& config, std::int64_t modelSize) {
    AttentionSpec attention;
    attention.heads = attention.keyValueHeads = headsOf(config, {"n_head", "num_attention_heads"}, 16);
    attention.headSize = evenHeadSize(modelSize, attention.heads);
    config.requireInteger("d_head", attention.headSize);
    attention.scale = 1.0 / std::sqrt(static_cast<double>(attention.headSize));
    attention.causal = config.oneOf("attn_type", "bi", {"bi", "uni"}) == "uni";
    // Without a memory it would leave each token itself alone; where both ways are seen it changes nothing.
    if (attention.causal) config.requireFalse("same_length");
    XlnetRelative relative;
    relative.clampLength = config.integer("clamp_len", -1, -spec_limits::kPositions, spec_limits::kPositions);
    attention.position = relative;
    return attention;
}

} // namespace

ModelSpec xlnetSpec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    config.requireFalse("bi_data");
    config.requireAbsent("max_position_embeddings");
    refusePrunedHeads(config);
    refuseNulls(config, {"attn_type", "clamp_len", "d_head"});
    ModelSpec spec;
    spec.family = "xlnet";
    spec.normEpsilon = epsilonOf(config, "layer_norm_eps", 1e-12);
    spec.initializerRange = config.real("initializer_range", 0.02, 0.0, 1e6);
    spec.tokenTypes = kSegments;
    TransformerSpec& stack = spec.main;
    stack.prefixes = {"transformer.", ""};
    stack.hiddenSize = hiddenSizeOf(config, {"d_model", "hidden_size"}, 1024);
    if (stack.hiddenSize % 2 != 0)
        fail(config.subject() + ": d_model", fmt::format("{} is odd", stack.hiddenSize),
             "expected an even number: positions are pairs of sines and cosines");
    stack.embedding.words = "word_embedding.weight";
    stack.embedding.vocabularySize = vocabularySizeOf(config, 32000, {"vocab_size", "n_token"});
    stack.embedding.width = stack.hiddenSize;

    BlockSpec common;
    common.attention = attentionSpec(config, stack.hiddenSize);
    common.feedForward.intermediateSize = intermediateSizeOf(config, "d_inner", 4096);
    common.feedForward.activation = activationOf(config, "ff_activation", "gelu");
    const int layers = layersOf(config, {"n_layer", "num_hidden_layers"}, 24);
    for (int layer = 0; layer < layers; ++layer)
        stack.blocks.push_back(blockSpec(common, layer, spec.normEpsilon));
    spec.head = languageHead(checkpoint, flagOf(config, "tie_word_embeddings", true),
                             stack.embedding.vocabularySize, "lm_loss");
    // The head has a bias of its own, also where its matrix is the word table.
    const std::vector<std::string> noPrefix{""};
    if (spec.head && hasTensor(checkpoint, noPrefix, "lm_loss.bias")) spec.head->bias = "lm_loss.bias";
    completeSpec(spec);
    return spec;
}

} // namespace headscope
