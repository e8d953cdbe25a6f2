// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/maps/panels.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace headscope {

/// n_min: rows that see fewer keys carry no information and enter no mean.
inline constexpr std::int64_t kMinimumVisibleKeys = 8;

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
    /// The row set R that every number of a head is a mean over: real queries that see at least
    /// kMinimumVisibleKeys keys.
    bool isCounted(std::int64_t query) const;
    /// CHECKs that the sizes of the vectors fit queries and keys.
    void check() const;
};

/// A dot product with one of a table's rows, chosen by how far key and query are apart.
struct RelativeProduct {
    /// [heads]: the rows of a head's table, headSize numbers each.
    std::vector<std::shared_ptr<const KeyPanels>> tables;
    /// The row for key - query + queries - 1: [queries + keys - 1], all within the table, in steps of at most
    /// one row and always up or always down, so that a tile needs one stretch of rows, no longer than that of
    /// its distances.
    std::vector<std::int32_t> rowOf;
    float scale = 1.0F;

    bool empty() const { return tables.empty(); }
};

/// What two segments of a text add: one number for a query's own segment, one for the other ones (XLNet).
struct SegmentTerm {
    std::vector<std::uint8_t> ofQuery; ///< [queries]
    std::vector<std::uint8_t> ofKey;   ///< [keys]
    std::vector<float> same;           ///< [heads * queries], head-major: added where the segments agree
    std::vector<float> other;          ///< likewise, where they differ

    bool empty() const { return same.empty(); }
};

/// What the places of query i and key j add to their score, beside the scaled product. Any part may be empty.
/// Immutable; layers that use the same one share it.
struct PositionTerms {
    RelativeProduct query; ///< + scale * (q_i . table[rowOf(j - i)]): "content to position"
    RelativeProduct key;   ///< + scale * (k_j . table[rowOf(j - i)]): "position to content"
    /// + keyBias[head * keys + j]: ALiBi, which is the same up to a constant a row
    std::vector<float> keyBias;
    /// + distanceBias[head * (queries + keys - 1) + j - i + queries - 1]: T5's and MPNet's buckets
    std::vector<float> distanceBias;
    SegmentTerm segment;

    std::size_t bytes() const; ///< memory held; a table that heads share counts once
    /// CHECKs every size against `heads` and the mask's queries and keys, and rowOf against the tables.
    void check(int heads, std::int64_t headSize, const MaskRule& mask) const;
};

/// How q and k of one layer become a score:
///   s_ij = scale * (q_i . k_j) + query product + key product + key bias + distance bias + segment term,
/// added in this order; then c * tanh(s_ij / c) where there is a soft cap c; then the mask: no weight unless
/// visible(i, j). A learned sink is one more score of every row, in the softmax's sum but not in the map.
/// One closed description, read by strips, tiles, cells and self-checks; there is no second copy of the
/// maths.
struct ScoreRule {
    float scale = 1.0F; ///< multiplies the dot product; 1/sqrt(headSize) for most families
    MaskRule mask;
    std::shared_ptr<const PositionTerms> position = nullptr; ///< null: none
    std::optional<float> softCap = {};                       ///< > 0
    std::vector<float> sinks = {}; ///< [heads], or empty; never scaled, capped or masked

    /// CHECKs that all parts fit each other and `heads` heads of `headSize`.
    void check(int heads, std::int64_t headSize) const;
};

} // namespace headscope
