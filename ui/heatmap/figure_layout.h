// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/heatmap/figure_painter.h"
#include "ui/heatmap/legend_painter.h"

#include <QFont>
#include <QRectF>
#include <QSize>

/// Where everything of a figure stands. Lengths are tenths of a point: fonts take whole pixels only, and a
/// tenth is fine enough for any size. All of it is measured from font metrics.
namespace headscope::ui::figure {

inline constexpr double kUnitsPerPoint = 10.0;

/// Fonts, margins and the dot grid shared by both kinds of figure.
struct Frame {
    explicit Frame(const FigureOptions& options);

    /// Rounded to the dots of the device.
    double snapped(double units) const;
    double dots(double units) const { return units / unitsPerDot; }

    QFont font;
    QFont titleFont;
    double unitsPerDot = 1.0;
    double width = 0.0;
    double margin = 0.0;
    double gap = 0.0;         ///< between parts
    double line = 0.0;        ///< height of a line of `font`
    double titleHeight = 0.0; ///< wrapped to the width; 0 without a title
};

struct HeadLayout {
    HeadLayout(const HeadFigure& figure, const FigureOptions& options);

    Frame frame;
    Span rows;
    Span columns;
    QString xLabel;
    QString yLabel;
    LegendModel legend;
    double leftExtent = 0.0; ///< labels of the rows
    double topExtent = 0.0;  ///< labels of the columns
    double roomBeyond = 0.0; ///< right of the map, up to the margin
    double cell = 0.0;       ///< side of one weight
    QSize dots;              ///< of the map on the device
    QRectF map;
    QRectF rowStrip;     ///< right of the map; empty without margins
    QRectF columnStrip;  ///< below it
    QPointF marginWords; ///< where the two lines that say their ends begin
    QRectF legendRect;
    double height = 0.0;

  private:
    double strips() const; ///< what the margins take beside the map
    void placeStrips(bool shown);
    double roomDown(const FigureOptions& options, double top) const;
    void fillHeight(double wanted);
};

struct GridLayout {
    GridLayout(const GridFigure& figure, const FigureOptions& options);
    QRectF cellRect(int layer, int head) const;

    Frame frame;
    LegendModel legend;
    std::vector<Label> flags; ///< those that some head has, for the line at the foot
    double left = 0.0;        ///< of the first cell
    double top = 0.0;
    double cell = 0.0;
    double pitch = 0.0;
    int cellDots = 1;
    QRectF legendRect;
    double flagsTop = 0.0;
    double height = 0.0;
};

/// What fills a strip beside the map: a row that reads evenly; of the columns the one that gets most.
struct MarginEnds {
    double spread = 0.0; ///< nats
    double received = 0.0;
};
MarginEnds marginEnds(const MapMargins& margins);
void paintMargins(QPainter& painter, const HeadLayout& layout, const HeadFigure& figure,
                  const FigureOptions& options);

/// Saves the painter, sets tenths of a point and the hints, and fills the background.
void begin(QPainter& painter, const QSizeF& size, const FigureOptions& options);
void paintTitle(QPainter& painter, const Frame& frame, const FigureOptions& options);

/// What stands beside an axis that goes down: its baseline and the axis's ends.
struct SideAxis {
    double baseline = 0.0;
    double top = 0.0;
    double bottom = 0.0;
};
/// The title of such an axis, read upwards, in the middle of it or, when longer, from its foot.
void paintSideTitle(QPainter& painter, const Frame& frame, const QString& title, const SideAxis& axis);

} // namespace headscope::ui::figure
