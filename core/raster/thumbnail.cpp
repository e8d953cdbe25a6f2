// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/raster/cell_edges.h"
#include "core/raster/raster.h"
#include "core/raster/row_maximum.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace headscope {

namespace {

Extent cellsWithin(Extent extent, std::int64_t limit) {
    return {std::min(extent.rows, limit), std::min(extent.columns, limit)};
}

std::size_t countOf(Extent cells) {
    return static_cast<std::size_t>(cells.rows * cells.columns);
}

/// Of a few numbers that are not NaN.
float largestOf(const float* values, std::int64_t count) {
    float best = values[0];
    for (std::int64_t i = 1; i < count; ++i) best = values[i] > best ? values[i] : best;
    return best;
}

void markVisible(std::int64_t row, const std::vector<Span>& spans, Extent extent, Extent cells,
                 PageVector<std::uint8_t>& visible) {
    const auto line = visible.begin() + detail::cellOf(row, extent.rows, cells.rows) * cells.columns;
    for (const Span span : spans) {
        if (span.size() <= 0) continue;
        std::fill(line + detail::cellOf(span.begin, extent.columns, cells.columns),
                  line + detail::cellOf(span.end - 1, extent.columns, cells.columns) + 1, std::uint8_t{1});
    }
}

} // namespace

ThumbnailAccumulator::ThumbnailAccumulator(int heads, const MaskRule& mask, std::int64_t limit)
    : m_extent{mask.queries, mask.keys}, m_cells(cellsWithin(m_extent, limit)), m_visible(countOf(m_cells)),
      m_columnMax(static_cast<std::size_t>(heads)), m_weights(static_cast<std::size_t>(heads)) {
    HS_CHECK_LT(0, limit);
    std::vector<Span> spans;
    for (std::int64_t query = 0; query < mask.queries; ++query) {
        mask.visibleSpans(query, spans);
        markVisible(query, spans, m_extent, m_cells, m_visible);
    }
}

void ThumbnailAccumulator::observe(const RowBlock& block) {
    const auto head = static_cast<std::size_t>(block.head.value);
    HS_CHECK_LT(head, m_weights.size());
    HS_CHECK_EQ(block.weights.columns, m_extent.columns);
    const auto keepLarger = detail::rowMaxima().keepLarger;
    auto& columnMax = m_columnMax[head];
    auto& weights = m_weights[head];
    // Rows first, whole and side by side, and columns once a cell row: a weight costs one vector comparison.
    if (columnMax.empty())
        columnMax.assign(static_cast<std::size_t>(m_extent.columns), -std::numeric_limits<float>::infinity());
    if (weights.empty()) weights.resize(countOf(m_cells));
    std::vector<std::int64_t> edges; // beforehand: a division costs more than a cell
    for (std::int64_t c = 0; c <= m_cells.columns; ++c)
        edges.push_back(detail::cellEdge(c, m_extent.columns, m_cells.columns));
    for (std::int64_t r = 0; r < block.rows.size(); ++r) {
        const std::int64_t row = block.rows.begin + r;
        const std::int64_t seen = detail::seenColumns(block, r);
        keepLarger(columnMax.data(), block.weights.row(r), seen);
        const std::int64_t cell = detail::cellOf(row, m_extent.rows, m_cells.rows);
        if (row + 1 != detail::cellEdge(cell + 1, m_extent.rows, m_cells.rows)) continue;
        float* cells = weights.data() + cell * m_cells.columns; // 0 where nothing is seen
        for (std::size_t c = 0; c + 1 < edges.size() && edges[c] < seen; ++c) {
            const float best = largestOf(columnMax.data() + edges[c], edges[c + 1] - edges[c]);
            cells[c] = std::isfinite(best) ? best : 0.0F;
        }
        std::fill(columnMax.begin(), columnMax.end(), -std::numeric_limits<float>::infinity());
    }
}

Thumbnail ThumbnailAccumulator::take(HeadIndex head) {
    const auto place = static_cast<std::size_t>(head.value);
    HS_CHECK_LT(place, m_weights.size());
    Thumbnail thumbnail{m_cells, std::move(m_weights[place]), m_visible};
    thumbnail.weights.resize(countOf(m_cells)); // a head that no row came from
    m_columnMax[place] = {};
    return thumbnail;
}

Thumbnail shrunk(const Thumbnail& thumbnail, Extent limit) {
    HS_CHECK(limit.rows > 0 && limit.columns > 0);
    const Extent from = thumbnail.cells;
    Thumbnail result{{std::min(from.rows, limit.rows), std::min(from.columns, limit.columns)}, {}, {}};
    if (result.cells == from) return thumbnail;
    result.weights.assign(countOf(result.cells), -std::numeric_limits<float>::infinity());
    result.visible.resize(countOf(result.cells));
    for (std::int64_t i = 0; i < from.rows; ++i) {
        const std::int64_t line = detail::cellOf(i, from.rows, result.cells.rows) * result.cells.columns;
        for (std::int64_t j = 0; j < from.columns; ++j) {
            const auto source = static_cast<std::size_t>(i * from.columns + j);
            const auto target =
                static_cast<std::size_t>(line + detail::cellOf(j, from.columns, result.cells.columns));
            if (thumbnail.weights[source] > result.weights[target])
                result.weights[target] = thumbnail.weights[source];
            result.visible[target] = result.visible[target] | thumbnail.visible[source];
        }
    }
    return result;
}

Thumbnail thumbnailOf(const HeadMap& map, std::int64_t limit) {
    HS_CHECK_LT(0, limit);
    const Extent extent = map.extent();
    Thumbnail thumbnail{cellsWithin(extent, limit), {}, {}};
    thumbnail.weights.resize(countOf(thumbnail.cells));
    thumbnail.visible.resize(countOf(thumbnail.cells));
    if (thumbnail.weights.empty()) return thumbnail;
    map.pooled({0, extent.rows}, {0, extent.columns}, thumbnail.cells, Pooling::Max,
               {thumbnail.weights.data(), thumbnail.cells.rows, thumbnail.cells.columns});
    std::vector<Span> spans;
    for (std::int64_t row = 0; row < extent.rows; ++row) {
        map.visibleSpans(row, spans);
        markVisible(row, spans, extent, thumbnail.cells, thumbnail.visible);
    }
    return thumbnail;
}

} // namespace headscope
