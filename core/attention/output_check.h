// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/head_map.h"
#include "core/maps/panels.h"

#include <cmath>

namespace headscope {

/// Keeps the larger one; NaN counts as larger than everything, so that it is never lost.
inline void keepLargest(double& largest, double value) {
    if (!(value <= largest) && !std::isnan(largest)) largest = value;
}

/// The self-check of one head: the largest difference between rows of its map times `values`, in double, and
/// `output` [queries, headSize], which the strips wrote. Up to 8 rows, spread evenly.
double outputError(const HeadMap& map, const ValueRows& values, MatrixView<const float> output);

} // namespace headscope
