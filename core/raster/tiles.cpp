// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/raster/cell_edges.h"
#include "core/raster/raster.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace headscope {

namespace {

/// Weights taken from the map between two polls of the cancel token.
constexpr std::int64_t kBandWeights = 1 << 20;

std::int64_t cellsAt(std::int64_t weights, int level) {
    return (weights + (std::int64_t{1} << level) - 1) >> level;
}

Span tileSpan(std::int64_t tile, int level, std::int64_t weights) {
    const Span span{(tile * kTileCells) << level, ((tile + 1) * kTileCells) << level};
    return {std::min(span.begin, weights), std::min(span.end, weights)};
}

/// One axis of a region and how its weights fall into cells: either 2^level each (a tile; only the last may
/// be smaller) or evenly split, as HeadMap::pooled does.
struct Split {
    Span weights;
    std::int64_t cells = 0;
    int level = -1; ///< -1: evenly split

    static Split tile(Span span, int level) { return {span, cellsAt(span.size(), level), level}; }
    static Split even(Span span, std::int64_t limit) { return {span, std::min(span.size(), limit), -1}; }

    /// First weight of cell `cell`; cell == cells gives the end.
    std::int64_t edge(std::int64_t cell) const {
        if (level < 0) return weights.begin + detail::cellEdge(cell, weights.size(), cells);
        return std::min(weights.begin + (cell << level), weights.end);
    }
    std::int64_t cellOf(std::int64_t index) const {
        if (level < 0) return detail::cellOf(index - weights.begin, weights.size(), cells);
        return (index - weights.begin) >> level;
    }
    /// Ranges of cells whose weights an even split of HeadMap::pooled reproduces: all, or the full ones and
    /// the rest.
    std::vector<Span> evenParts(Span part) const {
        if (level < 0 || edge(part.end) - edge(part.begin) == part.size() << level) return {part};
        if (part.size() == 1) return {part};
        return {{part.begin, part.end - 1}, {part.end - 1, part.end}};
    }
    Span weightsOf(Span part) const { return {edge(part.begin), edge(part.end)}; }
};

/// Weights of the cell rows `band` of a region, pooled.
void poolPart(const HeadMap& map, const Split& rows, const Split& columns, Pooling pooling, Span band,
              MatrixView<float> out) {
    for (const Span r : rows.evenParts(band))
        for (const Span c : columns.evenParts({0, columns.cells})) {
            const MatrixView<float> target(&out.at(r.begin - band.begin, c.begin), r.size(), c.size(),
                                           out.stride);
            const Span sourceRows = rows.weightsOf(r);
            const Span sourceColumns = columns.weightsOf(c);
            if (sourceRows.size() == r.size() && sourceColumns.size() == c.size() &&
                pooling != Pooling::MaxAbs)
                map.tile(sourceRows, sourceColumns, target);
            else
                map.pooled(sourceRows, sourceColumns, {r.size(), c.size()}, pooling, target);
        }
}

/// Sets cells of `pixels` under which nothing is visible to `masked`.
void paintMasked(const HeadMap& map, const Split& rows, const Split& columns, Span band, Rgb masked,
                 MatrixView<Rgb> pixels) {
    std::vector<std::uint8_t> seen(static_cast<std::size_t>(columns.cells));
    std::vector<Span> spans;
    for (std::int64_t cell = band.begin; cell < band.end; ++cell) {
        std::fill(seen.begin(), seen.end(), std::uint8_t{0});
        for (std::int64_t row = rows.edge(cell); row < rows.edge(cell + 1); ++row) {
            map.visibleSpans(row, spans);
            for (const Span span : spans) {
                const Span inside{std::max(span.begin, columns.weights.begin),
                                  std::min(span.end, columns.weights.end)};
                if (inside.size() <= 0) continue;
                std::fill(seen.begin() + columns.cellOf(inside.begin),
                          seen.begin() + columns.cellOf(inside.end - 1) + 1, std::uint8_t{1});
            }
        }
        Rgb* line = pixels.row(cell - band.begin);
        for (std::int64_t j = 0; j < columns.cells; ++j)
            if (seen[static_cast<std::size_t>(j)] == 0) line[j] = masked;
    }
}

PixelTile render(const HeadMap& map, const Split& rows, const Split& columns, const RasterStyle& style,
                 const CancelToken& cancel) {
    HS_CHECK(style.range.mode != RangeMode::Auto);
    PixelTile result{{rows.cells, columns.cells}, {}};
    if (rows.cells <= 0 || columns.cells <= 0) return {};
    result.pixels.resize(static_cast<std::size_t>(rows.cells * columns.cells));
    const bool perRow = style.range.mode == RangeMode::PerRow;
    const std::int64_t allColumns = map.extent().columns;
    const std::int64_t weightsPerCellRow = std::max<std::int64_t>(
        1, (perRow ? allColumns : columns.weights.size()) * rows.weights.size() / rows.cells);
    const std::int64_t step = std::clamp<std::int64_t>(kBandWeights / weightsPerCellRow, 1, rows.cells);
    std::vector<float> weights(static_cast<std::size_t>(step * columns.cells));
    std::vector<float> maxima(static_cast<std::size_t>(step));
    for (std::int64_t begin = 0; begin < rows.cells; begin += step) {
        if (cancel.isCancelled()) return {};
        const Span band{begin, std::min(begin + step, rows.cells)};
        const MatrixView<float> view(weights.data(), band.size(), columns.cells);
        poolPart(map, rows, columns, style.pooling, band, view);
        // A row's maximum is over all its keys, not only those of this part.
        const Split whole = Split::even({0, allColumns}, 1);
        if (perRow) poolPart(map, rows, whole, Pooling::Max, band, {maxima.data(), band.size(), 1});
        const MatrixView<Rgb> pixels(result.pixels.data() + begin * columns.cells, band.size(),
                                     columns.cells);
        colorize(view, style, maxima.data(), pixels);
        paintMasked(map, rows, columns, band, style.colors.masked, pixels);
    }
    return result;
}

} // namespace

int pyramidLevels(Extent extent) {
    int levels = 1;
    while (cellsAt(std::max(extent.rows, extent.columns), levels - 1) > kTileCells) ++levels;
    return levels;
}

int levelFor(double pixelsPerWeight, Extent extent) {
    int level = 0;
    double cell = pixelsPerWeight;
    // The small margin keeps rounding in a caller's division from choosing a level too many.
    while (cell < 1.0 - 1e-9 && cellsAt(std::max(extent.rows, extent.columns), level) > 1) {
        cell *= 2.0;
        ++level;
    }
    return level;
}

Span tileRows(const TileAddress& tile, Extent extent) {
    return tileSpan(tile.row, tile.level, extent.rows);
}

Span tileColumns(const TileAddress& tile, Extent extent) {
    return tileSpan(tile.column, tile.level, extent.columns);
}

Extent tileCells(const TileAddress& tile, Extent extent) {
    return {cellsAt(tileRows(tile, extent).size(), tile.level),
            cellsAt(tileColumns(tile, extent).size(), tile.level)};
}

PixelTile renderTile(const HeadMap& map, const TileAddress& tile, const RasterStyle& style,
                     const CancelToken& cancel) {
    const Extent extent = map.extent();
    return render(map, Split::tile(tileRows(tile, extent), tile.level),
                  Split::tile(tileColumns(tile, extent), tile.level), style, cancel);
}

PixelTile renderRegion(const HeadMap& map, Span rows, Span columns, Extent limit, const RasterStyle& style) {
    HS_CHECK(rows.begin >= 0 && rows.end <= map.extent().rows);
    HS_CHECK(columns.begin >= 0 && columns.end <= map.extent().columns);
    HS_CHECK(limit.rows > 0 && limit.columns > 0);
    return render(map, Split::even(rows, limit.rows), Split::even(columns, limit.columns), style, {});
}

} // namespace headscope
