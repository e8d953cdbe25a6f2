// SPDX-License-Identifier: GPL-3.0-or-later
// The strips beside the map of a figure: how widely each row reads, how much each column gets.
#include "core/base/check.h"
#include "ui/heatmap/figure_layout.h"
#include "ui/heatmap/readout.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui::figure {

namespace {

struct Figure {
    Q_DECLARE_TR_FUNCTIONS(Figure)
};

/// The bars of one strip, one number for each cell along the map.
struct Bars {
    const std::vector<float>& numbers;
    double end = 0.0; ///< what fills the strip
    QRectF strip;
    bool down = false; ///< they stand side by side and grow downwards, else under each other and to the right
    std::int64_t dots = 1; ///< of the device along the map
};

void paintBars(QPainter& painter, const Frame& frame, const Bars& bars) {
    if (!(bars.end > 0.0)) return;
    const auto cells = static_cast<std::int64_t>(bars.numbers.size());
    const double along = bars.down ? bars.strip.width() : bars.strip.height();
    const double across = bars.down ? bars.strip.height() : bars.strip.width();
    const std::int64_t count = std::min(cells, bars.dots); // where cells are smaller than dots, one a dot
    const double pitch = along / static_cast<double>(count);
    const double apart = pitch >= 3.0 * kUnitsPerPoint
                             ? std::max(frame.unitsPerDot, frame.snapped(0.3 * kUnitsPerPoint))
                             : 0.0;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto first = bars.numbers.begin() + i * cells / count;
        const auto last = bars.numbers.begin() + (i + 1) * cells / count;
        const double share = static_cast<double>(*std::max_element(first, last)) / bars.end;
        const double length = across * std::clamp(share, 0.0, 1.0);
        const double at = static_cast<double>(i) * pitch;
        painter.fillRect(bars.down ? QRectF(bars.strip.left() + at, bars.strip.top(), pitch - apart, length)
                                   : QRectF(bars.strip.left(), bars.strip.top() + at, length, pitch - apart),
                         painter.brush());
    }
}

} // namespace

MarginEnds marginEnds(const MapMargins& margins) {
    const std::int64_t seen = *std::max_element(margins.seen.begin(), margins.seen.end());
    return {.spread = seen > 1 ? std::log(static_cast<double>(seen)) : 0.0,
            .received =
                static_cast<double>(*std::max_element(margins.received.begin(), margins.received.end()))};
}

void paintMargins(QPainter& painter, const HeadLayout& layout, const HeadFigure& figure,
                  const FigureOptions& options) {
    if (!figure.margins) return;
    const MapMargins& margins = *figure.margins;
    HS_CHECK_EQ(static_cast<std::int64_t>(margins.spread.size()), layout.rows.size());
    HS_CHECK_EQ(static_cast<std::int64_t>(margins.received.size()), layout.columns.size());
    painter.fillRect(layout.rowStrip, options.theme.skeleton);
    painter.fillRect(layout.columnStrip, options.theme.skeleton);
    const MarginEnds ends = marginEnds(margins);
    painter.save();
    painter.setBrush(options.theme.muted);
    paintBars(painter, layout.frame,
              {margins.spread, ends.spread, layout.rowStrip, false, layout.dots.height()});
    paintBars(painter, layout.frame,
              {margins.received, ends.received, layout.columnStrip, true, layout.dots.width()});
    painter.restore();
    const QFontMetricsF metrics(layout.frame.font);
    painter.setFont(layout.frame.font);
    painter.setPen(options.theme.muted);
    const double room = layout.frame.width - 0.5 * layout.frame.margin - layout.marginWords.x();
    const QString words[] = {Figure::tr("→ %1 nats").arg(ends.spread, 0, 'f', 2),
                             Figure::tr("↓ mean %1").arg(weightText(static_cast<float>(ends.received)))};
    for (int i = 0; i < 2; ++i)
        painter.drawText(layout.marginWords + QPointF(0.0, metrics.ascent() + i * layout.frame.line),
                         metrics.elidedText(words[i], Qt::ElideRight, room));
}

} // namespace headscope::ui::figure
