// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/pair_rows.h"

namespace headscope {

/// What one pass over all heads tells of a pair.
struct PairBound {
    std::int64_t rows = 0;     ///< that count for the pair
    double coefficients = 0.0; ///< at least the sum of their Bhattacharyya coefficients, sum_j sqrt(p_j q_j)

    /// No more than the divergence of the pair: over each row, and so over any mean of rows,
    /// ln 2 (1 - coefficient) <= JSD, because the entropy in bits of a coin of probability x is at most
    /// 2 sqrt(x (1 - x)) (Lin 1991).
    double leastDivergence() const;
};

/// Bounds of all pairs of `groups`, at their indices. One Gram matrix of the square roots of the weights a
/// row: a group's keys are taken out of it, and what a head keeps is divided by, pair by pair, so that each
/// pair has the rows that count for it and no others. Throws Error when cancelled.
std::vector<PairBound> boundPairs(std::span<const ComparedHead> heads, const MaskRule& mask,
                                  std::span<const PairGroup> groups, const CancelToken& cancel);

} // namespace headscope
