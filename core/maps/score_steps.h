// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/layer_maps.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope {

/// What hides a cell. Where several parts of a mask do, the first of these.
enum class HiddenBy {
    Nothing,
    Causality, ///< the key comes after the query
    Window,    ///< it is too far away
    Padding,   ///< it is no token of the text
    GivenMask  ///< MaskRule::allowed
};
HiddenBy hiddenBy(const MaskRule& mask, std::int64_t query, std::int64_t key);

/// A term of ScoreRule beside the scaled product.
enum class ScoreTerm { QueryProduct, KeyProduct, KeyBias, DistanceBias, Segment };

/// How one weight of a head came about: every number between q, k and the weight. All are what the score
/// kernel gives, so that the last one has the bits of HeadMap::cell.
struct ScoreSteps {
    struct Term {
        ScoreTerm term;
        float value; ///< what it adds
        float after; ///< the score with it
    };

    std::vector<float> query;    ///< q after every transform, [headSize]
    std::vector<float> key;      ///< k likewise
    std::vector<float> products; ///< q_d * k_d, each rounded by itself
    /// Their sum, added by fused multiply-add in ascending d: it differs from the sum of `products` by
    /// rounding alone.
    float dot = 0.0F;
    float scale = 1.0F;
    float scaled = 0.0F;          ///< scale * dot
    std::vector<Term> terms;      ///< those that the rule has, in its order
    std::optional<float> softCap; ///< c of c * tanh(s / c)
    float score = 0.0F;           ///< after all terms and the cap, whether visible or not

    HiddenBy hidden = HiddenBy::Nothing;
    std::int64_t visibleKeys = 0; ///< that the row sees
    RowNormaliser row;            ///< its largest score and its sum
    /// The key of the largest score; none where that is the sink, or the row sees nothing.
    std::optional<std::int64_t> maximumKey;
    float exponential = 0.0F;  ///< exp(score - row.maximum), 0 below 2^-126; 0 where hidden
    std::optional<float> sink; ///< the head's learned sink, one more score of the row
    float sinkExponential = 0.0F;
    float weight = 0.0F; ///< exponential / row.sum; 0 where hidden
};

/// CHECKs that head, query and key are in range. Takes one row of scores.
ScoreSteps scoreSteps(const LayerMaps& layer, HeadIndex head, std::int64_t query, std::int64_t key);

} // namespace headscope
