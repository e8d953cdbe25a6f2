// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/row_norms.h"

#include "core/attention/double_lanes.h"
#include "core/maps/score_kernel.h"

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

HS_INLINE void rowsBody(const MatrixView<const float>& rows, float* norms) {
    for (std::int64_t row = 0; row < rows.rows; ++row) {
        const float* values = rows.row(row);
        DoubleLanes sums[2] = {}; // one alone would wait for each addition
        std::int64_t i = 0;
        for (; i + 2 * kDoubleLanes <= rows.columns; i += 2 * kDoubleLanes)
            for (int part = 0; part < 2; ++part) {
                DoubleLanes value;
                widen(values + i + part * kDoubleLanes, value);
                sums[part] += value * value;
            }
        for (; i < rows.columns; ++i) sums[0][0] += static_cast<double>(values[i]) * values[i];
        const DoubleLanes& a = sums[0];
        const DoubleLanes& b = sums[1];
        norms[row] =
            static_cast<float>(std::sqrt(((a[0] + a[1]) + (a[2] + a[3])) + ((b[0] + b[1]) + (b[2] + b[3]))));
    }
}

HS_INLINE void panelsBody(const KeyPanels& keys, float* norms) {
    constexpr int kParts = static_cast<int>(KeyPanels::kLanes) / kDoubleLanes;
    for (std::int64_t first = 0; first < keys.keys(); first += KeyPanels::kLanes) {
        const float* panel = keys.panel(first / KeyPanels::kLanes);
        DoubleLanes sums[kParts] = {};
        for (std::int64_t d = 0; d < keys.headSize(); ++d, panel += KeyPanels::kLanes)
            for (int part = 0; part < kParts; ++part) {
                DoubleLanes value;
                widen(panel + part * kDoubleLanes, value);
                sums[part] += value * value;
            }
        const std::int64_t count = std::min(KeyPanels::kLanes, keys.keys() - first);
        for (std::int64_t lane = 0; lane < count; ++lane)
            norms[first + lane] =
                static_cast<float>(std::sqrt(sums[lane / kDoubleLanes][lane % kDoubleLanes]));
    }
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void rowsAvx2(const MatrixView<const float>& rows, float* norms) {
    rowsBody(rows, norms);
}
__attribute__((target("avx2"))) void panelsAvx2(const KeyPanels& keys, float* norms) {
    panelsBody(keys, norms);
}
#endif

} // namespace

void euclideanNorms(MatrixView<const float> rows, float* norms) {
#if defined(__x86_64__)
    if (bestIsa() != Isa::Scalar) return rowsAvx2(rows, norms);
#endif
    rowsBody(rows, norms);
}

void euclideanNorms(const KeyPanels& keys, float* norms) {
#if defined(__x86_64__)
    if (bestIsa() != Isa::Scalar) return panelsAvx2(keys, norms);
#endif
    panelsBody(keys, norms);
}

} // namespace headscope
