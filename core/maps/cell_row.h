// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/head_map.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace headscope {

/// Rows of weights on their way into one row of cells; `bounds` has one entry more than there are cells. NaN
/// is never the largest.
class CellRow {
  public:
    CellRow(const std::vector<std::int64_t>& bounds, Pooling pooling)
        : m_bounds(bounds), m_pooling(pooling), m_sums(pooling == Pooling::Max ? 0 : bounds.size() - 1),
          m_largest(pooling == Pooling::Max ? static_cast<std::size_t>(bounds.back()) : 0, kLowest) {}

    void add(const float* weights) {
        switch (m_pooling) {
        case Pooling::Max: // whole rows side by side, which vectors do, and columns once a row of cells
            for (std::size_t k = 0; k < m_largest.size(); ++k)
                m_largest[k] = weights[k] > m_largest[k] ? weights[k] : m_largest[k];
            return;
        case Pooling::Mean:
            forEach(weights, [](double& cell, double weight) { cell += weight; });
            return;
        case Pooling::MaxAbs:
            forEach(weights, [](double& cell, double weight) {
                if (std::abs(weight) > std::abs(cell)) cell = weight;
            });
            return;
        }
    }

    /// Writes the cells, made of `rows` rows, and begins anew.
    void take(std::int64_t rows, float* out) {
        for (std::size_t c = 0; c + 1 < m_bounds.size(); ++c)
            out[c] = m_pooling == Pooling::Max ? largestOf(m_bounds[c], m_bounds[c + 1]) : sumOf(c, rows);
        std::fill(m_sums.begin(), m_sums.end(), 0.0);
        std::fill(m_largest.begin(), m_largest.end(), kLowest);
    }

  private:
    static constexpr float kLowest = -std::numeric_limits<float>::infinity();

    template <typename Add>
    void forEach(const float* weights, Add add) {
        for (std::size_t c = 0; c < m_sums.size(); ++c) {
            double cell = m_sums[c];
            for (std::int64_t k = m_bounds[c]; k < m_bounds[c + 1]; ++k)
                add(cell, static_cast<double>(weights[k]));
            m_sums[c] = cell;
        }
    }
    float largestOf(std::int64_t begin, std::int64_t end) const {
        float largest = kLowest;
        for (std::int64_t k = begin; k < end; ++k)
            largest = std::max(largest, m_largest[static_cast<std::size_t>(k)]);
        return largest;
    }

    float sumOf(std::size_t cell, std::int64_t rows) const {
        const auto covered = static_cast<double>(rows * (m_bounds[cell + 1] - m_bounds[cell]));
        return static_cast<float>(m_pooling == Pooling::Mean ? m_sums[cell] / covered : m_sums[cell]);
    }

    const std::vector<std::int64_t>& m_bounds;
    Pooling m_pooling;
    std::vector<double> m_sums;   ///< [cells]; Mean and MaxAbs
    std::vector<float> m_largest; ///< [columns]; Max
};

} // namespace headscope
