// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/head_map.h"
#include "core/maps/row_accumulator.h"
#include "core/maps/score_rule.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

namespace headscope {

/// Given weights under a mask rule; counts how many weights were asked for.
class MaskedMap final : public HeadMap {
  public:
    MaskedMap(MaskRule mask, std::vector<float> weights)
        : m_mask(std::move(mask)), m_stored({m_mask.queries, m_mask.keys}, std::move(weights)) {}

    Extent extent() const override { return m_stored.extent(); }
    void tile(Span rows, Span columns, MatrixView<float> out) const override {
        m_asked += rows.size() * columns.size();
        m_stored.tile(rows, columns, out);
    }
    void visibleSpans(std::int64_t row, std::vector<Span>& out) const override {
        m_mask.visibleSpans(row, out);
    }
    const MaskRule& mask() const { return m_mask; }
    std::int64_t asked() const { return m_asked; }

  private:
    MaskRule m_mask;
    StoredMap m_stored;
    mutable std::atomic<std::int64_t> m_asked{0};
};

inline MaskRule causalMask(std::int64_t tokens) {
    MaskRule mask;
    mask.queries = tokens;
    mask.keys = tokens;
    mask.causal = true;
    return mask;
}

/// Feeds a whole matrix to an accumulator in blocks of `strip` rows.
inline void feed(RowAccumulator& accumulator, HeadIndex head, const MaskRule& mask,
                 const std::vector<float>& weights, std::int64_t strip) {
    for (std::int64_t begin = 0; begin < mask.queries; begin += strip) {
        const Span rows{begin, std::min(begin + strip, mask.queries)};
        accumulator.observe(
            {head, rows, {weights.data() + begin * mask.keys, rows.size(), mask.keys}, nullptr, &mask});
    }
}

} // namespace headscope
