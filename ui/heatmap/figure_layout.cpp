// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/figure_layout.h"

#include "core/base/check.h"
#include "ui/heatmap/axis_labels.h"

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

constexpr double kMmPerInch = 25.4;
constexpr double kPointsPerInch = 72.0;
constexpr double kLargestCell = 60.0 * kUnitsPerPoint;
constexpr double kStripLines = 2.0; ///< thickness of a margin, in lines of text
constexpr double kTallest = 1.5;    ///< map's height against the figure's width, at most
constexpr double kTallestGrid = 2.2;

Span partOf(const std::optional<Span>& wanted, std::int64_t size) {
    if (!wanted) return {0, size};
    HS_CHECK(wanted->begin >= 0 && wanted->begin < wanted->end && wanted->end <= size);
    return *wanted;
}

double unitsOf(double mm) {
    return mm / kMmPerInch * kPointsPerInch * kUnitsPerPoint;
}

Axis partOf(const Axis& axis, Span span) {
    Axis part;
    part.entries.assign(axis.entries.begin() + span.begin, axis.entries.begin() + span.end);
    return part;
}

} // namespace

Frame::Frame(const FigureOptions& options) {
    HS_CHECK(options.widthMm > 0.0 && options.dpi > 0 && options.fontSizePt > 0.0);
    font = figureFont(options);
    font.setPixelSize(std::max(1, qRound(options.fontSizePt * kUnitsPerPoint)));
    titleFont = font;
    titleFont.setPixelSize(std::max(1, qRound(1.25 * options.fontSizePt * kUnitsPerPoint)));
    titleFont.setWeight(QFont::DemiBold);
    unitsPerDot = kPointsPerInch * kUnitsPerPoint / options.dpi;
    width = unitsOf(options.widthMm);
    line = QFontMetricsF(font).height();
    margin = snapped(0.75 * line);
    gap = 0.5 * line;
    if (!options.title.isEmpty())
        titleHeight =
            QFontMetricsF(titleFont)
                .boundingRect(QRectF(0.0, 0.0, width - 2.0 * margin, 1e6), Qt::TextWordWrap, options.title)
                .height() +
            gap;
}

double Frame::snapped(double units) const {
    return std::round(units / unitsPerDot) * unitsPerDot;
}

HeadLayout::HeadLayout(const HeadFigure& figure, const FigureOptions& options) : frame(options) {
    HS_CHECK(figure.map && figure.queries && figure.keys);
    const Extent extent = figure.map->extent();
    HS_CHECK(figure.queries->size() == extent.rows && figure.keys->size() == extent.columns);
    HS_CHECK(extent.rows > 0 && extent.columns > 0);
    rows = partOf(options.rows, extent.rows);
    columns = partOf(options.columns, extent.columns);
    xLabel = options.xLabel.isNull() ? Figure::tr("key (is read)") : options.xLabel;
    yLabel = options.yLabel.isNull() ? Figure::tr("query (reads)") : options.yLabel;
    legend = {options.range, figure.statistics, options.colormap, std::nullopt};
    std::vector<Span> spans;
    for (std::int64_t row = rows.begin; row < rows.end && !legend.masked; ++row) {
        figure.map->visibleSpans(row, spans);
        std::int64_t visible = 0;
        for (const Span span : spans)
            visible += std::max<std::int64_t>(0, std::min(span.end, columns.end) -
                                                     std::max(span.begin, columns.begin));
        if (visible < columns.size()) legend.masked = options.theme.masked;
    }

    const QFontMetricsF metrics(frame.font);
    const double legendWide = legendWidth(legend, frame.font);
    const double yTitle = yLabel.isEmpty() ? 0.0 : frame.line + 0.5 * frame.gap;
    const double xTitle = xLabel.isEmpty() ? 0.0 : frame.line + 0.5 * frame.gap;
    leftExtent = axisLabelExtent(partOf(*figure.queries, rows), AxisSide::Left, metrics, 0.3 * frame.width);
    topExtent = axisLabelExtent(partOf(*figure.keys, columns), AxisSide::Top, metrics, 0.3 * frame.width);
    const double before = frame.margin + yTitle + leftExtent;
    const double beside = figure.margins ? strips() : 0.0;
    roomBeyond = legendWide + 1.5 * frame.line + beside; // slanted labels stand above the legend
    const double room = std::max(frame.width - before - roomBeyond - frame.margin, 10.0 * frame.unitsPerDot);
    const auto across = static_cast<double>(columns.size());
    const auto down = static_cast<double>(rows.size());
    const double top = frame.snapped(frame.margin + frame.titleHeight + xTitle + topExtent);
    const double wanted = std::min({room / across, (roomDown(options, top) - beside) / down, kLargestCell});
    const double wholeDots = std::floor(frame.dots(wanted));
    // Cells of whole dots where there is one for each; otherwise one dot a pooled cell.
    cell = wholeDots >= 1.0 ? wholeDots * frame.unitsPerDot : wanted;
    dots = {std::max(1, static_cast<int>(std::round(frame.dots(cell * across)))),
            std::max(1, static_cast<int>(std::round(frame.dots(cell * down))))};
    const double spare = std::max(0.0, room - cell * across);
    const double left = frame.snapped(before + 0.5 * spare);
    map = QRectF(left, top, dots.width() * frame.unitsPerDot, dots.height() * frame.unitsPerDot);
    legendRect = QRectF(map.right() + beside + 1.5 * frame.line, map.top(), legendWide,
                        std::max(map.height(), (legend.masked ? 9.0 : 7.0) * frame.line));
    roomBeyond = frame.width - 0.5 * frame.margin - map.right();
    height = std::max(map.bottom(), legendRect.bottom()) + frame.margin;
    placeStrips(figure.margins != nullptr);
    if (options.heightMm) fillHeight(unitsOf(*options.heightMm));
}

double HeadLayout::strips() const {
    return frame.snapped(0.4 * frame.line) + frame.snapped(kStripLines * frame.line);
}

void HeadLayout::placeStrips(bool shown) {
    if (!shown) return;
    const double between = frame.snapped(0.4 * frame.line);
    const double thick = frame.snapped(kStripLines * frame.line);
    rowStrip = QRectF(map.right() + between, map.top(), thick, map.height());
    columnStrip = QRectF(map.left(), map.bottom() + between, map.width(), thick);
    // In the corner of the two, unless the legend of a small map reaches down to there.
    const bool isFree = legendRect.bottom() <= columnStrip.top();
    marginWords = {rowStrip.left(), isFree ? columnStrip.top() : legendRect.bottom() + between};
    height = std::max({columnStrip.bottom(), legendRect.bottom(), marginWords.y() + 2.0 * frame.line}) +
             frame.margin;
}

/// Room for the map below `top`.
double HeadLayout::roomDown(const FigureOptions& options, double top) const {
    if (!options.heightMm) return kTallest * frame.width;
    return std::max(unitsOf(*options.heightMm) - top - frame.margin, 10.0 * frame.unitsPerDot);
}

/// The figure gets the height that was asked for, and what is in it stands in the middle.
void HeadLayout::fillHeight(double wanted) {
    const double spare = frame.snapped(0.5 * std::max(0.0, wanted - height));
    map.translate(0.0, spare);
    rowStrip.translate(0.0, spare);
    columnStrip.translate(0.0, spare);
    marginWords.ry() += spare;
    legendRect.translate(0.0, spare);
    height = std::max(wanted, height);
}

GridLayout::GridLayout(const GridFigure& figure, const FigureOptions& options) : frame(options) {
    HS_CHECK(figure.layers > 0 && figure.heads > 0);
    HS_CHECK(figure.cells.size() ==
             static_cast<std::size_t>(figure.layers) * static_cast<std::size_t>(figure.heads));
    const QFontMetricsF metrics(frame.font);
    legend.chosen = options.range;
    legend.colormap = options.colormap;
    legend.manyHeads = true;
    for (const GridFigureCell& one : figure.cells) {
        if (std::find(one.thumbnail.visible.begin(), one.thumbnail.visible.end(), 0) !=
            one.thumbnail.visible.end())
            legend.masked = options.theme.masked;
        for (const HeadBadge& badge : one.badges)
            if (std::find(flags.begin(), flags.end(), badge.label) == flags.end())
                flags.push_back(badge.label);
    }
    std::sort(flags.begin(), flags.end());
    const double legendWide = legendWidth(legend, frame.font);
    const double numbers =
        metrics.horizontalAdvance(QString::number(std::max(figure.layers - 1, 10))) + frame.gap;
    const double caption = frame.line + 0.5 * frame.gap;
    left = frame.snapped(frame.margin + caption + numbers);
    top = frame.snapped(frame.margin + frame.titleHeight + caption + frame.line + 0.5 * frame.gap);
    const double room = frame.width - left - frame.margin - legendWide - 1.5 * frame.line;
    const double wanted =
        std::min({room / figure.heads, kTallestGrid * frame.width / figure.layers, 72.0 * kUnitsPerPoint});
    const double between = std::max(frame.unitsPerDot, frame.snapped(0.1 * wanted));
    cellDots = std::max(1, static_cast<int>(std::floor(frame.dots(wanted - between))));
    cell = cellDots * frame.unitsPerDot;
    pitch = cell + between;
    const double bottom = top + pitch * figure.layers - between;
    legendRect = QRectF(left + pitch * figure.heads - between + 1.5 * frame.line, top, legendWide,
                        std::max(bottom - top, (legend.masked ? 9.0 : 7.0) * frame.line));
    flagsTop = std::max(bottom, legendRect.bottom()) + 1.5 * frame.gap;
    height = flagsTop - 1.5 * frame.gap + (flags.empty() ? 0.0 : frame.line + 1.5 * frame.gap) + frame.margin;
}

QRectF GridLayout::cellRect(int layer, int head) const {
    return {left + head * pitch, top + layer * pitch, cell, cell};
}

void begin(QPainter& painter, const QSizeF& size, const FigureOptions& options) {
    painter.save();
    painter.scale(1.0 / kUnitsPerPoint, 1.0 / kUnitsPerPoint);
    // Without this hint Qt's PDF writer stores pictures as JPEG.
    painter.setRenderHint(QPainter::LosslessImageRendering);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::TextAntialiasing);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    // A little more than the figure: images are whole dots, and their last one may be covered in part only.
    if (options.transparent) return;
    painter.fillRect(QRectF(QPointF(), size * kUnitsPerPoint).adjusted(0.0, 0.0, 20.0, 20.0),
                     options.theme.panel);
}

void paintTitle(QPainter& painter, const Frame& frame, const FigureOptions& options) {
    if (options.title.isEmpty()) return;
    painter.setFont(frame.titleFont);
    painter.setPen(options.theme.text);
    painter.drawText(QRectF(frame.margin, frame.margin, frame.width - 2.0 * frame.margin, frame.titleHeight),
                     Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop, options.title);
}

void paintSideTitle(QPainter& painter, const Frame& frame, const QString& title, const SideAxis& axis) {
    const QFontMetricsF metrics(frame.font);
    const double room = axis.bottom - frame.margin - frame.titleHeight;
    const QString text = metrics.elidedText(title, Qt::ElideRight, room);
    const double middle = 0.5 * (axis.top + axis.bottom);
    painter.save();
    painter.translate(axis.baseline, std::min(axis.bottom, middle + 0.5 * metrics.horizontalAdvance(text)));
    painter.rotate(-90.0);
    painter.drawText(QPointF(0.0, 0.0), text);
    painter.restore();
}

} // namespace headscope::ui::figure
