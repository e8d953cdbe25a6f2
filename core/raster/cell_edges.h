// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace headscope::detail {

/// How HeadMap::pooled splits `weights` into `cells`: cell c covers [edge(c), edge(c + 1)).
inline std::int64_t cellEdge(std::int64_t cell, std::int64_t weights, std::int64_t cells) {
    return cell * weights / cells;
}

/// The cell that covers weight `index`: the largest c with edge(c) <= index.
inline std::int64_t cellOf(std::int64_t index, std::int64_t weights, std::int64_t cells) {
    return ((index + 1) * cells - 1) / weights;
}

} // namespace headscope::detail
