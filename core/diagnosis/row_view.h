// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace headscope {

/// One row of R while it passes by: what the sums of all metrics read.
struct RowView {
    std::int64_t query = 0;
    std::int64_t own = -1;          ///< the key that stands for the query itself; -1 in cross-attention
    const float* weights = nullptr; ///< [keys]
    std::span<const Span> spans;    ///< the keys it may see, S_i
    std::int64_t visible = 0;       ///< n_i
    double weightSum = 0.0;         ///< of the row; below 1 where a learned sink took a share
    std::int64_t mode = -1;         ///< its argmax; -1 where the row has no weight
};

/// Weights this close to the largest, as a share of it, are as good as it: the lowest of their keys is the
/// argmax.
inline constexpr double kArgmaxSlack = 1e-4;

/// The least weight that comes that close: rounded up, since half an ulp lower is too low.
inline float argmaxThreshold(float largest) {
    const double exact = (1.0 - kArgmaxSlack) * static_cast<double>(largest);
    const auto rounded = static_cast<float>(exact);
    return static_cast<double>(rounded) < exact
               ? std::nextafter(rounded, std::numeric_limits<float>::infinity())
               : rounded;
}

/// The largest weight of a row of R, and the lowest key that comes within 1e-4 of it (RowView::mode).
struct RowPeak {
    float weight = 0.0F; ///< 0 for rows outside R
    std::int32_t key = -1;
};

/// Mass on a set of keys M_i against what an even head would put there; means over the rows of R of whose set
/// a key is visible.
struct SetMass {
    std::int64_t rows = 0;
    double mass = 0.0;   ///< mean of the sum of A_ij over M_i
    double chance = 0.0; ///< mean of |M_i and S_i| / n_i
    /// 0 for an even head, 1 for all the mass; 0 also where an even head has it all.
    double kappa() const { return chance < 1.0 ? (mass - chance) / (1.0 - chance) : 0.0; }
};

/// Adds up a SetMass. The rows and the chance depend on mask and text alone, the mass on the head.
struct SetChance {
    std::int64_t rows = 0;
    double chance = 0.0;
    void add(std::int64_t members, std::int64_t visible) {
        if (members == 0) return;
        ++rows;
        chance += static_cast<double>(members) / static_cast<double>(visible);
    }
    SetMass with(double massSum) const {
        if (rows == 0) return {};
        const auto count = static_cast<double>(rows);
        return {.rows = rows, .mass = massSum / count, .chance = chance / count};
    }
};

} // namespace headscope
