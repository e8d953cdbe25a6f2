// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/imported/attention_checks.h"

#include "core/base/error.h"
#include "core/imported/mask_check.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr double kBeyond = 1e-3;
constexpr float kHidden = 1e-6F;
constexpr double kRowSum = 1e-3;

/// What makes a row sum to something else.
const char* sumHint(MatrixView<const float> weights, double sum, double bound) {
    if (sum > 1.0) return "";
    if (isMaskedAfterSoftmax(weights, bound))
        return "the causal mask seems to be laid over the weights after the softmax: hide the scores before "
               "it";
    return "cut padding off; where a learned sink takes the rest, say \"learned_sink\": true";
}

} // namespace

std::string HeadPlace::rowText(std::int64_t row) const {
    return fmt::format("{}: {}.{}, head {}, row {}", file, nameOf(head.kind), head.layer.value,
                       head.head.value, row);
}

WeightFacts requireWeights(MatrixView<float> weights, const HeadPlace& place) {
    WeightFacts facts;
    for (std::int64_t row = 0; row < weights.rows; ++row)
        for (std::int64_t key = 0; key < weights.columns; ++key) {
            float& weight = weights.at(row, key);
            const auto value = static_cast<double>(weight);
            if (!(value >= -kBeyond && value <= 1.0 + kBeyond))
                fail(place.rowText(row),
                     fmt::format("the weight on key {} is {}", key,
                                 std::isnan(value) ? "NaN" : fmt::format("{:.7g}", value)),
                     "expected weights from 0 to 1, as a softmax leaves them",
                     std::isfinite(value) ? "these may be scores or hidden states" : "");
            if (weight < 0.0F) {
                facts.mostBelow = std::min(facts.mostBelow, value);
                ++facts.belowZero;
                weight = 0.0F;
            }
            if (weight != 0.0F && key > row) facts.seesLater = true;
        }
    return facts;
}

void requireHidden(MatrixView<float> weights, const MaskRule& mask, const HeadPlace& place) {
    for (std::int64_t row = 0; row < weights.rows; ++row) {
        const Span reach = mask.reach(row);
        for (std::int64_t key = 0; key < weights.columns; ++key) {
            float& weight = weights.at(row, key);
            if (reach.contains(key) || weight == 0.0F) continue;
            if (weight > kHidden) {
                const bool isLater = mask.causal && key > row;
                fail(place.rowText(row),
                     fmt::format("there is weight {}, {:.7g} on key {}",
                                 isLater ? "on the future" : "outside the window", weight, key),
                     isLater ? "expected none on keys after the query, since the maps are causal"
                             : fmt::format("expected none beyond a window of {}", mask.window.value_or(0)),
                     !isLater ? ""
                     : isUpsideDown(weights)
                         ? "no query reads an earlier key: the mask seems to be upside down"
                         : "a map that sees both ways says \"causal\": false");
            }
            weight = 0.0F;
        }
    }
}

double rowSumBound(DType type) {
    // Each weight is off by half of its last bit at most, and so is their sum.
    if (type == DType::BF16) return kRowSum + 0x1p-9;
    if (type == DType::F16) return kRowSum + 0x1p-11;
    return kRowSum;
}

void requireSums(MatrixView<const float> weights, bool learnedSink, double bound, const HeadPlace& place) {
    for (std::int64_t row = 0; row < weights.rows; ++row) {
        double sum = 0.0;
        for (std::int64_t key = 0; key < weights.columns; ++key)
            sum += static_cast<double>(weights.at(row, key));
        if (sum <= 1.0 + bound && (learnedSink || sum >= 1.0 - bound)) continue;
        fail(place.rowText(row), fmt::format("its weights sum to {:.7g}", sum),
             learnedSink ? "expected at most 1, of which a learned sink takes the rest"
                         : fmt::format("expected 1 within {:.2g}", bound),
             sumHint(weights, sum, bound));
    }
}

} // namespace headscope
