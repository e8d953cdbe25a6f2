// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/composed/rollout.h"

#include "core/base/check.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace headscope {

namespace {

/// Rows multiplied together: a row of the product so far is read once for all of them.
constexpr std::int64_t kRows = 8;

Span hull(const Span& one, const Span& other) {
    if (one.size() <= 0) return other;
    if (other.size() <= 0) return one;
    return {std::min(one.begin, other.begin), std::max(one.end, other.end)};
}

/// A square of numbers, of which each row is 0 outside one range.
class Banded final : public HeadMap {
  public:
    explicit Banded(std::int64_t size)
        : m_size(size), m_cells(static_cast<std::size_t>(size * size)),
          m_reach(static_cast<std::size_t>(size)) {}

    Extent extent() const override { return {m_size, m_size}; }

    void tile(Span rows, Span columns, MatrixView<float> out) const override {
        for (std::int64_t r = 0; r < rows.size(); ++r) {
            const double* cells = row(rows.begin + r) + columns.begin;
            std::transform(cells, cells + columns.size(), out.row(r),
                           [](double cell) { return static_cast<float>(cell); });
        }
    }

    void visibleSpans(std::int64_t row, std::vector<Span>& out) const override {
        out.clear();
        if (reach(row).size() > 0) out.push_back(reach(row));
    }

    double* row(std::int64_t index) { return m_cells.data() + index * m_size; }
    const double* row(std::int64_t index) const { return m_cells.data() + index * m_size; }
    Span& reach(std::int64_t row) { return m_reach[static_cast<std::size_t>(row)]; }
    const Span& reach(std::int64_t row) const { return m_reach[static_cast<std::size_t>(row)]; }

  private:
    std::int64_t m_size;
    std::vector<double> m_cells;
    std::vector<Span> m_reach;
};

Banded identity(std::int64_t size) {
    Banded result(size);
    for (std::int64_t i = 0; i < size; ++i) {
        result.row(i)[i] = 1.0;
        result.reach(i) = {i, i + 1};
    }
    return result;
}

/// `factor` times row `key` of the product so far, for each row of a block.
void addRow(const Banded& before, std::int64_t key, const double* factors, Span rows, Banded& result) {
    const Span reach = before.reach(key);
    const double* source = before.row(key);
    for (std::int64_t r = 0; r < rows.size(); ++r) {
        const double factor = factors[r];
        if (factor == 0.0) continue;
        double* target = result.row(rows.begin + r);
        for (std::int64_t j = reach.begin; j < reach.end; ++j) target[j] += factor * source[j];
    }
}

Banded behind(const HeadMap& layer, const Banded& before, const CancelToken& cancel) {
    const std::int64_t size = layer.extent().rows;
    Banded result(size);
    std::vector<float> weights(static_cast<std::size_t>(kRows * size));
    std::vector<Span> spans;
    for (std::int64_t begin = 0; begin < size; begin += kRows) {
        cancel.throwIfCancelled();
        const Span rows{begin, std::min(begin + kRows, size)};
        const MatrixView<float> strip(weights.data(), rows.size(), size);
        layer.tile(rows, {0, size}, strip);
        Span keys = rows; // their own, by the identity
        for (std::int64_t row = rows.begin; row < rows.end; ++row) {
            layer.visibleSpans(row, spans);
            Span reach = before.reach(row);
            for (const Span& span : spans) {
                keys = hull(keys, span);
                for (std::int64_t key = span.begin; key < span.end; ++key)
                    reach = hull(reach, before.reach(key));
            }
            result.reach(row) = reach;
        }
        double factors[kRows];
        for (std::int64_t key = keys.begin; key < keys.end; ++key) {
            for (std::int64_t r = 0; r < rows.size(); ++r)
                factors[r] =
                    0.5 * static_cast<double>(strip.row(r)[key]) + (rows.begin + r == key ? 0.5 : 0.0);
            addRow(before, key, factors, rows, result);
        }
    }
    return result;
}

} // namespace

std::shared_ptr<const HeadMap> rollout(std::span<const std::shared_ptr<const HeadMap>> layers,
                                       const CancelToken& cancel) {
    HS_CHECK(!layers.empty());
    const Extent extent = layers.front()->extent();
    HS_CHECK_EQ(extent.rows, extent.columns);
    HS_CHECK_LE(extent.rows, kMostRolloutTokens);
    Banded product = identity(extent.rows);
    for (const auto& layer : layers) {
        HS_CHECK(layer->extent() == extent);
        product = behind(*layer, product, cancel);
    }
    return std::make_shared<const Banded>(std::move(product));
}

} // namespace headscope
