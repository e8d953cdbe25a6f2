// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/entropy_chart.h"

#include <utility>

namespace headscope::ui {

EntropyChart::EntropyChart(QWidget* parent) : HeadsChart(parent) {
    setPoints({});
}

void EntropyChart::setPoints(const std::vector<EntropyPoint>& points) {
    ChartPlot plot = plotOf(points, tr("%1 nats below uniform"));
    plot.title = tr("Entropy by layer, nats below uniform");
    plot.y.title = tr("nats below uniform: 0 reads all keys alike");
    showPlot(std::move(plot));
}

} // namespace headscope::ui
