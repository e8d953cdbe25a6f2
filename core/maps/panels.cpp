// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/maps/panels.h"

#include <algorithm>

namespace headscope {

namespace {

constexpr std::int64_t roundUp(std::int64_t count) {
    return (count + kPanelLanes - 1) / kPanelLanes * kPanelLanes;
}

} // namespace

KeyPanels::KeyPanels(MatrixView<const float> keys)
    : m_keys(keys.rows), m_headSize(keys.columns),
      m_data(static_cast<std::size_t>(roundUp(keys.rows) * keys.columns)) {
    for (std::int64_t key = 0; key < m_keys; ++key) {
        float* lane = m_data.data() + key / kLanes * m_headSize * kLanes + key % kLanes;
        const float* source = keys.row(key);
        for (std::int64_t d = 0; d < m_headSize; ++d) lane[d * kLanes] = source[d];
    }
}

std::size_t KeyPanels::bytes() const {
    return static_cast<std::size_t>(roundUp(m_keys) * m_headSize) * sizeof(float);
}

ValueRows::ValueRows(MatrixView<const float> values)
    : m_keys(values.rows), m_headSize(values.columns), m_stride(roundUp(values.columns)),
      m_data(static_cast<std::size_t>(values.rows * m_stride)) {
    for (std::int64_t key = 0; key < m_keys; ++key)
        std::copy_n(values.row(key), m_headSize, m_data.data() + key * m_stride);
}

} // namespace headscope
