// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/bert.h"

#include "core/base/error.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/config_reader.h"
#include "core/model/encoder_model.h"
#include "core/model/weight_loader.h"

#include <fmt/format.h>

namespace headscope {

namespace {

constexpr const char* kAnchor = "embeddings.word_embeddings.weight";
constexpr std::int64_t kTensorsOutsideLayers = 5;
constexpr std::int64_t kTensorsOfLayer = 16;

/// Pruned layers have fewer heads on disk and in the maps; such models are not rebuilt.
void refusePrunedHeads(const Json& config) {
    const Json* pruned = config.find("pruned_heads");
    if (pruned == nullptr || pruned->isNull()) return;
    if (!pruned->isObject())
        fail("config.json: pruned_heads", fmt::format("found {}", pruned->typeName()), "expected an object");
    for (const Json::Member& layer : pruned->members())
        if (!layer.second.isArray() || !layer.second.items().empty())
            fail("config.json: pruned_heads",
                 fmt::format("heads of layer {} were removed", escapeForMessage(layer.first, 20)),
                 "expected a model with all its heads");
}

PostNormBlock readBlock(WeightLoader& loader, const ModelSpec& spec, int layer) {
    const std::string prefix = fmt::format("encoder.layer.{}.", layer);
    const std::int64_t hidden = spec.hiddenSize;
    const StackSpec& stack = spec.stacks[0];
    MultiHeadAttention::Weights attention;
    attention.query = loader.linear(prefix + "attention.self.query", hidden, hidden);
    attention.key = loader.linear(prefix + "attention.self.key", hidden, hidden);
    attention.value = loader.linear(prefix + "attention.self.value", hidden, hidden);
    attention.output = loader.linear(prefix + "attention.output.dense", hidden, hidden);
    PostNormBlock::Weights weights;
    weights.attentionNorm = loader.norm(prefix + "attention.output.LayerNorm", hidden, spec.normEpsilon);
    weights.intermediate = loader.linear(prefix + "intermediate.dense", spec.intermediateSize, hidden);
    weights.output = loader.linear(prefix + "output.dense", hidden, spec.intermediateSize);
    weights.outputNorm = loader.norm(prefix + "output.LayerNorm", hidden, spec.normEpsilon);
    return {MultiHeadAttention(AttentionShape::divide(hidden, stack.heads), std::move(attention)),
            std::move(weights), spec.activation};
}

} // namespace

ModelSpec bertSpec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    config.requireString("position_embedding_type", "absolute");
    config.requireFalse("is_decoder");
    config.requireFalse("add_cross_attention");
    config.requireFalse("is_encoder_decoder");
    refusePrunedHeads(checkpoint.config);

    ModelSpec spec;
    spec.family = "bert";
    spec.hiddenSize = config.integer("hidden_size", 768, 1, spec_limits::kHiddenSize);
    StackSpec stack;
    stack.kind = AttentionKind::Self;
    stack.layers = static_cast<int>(config.integer("num_hidden_layers", 12, 1, spec_limits::kLayers));
    stack.heads = static_cast<int>(config.integer("num_attention_heads", 12, 1, spec_limits::kHeads));
    stack.keyValueHeads = stack.heads;
    stack.headSize = AttentionShape::divide(spec.hiddenSize, stack.heads).headSize;
    spec.stacks.push_back(stack);
    spec.intermediateSize = config.integer("intermediate_size", 3072, 1, spec_limits::kIntermediateSize);
    spec.vocabularySize = config.integer("vocab_size", 30522, 1, spec_limits::kVocabulary);
    spec.maxPositions = config.integer("max_position_embeddings", 512, 1, spec_limits::kPositions);
    spec.tokenTypes = config.integer("type_vocab_size", 2, 1, spec_limits::kTokenTypes);
    spec.activation = activationOf(config.string("hidden_act", "gelu"), "config.json: hidden_act");
    spec.normEpsilon = config.real("layer_norm_eps", 1e-12, 0.0, 1.0);
    spec.initializerRange = config.real("initializer_range", 0.02, 0.0, 1e6);
    return spec;
}

std::shared_ptr<const Model> loadBert(const Checkpoint& checkpoint, const LoadContext& context) {
    const ModelSpec spec = bertSpec(checkpoint);
    const int layers = spec.stacks[0].layers;
    WeightLoader loader(checkpoint, context, {"bert.", ""}, kAnchor);
    loader.expectTensors(kTensorsOutsideLayers + kTensorsOfLayer * layers);

    EncoderModel::Parts parts;
    parts.words = loader.rows(kAnchor, spec.vocabularySize, spec.hiddenSize);
    parts.positions =
        loader.matrix("embeddings.position_embeddings.weight", *spec.maxPositions, spec.hiddenSize);
    parts.types = loader.matrix("embeddings.token_type_embeddings.weight", spec.tokenTypes, spec.hiddenSize);
    parts.norm = loader.norm("embeddings.LayerNorm", spec.hiddenSize, spec.normEpsilon);
    for (int layer = 0; layer < layers; ++layer) parts.blocks.push_back(readBlock(loader, spec, layer));
    parts.parameters = loader.parameters();
    parts.notes = loader.notesOnUnusedTensors();
    return std::make_shared<EncoderModel>(spec, context.device, std::move(parts));
}

} // namespace headscope
