// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/row_accumulator.h"

#include <algorithm>
#include <cstdint>

namespace headscope::detail {

/// The largest numbers of rows of weights, in the vectors that the processor has; NaN is skipped.
struct RowMaxima {
    /// Largest of `count` floats; -infinity when there is none.
    float (*largest)(const float* values, std::int64_t count);
    /// into[i] = the larger of both.
    void (*keepLarger)(float* into, const float* values, std::int64_t count);
};

const RowMaxima& rowMaxima();

/// Columns of row `r` of the block up to the last one that a causal mask lets it see; what follows is 0.
inline std::int64_t seenColumns(const RowBlock& block, std::int64_t r) {
    if (block.mask == nullptr || !block.mask->causal) return block.weights.columns;
    const std::int64_t end = block.rows.begin + r + block.mask->queryOffset + 1;
    return std::clamp<std::int64_t>(end, 0, block.weights.columns);
}

} // namespace headscope::detail
