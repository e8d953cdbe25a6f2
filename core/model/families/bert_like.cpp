// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/bert_like.h"

#include "core/base/error.h"

#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

/// What config.json says of all layers.
struct Layers {
    std::int64_t hidden = 0;
    int count = 0;
    int heads = 0;
    std::int64_t intermediate = 0;
    std::int64_t positions = 0;
    double epsilon = 1e-12;
    Activation activation = Activation::GeluErf;
    std::string positionType; ///< position_embedding_type
    bool decoder = false;
    bool cross = false;
};

std::string positionTypeOf(const ConfigReader& config, bool decoder) {
    std::string type = config.oneOf("position_embedding_type", "absolute",
                                    {"absolute", "relative_key", "relative_key_query"});
    // With a cache, a decoder of this kind takes the last position for every row: maps nobody expects.
    if (type != "absolute" && decoder && flagOf(config, "use_cache", true))
        fail(config.subject() + ": position_embedding_type",
             fmt::format("\"{}\" in a decoder that uses a cache", type), "expected absolute",
             "set use_cache to false");
    return type;
}

Layers layersOf(const ConfigReader& config, const BertLikeDefaults& defaults) {
    Layers layers;
    layers.hidden = hiddenSizeOf(config, "hidden_size", defaults.hiddenSize);
    layers.count = layersOf(config, "num_hidden_layers", 12);
    layers.heads = headsOf(config, "num_attention_heads", defaults.heads);
    layers.intermediate = intermediateSizeOf(config, "intermediate_size", defaults.intermediateSize);
    layers.positions = positionsOf(config, "max_position_embeddings", 512);
    layers.epsilon = epsilonOf(config, "layer_norm_eps", 1e-12);
    layers.activation = activationOf(config, "hidden_act", "gelu");
    layers.decoder = config.boolean("is_decoder", false);
    layers.cross = config.boolean("add_cross_attention", false);
    layers.positionType = positionTypeOf(config, layers.decoder);
    if (layers.cross && !layers.decoder)
        fail(config.subject() + ": add_cross_attention", "it is true in a model that is no decoder",
             "expected is_decoder to be true as well");
    evenHeadSize(layers.hidden, layers.heads);
    return layers;
}

AttentionSpec attentionSpec(const std::string& prefix, const Layers& layers) {
    AttentionSpec attention;
    attention.heads = attention.keyValueHeads = layers.heads;
    attention.headSize = layers.hidden / layers.heads;
    attention.scale = 1.0 / std::sqrt(static_cast<double>(attention.headSize));
    attention.projections.query = linearSpec(prefix + "self.query");
    attention.projections.key = linearSpec(prefix + "self.key");
    attention.projections.value = linearSpec(prefix + "self.value");
    attention.projections.output = linearSpec(prefix + "output.dense");
    return attention;
}

BlockSpec blockSpec(const Layers& layers, int layer) {
    const std::string prefix = fmt::format("encoder.layer.{}.", layer);
    const auto norm = [&](const std::string& name) {
        return layerNormSpec(prefix + name + ".LayerNorm", layers.epsilon);
    };
    BlockSpec block;
    block.attention = attentionSpec(prefix + "attention.", layers);
    block.attention.causal = layers.decoder;
    if (layers.positionType != "absolute")
        block.attention.position = RelativeKey{prefix + "attention.self.distance_embedding.weight",
                                               layers.positions, layers.positionType == "relative_key_query"};
    block.attentionBranch.after = norm("attention.output");
    if (layers.cross) {
        block.cross.emplace();
        block.cross->attention = attentionSpec(prefix + "crossattention.", layers);
        block.cross->branch.after = norm("crossattention.output");
    }
    block.feedForward.intermediateSize = layers.intermediate;
    block.feedForward.activation = layers.activation;
    block.feedForward.up = linearSpec(prefix + "intermediate.dense");
    block.feedForward.down = linearSpec(prefix + "output.dense");
    block.feedForwardBranch.after = norm("output");
    block.weightsOf = static_cast<std::size_t>(layer);
    return block;
}

EmbeddingSpec embeddingSpec(const ConfigReader& config, const BertLikeDefaults& defaults,
                            const Layers& layers) {
    EmbeddingSpec embedding;
    embedding.words = "embeddings.word_embeddings.weight";
    embedding.vocabularySize = vocabularySizeOf(config, defaults.vocabularySize);
    embedding.width = layers.hidden;
    if (defaults.embeddingSize > 0)
        embedding.width = hiddenSizeOf(config, "embedding_size", defaults.embeddingSize);
    if (embedding.width != layers.hidden) embedding.projection = linearSpec("embeddings_project");
    embedding.types = "embeddings.token_type_embeddings.weight";
    embedding.typeCount = config.integer("type_vocab_size", 2, 1, spec_limits::kTokenTypes);
    embedding.norm = layerNormSpec("embeddings.LayerNorm", layers.epsilon);
    if (layers.positionType == "absolute") {
        embedding.positions.source = PositionEmbeddingSpec::Source::Table;
        embedding.positions.table = "embeddings.position_embeddings.weight";
        embedding.positions.rows = layers.positions;
    }
    return embedding;
}

/// The first token stands in the row after the padding id's.
void countPositionsFrom(std::optional<std::int64_t> paddingId, TransformerSpec& stack, std::int64_t rows) {
    const std::string subject = "config.json: pad_token_id";
    if (!paddingId || *paddingId < -1)
        fail(subject, paddingId ? std::to_string(*paddingId) : std::string("found null"),
             "expected the id from which positions are counted");
    const bool table = stack.embedding.positions.source == PositionEmbeddingSpec::Source::Table;
    if (*paddingId + (table ? 1 : 0) >= rows)
        fail(subject, fmt::format("positions are counted from {}, and there are {}", *paddingId, rows),
             "expected max_position_embeddings to be larger");
    if (!table) return;
    stack.embedding.positions.paddingId = paddingId;
    stack.maxPositions = rows - *paddingId - 1;
}

} // namespace

ModelSpec bertLikeSpec(const Checkpoint& checkpoint, const BertLikeDefaults& defaults) {
    const ConfigReader config(checkpoint.config, "config.json");
    config.requireFalse("is_encoder_decoder");
    refuseNulls(config, {"type_vocab_size", "position_embedding_type"});
    refusePrunedHeads(config);
    const Layers layers = layersOf(config, defaults);

    ModelSpec spec;
    spec.family = defaults.family;
    spec.normEpsilon = layers.epsilon;
    spec.initializerRange = config.real("initializer_range", 0.02, 0.0, 1e6);
    spec.main.prefixes = {defaults.prefix, ""};
    spec.main.hiddenSize = layers.hidden;
    spec.main.embedding = embeddingSpec(config, defaults, layers);
    spec.main.maxPositions = layers.positions;
    const EmbeddingSpec& embedding = spec.main.embedding;
    const auto paddingId = paddingIdOf(config, defaults.paddingId, embedding.vocabularySize);
    if (defaults.positionsFromPadding) countPositionsFrom(paddingId, spec.main, layers.positions);
    if (defaults.takesTypes) spec.tokenTypes = embedding.typeCount;
    for (int layer = 0; layer < layers.count; ++layer) spec.main.blocks.push_back(blockSpec(layers, layer));
    if (layers.cross)
        spec.notes.push_back(
            "config.json: the decoder's cross-attention is not used, as no encoder is given");

    MaskedHead head = defaults.head;
    if (!defaults.headHasOwnActivation) head.activation = layers.activation;
    head.epsilon = layers.epsilon;
    head.vocabularySize = embedding.vocabularySize;
    head.width = embedding.width;
    spec.head = maskedHeadSpec(checkpoint, head, flagOf(config, "tie_word_embeddings", true));
    completeSpec(spec);
    return spec;
}

ModelSpec bertSpec(const Checkpoint& checkpoint) {
    BertLikeDefaults defaults;
    defaults.family = "bert";
    defaults.prefix = "bert.";
    const std::string predictions = "cls.predictions.";
    defaults.head.dense = predictions + "transform.dense";
    defaults.head.norm = predictions + "transform.LayerNorm";
    defaults.head.words = predictions + "decoder";
    defaults.head.biases = {predictions + "bias", predictions + "decoder.bias"};
    return bertLikeSpec(checkpoint, defaults);
}

} // namespace headscope
