// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/heads_chart.h"

#include <vector>

namespace headscope::ui {

using EntropyPoint = HeadPoint; ///< value: nats below uniform

/// How far the entropy of every head is below that of even weights, by layer.
class EntropyChart final : public HeadsChart {
    Q_OBJECT

  public:
    explicit EntropyChart(QWidget* parent = nullptr);
    void setPoints(const std::vector<EntropyPoint>& points);
};

} // namespace headscope::ui
