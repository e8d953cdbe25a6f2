// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reading/text_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kTop = 4.0;
constexpr double kBetweenSides = 20.0;

} // namespace

TextCanvas::TextCanvas(QWidget* parent) : QAbstractScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    m_emptyText = tr("The text appears here.");
}

void TextCanvas::setTexts(std::shared_ptr<const Axis> queries, std::shared_ptr<const Axis> keys) {
    const bool crossing = queries && keys && queries != keys;
    if (queries == m_sides[0].axis && m_crossing == crossing && (!crossing || keys == m_sides[1].axis))
        return;
    m_crossing = crossing;
    m_sides[0].axis = std::move(queries);
    m_sides[1].axis = crossing ? std::move(keys) : nullptr;
    for (Side& side : m_sides) side.shades = {};
    m_query.reset();
    m_key.reset();
    m_cursor.reset();
    m_hovered.reset();
    verticalScrollBar()->setValue(0);
    measure();
}

void TextCanvas::measure() {
    for (const TextSide which : {TextSide::Queries, TextSide::Keys}) {
        Side& side = sideOf(which);
        ReadingText text = side.axis ? makeReadingText(*side.axis) : ReadingText();
        const QStringList headings = readingHeadings(text.blocks, m_crossing, which);
        side.layout.setText(std::move(text), headings, font());
    }
    m_laidWidth = -1;
    layOut();
}

double TextCanvas::layOutIn(double width) {
    double bottom = m_sides[0].layout.layOut(width, kTop);
    if (m_crossing) bottom = m_sides[1].layout.layOut(width, bottom + kBetweenSides);
    return bottom + kTop;
}

void TextCanvas::layOut() {
    const QSize room = maximumViewportSize();
    // The room of the scroll bar is kept free: a second round without it would cost as much as the first.
    const int width = room.width() - verticalScrollBar()->sizeHint().width();
    if (width != m_laidWidth) m_height = layOutIn(width);
    m_laidWidth = width;
    verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(m_height)) - room.height()));
    verticalScrollBar()->setPageStep(room.height());
    verticalScrollBar()->setSingleStep(static_cast<int>(2.0 * QFontMetricsF(font()).height()));
    viewport()->update();
}

void TextCanvas::setShades(TextSide side, TextShades shades) {
    sideOf(side).shades = std::move(shades);
    viewport()->update();
}

void TextCanvas::setChosen(const std::optional<TextSpot>& query, const std::optional<TextSpot>& key) {
    m_query = query;
    m_key = key;
    viewport()->update();
}

void TextCanvas::setTheme(const HeatmapTheme& theme) {
    m_theme = theme;
    viewport()->update();
}

void TextCanvas::setEmptyText(const QString& text) {
    m_emptyText = text;
    viewport()->update();
}

std::vector<TokenRect> TextCanvas::rectsOf(const TextSpot& spot) const {
    std::vector<TokenRect> rects = sideOf(spot.side).layout.rectsOf(spot.token);
    for (TokenRect& rect : rects) rect.rect.translate(0.0, -verticalScrollBar()->value());
    return rects;
}

std::optional<TextSpot> TextCanvas::spotAt(const QPointF& position) const {
    const QPointF point = position + QPointF(0.0, verticalScrollBar()->value());
    for (const TextSide side : {TextSide::Queries, TextSide::Keys})
        if (const auto token = sideOf(side).layout.tokenAt(point)) return TextSpot{side, *token};
    return std::nullopt;
}

QString TextCanvas::plainText() const {
    const QString text = m_sides[0].layout.plainText();
    return m_crossing ? QString(text + QLatin1Char('\n') + m_sides[1].layout.plainText()) : text;
}

int TextCanvas::layouts() const {
    return m_sides[0].layout.layouts();
}

void TextCanvas::reveal(const TextSpot& spot) {
    const auto rects = rectsOf(spot);
    if (rects.empty()) return;
    const QRectF rect = rects.front().rect;
    QScrollBar* bar = verticalScrollBar();
    if (rect.top() < 0.0) bar->setValue(bar->value() + static_cast<int>(std::floor(rect.top() - 6.0)));
    if (rect.bottom() > viewport()->height())
        bar->setValue(bar->value() + static_cast<int>(std::ceil(rect.bottom() + 6.0 - viewport()->height())));
}

void TextCanvas::hover(const std::optional<TextSpot>& spot) {
    if (spot == m_hovered) return;
    m_hovered = spot;
    viewport()->update();
    Q_EMIT spotHovered(spot);
}

void TextCanvas::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(viewport());
    const QRectF view = viewport()->rect();
    painter.fillRect(view, m_theme.panel);
    painter.setFont(font());
    if (m_sides[0].size() == 0 && m_sides[1].size() == 0) {
        painter.setPen(m_theme.muted);
        painter.drawText(view.adjusted(12.0, 4.0, -12.0, -4.0), Qt::AlignCenter | Qt::TextWordWrap,
                         m_emptyText);
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.save();
    painter.translate(0.0, -verticalScrollBar()->value());
    const double top = verticalScrollBar()->value();
    const ReadingLook look{m_theme, font(), view.width(), top, top + view.height()};
    for (const Side& side : m_sides) paintReading(painter, side.layout, side.shades, look);
    const auto outline = [&](const std::optional<TextSpot>& spot, const QPen& pen) {
        if (spot) paintTokenOutline(painter, sideOf(spot->side).layout, spot->token, pen);
    };
    outline(m_hovered, QPen(m_theme.muted, 1.5));
    outline(m_key, QPen(m_theme.accent, 1.0, Qt::DashLine));
    outline(m_query, QPen(m_theme.accent, 2.0));
    painter.restore();
    if (hasFocus()) {
        painter.setPen(QPen(m_theme.accent, 1.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(view.adjusted(0.5, 0.5, -0.5, -0.5), 4.0, 4.0);
    }
}

void TextCanvas::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    layOut();
}

void TextCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    if (const auto spot = spotAt(event->position())) Q_EMIT spotClicked(*spot);
}

void TextCanvas::mouseMoveEvent(QMouseEvent* event) {
    hover(spotAt(event->position()));
}

/// `step` tokens on; from one side to the other where both are shown.
std::optional<TextSpot> TextCanvas::stepped(const TextSpot& from, std::int64_t step) const {
    const std::int64_t to = from.token + step;
    if (to >= 0 && to < sideOf(from.side).size()) return TextSpot{from.side, to};
    if (to < 0 && from.side == TextSide::Keys) return TextSpot{TextSide::Queries, m_sides[0].size() - 1};
    if (to > 0 && from.side == TextSide::Queries && m_sides[1].size() > 0) return TextSpot{TextSide::Keys, 0};
    return std::nullopt;
}

std::optional<TextSpot> TextCanvas::besideLine(const TextSpot& from, int direction) const {
    if (const auto token = sideOf(from.side).layout.tokenBeside(from.token, direction))
        return TextSpot{from.side, *token};
    const bool leaves = from.side == TextSide::Queries ? direction > 0 : direction < 0;
    if (!m_crossing || !leaves) return std::nullopt;
    if (from.side == TextSide::Keys) return TextSpot{TextSide::Queries, m_sides[0].size() - 1};
    return m_sides[1].size() > 0 ? std::optional(TextSpot{TextSide::Keys, 0}) : std::nullopt;
}

std::optional<TextSpot> TextCanvas::lastSpot() const {
    if (m_sides[1].size() > 0) return TextSpot{TextSide::Keys, m_sides[1].size() - 1};
    if (m_sides[0].size() > 0) return TextSpot{TextSide::Queries, m_sides[0].size() - 1};
    return std::nullopt;
}

void TextCanvas::moveTo(const TextSpot& spot) {
    if (m_cursor == spot) return;
    m_cursor = spot;
    reveal(spot);
    Q_EMIT spotClicked(spot);
}

void TextCanvas::keyPressEvent(QKeyEvent* event) {
    if (m_sides[0].size() == 0) {
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    const TextSpot start{TextSide::Queries, 0};
    std::optional<TextSpot> next;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right: {
        bool back = event->key() == Qt::Key_Left;
        if (m_cursor) { // as the eye sees it: in text that runs to the left, the next token is at the left
            const auto rects = rectsOf(*m_cursor);
            if (!rects.empty() && rects.front().rightToLeft) back = !back;
        }
        next = m_cursor ? stepped(*m_cursor, back ? -1 : 1) : start;
        break;
    }
    case Qt::Key_Up:
    case Qt::Key_Down:
        next = m_cursor ? besideLine(*m_cursor, event->key() == Qt::Key_Up ? -1 : 1) : start;
        break;
    case Qt::Key_Home:
        next = start;
        break;
    case Qt::Key_End:
        next = lastSpot();
        break;
    case Qt::Key_Escape:
        if (!m_cursor) {
            event->ignore();
            return;
        }
        Q_EMIT spotClicked(*m_cursor); // a second click lets go
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event); // page keys scroll
        return;
    }
    if (next) moveTo(*next);
}

void TextCanvas::focusInEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void TextCanvas::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

void TextCanvas::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange) measure();
}

bool TextCanvas::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave) hover(std::nullopt);
    return QAbstractScrollArea::viewportEvent(event);
}

void TextCanvas::scrollContentsBy(int /*dx*/, int /*dy*/) {
    viewport()->update();
}

} // namespace headscope::ui
