// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reading/line_canvas.h"

#include "ui/reading/line_painter.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kTop = 26.0; ///< the heads of the two columns
constexpr double kMargin = LineFrame::kMargin;

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
    const double most = 0.26 * std::max(viewport()->width(), 200);
    m_labelWidth = 26.0;
    for (const bool key : {false, true})
        if (axisOf(key) != nullptr)
            m_labelWidth = std::max(m_labelWidth, lineLabelWidth(*axisOf(key), font(), most));
    fitScrollBar();
    pick();
}

double LineCanvas::rowHeight() const {
    return lineRowHeight(font());
}

LineFrame LineCanvas::frame() const {
    return {.width = static_cast<double>(viewport()->width()),
            .top = kTop,
            .rowHeight = rowHeight(),
            .labelWidth = m_labelWidth,
            .weightWidth = lineWeightWidth(font()),
            .up = {offset(false), offset(true)}};
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
    return m_hovered ? m_hovered : chosenInSight();
}

std::optional<LineFocus> LineCanvas::chosenInSight() const {
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
    m_picks = pickLines(m_heads, window(false), window(true), ruleWith(m_rule, alone.has_value()), alone);
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
    return lineStrength(line.weight, resolve(m_range, head.statistics), largest);
}

QRectF LineCanvas::tokenRect(const LineFocus& token) const {
    return frame().tokenRect(token);
}

std::optional<LineFocus> LineCanvas::tokenAt(const QPointF& position) const {
    if (position.y() < kTop) return std::nullopt;
    for (const bool key : {false, true}) {
        const QRectF first = tokenRect({key, 0});
        if (position.x() < first.left() - LineFrame::kGap || position.x() > first.right() + LineFrame::kGap)
            continue;
        const auto token = static_cast<std::int64_t>(std::floor((position.y() - first.top()) / rowHeight()));
        if (token >= 0 && token < sizeOf(key)) return LineFocus{key, token};
    }
    return std::nullopt;
}

QLineF LineCanvas::lineOf(const AttentionLine& line) const {
    return frame().lineOf(line);
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
    const LineFrame where = frame();
    for (const AttentionLine& line : m_picks.lines)
        paintLine(painter, where.lineOf(line), m_colors[line.slot], strength(line));
    paintColumn(painter, false);
    paintColumn(painter, true);
    if (const auto alone = focus())
        paintLineWeights(painter, where, m_picks, !alone->key,
                         m_heads.size() > 1 ? m_colors : std::vector<QColor>{m_theme.text});
    painter.restore();
    paintColumnNames(painter, where, tr("Reads (query)"), tr("Is read (key)"), m_theme);
    if (hasFocus()) {
        painter.setPen(QPen(m_theme.accent, 1.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(view.adjusted(0.5, 0.5, -0.5, -0.5), 4.0, 4.0);
    }
}

void LineCanvas::paintColumn(QPainter& painter, bool key) const {
    const Span shown = window(key);
    std::optional<std::int64_t> pointed;
    if (m_hovered && m_hovered->key == key) pointed = m_hovered->token;
    const Span rows{std::max<std::int64_t>(0, shown.begin - 1), std::min(sizeOf(key), shown.end + 1)};
    paintLineColumn(painter, frame(), {key, *axisOf(key), rows, key ? m_key : m_query, pointed}, m_theme);
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
