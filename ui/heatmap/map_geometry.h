// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/raster/raster.h"
#include "ui/heatmap/map_viewport.h"

#include <QPointF>
#include <QRectF>
#include <QSize>
#include <QSizeF>

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::ui {

/// Cells <-> pixels of the large view: which part of the map is shown, how large, and where. Pure arithmetic.
/// Lengths are device-independent pixels; edges are snapped to device pixels.
class MapGeometry {
  public:
    /// Largest size of a cell when zooming in.
    static constexpr double kLargestCell = 240.0;

    /// The map, and the rectangle that it may fill; keeps the part shown where it can.
    void setMap(Extent extent);
    void setArea(const QRectF& area, double devicePixelRatio);

    void fit();
    bool isFit() const { return m_fit; }
    MapViewport viewport() const;
    /// Shows at least the part asked for, as large as the area allows. Before there is a map and an area it
    /// waits.
    void setViewport(const MapViewport& viewport);
    /// These cells in the middle, as large as the area allows.
    void show(Span rows, Span columns);
    /// Scales by `factor` with the cell under `cursor` staying under it, as far as the map's edges allow.
    void zoom(double factor, const QPointF& cursor);
    void setCellSize(double size, const QPointF& cursor);
    void pan(const QPointF& pixels); ///< the map follows by that much
    /// Moves the least that shows the cell whole.
    void reveal(std::int64_t row, std::int64_t column);

    Extent extent() const { return m_extent; }
    double devicePixelRatio() const { return m_ratio; }
    double cellSize() const { return m_cell; }
    double pixelsPerWeight() const { return m_cell * m_ratio; } ///< device pixels
    double left() const { return m_left; }
    double top() const { return m_top; }
    QRectF area() const { return m_area; }
    QRectF mapRect() const; ///< the drawn part, in the area's coordinates
    QSizeF visibleCells() const;
    bool isEmpty() const { return m_extent.rows <= 0 || m_extent.columns <= 0 || m_area.isEmpty(); }

    QRectF cellRect(std::int64_t row, std::int64_t column) const;
    /// Cell edges in device pixels from the left (top) of the drawn part, as the pixels are filled.
    std::int64_t columnEdge(std::int64_t column) const;
    std::int64_t rowEdge(std::int64_t row) const;
    /// Column (row) whose colour device pixel `x` (`y`) of the drawn part has.
    std::int64_t columnAt(std::int64_t x) const;
    std::int64_t rowAt(std::int64_t y) const;
    /// Size of the drawn part in device pixels.
    QSize pixelSize() const;
    /// Cell under a point; false outside the drawn part.
    bool cellAt(const QPointF& point, std::int64_t& row, std::int64_t& column) const;

    /// The pyramid level to draw, and its tiles that can be seen, the middle ones first.
    int level() const { return levelFor(pixelsPerWeight(), m_extent); }
    std::vector<TileAddress> visibleTiles() const;

  private:
    double fitCell() const;
    void clamp();
    void applyPending();
    QPointF origin() const;

    Extent m_extent;
    QRectF m_area;
    double m_ratio = 1.0;
    double m_cell = 1.0; ///< pixels per cell
    double m_left = 0.0; ///< cells
    double m_top = 0.0;
    bool m_fit = true;
    std::optional<MapViewport> m_pending;
};

} // namespace headscope::ui
