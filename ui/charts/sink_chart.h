// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/heads_chart.h"

#include <vector>

namespace headscope::ui {

/// How much of its weight every head puts on one key, by layer, with what it takes to be called a sink or
/// stuck.
class SinkChart final : public HeadsChart {
    Q_OBJECT

  public:
    static constexpr double kSink = 0.30;  ///< as core/diagnosis judges (a test compares)
    static constexpr double kStuck = 0.90; ///< likewise

    explicit SinkChart(QWidget* parent = nullptr);
    /// Values: mean weight on the top key, 0 to 1.
    void setPoints(const std::vector<HeadPoint>& points);
};

} // namespace headscope::ui
