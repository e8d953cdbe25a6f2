// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a map that is marked, with the mouse or the keyboard, to be zoomed to.
#include "ui/heatmap/heatmap_view_p.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kPage = 10; ///< cells that Page Up and Down take in

Span between(std::int64_t a, std::int64_t b) {
    return {std::min(a, b), std::max(a, b) + 1};
}

/// Rows and columns that a key adds; none for other keys.
std::optional<HeatmapView::Cell> stepOf(int key) {
    switch (key) {
    case Qt::Key_Left:
        return HeatmapView::Cell(0, -1);
    case Qt::Key_Right:
        return HeatmapView::Cell(0, 1);
    case Qt::Key_Up:
        return HeatmapView::Cell(-1, 0);
    case Qt::Key_Down:
        return HeatmapView::Cell(1, 0);
    case Qt::Key_PageUp:
        return HeatmapView::Cell(-kPage, 0);
    case Qt::Key_PageDown:
        return HeatmapView::Cell(kPage, 0);
    default:
        return std::nullopt;
    }
}

} // namespace

Span HeatmapView::Private::Box::rows() const {
    return between(from.first, to.first);
}
Span HeatmapView::Private::Box::columns() const {
    return between(from.second, to.second);
}

/// The cell under a point, or the one of the drawn part that is nearest to it.
HeatmapView::Cell HeatmapView::Private::nearestCell(const QPointF& position) const {
    const QSize size = geometry.pixelSize();
    const QPointF inside = (position - geometry.mapRect().topLeft()) * geometry.devicePixelRatio();
    return {geometry.rowAt(std::clamp(static_cast<int>(inside.y()), 0, size.height() - 1)),
            geometry.columnAt(std::clamp(static_cast<int>(inside.x()), 0, size.width() - 1))};
}

void HeatmapView::Private::mark(std::optional<Box> part) {
    box = part;
    hover(std::nullopt);
    refreshAccessibleText();
    q.update();
}

void HeatmapView::Private::zoomToBox() {
    if (!box) return;
    if (box->rows().size() == geometry.extent().rows && box->columns().size() == geometry.extent().columns)
        geometry.fit();
    else
        geometry.show(box->rows(), box->columns());
    mark(std::nullopt);
    viewportMoved(true);
}

void HeatmapView::Private::endDrag() {
    pressed.reset();
    dragging = false;
    boxFrom.reset();
    q.unsetCursor();
}

bool HeatmapView::Private::takesBoxKey(const QKeyEvent& event) {
    if (box && event.key() == Qt::Key_Escape) {
        mark(std::nullopt);
        endDrag();
        return true;
    }
    if (box && (event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter)) {
        endDrag();
        zoomToBox();
        return true;
    }
    const auto step = event.modifiers() & Qt::ShiftModifier ? stepOf(event.key()) : std::nullopt;
    if (!step) {
        if (box && stepOf(event.key())) mark(std::nullopt); // the crosshair moves on
        return false;
    }
    const Extent extent = geometry.extent();
    const Cell start(selectedQuery.value_or(geometry.rowAt(0)), selectedKey.value_or(geometry.columnAt(0)));
    Box next = box.value_or(Box{start, start});
    next.to.first = std::clamp<std::int64_t>(next.to.first + step->first, 0, extent.rows - 1);
    next.to.second = std::clamp<std::int64_t>(next.to.second + step->second, 0, extent.columns - 1);
    mark(next);
    q.reveal(next.to);
    return true;
}

QString HeatmapView::Private::boxSentence() const {
    return HeatmapView::tr("Queries %1–%2, keys %3–%4: Enter or letting go zooms there, Esc does not")
        .arg(box->rows().begin)
        .arg(box->rows().end - 1)
        .arg(box->columns().begin)
        .arg(box->columns().end - 1);
}

/// What is not marked goes back a little.
void HeatmapView::Private::paintBox(QPainter& painter) const {
    if (!box) return;
    const QRectF drawn = geometry.mapRect();
    const QRectF part = geometry.cellRect(box->from.first, box->from.second)
                            .united(geometry.cellRect(box->to.first, box->to.second))
                            .intersected(drawn);
    painter.save();
    painter.setClipRect(drawn.adjusted(-2.0, -2.0, 2.0, 2.0));
    QColor veil = theme.panel;
    veil.setAlphaF(0.45F);
    for (const QRectF& side :
         {QRectF(drawn.topLeft(), QPointF(drawn.right(), part.top())),
          QRectF(QPointF(drawn.left(), part.bottom()), drawn.bottomRight()),
          QRectF(QPointF(drawn.left(), part.top()), QPointF(part.left(), part.bottom())),
          QRectF(QPointF(part.right(), part.top()), QPointF(drawn.right(), part.bottom()))})
        painter.fillRect(side, veil);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(QColor(0, 0, 0, 160), 3.0));
    painter.drawRect(part);
    painter.setPen(QPen(QColor(255, 255, 255), 1.5));
    painter.drawRect(part);
    painter.restore();
}

} // namespace headscope::ui
