// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/heads_chart.h"

#include <vector>

namespace headscope::ui {

struct DistancePoint : HeadPoint {   ///< value: tokens between query and key
    std::optional<double> even = {}; ///< of an even head under the same mask
};

/// How far every head looks, by layer, beside what an even head would.
class DistanceChart final : public HeadsChart {
    Q_OBJECT

  public:
    explicit DistanceChart(QWidget* parent = nullptr);
    void setPoints(const std::vector<DistancePoint>& points);
};

} // namespace headscope::ui
