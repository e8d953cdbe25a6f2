// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/families/family_tools.h"

#include <string>
#include <vector>

namespace headscope {

/// Where the versions' classes differ in what they assume.
struct DebertaDefaults {
    std::string family;
    std::int64_t hidden = 768;
    int layers = 12; ///< and as many heads
    std::int64_t vocabulary = 50265;
};

/// What both versions of DeBERTa read from config.json in the same way.
struct DebertaConfig {
    DebertaConfig(const Checkpoint& checkpoint, const DebertaDefaults& defaults);

    ConfigReader reader;
    std::int64_t hidden = 0;
    int layers = 0;
    int heads = 0;
    std::int64_t headSize = 0;
    double epsilon = 1e-7;
    bool relative = false; ///< relative_attention
    std::int64_t relativePositions =
        0;                          ///< max_relative_positions, or the absolute ones where that is below 1
    std::vector<std::string> terms; ///< pos_att_type: each "c2p" or "p2c"

    bool hasTerm(const std::string& term) const; ///< listed, and in use
};

/// The spec without the attention of its blocks: embeddings, norms, feed-forward parts, head.
ModelSpec debertaLikeSpec(const Checkpoint& checkpoint, const DebertaConfig& config,
                          const DebertaDefaults& defaults);

/// DeBERTa (He et al. 2021): disentangled attention, one matrix for queries, keys and values.
ModelSpec debertaSpec(const Checkpoint& checkpoint);
/// DeBERTa v2, which v3 is a configuration of: logarithmic buckets of distances, shared projections, a
/// convolution after the first layer.
ModelSpec debertaV2Spec(const Checkpoint& checkpoint);

} // namespace headscope
