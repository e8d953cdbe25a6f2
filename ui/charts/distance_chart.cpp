// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/distance_chart.h"

#include "ui/format.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace headscope::ui {

namespace {

/// One level line for each run of layers with the same even distance; layers without one leave a gap.
std::vector<ChartLine> evenLines(const std::map<int, double>& evenOf) {
    std::vector<ChartLine> lines;
    int last = -2;
    for (const auto& [layer, even] : evenOf) {
        const bool goesOn = layer == last + 1 && !lines.empty() &&
                            std::abs(lines.back().points.back().y() - even) <= 1e-9 * std::max(1.0, even);
        if (!goesOn) {
            ChartLine line;
            line.points = {{layer - 0.5, even}, {layer + 0.5, even}};
            lines.push_back(line);
        }
        lines.back().points.back().setX(layer + 0.5);
        last = layer;
    }
    return lines;
}

} // namespace

DistanceChart::DistanceChart(QWidget* parent) : HeadsChart(parent) {
    setPoints({});
}

void DistanceChart::setPoints(const std::vector<DistancePoint>& points) {
    std::vector<HeadPoint> heads;
    std::map<int, double> evenOf;
    double top = 0.0;
    for (const DistancePoint& point : points) {
        heads.push_back(point);
        if (!point.even || !std::isfinite(*point.even)) continue;
        evenOf.emplace(static_cast<int>(point.head.layer.value), *point.even);
        top = std::max(top, *point.even);
        heads.back().note = tr("even weights: %1 tokens").arg(numberText(*point.even, 1)) +
                            (point.note.isEmpty() ? QString() : u'\n' + point.note);
    }
    ChartPlot plot = plotOf(heads, tr("looks %1 tokens far on average"));
    plot.title = tr("Mean distance by layer, tokens between query and key");
    plot.y.title = tr("tokens between query and key, on average");
    plot.y.high = std::max({plot.y.high, top * 1.08, 1.0});
    plot.lines = evenLines(evenOf);
    if (!plot.lines.empty()) plot.lines.back().label = tr("even weights");
    showPlot(std::move(plot));
}

} // namespace headscope::ui
