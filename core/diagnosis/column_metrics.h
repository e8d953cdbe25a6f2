// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace headscope {

/// What one key gets from the rows that see it.
struct ColumnMetrics {
    std::int64_t column = 0;
    std::int64_t rows = 0;   ///< |C_k|: rows of R that see the column, own row excluded in self-attention
    double mass = 0.0;       ///< alpha_k: mean of A_ik over C_k
    double chance = 0.0;     ///< e: mean of 1/n_i over C_k
    double kappa = 0.0;      ///< (mass - chance) / (1 - chance)
    double modalShare = 0.0; ///< share of C_k whose argmax is the column
};

/// How many rows see each key, and what an even head would give it. What the mask alone decides; shared by
/// the heads of a layer.
class ColumnPlan {
  public:
    explicit ColumnPlan(std::int64_t keys);
    /// A row of R that sees `spans`, `visible` keys in all; `own` is the key that stands for the query, or
    /// -1.
    void addRow(std::span<const Span> spans, std::int64_t visible, std::int64_t own);
    void finish(); ///< after the last row

    std::int64_t keys() const { return static_cast<std::int64_t>(m_rows.size()) - 1; }
    std::int64_t rows(std::int64_t key) const { return m_rows[static_cast<std::size_t>(key)]; }
    double chance(std::int64_t key) const; ///< e of the column; 0 where no row sees it
    /// A column counts when at least 16 rows see it, and a quarter of R.
    bool counts(std::int64_t key) const;
    static bool counts(std::int64_t columnRows, std::int64_t allRows);

  private:
    void add(const Span& keys, double even);

    std::int64_t m_rowsOfAll = 0; ///< |R|
    // Differences at the ends of ranges until finish(): linear in tokens where a sum over cells is quadratic.
    std::vector<std::int64_t> m_rows; ///< [keys + 1]
    std::vector<double> m_chance;     ///< [keys + 1]
};

/// alpha_k from which a key is a sink (Gu et al.).
inline constexpr double kSinkMass = 0.30;

/// All columns of one head on one text.
struct ColumnTable {
    std::shared_ptr<const ColumnPlan> plan;
    std::vector<double> mass;        ///< [keys], alpha_k; 0 where no row sees the key
    std::vector<std::int32_t> modes; ///< [keys], rows of C_k whose argmax is the key

    std::int64_t keys() const { return static_cast<std::int64_t>(mass.size()); }
    bool counts(std::int64_t key) const { return plan->counts(key); }
    ColumnMetrics at(std::int64_t key) const;
    /// The one with the largest mass, then the lowest key, of those that count.
    std::optional<ColumnMetrics> heaviest() const;
    /// Those that count with kSinkMass or more, ascending.
    std::vector<std::int64_t> sinks() const;
};

/// `span` without the key `own`, as one or two pieces.
template <typename Visit>
void forWithout(const Span& span, std::int64_t own, const Visit& visit) {
    if (!span.contains(own)) {
        visit(span);
        return;
    }
    if (own > span.begin) visit(Span{span.begin, own});
    if (own + 1 < span.end) visit(Span{own + 1, span.end});
}

} // namespace headscope
