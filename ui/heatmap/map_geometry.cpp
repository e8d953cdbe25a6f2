// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/map_geometry.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui {

namespace {

/// Share of the area's side that a map of equal cells must fill.
constexpr double kFilled = 0.95;

double asDouble(std::int64_t value) {
    return static_cast<double>(value);
}

/// Pixel centres decide: the first pixel whose centre lies at or beyond `position`.
std::int64_t pixelEdge(double position) {
    return static_cast<std::int64_t>(std::ceil(position - 0.5));
}

} // namespace

void MapGeometry::setMap(Extent extent) {
    const bool same = extent == m_extent;
    m_extent = extent;
    if (!same) fit();
    applyPending();
}

void MapGeometry::setArea(const QRectF& area, double devicePixelRatio) {
    const QPointF middle(m_left + 0.5 * visibleCells().width(), m_top + 0.5 * visibleCells().height());
    const bool first = m_area.isEmpty();
    if (area == m_area && devicePixelRatio == m_ratio) return; // nothing to lose to rounding
    m_area = area;
    m_ratio = devicePixelRatio;
    if (m_fit || first) {
        if (m_fit) m_cell = fitCell();
    } else {
        m_left = middle.x() - 0.5 * visibleCells().width();
        m_top = middle.y() - 0.5 * visibleCells().height();
    }
    clamp();
    applyPending();
}

void MapGeometry::applyPending() {
    if (!m_pending || isEmpty()) return;
    setViewport(*std::exchange(m_pending, std::nullopt));
}

double MapGeometry::fitCell() const {
    if (isEmpty()) return 1.0;
    const double cell =
        std::min(m_area.width() / asDouble(m_extent.columns), m_area.height() / asDouble(m_extent.rows));
    // Whole device pixels where the loss is small: all cells then have the same size. Elsewhere the map fills
    // its area, and cells differ by a pixel.
    const double pixels = cell * m_ratio;
    const double whole = std::floor(pixels);
    return whole >= 4.0 && whole >= kFilled * pixels ? whole / m_ratio : cell;
}

void MapGeometry::fit() {
    m_fit = true;
    m_cell = fitCell();
    m_left = 0.0;
    m_top = 0.0;
}

QSizeF MapGeometry::visibleCells() const {
    return {std::min(asDouble(m_extent.columns), m_area.width() / m_cell),
            std::min(asDouble(m_extent.rows), m_area.height() / m_cell)};
}

void MapGeometry::clamp() {
    if (isEmpty()) return;
    const double smallest = fitCell();
    m_cell = std::clamp(m_cell, smallest, std::max(kLargestCell, smallest));
    m_left = std::clamp(m_left, 0.0, asDouble(m_extent.columns) - visibleCells().width());
    m_top = std::clamp(m_top, 0.0, asDouble(m_extent.rows) - visibleCells().height());
}

MapViewport MapGeometry::viewport() const {
    if (isEmpty()) return m_pending.value_or(MapViewport{});
    if (m_fit) return {};
    return {m_left, m_top, visibleCells().width(), visibleCells().height()};
}

void MapGeometry::setViewport(const MapViewport& viewport) {
    if (isEmpty()) {
        m_pending = viewport;
        return;
    }
    const bool finite = std::isfinite(viewport.left) && std::isfinite(viewport.top) &&
                        std::isfinite(viewport.width) && std::isfinite(viewport.height);
    if (viewport.isFit() || !finite) {
        fit();
        return;
    }
    m_fit = false;
    m_cell = std::min(m_area.width() / viewport.width, m_area.height() / viewport.height);
    m_left = viewport.left;
    m_top = viewport.top;
    clamp();
}

void MapGeometry::show(Span rows, Span columns) {
    if (isEmpty() || rows.size() <= 0 || columns.size() <= 0) return;
    m_fit = false;
    m_cell = std::min(m_area.width() / asDouble(columns.size()), m_area.height() / asDouble(rows.size()));
    clamp(); // the size of the cells first: what is visible depends on it
    m_left = 0.5 * (asDouble(columns.begin + columns.end) - visibleCells().width());
    m_top = 0.5 * (asDouble(rows.begin + rows.end) - visibleCells().height());
    clamp();
}

void MapGeometry::setCellSize(double size, const QPointF& cursor) {
    if (isEmpty()) return;
    // The middle of the pixel under the cursor stays where it is: its cell is the one that hovering names.
    const auto middle = [this](double value) { return (std::floor(value * m_ratio) + 0.5) / m_ratio; };
    const QPointF anchor(middle(cursor.x()), middle(cursor.y()));
    const QPointF before = origin();
    const double column = m_left + (anchor.x() - before.x()) / m_cell;
    const double row = m_top + (anchor.y() - before.y()) / m_cell;
    m_cell = size;
    m_fit = false;
    clamp();
    const QPointF after = origin();
    m_left = column - (anchor.x() - after.x()) / m_cell;
    m_top = row - (anchor.y() - after.y()) / m_cell;
    clamp();
    if (m_cell <= fitCell()) fit();
}

void MapGeometry::zoom(double factor, const QPointF& anchor) {
    setCellSize(m_cell * factor, anchor);
}

void MapGeometry::pan(const QPointF& pixels) {
    m_left -= pixels.x() / m_cell;
    m_top -= pixels.y() / m_cell;
    clamp();
}

void MapGeometry::reveal(std::int64_t row, std::int64_t column) {
    const auto moved = [](double begin, double size, std::int64_t cell) {
        return std::max(std::min(begin, asDouble(cell)), asDouble(cell + 1) - size);
    };
    m_left = moved(m_left, visibleCells().width(), column);
    m_top = moved(m_top, visibleCells().height(), row);
    clamp();
}

/// A map narrower than its area stands in the middle of it, and at the top.
QPointF MapGeometry::origin() const {
    const double spare = std::max(0.0, m_area.width() - asDouble(m_extent.columns) * m_cell);
    const auto snapped = [this](double value) { return std::round(value * m_ratio) / m_ratio; };
    return {snapped(m_area.left() + 0.5 * spare), snapped(m_area.top())};
}

QSize MapGeometry::pixelSize() const {
    if (isEmpty()) return {};
    const double scale = pixelsPerWeight();
    const int cellLevel = level();
    const auto pixels = [&](double begin, double cells, double limit, std::int64_t count) {
        auto size =
            static_cast<std::int64_t>(std::min(std::round(cells * scale), std::floor(limit * m_ratio)));
        // The last cell of a level may cover fewer weights and be thinner than a pixel: it gets one all the
        // same.
        const std::int64_t lastCell = (count - 1) >> cellLevel << cellLevel;
        if (begin + cells >= asDouble(count) - 1e-9)
            size = std::max(size, pixelEdge((asDouble(lastCell) - begin) * scale) + 1);
        return static_cast<int>(std::max<std::int64_t>(size, 1));
    };
    return {pixels(m_left, visibleCells().width(), m_area.width(), m_extent.columns),
            pixels(m_top, visibleCells().height(), m_area.height(), m_extent.rows)};
}

QRectF MapGeometry::mapRect() const {
    return {origin(), QSizeF(pixelSize()) / m_ratio};
}

std::int64_t MapGeometry::columnEdge(std::int64_t column) const {
    return pixelEdge((asDouble(column) - m_left) * pixelsPerWeight());
}

std::int64_t MapGeometry::rowEdge(std::int64_t row) const {
    return pixelEdge((asDouble(row) - m_top) * pixelsPerWeight());
}

std::int64_t MapGeometry::columnAt(std::int64_t x) const {
    const auto cell = static_cast<std::int64_t>(std::floor(m_left + (asDouble(x) + 0.5) / pixelsPerWeight()));
    return std::clamp<std::int64_t>(cell, 0, m_extent.columns - 1);
}

std::int64_t MapGeometry::rowAt(std::int64_t y) const {
    const auto cell = static_cast<std::int64_t>(std::floor(m_top + (asDouble(y) + 0.5) / pixelsPerWeight()));
    return std::clamp<std::int64_t>(cell, 0, m_extent.rows - 1);
}

QRectF MapGeometry::cellRect(std::int64_t row, std::int64_t column) const {
    const QPointF topLeft(asDouble(columnEdge(column)), asDouble(rowEdge(row)));
    const QPointF bottomRight(asDouble(columnEdge(column + 1)), asDouble(rowEdge(row + 1)));
    return QRectF(topLeft / m_ratio, bottomRight / m_ratio).translated(origin());
}

bool MapGeometry::cellAt(const QPointF& point, std::int64_t& row, std::int64_t& column) const {
    if (isEmpty() || !mapRect().contains(point)) return false;
    const QPointF inside = (point - origin()) * m_ratio;
    column = columnAt(std::min<std::int64_t>(static_cast<std::int64_t>(inside.x()), pixelSize().width() - 1));
    row = rowAt(std::min<std::int64_t>(static_cast<std::int64_t>(inside.y()), pixelSize().height() - 1));
    return true;
}

std::vector<TileAddress> MapGeometry::visibleTiles() const {
    std::vector<TileAddress> tiles;
    if (isEmpty()) return tiles;
    const int tileLevel = level();
    const QSize size = pixelSize();
    const auto tileOf = [tileLevel](std::int64_t cell) { return (cell >> tileLevel) / kTileCells; };
    const Span rows{tileOf(rowAt(0)), tileOf(rowAt(size.height() - 1)) + 1};
    const Span columns{tileOf(columnAt(0)), tileOf(columnAt(size.width() - 1)) + 1};
    for (std::int64_t row = rows.begin; row < rows.end; ++row)
        for (std::int64_t column = columns.begin; column < columns.end; ++column)
            tiles.push_back({tileLevel, row, column});
    const auto fromMiddle = [&](const TileAddress& tile) {
        return std::abs(2 * tile.row + 1 - rows.begin - rows.end) +
               std::abs(2 * tile.column + 1 - columns.begin - columns.end);
    };
    std::stable_sort(tiles.begin(), tiles.end(), [&](const TileAddress& a, const TileAddress& b) {
        return fromMiddle(a) < fromMiddle(b);
    });
    return tiles;
}

} // namespace headscope::ui
