// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/sink_chart.h"

#include <utility>

namespace headscope::ui {

SinkChart::SinkChart(QWidget* parent) : HeadsChart(parent) {
    setPoints({});
}

void SinkChart::setPoints(const std::vector<HeadPoint>& points) {
    ChartPlot plot = plotOf(points, tr("%1 of the weight on its top key"));
    plot.title = tr("Sink strength by layer, weight on the top key");
    plot.y.title = tr("weight on the top key");
    plot.y.high = 1.0;
    const auto threshold = [&plot](double at, ChartInk ink, const QString& words) {
        plot.lines.push_back({.points = {{plot.x.low, at}, {plot.x.high, at}},
                              .ink = ink,
                              .dashed = true,
                              .label = words.arg(at, 0, 'f', 2)});
    };
    threshold(kSink, ChartInk::Accent, tr("sink %1"));
    threshold(kStuck, ChartInk::Alarm, tr("stuck %1"));
    showPlot(std::move(plot));
}

} // namespace headscope::ui
