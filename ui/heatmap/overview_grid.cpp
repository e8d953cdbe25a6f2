// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/overview_grid.h"

#include "core/base/check.h"
#include "ui/heatmap/note_mark.h"
#include "ui/heatmap/thumbnail_image.h"

#include <QFontInfo>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kSmallestCell = 16.0;
constexpr double kLargestCell = 96.0;
constexpr double kGap = 3.0;
constexpr double kLargestBadge = 14.0;
constexpr double kLargestNote = 10.0;
constexpr int kShownNote = 120; ///< of a note in a tooltip

} // namespace

struct OverviewGrid::Private {
    struct Cell {
        std::optional<Thumbnail> thumbnail;
        RangeStatistics statistics;
        std::vector<HeadBadge> badges;
        QImage image; ///< at the current size and display; null until it is needed
    };

    explicit Private(OverviewGrid& grid) : q(grid) {}

    OverviewGrid& q;
    int layers = 0;
    int heads = 0;
    AttentionKind kind = AttentionKind::Self;
    std::vector<Cell> cells; ///< [layers * heads]
    std::vector<std::pair<HeadRef, QString>> notes;
    std::optional<HeadRef> selected;
    std::optional<HeadRef> hovered;
    DisplayRange range;
    Colormap colormap = Colormap::Viridis;
    HeatmapTheme theme = HeatmapTheme::lightTheme();
    QString emptyText = OverviewGrid::tr("All heads appear here.");

    QFont font;
    double size = kSmallestCell; ///< a cell without its gap
    double left = 0.0;           ///< room for the layer numbers
    double top = 0.0;            ///< room for the head numbers

    bool contains(const HeadRef& head) const {
        return head.kind == kind && head.layer.value >= 0 && head.layer.value < layers &&
               head.head.value >= 0 && head.head.value < heads;
    }
    Cell& cell(const HeadRef& head) {
        return cells[static_cast<std::size_t>(head.layer.value * heads + head.head.value)];
    }
    const QString* noteOf(const HeadRef& head) const {
        const auto found =
            std::find_if(notes.begin(), notes.end(), [&head](const auto& one) { return one.first == head; });
        return found == notes.end() ? nullptr : &found->second;
    }
    HeadRef refAt(std::size_t place) const {
        const auto index = static_cast<std::int64_t>(place);
        return {kind, LayerIndex(index / heads), HeadIndex(index % heads)};
    }
    void layOut();
    void dropImages();
    void refreshImages();
    void hover(const std::optional<HeadRef>& head);
    void reveal(const HeadRef& head);
    void paintNumbers(QPainter& painter) const;
    void paintCell(QPainter& painter, const Cell& cell, const QRectF& rect) const;
    void paintNotes(QPainter& painter) const;
    void paintOutline(QPainter& painter, const HeadRef& head, const QColor& color, double width) const;
};

void OverviewGrid::Private::layOut() {
    font = q.font();
    font.setPixelSize(std::max(7, qRound(QFontInfo(font).pixelSize() * 11.0 / 13.0)));
    const QFontMetricsF metrics(font);
    left = metrics.horizontalAdvance(QString::number(std::max(layers - 1, 10))) + 8.0;
    top = metrics.height() + 4.0;
    if (layers > 0 && heads > 0) {
        const QSizeF room = q.maximumViewportSize();
        const double wide = (room.width() - left - 2.0) / heads - kGap;
        const double high = (room.height() - top - 2.0) / layers - kGap;
        const double ratio = q.devicePixelRatioF();
        const double wanted =
            std::clamp(std::min(wide, high), std::min(kSmallestCell, std::max(wide, high)), kLargestCell);
        const double before = size;
        size = std::max(std::floor(wanted * ratio), std::ceil(kSmallestCell * ratio)) / ratio;
        if (size != before) dropImages();
    }
    const QSize whole(static_cast<int>(std::ceil(left + heads * (size + kGap) + 1.0)),
                      static_cast<int>(std::ceil(top + layers * (size + kGap) + 1.0)));
    const QSize room = q.maximumViewportSize();
    const auto set = [](QScrollBar* bar, int content, int page, double step) {
        bar->setRange(0, std::max(0, content - page));
        bar->setPageStep(page);
        bar->setSingleStep(static_cast<int>(step));
    };
    set(q.horizontalScrollBar(), layers > 0 ? whole.width() : 0, room.width(), size + kGap);
    set(q.verticalScrollBar(), layers > 0 ? whole.height() : 0, room.height(), size + kGap);
    refreshImages();
}

void OverviewGrid::Private::dropImages() {
    for (Cell& cell : cells) cell.image = QImage();
}

/// Images of the cells in sight; the others are made when they are scrolled to.
void OverviewGrid::Private::refreshImages() {
    const double ratio = q.devicePixelRatioF();
    const int pixels = qRound(size * ratio);
    const QRectF sight = q.viewport()->rect();
    for (std::size_t i = 0; i < cells.size(); ++i) {
        Cell& cell = cells[i];
        const HeadRef head = refAt(i);
        if (!cell.thumbnail || !cell.image.isNull() || !q.cellRect(head.layer, head.head).intersects(sight))
            continue;
        cell.image = thumbnailImage(*cell.thumbnail, QSize(pixels, pixels), resolve(range, cell.statistics),
                                    colormap, theme);
        cell.image.setDevicePixelRatio(ratio);
    }
    q.viewport()->update();
}

void OverviewGrid::Private::hover(const std::optional<HeadRef>& head) {
    if (head == hovered) return;
    hovered = head;
    q.viewport()->update();
    if (head)
        Q_EMIT q.headHovered(*head);
    else
        Q_EMIT q.hoverLeft();
}

void OverviewGrid::Private::reveal(const HeadRef& head) {
    const QRectF rect = q.cellRect(head.layer, head.head);
    const auto scroll = [](QScrollBar* bar, double begin, double end, double from, double to) {
        if (begin < from) bar->setValue(bar->value() + static_cast<int>(std::floor(begin - from)));
        if (end > to) bar->setValue(bar->value() + static_cast<int>(std::ceil(end - to)));
    };
    scroll(q.horizontalScrollBar(), rect.left() - kGap, rect.right() + kGap, left, q.viewport()->width());
    scroll(q.verticalScrollBar(), rect.top() - kGap, rect.bottom() + kGap, top, q.viewport()->height());
}

void OverviewGrid::Private::paintNumbers(QPainter& painter) const {
    const QFontMetricsF metrics(font);
    QFont bold = font;
    bold.setWeight(QFont::DemiBold);
    const auto number = [&](int value, bool chosen, const QRectF& box, Qt::Alignment alignment) {
        painter.setFont(chosen ? bold : font);
        painter.setPen(chosen ? theme.accent : theme.muted);
        painter.drawText(box, static_cast<int>(alignment) | Qt::TextDontClip, QString::number(value));
    };
    // The numbers stay in sight while the cells scroll under them.
    const QRectF view = q.viewport()->rect();
    painter.fillRect(QRectF(0.0, 0.0, view.width(), top - 1.0), theme.panel);
    painter.fillRect(QRectF(0.0, 0.0, left - 2.0, view.height()), theme.panel);
    const double widest = metrics.horizontalAdvance(QString::number(std::max(heads - 1, 0))) + 4.0;
    const int step = std::max(1, static_cast<int>(std::ceil(widest / (size + kGap))));
    for (int head = 0; head < heads; ++head) {
        const bool chosen = selected && contains(*selected) && selected->head.value == head;
        const QRectF cell = q.cellRect(LayerIndex(0), HeadIndex(head));
        if ((head % step != 0 && !chosen) || cell.center().x() < left) continue;
        number(head, chosen, QRectF(cell.left(), 0.0, cell.width(), top - 4.0),
               Qt::AlignHCenter | Qt::AlignBottom);
    }
    for (int layer = 0; layer < layers; ++layer) {
        const bool chosen = selected && contains(*selected) && selected->layer.value == layer;
        const QRectF cell = q.cellRect(LayerIndex(layer), HeadIndex(0));
        if (cell.center().y() < top) continue;
        number(layer, chosen, QRectF(0.0, cell.top(), left - 7.0, cell.height()),
               Qt::AlignRight | Qt::AlignVCenter);
    }
    painter.fillRect(QRectF(0.0, 0.0, left - 2.0, top - 1.0), theme.panel);
}

void OverviewGrid::Private::paintCell(QPainter& painter, const Cell& cell, const QRectF& rect) const {
    if (cell.image.isNull())
        painter.fillRect(rect, theme.skeleton);
    else
        painter.drawImage(rect.topLeft(), cell.image);
    if (!cell.badges.empty()) paintCornerBadge(painter, cell.badges.front(), rect, theme, kLargestBadge);
}

/// In the corner that no flag is in.
void OverviewGrid::Private::paintNotes(QPainter& painter) const {
    const double side = std::min(kLargestNote, 0.5 * size);
    for (const auto& [head, text] : notes) {
        if (!contains(head)) continue;
        const QRectF cell = q.cellRect(head.layer, head.head);
        paintNoteMark(painter, QRectF(cell.left() + 1.0, cell.bottom() - side - 1.0, side, side),
                      theme.accent, theme.panel);
    }
}

void OverviewGrid::Private::paintOutline(QPainter& painter, const HeadRef& head, const QColor& color,
                                         double width) const {
    const double half = 0.5 * width;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(q.cellRect(head.layer, head.head).adjusted(-half, -half, half, half));
}

OverviewGrid::OverviewGrid(QWidget* parent)
    : QAbstractScrollArea(parent), m_d(std::make_unique<Private>(*this)) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("All heads: layers down, heads across, both counted from 0"));
    const auto scrolled = [this] { m_d->refreshImages(); };
    connect(horizontalScrollBar(), &QScrollBar::valueChanged, this, scrolled);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, scrolled);
    m_d->layOut();
}

OverviewGrid::~OverviewGrid() = default;

void OverviewGrid::setGrid(int layers, int heads, AttentionKind kind) {
    HS_CHECK(layers >= 0 && heads >= 0);
    Private& d = *m_d;
    d.layers = layers;
    d.heads = heads;
    d.kind = kind;
    d.hovered.reset();
    d.cells.assign(static_cast<std::size_t>(layers) * static_cast<std::size_t>(heads), {});
    d.layOut();
    updateGeometry();
}

void OverviewGrid::setCell(LayerIndex layer, HeadIndex head, const Thumbnail& thumbnail,
                           const RangeStatistics& statistics, const std::vector<HeadBadge>& badges) {
    const HeadRef ref{m_d->kind, layer, head};
    HS_CHECK(m_d->contains(ref));
    m_d->cell(ref) = {thumbnail, statistics, badges, {}};
    m_d->refreshImages();
}

void OverviewGrid::clearCells() {
    std::fill(m_d->cells.begin(), m_d->cells.end(), Private::Cell{});
    viewport()->update();
}

void OverviewGrid::setNotes(const std::vector<std::pair<HeadRef, QString>>& notes) {
    if (notes == m_d->notes) return;
    m_d->notes = notes;
    if (m_d->selected) setAccessibleDescription(describe(*m_d->selected));
    viewport()->update();
}

void OverviewGrid::setSelected(const std::optional<HeadRef>& head) {
    if (head == m_d->selected) return;
    m_d->selected = head;
    setAccessibleDescription(head ? describe(*head) : QString());
    if (head && m_d->contains(*head)) m_d->reveal(*head);
    viewport()->update();
}

std::optional<HeadRef> OverviewGrid::selected() const {
    return m_d->selected;
}

void OverviewGrid::setDisplay(const DisplayRange& range, Colormap colormap) {
    if (range == m_d->range && colormap == m_d->colormap) return;
    m_d->range = range;
    m_d->colormap = colormap;
    m_d->dropImages();
    m_d->refreshImages();
}

void OverviewGrid::setTheme(const HeatmapTheme& theme) {
    if (theme == m_d->theme) return;
    m_d->theme = theme;
    m_d->dropImages();
    m_d->refreshImages();
}

void OverviewGrid::setEmptyText(const QString& text) {
    m_d->emptyText = text;
    viewport()->update();
}

int OverviewGrid::layers() const {
    return m_d->layers;
}
int OverviewGrid::heads() const {
    return m_d->heads;
}

QRectF OverviewGrid::cellRect(LayerIndex layer, HeadIndex head) const {
    const double pitch = m_d->size + kGap;
    return {m_d->left + head.value * pitch - horizontalScrollBar()->value(),
            m_d->top + layer.value * pitch - verticalScrollBar()->value(), m_d->size, m_d->size};
}

std::optional<HeadRef> OverviewGrid::headAt(const QPointF& position) const {
    if (position.x() < m_d->left || position.y() < m_d->top) return std::nullopt;
    const double pitch = m_d->size + kGap;
    const HeadRef ref{m_d->kind,
                      LayerIndex(static_cast<std::int64_t>(
                          (position.y() - m_d->top + verticalScrollBar()->value()) / pitch)),
                      HeadIndex(static_cast<std::int64_t>(
                          (position.x() - m_d->left + horizontalScrollBar()->value()) / pitch))};
    if (!m_d->contains(ref)) return std::nullopt;
    return ref;
}

QString OverviewGrid::describe(const HeadRef& head) const {
    const QString name = tr("Head %1").arg(QString::fromStdString(headText(head)));
    if (!m_d->contains(head)) return name;
    const Private::Cell& cell = m_d->cell(head);
    QStringList flags;
    if (!cell.thumbnail) flags << tr("not computed yet");
    for (const HeadBadge& badge : cell.badges) flags << badge.text;
    if (const QString* note = m_d->noteOf(head)) {
        const QString line = note->simplified();
        flags << tr("your note: %1")
                     .arg(line.size() > kShownNote ? line.left(kShownNote - 1) + QChar(0x2026) : line);
    }
    return flags.isEmpty() ? name : tr("%1: %2").arg(name, flags.join(QStringLiteral("; ")));
}

QSize OverviewGrid::sizeHint() const {
    return {340, 220};
}
QSize OverviewGrid::minimumSizeHint() const {
    return {140, 90};
}

void OverviewGrid::paintEvent(QPaintEvent* /*event*/) {
    Private& d = *m_d;
    QPainter painter(viewport());
    const QRectF view = viewport()->rect();
    painter.fillRect(view, d.theme.panel);
    if (d.cells.empty()) {
        painter.setPen(d.theme.muted);
        painter.drawText(view.adjusted(12.0, 12.0, -12.0, -12.0), Qt::AlignCenter | Qt::TextWordWrap,
                         d.emptyText);
        return;
    }
    for (std::size_t i = 0; i < d.cells.size(); ++i) {
        const HeadRef head = d.refAt(i);
        const QRectF rect = cellRect(head.layer, head.head);
        if (rect.intersects(view)) d.paintCell(painter, d.cells[i], rect);
    }
    d.paintNotes(painter);
    if (d.hovered && d.hovered != d.selected) d.paintOutline(painter, *d.hovered, d.theme.muted, 1.5);
    if (d.selected && d.contains(*d.selected))
        d.paintOutline(painter, *d.selected, d.theme.accent, hasFocus() ? 3.0 : 2.0);
    d.paintNumbers(painter);
}

void OverviewGrid::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    m_d->layOut();
}

void OverviewGrid::mousePressEvent(QMouseEvent* event) {
    const auto head = headAt(event->position());
    if (event->button() != Qt::LeftButton || !head) return;
    setSelected(head);
    Q_EMIT headActivated(*head);
}

void OverviewGrid::mouseMoveEvent(QMouseEvent* event) {
    m_d->hover(headAt(event->position()));
}

void OverviewGrid::keyPressEvent(QKeyEvent* event) {
    Private& d = *m_d;
    int layer = 0;
    int head = 0;
    switch (event->key()) {
    case Qt::Key_Left:
        head = -1;
        break;
    case Qt::Key_Right:
        head = 1;
        break;
    case Qt::Key_Up:
        layer = -1;
        break;
    case Qt::Key_Down:
        layer = 1;
        break;
    case Qt::Key_Home:
        head = -d.heads;
        break;
    case Qt::Key_End:
        head = d.heads;
        break;
    case Qt::Key_PageUp:
        layer = -d.layers;
        break;
    case Qt::Key_PageDown:
        layer = d.layers;
        break;
    default:
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    if (d.cells.empty()) return;
    HeadRef next{d.kind, LayerIndex(0), HeadIndex(0)};
    if (d.selected && d.contains(*d.selected)) {
        next.layer = LayerIndex(std::clamp(d.selected->layer.value + layer, 0, d.layers - 1));
        next.head = HeadIndex(std::clamp(d.selected->head.value + head, 0, d.heads - 1));
        if (next == *d.selected) return;
    }
    setSelected(next);
    Q_EMIT headActivated(next);
}

void OverviewGrid::focusInEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void OverviewGrid::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

void OverviewGrid::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange) m_d->layOut();
}

bool OverviewGrid::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave) m_d->hover(std::nullopt);
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto head = headAt(help->pos()))
            QToolTip::showText(help->globalPos(), describe(*head), viewport(),
                               cellRect(head->layer, head->head).toRect());
        else
            QToolTip::hideText();
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace headscope::ui
