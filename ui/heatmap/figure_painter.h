// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/maps/axis.h"
#include "core/maps/head_map.h"
#include "core/raster/colormap.h"
#include "core/raster/display_range.h"
#include "core/raster/margins.h"
#include "core/raster/raster.h"
#include "ui/heatmap/head_badges.h"
#include "ui/heatmap/heatmap_theme.h"

#include <QFont>
#include <QSizeF>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

class QPainter;

/// Pictures for export: drawn on any painter, with or without a window. They call the core on the calling
/// thread.
namespace headscope::ui {

/// How a figure looks; what it shows stands in HeadFigure and GridFigure.
struct FigureOptions {
    double widthMm = 160.0;
    std::optional<double> heightMm{}; ///< nullopt: what the map of a head needs; else it is fitted in
    int dpi = 300;              ///< whole map cells are fitted to this grid, so that a PNG has crisp cells
    double fontSizePt = 8.0;    ///< labels; the title is larger
    QString fontFamily{};       ///< empty: the bundled one, whatever the application uses
    QString title{};            ///< empty: none
    QString xLabel{};           ///< null: "key (is read)"; empty but not null: none
    QString yLabel{};           ///< null: "query (reads)"; empty but not null: none
    std::optional<Span> rows{}; ///< part of the map; nullopt = all
    std::optional<Span> columns{};
    bool values = false;      ///< weights printed into cells that have room for them
    bool margins = false;     ///< strips beside a map of one head: makers of HeadFigure see to it
    bool transparent = false; ///< nothing is painted behind the figure
    HeatmapTheme theme = HeatmapTheme::lightTheme();
    Colormap colormap = Colormap::Viridis;
    DisplayRange range{};
    Pooling pooling = Pooling::Max; ///< when the map has more cells than the figure has dots
};

/// One head.
struct HeadFigure {
    std::shared_ptr<const HeadMap> map;
    std::shared_ptr<const Axis> queries;
    std::shared_ptr<const Axis> keys;
    RangeStatistics statistics;
    std::shared_ptr<const MapMargins> margins = nullptr; ///< of the part that is shown; null: none are drawn
};

/// One thumbnail of the overview; a null thumbnail is drawn as a skeleton.
struct GridFigureCell {
    Thumbnail thumbnail;
    RangeStatistics statistics;
    std::vector<HeadBadge> badges;
};

/// All heads, layer-major.
struct GridFigure {
    int layers = 0;
    int heads = 0;
    std::vector<GridFigureCell> cells; ///< [layers * heads]
};

/// The font of figures in its usual size. It does not depend on the application's, so that window and command
/// line write the same.
QFont figureFont(const FigureOptions& options);

/// Size in points of the figure at options.widthMm; the height follows from the content.
QSizeF headFigureSize(const HeadFigure& figure, const FigureOptions& options);
QSizeF gridFigureSize(const GridFigure& figure, const FigureOptions& options);

/// Paints into (0, 0, size) where one painter unit is one point (1/72 inch): scale the painter by dpi / 72
/// for an image. `size` is what the size functions gave. Background included.
void paintHeadFigure(QPainter& painter, const QSizeF& size, const HeadFigure& figure,
                     const FigureOptions& options);
void paintGridFigure(QPainter& painter, const QSizeF& size, const GridFigure& figure,
                     const FigureOptions& options);

} // namespace headscope::ui
