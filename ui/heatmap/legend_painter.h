// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/raster/colormap.h"
#include "core/raster/display_range.h"
#include "ui/heatmap/heatmap_theme.h"

#include <QFont>
#include <QRectF>
#include <QString>

#include <optional>
#include <vector>

class QPainter;

namespace headscope::ui {

/// What the colours mean: the bar, its numbers, which range it is and whether weights lie above its end.
struct LegendModel {
    DisplayRange chosen; ///< as the user chose it, Auto included
    RangeStatistics statistics;
    Colormap colormap = Colormap::Viridis;
    std::optional<Rgb> masked; ///< shown as a swatch when the map has masked cells
    bool manyHeads = false;    ///< an overview: every head has its own end

    DisplayRange resolved() const { return resolve(chosen, statistics); }
    bool clipped() const { return !manyHeads && isClipped(resolved(), statistics); }
};

/// "auto", "fixed", "per row", "log": the line above the bar.
QString legendTitle(const LegendModel& model);
/// The whole truth in a sentence, for tooltips and screen readers.
QString legendSentence(const LegendModel& model);

/// A number beside the bar; `position` runs from 0 (lower end) to 1.
struct LegendTick {
    double position = 0.0;
    QString text;
};
/// Round numbers between the ends and the ends themselves, at least `spacing` (a share of the bar) apart.
std::vector<LegendTick> legendTicks(const LegendModel& model, double spacing);

/// Room the legend takes, in the units of `font`.
double legendWidth(const LegendModel& model, const QFont& font);
/// Draws into `rect`, at least legendWidth wide; short rects get fewer numbers.
void paintLegend(QPainter& painter, const QRectF& rect, const LegendModel& model, const QFont& font,
                 const HeatmapTheme& theme);

} // namespace headscope::ui
