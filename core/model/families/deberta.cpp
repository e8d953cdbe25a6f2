// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/deberta.h"

#include "core/base/error.h"
#include "core/model/families/masked_head.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

std::string lowerCase(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

std::string trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

/// A list, or as older files have it "c2p|p2c".
std::vector<std::string> termsOf(const ConfigReader& config) {
    const char* field = "pos_att_type";
    const Json* value = config.value(field);
    if (value == nullptr) return {};
    std::vector<std::string> terms;
    if (value->isString()) {
        std::string_view rest = value->asString();
        for (std::size_t bar = 0; bar != std::string_view::npos;) {
            bar = rest.find('|');
            terms.push_back(trimmed(lowerCase(std::string(rest.substr(0, bar)))));
            if (bar != std::string_view::npos) rest.remove_prefix(bar + 1);
        }
    } else {
        terms = config.strings(field).value_or(std::vector<std::string>());
    }
    for (const std::string& term : terms)
        if (term != "c2p" && term != "p2c")
            fail(config.subject() + ": " + field,
                 fmt::format("\"{}\" is not known", escapeForMessage(term, 40)), "expected c2p or p2c");
    return terms;
}

EmbeddingSpec embeddingSpec(const DebertaConfig& sizes, std::int64_t vocabularySize) {
    const ConfigReader& config = sizes.reader;
    EmbeddingSpec embedding;
    embedding.words = "embeddings.word_embeddings.weight";
    embedding.vocabularySize = vocabularySizeOf(config, vocabularySize);
    embedding.width = hiddenSizeOf(config, "embedding_size", sizes.hidden);
    embedding.typeCount = config.integer("type_vocab_size", 0, 0, spec_limits::kTokenTypes);
    if (embedding.typeCount > 0) embedding.types = "embeddings.token_type_embeddings.weight";
    if (flagOf(config, "position_biased_input", true)) {
        embedding.positions.source = PositionEmbeddingSpec::Source::Table;
        embedding.positions.table = "embeddings.position_embeddings.weight";
        embedding.positions.rows = positionsOf(config, "max_position_embeddings", 512);
    }
    if (embedding.width != sizes.hidden) {
        embedding.projection = linearSpec("embeddings.embed_proj", false);
        embedding.place = EmbeddingSpec::ProjectionPlace::AfterSum;
    }
    embedding.norm = layerNormSpec("embeddings.LayerNorm", sizes.epsilon);
    return embedding;
}

/// Two forms of head, by the field `legacy`. The newer one multiplies with the word table itself, and
/// transformers cannot run it when it is tied besides.
std::optional<OutputHeadSpec> headOf(const Checkpoint& checkpoint, const ConfigReader& config,
                                     const EmbeddingSpec& embedding, const DebertaConfig& sizes) {
    const bool tied = flagOf(config, "tie_word_embeddings", true);
    MaskedHead head;
    head.activation = activationOf(config, "hidden_act", "gelu");
    head.epsilon = sizes.epsilon;
    head.vocabularySize = embedding.vocabularySize;
    head.width = embedding.width;
    if (flagOf(config, "legacy", true)) {
        head.dense = "cls.predictions.transform.dense";
        head.norm = "cls.predictions.transform.LayerNorm";
        head.words = "cls.predictions.decoder";
        head.biases = {"cls.predictions.bias", "cls.predictions.decoder.bias"};
        return maskedHeadSpec(checkpoint, head, tied);
    }
    if (tied || embedding.width != sizes.hidden) return std::nullopt;
    head.dense = "lm_predictions.lm_head.dense";
    head.norm = "lm_predictions.lm_head.LayerNorm";
    head.biases = {"lm_predictions.lm_head.bias"};
    return maskedHeadSpec(checkpoint, head, true);
}

} // namespace

DebertaConfig::DebertaConfig(const Checkpoint& checkpoint, const DebertaDefaults& defaults)
    : reader(checkpoint.config, "config.json"), hidden(hiddenSizeOf(reader, "hidden_size", defaults.hidden)),
      layers(layersOf(reader, "num_hidden_layers", defaults.layers)),
      heads(headsOf(reader, "num_attention_heads", defaults.layers)), headSize(evenHeadSize(hidden, heads)),
      epsilon(epsilonOf(reader, "layer_norm_eps", 1e-7)),
      relative(reader.boolean("relative_attention", false)), terms(termsOf(reader)) {
    refusePrunedHeads(reader);
    refuseNull(reader, "type_vocab_size");
    if (relative) refuseNull(reader, "max_relative_positions");
    relativePositions =
        reader.integer("max_relative_positions", -1, -spec_limits::kPositions, spec_limits::kPositions);
    if (relativePositions < 1) relativePositions = positionsOf(reader, "max_position_embeddings", 512);
}

bool DebertaConfig::hasTerm(const std::string& term) const {
    return relative && std::find(terms.begin(), terms.end(), term) != terms.end();
}

ModelSpec debertaLikeSpec(const Checkpoint& checkpoint, const DebertaConfig& config,
                          const DebertaDefaults& defaults) {
    ModelSpec spec;
    spec.family = defaults.family;
    spec.normEpsilon = config.epsilon;
    spec.initializerRange = config.reader.real("initializer_range", 0.02, 0.0, 1e6);
    TransformerSpec& stack = spec.main;
    stack.prefixes = {"deberta.", ""};
    stack.hiddenSize = config.hidden;
    stack.embedding = embeddingSpec(config, defaults.vocabulary);
    paddingIdOf(config.reader, 0, stack.embedding.vocabularySize);
    spec.tokenTypes = stack.embedding.typeCount;
    if (stack.embedding.positions.rows > 0)
        stack.maxPositions = stack.embedding.positions.rows;
    else
        spec.trainedPositions = positionsOf(config.reader, "max_position_embeddings", 512);

    BlockSpec block;
    block.attention.heads = block.attention.keyValueHeads = config.heads;
    block.attention.headSize = config.headSize;
    block.feedForward.intermediateSize =
        intermediateSizeOf(config.reader, "intermediate_size", 4 * defaults.hidden);
    block.feedForward.activation = activationOf(config.reader, "hidden_act", "gelu");
    for (int layer = 0; layer < config.layers; ++layer) {
        const std::string prefix = fmt::format("encoder.layer.{}.", layer);
        block.attention.projections.output = linearSpec(prefix + "attention.output.dense");
        block.attentionBranch.after = layerNormSpec(prefix + "attention.output.LayerNorm", config.epsilon);
        block.feedForward.up = linearSpec(prefix + "intermediate.dense");
        block.feedForward.down = linearSpec(prefix + "output.dense");
        block.feedForwardBranch.after = layerNormSpec(prefix + "output.LayerNorm", config.epsilon);
        block.weightsOf = static_cast<std::size_t>(layer);
        stack.blocks.push_back(block);
    }
    spec.head = headOf(checkpoint, config.reader, stack.embedding, config);
    return spec;
}

ModelSpec debertaSpec(const Checkpoint& checkpoint) {
    const DebertaDefaults defaults{.family = "deberta", .hidden = 768, .layers = 12, .vocabulary = 50265};
    const DebertaConfig config(checkpoint, defaults);
    config.reader.requireFalse("talking_head");
    ModelSpec spec = debertaLikeSpec(checkpoint, config, defaults);
    if (config.hasTerm("c2p") || config.hasTerm("p2c")) {
        RelativeTableSpec& table = spec.main.relativeTable.emplace();
        table.table = "encoder.rel_embeddings.weight";
        table.span = config.relativePositions;
        table.spanFollowsLength = true;
    }
    for (std::size_t layer = 0; layer < spec.main.blocks.size(); ++layer) {
        const std::string prefix = fmt::format("encoder.layer.{}.attention.self.", layer);
        AttentionSpec& attention = spec.main.blocks[layer].attention;
        // Every entry of the list counts, whether it is in use or not.
        attention.scale = 1.0 / std::sqrt(static_cast<double>(config.headSize) *
                                          static_cast<double>(1 + config.terms.size()));
        attention.projections.fused = linearSpec(prefix + "in_proj", false);
        attention.projections.layout = FusedLayout::Grouped;
        attention.projections.queryBias = prefix + "q_bias";
        attention.projections.valueBias = prefix + "v_bias";
        if (!spec.main.relativeTable) continue;
        Disentangled terms;
        if (config.hasTerm("c2p")) terms.positionKey = linearSpec(prefix + "pos_proj", false);
        if (config.hasTerm("p2c")) terms.positionQuery = linearSpec(prefix + "pos_q_proj");
        attention.position = terms;
    }
    completeSpec(spec);
    return spec;
}

} // namespace headscope
