// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/head_map.h"

#include <memory>
#include <vector>

namespace headscope {

enum class CombineHeads { Mean, Max };

/// Several heads of the same tokens in one map: the mean of each weight (in double, then rounded once), or
/// the largest. Rows of a mean sum to 1 as those of the heads do; those of a maximum to 1 or more.
class CombinedHeads final : public HeadMap {
  public:
    /// At least one head, all of one extent.
    CombinedHeads(std::vector<std::shared_ptr<const HeadMap>> heads, CombineHeads how);

    Extent extent() const override { return m_heads.front()->extent(); }
    void tile(Span rows, Span columns, MatrixView<float> out) const override;
    /// What any of the heads may see.
    void visibleSpans(std::int64_t row, std::vector<Span>& out) const override;

  private:
    std::vector<std::shared_ptr<const HeadMap>> m_heads;
    CombineHeads m_how;
};

} // namespace headscope
