// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/figure_painter.h"

#include "ui/heatmap/axis_labels.h"
#include "ui/heatmap/contrast.h"
#include "ui/heatmap/figure_layout.h"
#include "ui/heatmap/readout.h"
#include "ui/heatmap/thumbnail_image.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

using figure::Frame;
using figure::HeadLayout;
using figure::kUnitsPerPoint;

/// Largest side of the image that a map of few cells is blown up to; beyond it a viewer has nothing left to
/// blur.
constexpr int kImageSide = 4096;

/// A whole number of image pixels for each cell, as many as the device has dots or a divisor of that.
int pixelsPerCell(int dotsPerCell, std::int64_t cells) {
    for (int divisor = 1; divisor <= dotsPerCell; ++divisor)
        if (dotsPerCell % divisor == 0 && dotsPerCell / divisor * cells <= kImageSide)
            return dotsPerCell / divisor;
    return 1;
}

void paintAxisTitles(QPainter& painter, const HeadLayout& layout, const FigureOptions& options) {
    const QFontMetricsF metrics(layout.frame.font);
    painter.setFont(layout.frame.font);
    painter.setPen(options.theme.muted);
    // Titles may be longer than a small map: they begin at its corner and have the rest of the figure.
    const double xRoom = layout.frame.width - layout.frame.margin - layout.map.left();
    painter.drawText(QPointF(layout.map.left(), layout.map.top() - layout.topExtent - layout.frame.gap),
                     metrics.elidedText(layout.xLabel, Qt::ElideRight, xRoom));
    figure::paintSideTitle(
        painter, layout.frame, layout.yLabel,
        {layout.map.left() - layout.leftExtent - layout.frame.gap, layout.map.top(), layout.map.bottom()});
}

void paintAxes(QPainter& painter, const HeadLayout& layout, const HeadFigure& figure,
               const FigureOptions& options) {
    const QFontMetricsF metrics(layout.frame.font);
    const AxisLabelColors colors{options.theme.text, options.theme.accent};
    painter.save();
    painter.translate(layout.map.topLeft());
    AxisLabelRequest request;
    request.axis = figure.queries.get();
    request.side = AxisSide::Left;
    request.first = static_cast<double>(layout.rows.begin);
    request.unitsPerEntry = layout.map.height() / static_cast<double>(layout.rows.size());
    request.length = layout.map.height();
    request.maxExtent = layout.leftExtent;
    paintAxisLabels(painter, layoutAxisLabels(request, metrics), layout.frame.font, colors);
    request.axis = figure.keys.get();
    request.side = AxisSide::Top;
    request.first = static_cast<double>(layout.columns.begin);
    request.unitsPerEntry = layout.map.width() / static_cast<double>(layout.columns.size());
    request.length = layout.map.width();
    request.maxExtent = layout.topExtent;
    request.roomBeyond = layout.roomBeyond;
    paintAxisLabels(painter, layoutAxisLabels(request, metrics), layout.frame.font, colors);
    painter.restore();
}

void paintCellLines(QPainter& painter, const HeadLayout& layout, const FigureOptions& options) {
    if (layout.cell < 5.0 * kUnitsPerPoint) return;
    const QColor color = options.theme.dark ? QColor(255, 255, 255, 26) : QColor(255, 255, 255, 88);
    const double width = std::max(layout.frame.unitsPerDot, layout.frame.snapped(0.3 * kUnitsPerPoint));
    for (std::int64_t j = 1; j < layout.columns.size(); ++j)
        painter.fillRect(QRectF(layout.map.left() + static_cast<double>(j) * layout.cell, layout.map.top(),
                                width, layout.map.height()),
                         color);
    for (std::int64_t i = 1; i < layout.rows.size(); ++i)
        painter.fillRect(QRectF(layout.map.left(), layout.map.top() + static_cast<double>(i) * layout.cell,
                                layout.map.width(), width),
                         color);
}

void paintCellValues(QPainter& painter, const HeadLayout& layout, const HeadFigure& figure,
                     const PixelTile& tile) {
    // Smaller than the labels where that makes them fit, down to where they could hardly be read.
    constexpr double kSmallest = 0.55;
    constexpr double kOfCell = 0.84;
    QFont font = layout.frame.font;
    const QFontMetricsF metrics(font);
    const double needed = std::max(metrics.horizontalAdvance(QStringLiteral("0.000")), metrics.height());
    const double scale = std::min(1.0, kOfCell * layout.cell / needed);
    if (scale < kSmallest) return;
    font.setPixelSize(static_cast<int>(scale * font.pixelSize()));
    std::vector<float> weights(static_cast<std::size_t>(layout.columns.size()));
    painter.setFont(font);
    std::vector<Span> spans;
    for (std::int64_t i = 0; i < layout.rows.size(); ++i) {
        const std::int64_t row = layout.rows.begin + i;
        figure.map->tile({row, row + 1}, layout.columns, {weights.data(), 1, layout.columns.size()});
        figure.map->visibleSpans(row, spans);
        for (std::int64_t j = 0; j < layout.columns.size(); ++j) {
            const std::int64_t column = layout.columns.begin + j;
            if (std::none_of(spans.begin(), spans.end(),
                             [column](Span span) { return span.contains(column); }))
                continue;
            const Rgb under = tile.pixels[static_cast<std::size_t>(i * tile.cells.columns + j)];
            painter.setPen(readableOn(QColor::fromRgb(under)));
            painter.drawText(QRectF(layout.map.left() + static_cast<double>(j) * layout.cell,
                                    layout.map.top() + static_cast<double>(i) * layout.cell, layout.cell,
                                    layout.cell),
                             Qt::AlignCenter, weightInCell(weights[static_cast<std::size_t>(j)]));
        }
    }
}

} // namespace

QFont figureFont(const FigureOptions& options) {
    // The bundled font first; the others serve the scripts that it lacks.
    QFont font(QStringList{QStringLiteral("IBM Plex Sans"), QStringLiteral("Noto Sans"),
                           QStringLiteral("Noto Sans CJK JP"), QStringLiteral("DejaVu Sans")});
    if (!options.fontFamily.isEmpty()) font.setFamily(options.fontFamily);
    // Hinting and coloured edges are for the pixels of one screen.
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setStyleStrategy(QFont::NoSubpixelAntialias);
    return font;
}

QSizeF headFigureSize(const HeadFigure& figure, const FigureOptions& options) {
    const HeadLayout layout(figure, options);
    return QSizeF(layout.frame.width, layout.height) / kUnitsPerPoint;
}

void paintHeadFigure(QPainter& painter, const QSizeF& size, const HeadFigure& figure,
                     const FigureOptions& options) {
    const HeadLayout layout(figure, options);
    figure::begin(painter, size, options);
    figure::paintTitle(painter, layout.frame, options);
    paintAxisTitles(painter, layout, options);
    paintAxes(painter, layout, figure, options);

    const RasterStyle style{
        layout.legend.resolved(), options.pooling, options.colormap, {options.theme.masked}};
    const PixelTile tile = renderRegion(*figure.map, layout.rows, layout.columns,
                                        {layout.dots.height(), layout.dots.width()}, style);
    const int scaleX =
        pixelsPerCell(static_cast<int>(layout.dots.width() / tile.cells.columns), tile.cells.columns);
    const int scaleY =
        pixelsPerCell(static_cast<int>(layout.dots.height() / tile.cells.rows), tile.cells.rows);
    const QSize pixels(static_cast<int>(tile.cells.columns) * scaleX,
                       static_cast<int>(tile.cells.rows) * scaleY);
    painter.drawImage(layout.map, stretchedImage(tile.pixels.data(), tile.cells, pixels));
    paintCellLines(painter, layout, options);
    if (options.values && tile.cells == Extent{layout.rows.size(), layout.columns.size()})
        paintCellValues(painter, layout, figure, tile);
    figure::paintMargins(painter, layout, figure, options);
    paintLegend(painter, layout.legendRect, layout.legend, layout.frame.font, options.theme);
    painter.restore();
}

} // namespace headscope::ui
