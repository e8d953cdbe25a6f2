// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace headscope {

/// What one stretch of visible weights of one row adds up to.
struct StretchSums {
    double deviation = 0.0; ///< sum of |weight - even|
    float maximum = 0.0F;
};

/// Mass of a stretch of weights, and where in it the mass lies.
struct StretchMoments {
    double mass = 0.0;
    double first = 0.0; ///< sum of weight * place in the stretch, from 0
};

/// The inner loops of the metrics, each over `count` neighbouring weights. Chosen for the processor at run
/// time; all variants add in the same order and give the same bits.
struct RowPass {
    StretchSums (*sums)(const float* weights, std::int64_t count, float even);
    StretchMoments (*moments)(const float* weights, std::int64_t count);
    /// totals[j] += weights[j]
    void (*addTo)(double* totals, const float* weights, std::int64_t count);
    /// Lowest index with weights[j] >= threshold, or `count`.
    std::int64_t (*firstAtLeast)(const float* weights, std::int64_t count, float threshold);
};

const RowPass& rowPass();

} // namespace headscope
