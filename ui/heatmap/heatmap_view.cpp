// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/heatmap_view.h"

#include "core/base/check.h"
#include "ui/heatmap/heatmap_view_p.h"
#include "ui/heatmap/readout.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPainter>
#include <QStyleHints>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui {

namespace {

constexpr double kZoomStep = 1.25;
constexpr double kWheelNotch = 120.0; ///< eighths of a degree
constexpr int kPage = 10;             ///< cells that Page Up and Down jump

} // namespace

HeatmapView::HeatmapView(QWidget* parent) : QWidget(parent), m_d(std::make_unique<Private>(*this)) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Attention map of one head"));
    m_d->emptyText = tr("No map yet. Open a model and run a text.");
    m_d->loadingText = tr("Computing…");
    connect(&m_d->loader, &TileLoader::tileReady, this, [this] {
        m_d->frameStale = true;
        update();
    });
    connect(&m_d->marginLoader, &MarginLoader::ready, this, [this] {
        m_d->refreshMargins();
        if (isComplete()) Q_EMIT completed();
    });
    m_d->layOut();
    m_d->refreshAccessibleText();
}

HeatmapView::~HeatmapView() = default;

void HeatmapView::setMap(std::shared_ptr<const HeadMap> map, std::shared_ptr<const Axis> queryAxis,
                         std::shared_ptr<const Axis> keyAxis, const RangeStatistics& statistics) {
    Private& d = *m_d;
    const Extent extent = map ? map->extent() : Extent{};
    HS_CHECK(!map ||
             (queryAxis && keyAxis && queryAxis->size() == extent.rows && keyAxis->size() == extent.columns));
    if (extent != d.geometry.extent()) {
        d.selectedQuery.reset();
        d.selectedKey.reset();
    }
    d.map = std::move(map);
    d.mapNumber = d.identities.of(d.map);
    d.queries = std::move(queryAxis);
    d.keys = std::move(keyAxis);
    d.legend.statistics = statistics;
    d.legend.masked.reset();
    d.preview.reset();
    d.loading = false;
    if (d.map) {
        // Only whether the legend names masked cells: some hundred rows tell.
        const std::int64_t step = std::max<std::int64_t>(1, extent.rows / 256);
        std::vector<Span> spans;
        for (std::int64_t row = 0; row < extent.rows && !d.legend.masked; row += step) {
            d.map->visibleSpans(row, spans);
            std::int64_t visible = 0;
            for (const Span span : spans) visible += span.size();
            if (visible < extent.columns) d.legend.masked = d.theme.masked;
        }
    }
    d.geometry.setMap(extent);
    d.hovered.reset();
    d.box.reset();
    d.endDrag();
    d.layOut();
    d.refreshStandIn();
    d.refreshSelected();
    d.refreshMargins();
    d.viewportMoved(false);
    if (underMouse()) d.hover(mapFromGlobal(QCursor::pos()).toPointF());
}

void HeatmapView::setPreview(const Thumbnail& thumbnail) {
    m_d->preview = thumbnail;
    m_d->refreshStandIn();
    m_d->frameStale = true;
    update();
}

void HeatmapView::setDisplay(const DisplayRange& range, Colormap colormap, Pooling pooling) {
    Private& d = *m_d;
    if (d.legend.chosen == range && d.legend.colormap == colormap && d.pooling == pooling) return;
    d.legend.chosen = range;
    d.legend.colormap = colormap;
    d.pooling = pooling;
    d.layOut();
    d.refreshStandIn();
    d.viewportMoved(false);
}

void HeatmapView::setSelection(std::optional<std::int64_t> query, std::optional<std::int64_t> key) {
    Private& d = *m_d;
    const Extent extent = d.geometry.extent();
    if (query && (*query < 0 || *query >= extent.rows)) query.reset();
    if (key && (*key < 0 || *key >= extent.columns)) key.reset();
    if (query == d.selectedQuery && key == d.selectedKey) return;
    d.selectedQuery = query;
    d.selectedKey = key;
    d.refreshSelected();
    update();
}

void HeatmapView::setTheme(const HeatmapTheme& theme) {
    Private& d = *m_d;
    if (theme == d.theme) return;
    d.theme = theme;
    if (d.legend.masked) d.legend.masked = theme.masked;
    d.refreshStandIn();
    d.viewportMoved(false);
}

void HeatmapView::setEmptyText(const QString& text) {
    m_d->emptyText = text;
    m_d->refreshAccessibleText();
    update();
}

void HeatmapView::setLoading(const QString& text) {
    setMap(nullptr, nullptr, nullptr, {});
    m_d->loading = true;
    m_d->loadingText = text;
    m_d->refreshAccessibleText();
    update();
}

void HeatmapView::setValuesShown(bool shown) {
    m_d->valuesShown = shown;
    m_d->refreshValues();
    update();
}

void HeatmapView::setMarginsShown(bool shown) {
    Private& d = *m_d;
    if (shown == d.marginsShown) return;
    d.marginsShown = shown;
    d.pointAtMargin({});
    d.refreshMargins();
    d.layOut();
    d.viewportMoved(false);
}

void HeatmapView::setReadout(Readout readout) {
    m_d->readout = std::move(readout);
    m_d->hovered.reset();
    m_d->refreshSelected();
    update();
}

void HeatmapView::pointAt(const std::optional<Cell>& cell) {
    const Extent extent = m_d->geometry.extent();
    const bool inside = cell && m_d->map && cell->first >= 0 && cell->first < extent.rows &&
                        cell->second >= 0 && cell->second < extent.columns;
    m_d->show(inside ? m_d->point(cell->first, cell->second) : std::nullopt);
}

void HeatmapView::reveal(const Cell& cell) {
    if (state() != State::Ready) return;
    const MapViewport before = mapViewport();
    m_d->geometry.reveal(cell.first, cell.second);
    if (before != mapViewport()) m_d->viewportMoved(true);
}

std::optional<HeatmapView::Cell> HeatmapView::pointedCell() const {
    if (!m_d->hovered) return std::nullopt;
    return Cell(m_d->hovered->query, m_d->hovered->key);
}

std::optional<HeatmapView::Part> HeatmapView::markedPart() const {
    if (!m_d->box) return std::nullopt;
    return Part{m_d->box->rows(), m_d->box->columns()};
}

Extent HeatmapView::extent() const {
    return m_d->geometry.extent();
}

HeatmapView::State HeatmapView::state() const {
    if (m_d->map && !m_d->geometry.isEmpty()) return State::Ready;
    return m_d->loading ? State::Loading : State::Empty;
}

std::optional<std::int64_t> HeatmapView::selectedQuery() const {
    return m_d->selectedQuery;
}
std::optional<std::int64_t> HeatmapView::selectedKey() const {
    return m_d->selectedKey;
}
MapViewport HeatmapView::mapViewport() const {
    return m_d->geometry.viewport();
}

void HeatmapView::setMapViewport(const MapViewport& viewport) {
    if (viewport == mapViewport()) return;
    m_d->geometry.setViewport(viewport);
    m_d->viewportMoved(false);
}

double HeatmapView::cellSize() const {
    return m_d->geometry.cellSize();
}
QRectF HeatmapView::mapRect() const {
    return m_d->geometry.mapRect();
}

QRectF HeatmapView::cellRect(std::int64_t query, std::int64_t key) const {
    return m_d->geometry.cellRect(query, key);
}

bool HeatmapView::isComplete() const {
    return m_d->complete && !m_d->frameStale && m_d->marginLoader.isIdle();
}

QSize HeatmapView::sizeHint() const {
    return {640, 600};
}
QSize HeatmapView::minimumSizeHint() const {
    return {260, 220};
}

void HeatmapView::zoomIn() {
    m_d->geometry.zoom(kZoomStep, m_d->geometry.mapRect().center());
    m_d->viewportMoved(true);
}

void HeatmapView::zoomOut() {
    m_d->geometry.zoom(1.0 / kZoomStep, m_d->geometry.mapRect().center());
    m_d->viewportMoved(true);
}

void HeatmapView::fit() {
    m_d->geometry.fit();
    m_d->viewportMoved(true);
}

void HeatmapView::oneToOne() {
    m_d->geometry.setCellSize(1.0 / m_d->geometry.devicePixelRatio(), m_d->geometry.mapRect().center());
    m_d->viewportMoved(true);
}

void HeatmapView::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    m_d->paint(painter);
}

void HeatmapView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_d->layOut();
    m_d->viewportMoved(false);
}

void HeatmapView::wheelEvent(QWheelEvent* event) {
    if (state() != State::Ready || !m_d->geometry.area().contains(event->position())) {
        event->ignore();
        return;
    }
    const double notches = event->angleDelta().y() / kWheelNotch;
    if (notches != 0.0) {
        m_d->geometry.zoom(std::pow(kZoomStep, notches), event->position());
        m_d->viewportMoved(true);
        m_d->hover(event->position());
    }
    event->accept();
}

void HeatmapView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return;
    m_d->pressed = event->position();
    m_d->dragged = event->position();
    m_d->dragging = false;
    m_d->boxFrom.reset();
    if (m_d->box) m_d->mark(std::nullopt);
    if (event->button() == Qt::LeftButton && event->modifiers() & Qt::ShiftModifier &&
        state() == State::Ready && mapRect().contains(event->position()))
        m_d->boxFrom = m_d->nearestCell(event->position());
}

void HeatmapView::mouseMoveEvent(QMouseEvent* event) {
    Private& d = *m_d;
    if (!d.pressed) {
        d.hover(event->position());
        d.pointAtMargin(d.marginSentence(event->position()));
        return;
    }
    const QPointF distance = event->position() - *d.pressed;
    if (!d.dragging && distance.manhattanLength() >= QApplication::startDragDistance()) {
        d.dragging = true;
        setCursor(d.boxFrom ? Qt::CrossCursor : Qt::ClosedHandCursor);
        d.hover(std::nullopt);
    }
    if (!d.dragging) return;
    if (d.boxFrom) {
        d.mark(Private::Box{*d.boxFrom, d.nearestCell(event->position())});
        return;
    }
    d.geometry.pan(event->position() - d.dragged);
    d.dragged = event->position();
    d.viewportMoved(true);
}

void HeatmapView::mouseReleaseEvent(QMouseEvent* event) {
    Private& d = *m_d;
    if (!d.pressed) return;
    const bool wasDrag = d.dragging;
    d.endDrag();
    if (wasDrag) d.zoomToBox();
    d.hover(event->position());
    if (!wasDrag && event->button() == Qt::LeftButton && d.hovered) {
        const auto [query, key] = std::pair(d.hovered->query, d.hovered->key);
        d.select(query, key);
        Q_EMIT cellClicked(query, key);
    }
}

void HeatmapView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) fit();
}

void HeatmapView::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    m_d->hover(std::nullopt);
    m_d->pointAtMargin({});
}

void HeatmapView::keyPressEvent(QKeyEvent* event) {
    const Extent extent = m_d->geometry.extent();
    if (state() != State::Ready) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (m_d->takesBoxKey(*event)) return;
    switch (event->key()) {
    case Qt::Key_Left:
        m_d->moveSelection(0, -1);
        return;
    case Qt::Key_Right:
        m_d->moveSelection(0, 1);
        return;
    case Qt::Key_Up:
        m_d->moveSelection(-1, 0);
        return;
    case Qt::Key_Down:
        m_d->moveSelection(1, 0);
        return;
    case Qt::Key_PageUp:
        m_d->moveSelection(-kPage, 0);
        return;
    case Qt::Key_PageDown:
        m_d->moveSelection(kPage, 0);
        return;
    case Qt::Key_Home:
        m_d->moveSelection(0, -extent.columns);
        return;
    case Qt::Key_End:
        m_d->moveSelection(0, extent.columns);
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomIn();
        return;
    case Qt::Key_Minus:
        zoomOut();
        return;
    case Qt::Key_0:
        fit();
        return;
    case Qt::Key_1:
        oneToOne();
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void HeatmapView::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    m_d->keyboardFocus = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    update();
}

void HeatmapView::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    m_d->keyboardFocus = false;
    update();
}

void HeatmapView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::LanguageChange) {
        m_d->layOut();
        m_d->viewportMoved(false);
    }
}

bool HeatmapView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (state() == State::Ready && m_d->legendRect.contains(help->pos()))
            QToolTip::showText(help->globalPos(), tipText(legendSentence(m_d->legend)), this,
                               m_d->legendRect.toRect());
        else if (const QString margin = m_d->marginSentence(help->pos().toPointF()); !margin.isEmpty())
            QToolTip::showText(help->globalPos(), tipText(margin), this);
        else
            QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::NativeGesture) {
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture && state() == State::Ready) {
            m_d->geometry.zoom(1.0 + gesture->value(), gesture->position());
            m_d->viewportMoved(true);
            return true;
        }
    }
    return QWidget::event(event);
}

} // namespace headscope::ui
