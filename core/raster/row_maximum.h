// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/row_accumulator.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace headscope::detail {

/// Largest of `count` floats, NaN skipped; -infinity when there is none. Sixteen running maxima side by side,
/// so that the compiler can keep them in vector registers.
inline float rowMaximum(const float* values, std::int64_t count) {
    constexpr std::int64_t lanes = 16;
    float best[lanes];
    for (float& lane : best) lane = -std::numeric_limits<float>::infinity();
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes)
        for (std::int64_t lane = 0; lane < lanes; ++lane)
            best[lane] = values[i + lane] > best[lane] ? values[i + lane] : best[lane];
    for (; i < count; ++i) best[0] = values[i] > best[0] ? values[i] : best[0];
    float result = best[0];
    for (const float lane : best) result = lane > result ? lane : result;
    return result;
}

/// into[i] = the larger of both, NaN skipped.
inline void keepMaxima(float* into, const float* values, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) into[i] = values[i] > into[i] ? values[i] : into[i];
}

/// Columns of row `r` of the block up to the last one that a causal mask lets it see; what follows is 0.
inline std::int64_t seenColumns(const RowBlock& block, std::int64_t r) {
    if (block.mask == nullptr || !block.mask->causal) return block.weights.columns;
    const std::int64_t end = block.rows.begin + r + block.mask->queryOffset + 1;
    return std::clamp<std::int64_t>(end, 0, block.weights.columns);
}

} // namespace headscope::detail
