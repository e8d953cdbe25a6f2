// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace headscope {

/// Who may see whom. All parts are combined with "and"; a cell outside is weight 0, said to be masked.
struct MaskRule {
    std::int64_t queries = 0;
    std::int64_t keys = 0;
    bool causal = false;          ///< key j is visible to query i iff j <= i + queryOffset
    std::int64_t queryOffset = 0; ///< position of query 0 among the keys (cached generation); 0 otherwise
    std::optional<std::int64_t> window; ///< n: causal keys i-n+1..i (offset added to i); both ways |i-j| < n
    std::vector<std::uint8_t> keyAllowed; ///< [keys], 0 = padding; empty = all are allowed
    std::vector<std::uint8_t>
        queryAllowed; ///< [queries], 0 = padding query: still computed, skipped by metrics
    /// Any boolean mask, row-major [queries, keys], 0 = hidden; null = none.
    std::shared_ptr<const std::vector<std::uint8_t>> allowed;

    bool visible(std::int64_t query, std::int64_t key) const;
    /// The keys that `query` may see, as ascending disjoint ranges; clears `out` first.
    void visibleSpans(std::int64_t query, std::vector<Span>& out) const;
    std::int64_t visibleCount(std::int64_t query) const;
    /// The range that causality and window leave to a query, or to a block of queries; padding and `allowed`
    /// may hide more. Constant time: kernels use it to leave out work.
    Span reach(std::int64_t query) const;
    Span reach(Span rows) const;
    /// True when the query is a token of the text, not padding.
    bool isRealQuery(std::int64_t query) const;
    /// CHECKs that the sizes of the vectors fit queries and keys.
    void check() const;
};

/// How q and k of one layer become a score:  s_ij = scale * (q_i . k_j), visible(i, j) else no weight.
/// One closed description, read by strips, tiles, cells and self-checks; there is no second copy of the
/// maths.
struct ScoreRule {
    float scale = 1.0F; ///< multiplies the dot product; 1/sqrt(headSize) for most families
    MaskRule mask;
};

} // namespace headscope
