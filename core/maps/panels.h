// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/matrix_view.h"
#include "core/base/page_vector.h"

#include <cstddef>
#include <cstdint>

namespace headscope {

inline constexpr std::int64_t kPanelLanes = 16; ///< float32 numbers in one vector of the score kernel

/// The keys of one key/value head, repacked so that neighbouring keys lie in neighbouring SIMD lanes:
/// [ceil(keys / 16)][headSize][16] float32, zero-padded. Immutable after construction.
class KeyPanels {
  public:
    static constexpr std::int64_t kLanes = kPanelLanes;

    /// `keys` is [keys, headSize] with any row stride.
    explicit KeyPanels(MatrixView<const float> keys);

    std::int64_t keys() const { return m_keys; }
    std::int64_t headSize() const { return m_headSize; }
    const float* panel(std::int64_t index) const { return m_data.data() + index * m_headSize * kLanes; }
    std::size_t bytes() const;

  private:
    std::int64_t m_keys = 0;
    std::int64_t m_headSize = 0;
    PageVector<float> m_data;
};

/// The values of one key/value head, packed tight for the product weights x values: [keys][headSize rounded
/// up to 16], zero-padded. Lives only while its layer runs.
class ValueRows {
  public:
    /// `values` is [keys, headSize] with any row stride.
    explicit ValueRows(MatrixView<const float> values);

    std::int64_t keys() const { return m_keys; }
    std::int64_t headSize() const { return m_headSize; }
    std::int64_t stride() const { return m_stride; }
    const float* row(std::int64_t key) const { return m_data.data() + key * m_stride; }

  private:
    std::int64_t m_keys = 0;
    std::int64_t m_headSize = 0;
    std::int64_t m_stride = 0;
    PageVector<float> m_data;
};

} // namespace headscope
