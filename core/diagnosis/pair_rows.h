// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "core/diagnosis/pair_pass.h"
#include "core/diagnosis/similarity.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace headscope {

/// Indices of two heads and of what is gathered about them.
struct HeadPair {
    std::size_t first = 0;
    std::size_t second = 0;
    std::size_t index = 0;
};

/// The pairs that leave out the same keys: those that either head uses as a sink.
struct PairGroup {
    std::vector<std::int64_t> keys; ///< ascending
    std::vector<HeadPair> pairs;
};

std::vector<PairGroup> groupBySinks(std::span<const ComparedHead> heads, std::span<const HeadPair> pairs);

/// A row of R in a strip. Keys are counted from the strip's first column.
struct StripRow {
    std::int64_t query = 0;
    std::int64_t visible = 0; ///< n_i
    std::vector<Span> spans;  ///< the keys it may see
    std::int64_t end = 0;     ///< of the last span
};

/// A row of one head; keys that it may not see have weight 0.
struct HeadRow {
    const float* weights = nullptr; ///< [end of the row]
    WeightTotals totals;
};

/// A row without the keys of a group.
struct RestOfRow {
    std::vector<std::int64_t> dropped; ///< those keys of the group that the row sees
    std::vector<Span> spans;           ///< the keys left
    std::int64_t left = 0;             ///< how many

    /// What a head keeps of its weight.
    double keptBy(const HeadRow& head) const;
    /// Whether the row counts for a pair of which this is kept.
    bool counts(double firstKept, double secondKept) const;
};

/// Walks over the rows of R a strip at a time, with the weights of some heads: never a whole map.
class StripWalk {
  public:
    StripWalk(std::span<const ComparedHead> heads, const MaskRule& mask, std::vector<std::size_t> used);

    bool next(const CancelToken& cancel); ///< loads the next strip; false when there is none
    std::size_t rows() const { return m_rows.size(); }
    const StripRow& row(std::size_t index) const { return m_rows[index]; }
    HeadRow at(std::size_t head, std::size_t row) const; ///< of a head that is used
    /// Row `row` without `keys`, keys of the map.
    void leaveOut(const std::vector<std::int64_t>& keys, std::size_t row, RestOfRow& out) const;

  private:
    void planRows(Span queries);
    void loadHead(std::size_t slot, Span queries);

    std::span<const ComparedHead> m_heads;
    const MaskRule& m_mask;
    std::vector<std::size_t> m_used;
    std::vector<std::size_t> m_slots; ///< [heads], of the used ones
    std::int64_t m_height = 0;        ///< of a strip
    std::int64_t m_next = 0;          ///< query
    Span m_queries;
    Span m_columns;
    std::vector<StripRow> m_rows;
    std::vector<float> m_weights;       ///< [used, queries of the strip, its columns]
    std::vector<WeightTotals> m_totals; ///< [used, rows]
};

} // namespace headscope
