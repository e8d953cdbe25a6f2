// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_plot.h"

#include <cstddef>
#include <optional>

namespace headscope::ui {

/// Where a key leads from an item: left and right to the one before and after, Home and End to the ends, up
/// and down to the next higher or lower of its group; of a group of one, to the item before and after. None:
/// the key does nothing here. At an end it stays.
std::optional<std::size_t> walkChart(const ChartPlot& plot, std::optional<std::size_t> from, int key);

} // namespace headscope::ui
