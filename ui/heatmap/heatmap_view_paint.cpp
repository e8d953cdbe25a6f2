// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/axis_labels.h"
#include "ui/heatmap/contrast.h"
#include "ui/heatmap/heatmap_view_p.h"
#include "ui/heatmap/readout.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kHairlineCell = 12.0; ///< from this size on cells have borders

QColor withAlpha(QColor color, double alpha) {
    color.setAlphaF(static_cast<float>(alpha));
    return color;
}

} // namespace

void HeatmapView::Private::composeIfStale() {
    if (!frameStale) return;
    const bool wasComplete = complete;
    complete = composeFrame(
        geometry, [this](const TileAddress& address) { return loader.find(keyOf(address)); }, standIn, frame);
    frameStale = false;
    if (complete && !wasComplete)
        QMetaObject::invokeMethod(&q, &HeatmapView::completed, Qt::QueuedConnection);
}

void HeatmapView::Private::paint(QPainter& painter) {
    painter.fillRect(q.rect(), theme.panel);
    if (q.state() != State::Ready) {
        paintMessage(painter);
        return;
    }
    composeIfStale();
    const QRectF drawn = geometry.mapRect();
    painter.drawImage(drawn, frame);
    paintGrid(painter);
    paintValues(painter);
    paintMargins(painter);
    paintCrosshair(painter);
    paintBox(painter);
    paintLabels(painter);
    paintCaptions(painter);
    paintLegend(painter, legendRect, legend, labelFont, theme);
    if (keyboardFocus) {
        painter.setPen(QPen(theme.accent, 1.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(q.rect()).adjusted(1.5, 1.5, -1.5, -1.5), 6.0, 6.0);
    }
    paintCallout(painter);
}

/// No map: a quiet field with a faint grid where it would be, and what to do.
void HeatmapView::Private::paintMessage(QPainter& painter) const {
    const double side = std::min({160.0, 0.4 * q.width(), 0.4 * q.height()});
    const double cell = std::floor(side / 6.0);
    const QPointF corner(std::round(0.5 * (q.width() - 6.0 * cell)),
                         std::round(0.42 * q.height() - 3.0 * cell));
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) {
            const double strength = !loading && i == j ? 1.0 : 0.7;
            painter.fillRect(QRectF(corner + QPointF(j * cell, i * cell), QSizeF(cell - 2.0, cell - 2.0)),
                             withAlpha(i == j && !loading ? theme.hairline : theme.skeleton, strength));
        }
    painter.setFont(q.font());
    painter.setPen(theme.muted);
    const QRectF below(16.0, corner.y() + 6.0 * cell + 16.0, q.width() - 32.0, 80.0);
    painter.drawText(below, Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap,
                     loading ? loadingText : emptyText);
}

void HeatmapView::Private::paintGrid(QPainter& painter) const {
    if (geometry.cellSize() < kHairlineCell) return;
    const QRectF drawn = geometry.mapRect();
    const QSize size = geometry.pixelSize();
    const double ratio = geometry.devicePixelRatio();
    const QColor color = theme.dark ? QColor(255, 255, 255, 26) : QColor(255, 255, 255, 88);
    const double line = 1.0 / ratio;
    for (std::int64_t column = geometry.columnAt(0) + 1; column <= geometry.columnAt(size.width() - 1);
         ++column)
        painter.fillRect(QRectF(drawn.left() + static_cast<double>(geometry.columnEdge(column)) / ratio,
                                drawn.top(), line, drawn.height()),
                         color);
    for (std::int64_t row = geometry.rowAt(0) + 1; row <= geometry.rowAt(size.height() - 1); ++row)
        painter.fillRect(QRectF(drawn.left(),
                                drawn.top() + static_cast<double>(geometry.rowEdge(row)) / ratio,
                                drawn.width(), line),
                         color);
}

void HeatmapView::Private::paintValues(QPainter& painter) const {
    if (values.empty()) return;
    painter.save();
    painter.setClipRect(geometry.mapRect());
    painter.setFont(labelFont);
    std::size_t place = 0;
    for (std::int64_t row = valueRows.begin; row < valueRows.end; ++row)
        for (std::int64_t column = valueColumns.begin; column < valueColumns.end; ++column, ++place) {
            const QRectF cell = geometry.cellRect(row, column);
            // The colour under the text, from the picture itself: masks and modes are in it already.
            const QPointF pixel =
                (cell.intersected(geometry.mapRect()).center() - geometry.mapRect().topLeft()) *
                geometry.devicePixelRatio();
            const QPoint inside(std::clamp(static_cast<int>(pixel.x()), 0, frame.width() - 1),
                                std::clamp(static_cast<int>(pixel.y()), 0, frame.height() - 1));
            const QRgb under = frame.pixel(inside);
            if (legend.masked && (under & 0xffffffU) == (*legend.masked & 0xffffffU)) continue;
            painter.setPen(readableOn(QColor::fromRgb(under)));
            painter.drawText(cell, Qt::AlignCenter, weightInCell(values[place]));
        }
    painter.restore();
}

/// The row of the query and the column of the key, outlined without covering their colours.
void HeatmapView::Private::paintCrosshair(QPainter& painter) const {
    const QRectF drawn = geometry.mapRect();
    const Extent extent = geometry.extent();
    painter.save();
    painter.setClipRect(drawn.adjusted(-2.0, -2.0, 2.0, 2.0));
    painter.setBrush(Qt::NoBrush);
    const auto outline = [&](QRectF band, const QColor& color, double width) {
        // Bands thinner than the pen keep their cells visible between the two lines.
        const double spare = std::max(0.0, 0.5 * (4.0 - std::min(band.width(), band.height())));
        band.adjust(-spare, -spare, spare, spare);
        painter.setPen(QPen(color, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(band.intersected(drawn.adjusted(-1.0, -1.0, 1.0, 1.0)));
    };
    const auto row = [&](std::int64_t query) {
        return geometry.cellRect(query, 0).united(geometry.cellRect(query, extent.columns - 1));
    };
    const auto column = [&](std::int64_t key) {
        return geometry.cellRect(0, key).united(geometry.cellRect(extent.rows - 1, key));
    };
    if (selectedQuery) outline(row(*selectedQuery), theme.accent, 1.5);
    if (selectedKey) outline(column(*selectedKey), theme.accent, 1.5);
    if (hovered) {
        const QColor faint(255, 255, 255, 150);
        outline(row(hovered->query), faint, 1.0);
        outline(column(hovered->key), faint, 1.0);
        outline(geometry.cellRect(hovered->query, hovered->key), QColor(0, 0, 0, 160), 3.0);
        outline(geometry.cellRect(hovered->query, hovered->key), QColor(255, 255, 255), 1.5);
    }
    painter.restore();
}

void HeatmapView::Private::paintLabels(QPainter& painter) const {
    const QFontMetricsF metrics(labelFont);
    const QRectF drawn = geometry.mapRect();
    const AxisLabelColors colors{theme.text, theme.accent};
    const auto always = [](const std::optional<Pointed>& pointed, std::int64_t Pointed::*member,
                           const std::optional<std::int64_t>& chosen) {
        std::vector<std::int64_t> indices;
        if (pointed) indices.push_back((*pointed).*member);
        if (chosen) indices.push_back(*chosen);
        return indices;
    };
    painter.save();
    painter.translate(drawn.topLeft());
    AxisLabelRequest rows;
    rows.axis = queries.get();
    rows.side = AxisSide::Left;
    rows.first = geometry.top();
    rows.unitsPerEntry = geometry.cellSize();
    rows.length = drawn.height();
    rows.maxExtent = labelExtent;
    rows.always = always(hovered, &Pointed::query, selectedQuery);
    paintAxisLabels(painter, layoutAxisLabels(rows, metrics), labelFont, colors);

    AxisLabelRequest columns;
    columns.axis = keys.get();
    columns.side = AxisSide::Top;
    columns.first = geometry.left();
    columns.unitsPerEntry = geometry.cellSize();
    columns.length = drawn.width();
    columns.maxExtent = topExtent - metrics.height() - 6.0;
    columns.roomBeyond = q.width() - 4.0 - drawn.right();
    columns.always = always(hovered, &Pointed::key, selectedKey);
    paintAxisLabels(painter, layoutAxisLabels(columns, metrics), labelFont, colors);
    painter.restore();
}

void HeatmapView::Private::paintCaptions(QPainter& painter) const {
    const QFontMetricsF metrics(labelFont);
    const QString query = HeatmapView::tr("query (reads) ↓");
    const QString key = HeatmapView::tr("key (is read) →");
    const QRectF drawn = geometry.mapRect();
    const double baseline = geometry.area().top() - topExtent + metrics.ascent();
    painter.setFont(labelFont);
    painter.setPen(theme.muted);
    const double queryLeft = std::max(8.0, drawn.left() - labelExtent);
    painter.drawText(QPointF(queryLeft, baseline), query);
    const double keyLeft = std::max(drawn.left(), queryLeft + metrics.horizontalAdvance(query) + 16.0);
    painter.drawText(QPointF(keyLeft, baseline), key);

    if (box) {
        const double from = keyLeft + metrics.horizontalAdvance(key) + 24.0;
        const QString sentence =
            metrics.elidedText(boxSentence(), Qt::ElideRight, std::max(0.0, q.width() - 12.0 - from));
        painter.setPen(theme.text);
        painter.drawText(QPointF(q.width() - 12.0 - metrics.horizontalAdvance(sentence), baseline), sentence);
        return;
    }
    // What the selected cell says, at the end of the same line; while hovering the callout speaks instead.
    if (!selected || hovered) return;
    QFont bold = q.font();
    bold.setWeight(QFont::DemiBold);
    const QFontMetricsF textMetrics(q.font());
    const double right = q.width() - 12.0;
    const double valueWidth = QFontMetricsF(bold).horizontalAdvance(selected->words[1]);
    const double room = right - valueWidth - 8.0 - (keyLeft + metrics.horizontalAdvance(key) + 24.0);
    if (room < 40.0) return;
    const QString sentence = textMetrics.elidedText(selected->words[0], Qt::ElideMiddle, room);
    painter.setFont(q.font());
    painter.drawText(QPointF(right - valueWidth - 8.0 - textMetrics.horizontalAdvance(sentence), baseline),
                     sentence);
    painter.setFont(bold);
    painter.setPen(theme.text);
    painter.drawText(QPointF(right - valueWidth, baseline), selected->words[1]);
}

/// “said” reads [CLS]  0.9350 in a small box beside the cell under the cursor.
void HeatmapView::Private::paintCallout(QPainter& painter) const {
    if (!hovered) return;
    const auto& words = hovered->words;
    QFont bold = q.font();
    bold.setWeight(QFont::DemiBold);
    const QFontMetricsF metrics(q.font());
    const QFontMetricsF boldMetrics(bold);
    const QFontMetricsF smallMetrics(labelFont);
    const double valueWidth = words[1].isEmpty() ? 0.0 : boldMetrics.horizontalAdvance(words[1]) + 10.0;
    const double room = q.width() - 24.0 - 20.0 - valueWidth;
    const QString sentence = metrics.elidedText(words[0], Qt::ElideMiddle, room);
    const double sentenceWidth = metrics.horizontalAdvance(sentence);
    const double width =
        20.0 + std::max(sentenceWidth + valueWidth, smallMetrics.horizontalAdvance(words[2]));
    const double height = 14.0 + metrics.height() + smallMetrics.height();
    const QRectF cell = geometry.cellRect(hovered->query, hovered->key);
    QRectF callout(cell.bottomRight() + QPointF(10.0, 10.0), QSizeF(width, height));
    if (callout.right() > q.width() - 6.0) callout.moveRight(cell.left() - 10.0);
    if (callout.bottom() > q.height() - 6.0) callout.moveBottom(cell.top() - 10.0);
    callout.moveLeft(std::clamp(callout.left(), 6.0, std::max(6.0, q.width() - width - 6.0)));
    callout.moveTop(std::clamp(callout.top(), 6.0, std::max(6.0, q.height() - height - 6.0)));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(0, 0, 0, theme.dark ? 90 : 28));
    painter.drawRoundedRect(callout.translated(0.0, 2.0), 7.0, 7.0);
    painter.setPen(QPen(theme.hairline, 1.0));
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(callout, 6.0, 6.0);
    const double baseline = callout.top() + 7.0 + metrics.ascent();
    painter.setFont(q.font());
    painter.setPen(theme.text);
    painter.drawText(QPointF(callout.left() + 10.0, baseline), sentence);
    painter.setFont(bold);
    painter.drawText(QPointF(callout.left() + 10.0 + sentenceWidth + 10.0, baseline), words[1]);
    painter.setFont(labelFont);
    painter.setPen(theme.muted);
    painter.drawText(QPointF(callout.left() + 10.0, callout.bottom() - 7.0 - smallMetrics.descent()),
                     words[2]);
    painter.restore();
}

} // namespace headscope::ui
