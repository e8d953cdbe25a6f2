// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/frame_composer.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace headscope::ui {

namespace {

/// Device pixels [begin, end) of the frame along one axis that a tile covers, and the weight under each
/// pixel.
struct Covered {
    int begin = 0;
    int end = 0;
};

Covered coveredBy(const std::vector<std::int64_t>& weightAt, Span weights) {
    const auto first = std::lower_bound(weightAt.begin(), weightAt.end(), weights.begin);
    const auto last = std::lower_bound(first, weightAt.end(), weights.end);
    return {static_cast<int>(first - weightAt.begin()), static_cast<int>(last - weightAt.begin())};
}

/// A rectangle of source pixels, and how weights map to its rows and columns.
struct Source {
    const Rgb* pixels = nullptr;
    std::int64_t columns = 0;
    std::function<std::int64_t(std::int64_t)> rowOf;
    std::function<std::int64_t(std::int64_t)> columnOf;
};

class Composer {
  public:
    Composer(const MapGeometry& geometry, const TileLookup& lookup, const FrameStandIn& standIn,
             QImage& frame)
        : m_geometry(geometry), m_lookup(lookup), m_standIn(standIn), m_frame(frame) {}

    bool run() {
        const QSize size = m_geometry.pixelSize();
        if (m_frame.size() != size) m_frame = QImage(size, QImage::Format_RGB32);
        m_columns.resize(static_cast<std::size_t>(size.width()));
        m_rows.resize(static_cast<std::size_t>(size.height()));
        for (int x = 0; x < size.width(); ++x)
            m_columns[static_cast<std::size_t>(x)] = m_geometry.columnAt(x);
        for (int y = 0; y < size.height(); ++y) m_rows[static_cast<std::size_t>(y)] = m_geometry.rowAt(y);
        bool complete = true;
        for (const TileAddress& address : m_geometry.visibleTiles()) complete = drawTile(address) && complete;
        return complete;
    }

  private:
    bool drawTile(const TileAddress& address) {
        const Extent extent = m_geometry.extent();
        const Covered rows = coveredBy(m_rows, tileRows(address, extent));
        const Covered columns = coveredBy(m_columns, tileColumns(address, extent));
        if (const auto tile = m_lookup(address)) {
            copy(sourceOf(*tile, address), rows, columns);
            return true;
        }
        for (int up = 1; address.level + up < pyramidLevels(extent); ++up) {
            const TileAddress coarser{address.level + up, address.row >> up, address.column >> up};
            if (const auto tile = m_lookup(coarser)) {
                copy(sourceOf(*tile, coarser), rows, columns);
                return false;
            }
        }
        if (m_standIn.cells.rows > 0 && m_standIn.cells.columns > 0)
            copy(standInSource(), rows, columns);
        else
            fill(rows, columns);
        return false;
    }

    static Source sourceOf(const PixelTile& tile, const TileAddress& address) {
        const std::int64_t firstRow = address.row * kTileCells;
        const std::int64_t firstColumn = address.column * kTileCells;
        const int level = address.level;
        return {tile.pixels.data(), tile.cells.columns,
                [=](std::int64_t weight) { return (weight >> level) - firstRow; },
                [=](std::int64_t weight) { return (weight >> level) - firstColumn; }};
    }

    Source standInSource() const {
        const Extent extent = m_geometry.extent();
        const Extent cells = m_standIn.cells;
        return {m_standIn.pixels.data(), cells.columns,
                [=](std::int64_t weight) { return weight * cells.rows / extent.rows; },
                [=](std::int64_t weight) { return weight * cells.columns / extent.columns; }};
    }

    void copy(const Source& source, Covered rows, Covered columns) {
        const int count = columns.end - columns.begin;
        if (count <= 0) return;
        m_sourceColumns.resize(static_cast<std::size_t>(count));
        for (int x = 0; x < count; ++x)
            m_sourceColumns[static_cast<std::size_t>(x)] =
                source.columnOf(m_columns[static_cast<std::size_t>(columns.begin + x)]);
        std::int64_t previous = -1;
        for (int y = rows.begin; y < rows.end; ++y) {
            auto* line = reinterpret_cast<Rgb*>(m_frame.scanLine(y)) + columns.begin;
            const std::int64_t row = source.rowOf(m_rows[static_cast<std::size_t>(y)]);
            if (row == previous) {
                std::memcpy(line, reinterpret_cast<const Rgb*>(m_frame.constScanLine(y - 1)) + columns.begin,
                            static_cast<std::size_t>(count) * sizeof(Rgb));
                continue;
            }
            const Rgb* from = source.pixels + row * source.columns;
            for (int x = 0; x < count; ++x) line[x] = from[m_sourceColumns[static_cast<std::size_t>(x)]];
            previous = row;
        }
    }

    void fill(Covered rows, Covered columns) {
        for (int y = rows.begin; y < rows.end; ++y) {
            auto* line = reinterpret_cast<Rgb*>(m_frame.scanLine(y));
            std::fill(line + columns.begin, line + columns.end, m_standIn.skeleton);
        }
    }

    const MapGeometry& m_geometry;
    const TileLookup& m_lookup;
    const FrameStandIn& m_standIn;
    QImage& m_frame;
    std::vector<std::int64_t> m_columns; ///< weight column under each pixel of the frame, ascending
    std::vector<std::int64_t> m_rows;
    std::vector<std::int64_t> m_sourceColumns;
};

} // namespace

bool composeFrame(const MapGeometry& geometry, const TileLookup& lookup, const FrameStandIn& standIn,
                  QImage& frame) {
    if (geometry.isEmpty()) {
        frame = QImage();
        return true;
    }
    return Composer(geometry, lookup, standIn, frame).run();
}

} // namespace headscope::ui
