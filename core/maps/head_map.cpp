// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/maps/head_map.h"

#include "core/base/check.h"
#include "core/maps/cell_row.h"

#include <algorithm>
#include <utility>

namespace headscope {

namespace {

constexpr std::int64_t kChunkRows = 48;
constexpr std::int64_t kChunkCells = std::int64_t{1} << 20; ///< 4 MB, unless a single row is longer

/// Where cell `index` of `cells` begins in a range of `size`.
constexpr std::int64_t cellBegin(std::int64_t index, std::int64_t size, std::int64_t cells) {
    return index * size / cells;
}

void checkRange(Span range, std::int64_t size) {
    HS_CHECK(range.begin >= 0 && range.begin <= range.end);
    HS_CHECK_LE(range.end, size);
}

} // namespace

void HeadMap::pooled(Span rows, Span columns, Extent cells, Pooling pooling, MatrixView<float> out) const {
    checkRange(rows, extent().rows);
    checkRange(columns, extent().columns);
    HS_CHECK(cells.rows >= 0 && cells.columns >= 0);
    HS_CHECK_LE(cells.rows, rows.size());
    HS_CHECK_LE(cells.columns, columns.size());
    HS_CHECK_EQ(out.rows, cells.rows);
    HS_CHECK_EQ(out.columns, cells.columns);
    if (cells.rows == 0 || cells.columns == 0) return;

    const std::int64_t width = columns.size();
    const std::int64_t chunk =
        std::clamp<std::int64_t>(kChunkCells / width, 1, std::min(kChunkRows, rows.size()));
    std::vector<float> buffer(static_cast<std::size_t>(chunk * width));
    std::vector<std::int64_t> bounds;
    for (std::int64_t c = 0; c <= cells.columns; ++c) bounds.push_back(cellBegin(c, width, cells.columns));
    CellRow band(bounds, pooling);

    std::int64_t cellRow = 0;
    for (std::int64_t done = 0; done < rows.size(); done += chunk) {
        const std::int64_t count = std::min(chunk, rows.size() - done);
        const MatrixView<float> weights(buffer.data(), count, width);
        tile({rows.begin + done, rows.begin + done + count}, columns, weights);
        for (std::int64_t r = 0; r < count; ++r) {
            band.add(weights.row(r));
            const std::int64_t bandEnd = cellBegin(cellRow + 1, rows.size(), cells.rows);
            if (done + r + 1 < bandEnd) continue;
            band.take(bandEnd - cellBegin(cellRow, rows.size(), cells.rows), out.row(cellRow));
            ++cellRow;
        }
    }
}

float HeadMap::cell(std::int64_t row, std::int64_t column) const {
    float value = 0.0F;
    tile({row, row + 1}, {column, column + 1}, {&value, 1, 1});
    return value;
}

std::vector<float> HeadMap::row(std::int64_t index) const {
    const std::int64_t columns = extent().columns;
    std::vector<float> values(static_cast<std::size_t>(columns));
    tile({index, index + 1}, {0, columns}, {values.data(), 1, columns});
    return values;
}

std::vector<float> HeadMap::column(std::int64_t index) const {
    const std::int64_t rows = extent().rows;
    std::vector<float> values(static_cast<std::size_t>(rows));
    tile({0, rows}, {index, index + 1}, {values.data(), rows, 1});
    return values;
}

StoredMap::StoredMap(Extent extent, std::vector<float> weights)
    : m_extent(extent), m_weights(std::move(weights)) {
    HS_CHECK(extent.rows >= 0 && extent.columns >= 0);
    HS_CHECK_EQ(static_cast<std::int64_t>(m_weights.size()), extent.rows * extent.columns);
}

void StoredMap::tile(Span rows, Span columns, MatrixView<float> out) const {
    checkRange(rows, m_extent.rows);
    checkRange(columns, m_extent.columns);
    HS_CHECK_EQ(out.rows, rows.size());
    HS_CHECK_EQ(out.columns, columns.size());
    for (std::int64_t r = 0; r < rows.size(); ++r)
        std::copy_n(m_weights.data() + (rows.begin + r) * m_extent.columns + columns.begin, columns.size(),
                    out.row(r));
}

void StoredMap::visibleSpans(std::int64_t row, std::vector<Span>& out) const {
    HS_CHECK(row >= 0 && row < m_extent.rows);
    out.clear();
    if (m_extent.columns > 0) out.push_back({0, m_extent.columns});
}

} // namespace headscope
