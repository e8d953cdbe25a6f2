// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/matrix_view.h"
#include "core/checkpoint/tensor_source.h"
#include "core/maps/attention_kind.h"
#include "core/maps/score_rule.h"

#include <cstdint>
#include <string>

namespace headscope {

/// Which head is looked at, for messages.
struct HeadPlace {
    const std::string& file;
    HeadRef head;

    std::string rowText(std::int64_t row) const; ///< "maps.npz: attentions.3, head 2, row 5"
};

/// What the numbers of one head showed that no rule forbids.
struct WeightFacts {
    bool seesLater = false; ///< some key after its query has weight
    double mostBelow = 0.0; ///< the farthest below 0 of those taken as 0
    std::int64_t belowZero = 0;
};

/// Weights after a softmax lie between 0 and 1: beyond that by more than 1e-3 is an Error naming head, row,
/// key and number. What is less below 0 becomes 0.
WeightFacts requireWeights(MatrixView<float> weights, const HeadPlace& place);

/// Cells that `mask` hides hold 1e-6 at most, or Error says whether it is the future or outside the window;
/// they become 0.
void requireHidden(MatrixView<float> weights, const MaskRule& mask, const HeadPlace& place);

/// How far the sum of a row of weights of this type may be from 1: 1e-3, and what rounding to 16 bits can do.
double rowSumBound(DType type);

/// Every row sums to 1 within `bound`, to at most 1 with a learned sink, or Error.
void requireSums(MatrixView<const float> weights, bool learnedSink, double bound, const HeadPlace& place);

} // namespace headscope
