// SPDX-License-Identifier: GPL-3.0-or-later
// The strips beside the map: how widely each row reads, how much each column gets.
#include "ui/heatmap/figure_layout.h"
#include "ui/heatmap/heatmap_view_p.h"
#include "ui/heatmap/readout.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headscope::ui {

namespace {

constexpr double kSeparateCell = 5.0; ///< from this size on the bars of cells stand apart

/// The shortest decimal that reads back as the same float.
QString exact(float number) {
    return QString::fromStdString(fmt::format("{}", number));
}

/// Cells along one axis as the pixels show them.
struct Cells {
    std::int64_t first = 0;
    std::int64_t last = 0;
};

float largestOf(const std::vector<float>& values, Cells cells) {
    return *std::max_element(values.begin() + cells.first, values.begin() + cells.last + 1);
}

} // namespace

void HeatmapView::Private::placeMargins() {
    const QRectF drawn = geometry.mapRect();
    rowStrip = marginsShown ? QRectF(drawn.right() + kMarginGap, drawn.top(), kMarginStrip, drawn.height())
                            : QRectF();
    columnStrip = marginsShown
                      ? QRectF(drawn.left(), drawn.bottom() + kMarginGap, drawn.width(), kMarginStrip)
                      : QRectF();
}

void HeatmapView::Private::refreshMargins() {
    marginLoader.setMap(marginsShown ? map : nullptr);
    marginScale = {};
    if (const auto& margins = marginLoader.margins()) {
        const figure::MarginEnds ends = figure::marginEnds(*margins);
        marginScale = {ends.spread, ends.received};
    }
    q.update();
}

/// "“said” (query 7) reads 15 keys with a spread of 1.25 nats, as if 3.5 of them evenly"
QString HeatmapView::Private::rowSentence(std::int64_t row) const {
    const MapMargins& margins = *marginLoader.margins();
    const auto at = static_cast<std::size_t>(row);
    const QString token = tokenInSentence(queries->entries[at]);
    if (margins.seen[at] == 0) return HeatmapView::tr("%1 may see no key").arg(token);
    return HeatmapView::tr(
               "%1 spreads over %2 keys that it may see: %3 nats, as if it read %4 of them evenly")
        .arg(token)
        .arg(margins.seen[at])
        .arg(exact(margins.spread[at]))
        .arg(std::exp(double(margins.spread[at])), 0, 'f', 1);
}

QString HeatmapView::Private::columnSentence(std::int64_t column) const {
    const MapMargins& margins = *marginLoader.margins();
    const auto at = static_cast<std::size_t>(column);
    const QString token = tokenInSentence(keys->entries[at]);
    if (margins.readers[at] == 0) return HeatmapView::tr("no query may see %1").arg(token);
    const QString got = exact(margins.received[at]);
    return margins.readers[at] == 1
               ? HeatmapView::tr("%1 gets %2 from the one row that may see it").arg(token, got)
               : HeatmapView::tr("%1 gets %2 on average over the %3 rows that may see it")
                     .arg(token, got)
                     .arg(margins.readers[at]);
}

/// What the strip under a point says; empty elsewhere.
QString HeatmapView::Private::marginSentence(const QPointF& position) const {
    if (!map || !marginLoader.margins()) return {};
    const QRectF drawn = geometry.mapRect();
    if (rowStrip.contains(position)) return rowSentence(nearestCell({drawn.left(), position.y()}).first);
    if (columnStrip.contains(position))
        return columnSentence(nearestCell({position.x(), drawn.top()}).second);
    return {};
}

void HeatmapView::Private::pointAtMargin(const QString& sentence) {
    if (sentence == marginShown) return;
    marginShown = sentence;
    Q_EMIT q.marginPointed(sentence);
}

void HeatmapView::Private::paintMargins(QPainter& painter) const {
    if (!marginsShown) return;
    painter.fillRect(rowStrip, theme.skeleton);
    painter.fillRect(columnStrip, theme.skeleton);
    const auto& margins = marginLoader.margins();
    if (!margins) return;
    paintBars(painter, margins->spread, false);
    paintBars(painter, margins->received, true);
    const QFontMetricsF metrics(labelFont);
    painter.setFont(labelFont);
    painter.setPen(theme.muted);
    // In the corner, where the two strips meet: what their ends are.
    const double x = rowStrip.left();
    const double room = q.width() - 4.0 - x;
    const QStringList lines = {
        HeatmapView::tr("→ %1 nats").arg(marginScale[0], 0, 'f', 2),
        HeatmapView::tr("↓ mean %1").arg(weightText(static_cast<float>(marginScale[1])))};
    for (int i = 0; i < 2; ++i)
        painter.drawText(
            QPointF(x, columnStrip.top() + metrics.ascent() + i * (kMarginStrip - metrics.height())),
            metrics.elidedText(lines[i], Qt::ElideRight, room));
}

/// A bar for each cell, or for each dot where the cells are smaller: the largest of them.
void HeatmapView::Private::paintBars(QPainter& painter, const std::vector<float>& numbers,
                                     bool columns) const {
    const double end = marginScale[columns ? 1 : 0];
    if (!(end > 0.0)) return;
    const QSize size = geometry.pixelSize();
    const double ratio = geometry.devicePixelRatio();
    const QRectF strip = columns ? columnStrip : rowStrip;
    const std::int64_t dots = columns ? size.width() : size.height();
    const auto at = [&](std::int64_t dot) { return columns ? geometry.columnAt(dot) : geometry.rowAt(dot); };
    const auto edge = [&](std::int64_t cell) {
        return std::clamp<std::int64_t>(columns ? geometry.columnEdge(cell) : geometry.rowEdge(cell), 0,
                                        dots);
    };
    const auto chosen = columns ? selectedKey : selectedQuery;
    const double gap = geometry.cellSize() >= kSeparateCell ? 1.0 / ratio : 0.0;
    QColor usual = theme.muted;
    usual.setAlphaF(0.75F);
    const auto bar = [&](double from, double to, Cells cells) {
        const double length =
            kMarginStrip * std::min(1.0, static_cast<double>(largestOf(numbers, cells)) / end);
        const bool isChosen = chosen && *chosen >= cells.first && *chosen <= cells.last;
        const QRectF rect = columns ? QRectF(strip.left() + from, strip.top(), to - from, length)
                                    : QRectF(strip.left(), strip.top() + from, length, to - from);
        painter.fillRect(rect, isChosen ? theme.accent : usual);
    };
    if (geometry.pixelsPerWeight() >= 1.0) {
        for (std::int64_t cell = at(0); cell <= at(dots - 1); ++cell)
            bar(static_cast<double>(edge(cell)) / ratio, static_cast<double>(edge(cell + 1)) / ratio - gap,
                {cell, cell});
        return;
    }
    for (std::int64_t dot = 0; dot < dots; ++dot) // each cell has its part in one dot at least
        bar(static_cast<double>(dot) / ratio, static_cast<double>(dot + 1) / ratio,
            {at(dot), dot + 1 < dots ? std::max(at(dot), at(dot + 1) - 1) : at(dot)});
}

} // namespace headscope::ui
