// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/head_map.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace headscope::test {

/// A head with random rows that sum to 1 over the keys they see, and what a reader of plain loops needs.
class RandomMap final : public HeadMap {
  public:
    RandomMap(Extent extent, bool causal, unsigned seed, double spread = 2.0)
        : m_extent(extent), m_causal(causal),
          m_weights(static_cast<std::size_t>(extent.rows * extent.columns)) {
        std::mt19937 random(seed);
        std::normal_distribution<double> score(0.0, spread);
        for (std::int64_t row = 0; row < extent.rows; ++row) {
            std::vector<double> values(static_cast<std::size_t>(end(row)));
            double sum = 0.0;
            for (double& value : values) sum += value = std::exp(score(random));
            for (std::int64_t key = 0; key < end(row); ++key)
                m_weights[static_cast<std::size_t>(row * extent.columns + key)] =
                    static_cast<float>(values[static_cast<std::size_t>(key)] / sum);
        }
    }

    double at(std::int64_t row, std::int64_t key) const {
        return m_weights[static_cast<std::size_t>(row * m_extent.columns + key)];
    }
    std::int64_t end(std::int64_t row) const {
        return m_causal ? std::min(row + 1, m_extent.columns) : m_extent.columns;
    }
    void set(std::int64_t row, const std::vector<float>& weights) {
        std::ranges::copy(weights, m_weights.begin() + row * m_extent.columns);
    }

    Extent extent() const override { return m_extent; }
    void tile(Span rows, Span columns, MatrixView<float> out) const override {
        for (std::int64_t r = 0; r < rows.size(); ++r)
            for (std::int64_t c = 0; c < columns.size(); ++c)
                out.at(r, c) = static_cast<float>(at(rows.begin + r, columns.begin + c));
    }
    void visibleSpans(std::int64_t row, std::vector<Span>& out) const override { out = {{0, end(row)}}; }

  private:
    Extent m_extent;
    bool m_causal;
    std::vector<float> m_weights;
};

inline std::shared_ptr<RandomMap> randomMap(Extent extent, bool causal, unsigned seed, double spread = 2.0) {
    return std::make_shared<RandomMap>(extent, causal, seed, spread);
}

inline std::vector<Span> spansOf(const HeadMap& map, std::int64_t row) {
    std::vector<Span> spans;
    map.visibleSpans(row, spans);
    return spans;
}

/// Every cell by tiles of several shapes: a map gives the same numbers however it is asked.
template <typename Expected>
void expectCells(const HeadMap& map, const Expected& expected) {
    const auto [rows, columns] = map.extent();
    for (const Extent step : {Extent{rows, columns}, Extent{1, columns}, Extent{3, 2}, Extent{2, 5}}) {
        for (std::int64_t r = 0; r < rows; r += step.rows) {
            for (std::int64_t c = 0; c < columns; c += step.columns) {
                const Span some{r, std::min(r + step.rows, rows)};
                const Span keys{c, std::min(c + step.columns, columns)};
                std::vector<float> cells(static_cast<std::size_t>(some.size() * keys.size()), -7.0F);
                map.tile(some, keys, {cells.data(), some.size(), keys.size()});
                for (std::int64_t i = 0; i < some.size(); ++i)
                    for (std::int64_t j = 0; j < keys.size(); ++j)
                        ASSERT_EQ(cells[static_cast<std::size_t>(i * keys.size() + j)],
                                  static_cast<float>(expected(r + i, c + j)))
                            << "row " << r + i << " key " << c + j;
            }
        }
    }
}

} // namespace headscope::test
