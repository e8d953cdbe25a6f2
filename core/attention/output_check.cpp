// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/output_check.h"

#include "core/attention/double_lanes.h"
#include "core/maps/score_kernel.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

namespace headscope {

namespace {

constexpr std::int64_t kCheckedRows = 8;
/// Neighbouring columns whose sums stay in registers: one panel of ValueRows, which is padded to whole ones.
constexpr int kParts = static_cast<int>(kPanelLanes) / kDoubleLanes;

HS_INLINE void mixRowBody(std::span<const float> weights, const ValueRows& values, double* out) {
    for (std::int64_t column = 0; column < values.stride(); column += kPanelLanes) {
        DoubleLanes sums[kParts] = {};
        const float* from = values.row(0) + column;
        for (const float weight : weights) {
            for (int part = 0; part < kParts; ++part) {
                DoubleLanes value;
                widen(from + part * kDoubleLanes, value);
                sums[part] += static_cast<double>(weight) * value;
            }
            from += values.stride();
        }
        std::memcpy(out + column, sums, sizeof sums);
    }
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void mixRowAvx2(std::span<const float> weights, const ValueRows& values,
                                                double* out) {
    mixRowBody(weights, values, out);
}
#endif

/// out[c] = the sum over keys of weights[key] * values(key, c), for all columns with their padding.
void mixRow(std::span<const float> weights, const ValueRows& values, double* out) {
    while (!weights.empty() && weights.back() == 0.0F) weights = weights.first(weights.size() - 1);
#if defined(__x86_64__)
    if (bestIsa() != Isa::Scalar) return mixRowAvx2(weights, values, out);
#endif
    mixRowBody(weights, values, out);
}

} // namespace

double outputError(const HeadMap& map, const ValueRows& values, MatrixView<const float> output) {
    if (values.keys() == 0) return 0.0; // every row is empty, and its output 0
    const std::int64_t rows = std::min(kCheckedRows, output.rows);
    std::vector<double> expected(static_cast<std::size_t>(values.stride()));
    double largest = 0.0;
    for (std::int64_t n = 0; n < rows; ++n) {
        const std::int64_t row = rows == 1 ? 0 : n * (output.rows - 1) / (rows - 1);
        mixRow(map.row(row), values, expected.data());
        for (std::int64_t d = 0; d < output.columns; ++d)
            keepLargest(largest, std::abs(expected[static_cast<std::size_t>(d)] -
                                          static_cast<double>(output.at(row, d))));
    }
    return largest;
}

} // namespace headscope
