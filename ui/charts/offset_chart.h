// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::ui {

/// Mean weight on the offsets first..last together; an offset is key minus query.
struct OffsetBar {
    std::int64_t first = 0;
    std::int64_t last = 0;
    double mass = 0.0;
    std::optional<double> even = {}; ///< of an even head under the same mask
};

/// Where the chosen head looks. Near offsets have a bar each; the farther ones, which are summed in bins,
/// stand apart.
class OffsetChart final : public Chart {
    Q_OBJECT

  public:
    explicit OffsetChart(QWidget* parent = nullptr);
    /// Ascending. Empty: `why` is said instead ("Cross-attention has no offsets"); empty too: choose a head.
    void setBars(const std::vector<OffsetBar>& bars, const QString& why = {});
};

} // namespace headscope::ui
