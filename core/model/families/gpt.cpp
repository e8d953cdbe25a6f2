// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/gpt.h"

#include <cmath>

namespace headscope {

ModelSpec decoderSpec(const ConfigReader& config, const std::string& family, const DecoderSizes& sizes,
                      const std::string& words) {
    config.requireFalse("is_encoder_decoder");
    refusePrunedHeads(config);
    ModelSpec spec;
    spec.family = family;
    spec.normEpsilon = sizes.epsilon;
    spec.initializerRange = config.real("initializer_range", 0.02, 0.0, 1e6);
    spec.main.prefixes = {"transformer.", ""};
    spec.main.hiddenSize = sizes.hidden;
    spec.main.embedding.words = words;
    spec.main.embedding.vocabularySize = sizes.vocabulary;
    spec.main.embedding.width = sizes.hidden;
    return spec;
}

AttentionSpec causalAttention(const DecoderSizes& sizes) {
    AttentionSpec attention;
    attention.heads = attention.keyValueHeads = sizes.heads;
    attention.headSize = evenHeadSize(sizes.hidden, sizes.heads);
    attention.scale = 1.0 / std::sqrt(static_cast<double>(attention.headSize));
    attention.causal = true;
    return attention;
}

std::int64_t innerSizeOf(const ConfigReader& config, const FieldName& field, std::int64_t hiddenSize) {
    return config.integer(field, 4 * hiddenSize, 1, spec_limits::kIntermediateSize);
}

std::int64_t hiddenSizeByEitherName(const ConfigReader& config, std::int64_t fallback) {
    return hiddenSizeOf(config, config.has("n_embed") ? "n_embed" : "hidden_size", fallback);
}

void addPositionTable(ModelSpec& spec, const std::string& table, std::int64_t rows, std::int64_t offset) {
    PositionEmbeddingSpec& positions = spec.main.embedding.positions;
    positions.source = PositionEmbeddingSpec::Source::Table;
    positions.table = table;
    positions.rows = rows;
    positions.offset = offset;
    spec.main.maxPositions = rows - offset;
}

} // namespace headscope
