// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/spec/weight_spec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace headscope {

/// How one matrix holds several projections.
enum class FusedLayout {
    Joined,  ///< rows q | k | v, each split into heads
    Grouped, ///< for each key/value head: its query heads, its key, its value
    KeyValue ///< rows k | v; the query has a matrix of its own
};

/// Where queries, keys and values come from.
struct ProjectionSpec {
    LinearSpec query; ///< not used where `fused` holds it
    LinearSpec key;
    LinearSpec value;
    LinearSpec fused; ///< with `layout`; does not exist in most families
    FusedLayout layout = FusedLayout::Joined;
    /// Added to the projected queries and values: [heads * headSize] each (DeBERTa v1); empty: none.
    std::string queryBias;
    std::string valueBias;
    LinearSpec output;
};

/// Normalisation of queries and keys before the rotary embedding.
struct HeadNormSpec {
    enum class Scope {
        EachHead,   ///< one weight [headSize] for all heads
        OwnOfHead,  ///< weight [heads, headSize], a row for each head
        OwnTensors, ///< one tensor a head: "{}" in the names stands for its number
        Whole       ///< weight [heads * headSize], over all heads together
    };
    Scope scope = Scope::EachHead;
    NormSpec query;
    NormSpec key;
};

/// A bias for each head and bucket of distances (Raffel et al. 2020, T5): [buckets, heads].
struct BucketBias {
    std::string table;
    std::int64_t buckets = 32;
    std::int64_t maxDistance = 128;
    bool bidirectional = true;
    friend bool operator==(const BucketBias&, const BucketBias&) = default;
};

/// Linear biases (Press et al. 2022): slope of the head times the key's position.
struct Alibi {
    bool bfloat16 =
        false; ///< slope and product are rounded to bfloat16, and scaled as the scores are (Falcon)
    friend bool operator==(const Alibi&, const Alibi&) = default;
};

/// Shaw et al. 2018 as in BERT's relative_key and relative_key_query: q_i . D[i - j + maxPositions - 1], and
/// with `withKey` also k_j . D of the same row, shared by all heads.
struct RelativeKey {
    std::string table; ///< [2 * maxPositions - 1, headSize]
    std::int64_t maxPositions = 512;
    bool withKey = false;
    bool scaled = true; ///< multiplied by the scale of the scores (ALBERT: not)
};

/// Disentangled attention (He et al. 2021, DeBERTa). Rows of the stack's RelativeTable go through a
/// projection of the layer; the terms are multiplied by the scale of the scores.
struct Disentangled {
    LinearSpec positionKey;   ///< content to position; does not exist: no such term
    LinearSpec positionQuery; ///< position to content
};

/// Transformer-XL's relative attention as in XLNet: (q + r_r) . W_r R(i - j), R sinusoidal, and a term for
/// segments.
struct XlnetRelative {
    LinearSpec position;           ///< W_r
    std::string contentBias;       ///< r_w_bias [heads, headSize], added to q for the scaled product
    std::string positionBias;      ///< r_r_bias
    std::string segmentBias;       ///< r_s_bias
    std::string segments;          ///< seg_embed [2, heads, headSize]
    std::int64_t clampLength = -1; ///< distances beyond are clamped; <= 0: none
};

using PositionSpec =
    std::variant<std::monostate, BucketBias, Alibi, RelativeKey, Disentangled, XlnetRelative>;

/// One attention layer.
struct AttentionSpec {
    int heads = 0;
    int keyValueHeads = 0; ///< divides heads
    std::int64_t headSize = 0;
    double scale = 1.0; ///< of the dot products
    bool causal = false;
    std::optional<std::int64_t> window; ///< as MaskRule::window
    std::optional<double> softCap;
    ProjectionSpec projections;
    std::optional<HeadNormSpec> headNorm;
    std::optional<std::size_t> rotary; ///< which of TransformerSpec::rotaries
    PositionSpec position;
    std::string sinks; ///< learned sink logits [heads]; empty: none
};

} // namespace headscope
