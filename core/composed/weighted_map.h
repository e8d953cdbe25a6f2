// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/head_map.h"

#include <memory>
#include <vector>

namespace headscope {

/// Each weight times a number of its key: with the norms of values (||v_j|| or ||v_j W_O||) what a key really
/// brings to the output, and not only how strongly it is read. Rows no longer sum to 1.
class WeightedMap final : public HeadMap {
  public:
    /// `factors`: one for each key.
    WeightedMap(std::shared_ptr<const HeadMap> map, std::vector<float> factors);

    Extent extent() const override { return m_map->extent(); }
    void tile(Span rows, Span columns, MatrixView<float> out) const override;
    void visibleSpans(std::int64_t row, std::vector<Span>& out) const override;

  private:
    std::shared_ptr<const HeadMap> m_map;
    std::vector<float> m_factors;
};

} // namespace headscope
