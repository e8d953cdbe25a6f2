// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/matrix_view.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace headscope {

enum class Pooling { Max, Mean, MaxAbs };

/// The attention weights of one head: rows = queries (the token that reads), columns = keys (the token that
/// is read). Knows extents only; tokens stand in an Axis beside it. Immutable; every method is const, calls
/// no torch operator, runs on the calling thread alone and may be called from several threads at once.
class HeadMap {
  public:
    virtual ~HeadMap() = default;

    virtual Extent extent() const = 0;
    /// Weights of rows x columns into `out` (rows.size() x columns.size()). Cells that cannot be seen are 0.
    virtual void tile(Span rows, Span columns, MatrixView<float> out) const = 0;
    /// The keys that `row` may see: ascending disjoint ranges. A row that sees nothing gives none.
    virtual void visibleSpans(std::int64_t row, std::vector<Span>& out) const = 0;

    /// rows x columns pooled to `cells.rows` x `cells.columns` (at most one cell per weight): cell (a, b)
    /// covers rows [rows.begin + a*R/cells.rows, rows.begin + (a+1)*R/cells.rows), columns likewise. Mean is
    /// over all covered cells, masked ones counting as 0; MaxAbs is the weight of largest magnitude with
    /// its sign. Made from tiles, in memory linear in the columns.
    void pooled(Span rows, Span columns, Extent cells, Pooling pooling, MatrixView<float> out) const;

    float cell(std::int64_t row, std::int64_t column) const;
    std::vector<float> row(std::int64_t index) const;    ///< [columns]
    std::vector<float> column(std::int64_t index) const; ///< [rows]
};

/// A map held as numbers (imported, or small and composed).
class StoredMap final : public HeadMap {
  public:
    /// `weights` is row-major [extent.rows, extent.columns]; visible everywhere.
    StoredMap(Extent extent, std::vector<float> weights);

    Extent extent() const override { return m_extent; }
    void tile(Span rows, Span columns, MatrixView<float> out) const override;
    void visibleSpans(std::int64_t row, std::vector<Span>& out) const override;

  private:
    Extent m_extent;
    std::vector<float> m_weights;
};

} // namespace headscope
