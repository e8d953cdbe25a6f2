// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/raster/margins.h"

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

/// Adds the row to the sums of its columns; gives its spread.
float addRow(const float* weights, std::vector<double>& sums) {
    double sum = 0.0;
    double logs = 0.0; // of w ln w
    for (std::size_t j = 0; j < sums.size(); ++j) {
        const double weight = static_cast<double>(weights[j]);
        if (!(weight > 0.0)) continue;
        sums[j] += weight;
        sum += weight;
        logs += weight * std::log(weight);
    }
    // Rounding may leave a hair below 0 where all is on one key.
    return sum > 0.0 ? static_cast<float>(std::max(0.0, std::log(sum) - logs / sum)) : 0.0F;
}

} // namespace

MapMargins marginsOf(const HeadMap& map, const CancelToken& cancel) {
    const Extent extent = map.extent();
    const auto columns = static_cast<std::size_t>(extent.columns);
    MapMargins margins;
    std::vector<double> sums(columns, 0.0);
    std::vector<std::int64_t> steps(columns + 1, 0); // readers, as differences at the ends of spans
    std::vector<float> weights;
    std::vector<Span> spans;
    const std::int64_t strip =
        std::clamp<std::int64_t>((1 << 18) / std::max<std::int64_t>(1, extent.columns), 1, 64);
    for (std::int64_t begin = 0; begin < extent.rows; begin += strip) {
        cancel.throwIfCancelled();
        const Span block{begin, std::min(begin + strip, extent.rows)};
        weights.resize(static_cast<std::size_t>(block.size()) * columns);
        const MatrixView<float> view(weights.data(), block.size(), extent.columns);
        map.tile(block, {0, extent.columns}, view);
        for (std::int64_t r = 0; r < block.size(); ++r) {
            map.visibleSpans(block.begin + r, spans);
            std::int64_t seen = 0;
            for (const Span span : spans) {
                seen += span.size();
                ++steps[static_cast<std::size_t>(span.begin)];
                --steps[static_cast<std::size_t>(span.end)];
            }
            margins.seen.push_back(seen);
            margins.spread.push_back(addRow(view.row(r), sums));
        }
    }
    std::int64_t readers = 0;
    for (std::size_t j = 0; j < columns; ++j) {
        readers += steps[j];
        margins.readers.push_back(readers);
        margins.received.push_back(readers > 0 ? static_cast<float>(sums[j] / static_cast<double>(readers))
                                               : 0.0F);
    }
    return margins;
}

} // namespace headscope
