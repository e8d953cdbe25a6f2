// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/score_kernel.h"

#include <cstdint>

namespace headscope {

/// What the weights of a row add up to.
struct WeightTotals {
    double sum = 0.0;
    double weightedLog = 0.0; ///< sum of w ln w, where 0 ln 0 is 0
};

/// Weights, each to be multiplied by one number.
struct ScaledWeights {
    const float* weights = nullptr;
    double scale = 1.0;
};

/// Rows of two heads against those of four.
struct ProductTask {
    static constexpr int kFirsts = 2;
    static constexpr int kSeconds = 4;
    const float* firsts[kFirsts];
    const float* seconds[kSeconds];
    std::int64_t count = 0;
};

/// The inner loops of comparing heads, each over `count` neighbouring weights. Chosen for the processor at
/// run time; all variants add in the same order and give the same bits.
struct PairPass {
    /// Of products that each lose up to half a unit in their last place, in sums of 32 of them.
    static constexpr double kProductRounding = 34.0 * 0x1p-24;

    WeightTotals (*totals)(const float* weights, std::int64_t count);
    /// What the keys add to the Jensen-Shannon divergence of two rows, in nats. Exactly 0 where all scaled
    /// weights agree, and the same bits when the rows change places.
    double (*divergence)(const ScaledWeights& first, const ScaledWeights& second, std::int64_t count);
    /// out[a * kSeconds + b] = sum of firsts[a][j] * seconds[b][j], within kProductRounding of itself.
    void (*products)(const ProductTask& task, double* out);
};

const PairPass& pairPass(Isa isa = bestIsa());

} // namespace headscope
