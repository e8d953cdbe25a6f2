// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reading/line_canvas.h"

#include "core/raster/raster.h"
#include "ui/heatmap/axis_labels.h"
#include "ui/heatmap/readout.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kTop = 26.0; ///< the heads of the two columns
constexpr double kGap = 6.0;  ///< between labels and lines
constexpr double kMargin = 4.0;
constexpr double kFaintest = 0.05; ///< opacity of the weakest line that is drawn
constexpr int kMeasured = 2000;    ///< labels that set the width of the columns

} // namespace

LineCanvas::LineCanvas(QWidget* parent) : QAbstractScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    m_emptyText = tr("The tokens of the text appear here.");
}

void LineCanvas::setAxes(std::shared_ptr<const Axis> queries, std::shared_ptr<const Axis> keys) {
    if (queries == m_queries && keys == m_keys) return;
    m_queries = std::move(queries);
    m_keys = std::move(keys);
    m_heads.clear();
    m_query.reset();
    m_key.reset();
    m_hovered.reset();
    m_cursor.reset();
    verticalScrollBar()->setValue(0);
    measure();
}

void LineCanvas::measure() {
    const QFontMetricsF metrics(font());
    double widest = 24.0;
    for (const bool key : {false, true}) {
        const std::int64_t count = std::min<std::int64_t>(sizeOf(key), kMeasured);
        for (std::int64_t i = 0; i < count; ++i) {
            const AxisEntry& entry = axisOf(key)->entries[static_cast<std::size_t>(i)];
            widest = std::max(widest, metrics.horizontalAdvance(axisLabelText(entry).left(60)));
        }
    }
    m_labelWidth = std::ceil(std::min(widest, 0.26 * std::max(viewport()->width(), 200))) + 2.0;
    fitScrollBar();
    pick();
}

double LineCanvas::rowHeight() const {
    return std::ceil(QFontMetricsF(font()).height() + 4.0);
}

double LineCanvas::weightWidth() const {
    return std::ceil(QFontMetricsF(font()).horizontalAdvance(QStringLiteral("0.0000"))) + kGap;
}

void LineCanvas::fitScrollBar() {
    const double rows = static_cast<double>(std::max(sizeOf(false), sizeOf(true)));
    const double room = std::max(0.0, viewport()->height() - kTop - kMargin);
    verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(rows * rowHeight() - room))));
    verticalScrollBar()->setPageStep(std::max(1, static_cast<int>(room)));
    verticalScrollBar()->setSingleStep(static_cast<int>(rowHeight()));
}

/// How far a column is moved up. The shorter of two texts moves in proportion, so that both come to their end
/// together.
double LineCanvas::offset(bool key) const {
    const QScrollBar* bar = verticalScrollBar();
    if (bar->maximum() == 0) return 0.0;
    const double room = std::max(0.0, viewport()->height() - kTop - kMargin);
    const double own = std::max(0.0, static_cast<double>(sizeOf(key)) * rowHeight() - room);
    return sizeOf(key) == std::max(sizeOf(false), sizeOf(true)) ? bar->value()
                                                                : own * bar->value() / bar->maximum();
}

/// The tokens of a column whose middle is seen.
Span LineCanvas::window(bool key) const {
    const double room = std::max(0.0, viewport()->height() - kTop - kMargin);
    const auto at = [&](double y) {
        const auto row = static_cast<std::int64_t>(std::ceil(y / rowHeight() - 0.5));
        return std::clamp<std::int64_t>(row, 0, sizeOf(key));
    };
    return {at(offset(key)), at(offset(key) + room)};
}

void LineCanvas::setHeads(std::vector<LineHead> heads, std::vector<QColor> colors) {
    m_heads = std::move(heads);
    m_colors = std::move(colors);
    m_rowMaxima.assign(m_heads.size(), {});
    pick();
}

void LineCanvas::setRule(const LineRule& rule) {
    if (rule == m_rule) return;
    m_rule = rule;
    pick();
}

void LineCanvas::setRange(const DisplayRange& range) {
    if (range == m_range) return;
    m_range = range;
    pick();
}

void LineCanvas::setSelection(std::optional<std::int64_t> query, std::optional<std::int64_t> key,
                              bool readBy) {
    const bool other = query != m_query || key != m_key || readBy != m_readBy;
    m_query = query;
    m_key = key;
    m_readBy = readBy;
    const auto followed = readBy ? key : query;
    if (followed) m_cursor = LineFocus{readBy, *followed};
    if (followed && other && *followed < sizeOf(readBy)) reveal(*m_cursor);
    pick();
}

void LineCanvas::setTheme(const HeatmapTheme& theme) {
    m_theme = theme;
    viewport()->update();
}

void LineCanvas::setEmptyText(const QString& text) {
    m_emptyText = text;
    viewport()->update();
}

std::optional<LineFocus> LineCanvas::focus() const {
    if (m_hovered) return m_hovered;
    const auto chosen = m_readBy ? m_key : m_query;
    if (!chosen) return std::nullopt;
    // Once it is scrolled out of sight, the lines of those in sight are shown.
    const Span shown = window(m_readBy);
    if (*chosen < shown.begin || *chosen >= shown.end) return std::nullopt;
    return LineFocus{m_readBy, *chosen};
}

/// Finds the lines anew: something that they depend on has changed.
void LineCanvas::pick() {
    const auto alone = focus();
    // All lines of one token are few: its rule is the window.
    LineRule rule = m_rule;
    if (alone && rule.strongest > 0) rule.strongest = std::max<std::int64_t>(rule.strongest, 500);
    m_picks = pickLines(m_heads, window(false), window(true), rule, alone);
    if (m_range.mode == RangeMode::PerRow)
        for (const AttentionLine& line : m_picks.lines) {
            std::vector<float>& maxima = m_rowMaxima[line.slot];
            maxima.resize(static_cast<std::size_t>(sizeOf(false)), -1.0F);
            float& largest = maxima[static_cast<std::size_t>(line.query)];
            if (largest >= 0.0F) continue;
            const std::vector<float> row = m_heads[line.slot].map->row(line.query);
            largest = row.empty() ? 0.0F : *std::max_element(row.begin(), row.end());
        }
    viewport()->update();
    Q_EMIT picked();
}

double LineCanvas::strength(const AttentionLine& line) const {
    const LineHead& head = m_heads[line.slot];
    float largest = 0.0F;
    const std::vector<float>& maxima = m_rowMaxima[line.slot];
    if (static_cast<std::size_t>(line.query) < maxima.size())
        largest = maxima[static_cast<std::size_t>(line.query)];
    return colorIndex(line.weight, resolve(m_range, head.statistics), largest) / 255.0;
}

QRectF LineCanvas::tokenRect(const LineFocus& token) const {
    const double y = kTop + static_cast<double>(token.token) * rowHeight() - offset(token.key);
    const double x = token.key ? viewport()->width() - kMargin - weightWidth() - m_labelWidth - kGap
                               : kMargin + weightWidth();
    return {x, y, m_labelWidth + kGap, rowHeight()};
}

std::optional<LineFocus> LineCanvas::tokenAt(const QPointF& position) const {
    if (position.y() < kTop) return std::nullopt;
    for (const bool key : {false, true}) {
        const QRectF first = tokenRect({key, 0});
        if (position.x() < first.left() - kGap || position.x() > first.right() + kGap) continue;
        const auto token = static_cast<std::int64_t>(std::floor((position.y() - first.top()) / rowHeight()));
        if (token >= 0 && token < sizeOf(key)) return LineFocus{key, token};
    }
    return std::nullopt;
}

QLineF LineCanvas::lineOf(const AttentionLine& line) const {
    const QRectF from = tokenRect({false, line.query});
    const QRectF to = tokenRect({true, line.key});
    return {QPointF(from.right() + 2.0, from.center().y()), QPointF(to.left() - 2.0, to.center().y())};
}

void LineCanvas::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(viewport());
    const QRectF view = viewport()->rect();
    painter.fillRect(view, m_theme.panel);
    painter.setFont(font());
    painter.setRenderHint(QPainter::Antialiasing);
    if (sizeOf(false) == 0 || sizeOf(true) == 0) {
        painter.setPen(m_theme.muted);
        painter.drawText(view.adjusted(12.0, 4.0, -12.0, -4.0), Qt::AlignCenter | Qt::TextWordWrap,
                         m_emptyText);
        return;
    }
    painter.save();
    painter.setClipRect(view.adjusted(0.0, kTop - 2.0, 0.0, 0.0));
    paintLines(painter);
    paintColumn(painter, false);
    paintColumn(painter, true);
    paintWeights(painter);
    painter.restore();
    paintHeads(painter);
    if (hasFocus()) {
        painter.setPen(QPen(m_theme.accent, 1.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(view.adjusted(0.5, 0.5, -0.5, -0.5), 4.0, 4.0);
    }
}

void LineCanvas::paintHeads(QPainter& painter) const {
    painter.setPen(m_theme.muted);
    const QFontMetricsF metrics(font());
    const double half = 0.5 * viewport()->width() - kGap;
    // Each stands over the edge of its column that faces the lines, and reaches outwards.
    const double left = tokenRect({false, 0}).right() - 3.0;
    const double right = tokenRect({true, 0}).left() + 3.0;
    const QString reads = tr("Reads (query)");
    const QString isRead = tr("Is read (key)");
    const double readsFrom = std::max(kMargin, left - metrics.horizontalAdvance(reads));
    const double room = viewport()->width() - kMargin;
    const double isReadFrom = std::min(right, room - metrics.horizontalAdvance(isRead));
    painter.drawText(QRectF(readsFrom, 0.0, half - readsFrom, kTop - 6.0), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(reads, Qt::ElideRight, half - readsFrom));
    painter.drawText(QRectF(isReadFrom, 0.0, room - isReadFrom, kTop - 6.0), Qt::AlignLeft | Qt::AlignVCenter,
                     isRead);
}

void LineCanvas::paintLines(QPainter& painter) const {
    for (const AttentionLine& line : m_picks.lines) {
        QColor color = m_colors[line.slot];
        color.setAlphaF(static_cast<float>(kFaintest + (1.0 - kFaintest) * strength(line)));
        painter.setPen(QPen(color, 1.75, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(lineOf(line));
    }
}

void LineCanvas::paintColumn(QPainter& painter, bool key) const {
    const Span shown = window(key);
    const QFontMetricsF metrics(font());
    const auto chosen = key ? m_key : m_query;
    for (std::int64_t i = std::max<std::int64_t>(0, shown.begin - 1);
         i < std::min(sizeOf(key), shown.end + 1); ++i) {
        const QRectF rect = tokenRect({key, i});
        const bool isHovered = m_hovered == LineFocus{key, i};
        if (chosen == i || isHovered) {
            painter.setPen(QPen(chosen == i ? m_theme.accent : m_theme.muted, chosen == i ? 2.0 : 1.0));
            painter.setBrush(chosen == i ? QBrush(m_theme.selection) : QBrush(m_theme.panel));
            painter.drawRoundedRect(rect.adjusted(0.5, 1.5, -0.5, -1.5), 4.0, 4.0);
        }
        const AxisEntry& entry = axisOf(key)->entries[static_cast<std::size_t>(i)];
        const QString label =
            metrics.elidedText(axisLabelText(entry).left(200), Qt::ElideRight, m_labelWidth - 2.0);
        painter.setPen(entry.special ? m_theme.muted : m_theme.text);
        // Beside the lines in either direction of writing.
        painter.drawText(
            rect.adjusted(3.0, 0.0, -3.0, 0.0),
            int(Qt::AlignAbsolute | Qt::AlignVCenter) | int(key ? Qt::AlignLeft : Qt::AlignRight), label);
    }
}

/// The weights of the one token whose lines are drawn, beside the tokens at their other ends. Of several
/// heads the largest, in the colour of its head.
void LineCanvas::paintWeights(QPainter& painter) const {
    const auto alone = focus();
    if (!alone) return;
    const bool atKeys = !alone->key;
    std::vector<const AttentionLine*> best(static_cast<std::size_t>(sizeOf(atKeys)), nullptr);
    for (const AttentionLine& line : m_picks.lines) // ascending: the last is the largest
        best[static_cast<std::size_t>(atKeys ? line.key : line.query)] = &line;
    for (const AttentionLine* line : best) {
        if (line == nullptr) continue;
        const QRectF rect = tokenRect({atKeys, atKeys ? line->key : line->query});
        const QRectF room = atKeys ? QRectF(rect.right(), rect.top(), weightWidth(), rect.height())
                                   : QRectF(kMargin, rect.top(), weightWidth() - 2.0, rect.height());
        painter.setPen(m_heads.size() > 1 ? m_colors[line->slot] : m_theme.text);
        painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, weightInCell(line->weight));
    }
}

void LineCanvas::hover(const std::optional<LineFocus>& token) {
    if (token == m_hovered) return;
    m_hovered = token;
    pick();
    Q_EMIT tokenHovered(token);
}

void LineCanvas::reveal(const LineFocus& token) {
    const QRectF rect = tokenRect(token);
    QScrollBar* bar = verticalScrollBar();
    if (rect.top() < kTop) bar->setValue(bar->value() + static_cast<int>(std::floor(rect.top() - kTop)));
    if (rect.bottom() > viewport()->height() - kMargin)
        bar->setValue(bar->value() +
                      static_cast<int>(std::ceil(rect.bottom() + kMargin - viewport()->height())));
}

void LineCanvas::moveTo(const LineFocus& token) {
    if (m_cursor == token) return;
    m_cursor = token;
    reveal(token);
    Q_EMIT tokenClicked(token);
}

void LineCanvas::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    measure();
    if (m_cursor && m_cursor->token < sizeOf(m_cursor->key)) reveal(*m_cursor);
}

void LineCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    if (const auto token = tokenAt(event->position())) {
        m_cursor = token;
        Q_EMIT tokenClicked(*token);
    }
}

void LineCanvas::mouseMoveEvent(QMouseEvent* event) {
    hover(tokenAt(event->position()));
}

void LineCanvas::keyPressEvent(QKeyEvent* event) {
    if (sizeOf(false) == 0 || sizeOf(true) == 0) {
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    const LineFocus at = m_cursor.value_or(LineFocus{false, -1});
    const auto clamped = [this](bool key, std::int64_t token) {
        return LineFocus{key, std::clamp<std::int64_t>(token, 0, sizeOf(key) - 1)};
    };
    switch (event->key()) {
    case Qt::Key_Up:
        moveTo(clamped(at.key, at.token - 1));
        return;
    case Qt::Key_Down:
        moveTo(clamped(at.key, at.token + 1));
        return;
    case Qt::Key_Left:
        moveTo(clamped(false, at.token));
        return;
    case Qt::Key_Right:
        moveTo(clamped(true, at.token));
        return;
    case Qt::Key_Home:
        moveTo({at.key, 0});
        return;
    case Qt::Key_End:
        moveTo({at.key, sizeOf(at.key) - 1});
        return;
    case Qt::Key_Escape:
        if (const auto chosen = m_readBy ? m_key : m_query) {
            m_cursor.reset();
            Q_EMIT tokenClicked({m_readBy, *chosen}); // a second click lets go
            return;
        }
        event->ignore();
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event); // page keys scroll
    }
}

void LineCanvas::focusInEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void LineCanvas::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

void LineCanvas::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange) measure();
}

bool LineCanvas::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave) hover(std::nullopt);
    return QAbstractScrollArea::viewportEvent(event);
}

void LineCanvas::scrollContentsBy(int /*dx*/, int /*dy*/) {
    pick();
}

} // namespace headscope::ui
