// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/metrics.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace headscope {

/// One number of a head under the name it has in JSON and in tables.
struct MetricNumber {
    std::string_view name;
    std::string_view group;      ///< "class_mass", or empty
    std::optional<double> value; ///< none where the text (or the source) does not give it
};

/// All numbers of one head on one text, always the same names in the same order.
std::vector<MetricNumber> metricNumbers(const HeadMetrics& metrics);

/// Means over the texts that give a number; `top_column` is that of the text with the largest mass there.
/// Empty for no text.
std::vector<MetricNumber> meanNumbers(std::span<const HeadMetrics* const> texts);

} // namespace headscope
