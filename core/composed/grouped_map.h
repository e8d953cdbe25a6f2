// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/head_map.h"

#include <memory>
#include <vector>

namespace headscope {

/// A map of groups of neighbouring tokens (the pieces of a word): the weights of a group's keys are summed,
/// those of a group's queries averaged, so that rows sum to what they summed to before. In double, rounded
/// once.
class GroupedMap final : public HeadMap {
  public:
    /// Groups in order, without a gap, from the first token to the last; none is empty.
    GroupedMap(std::shared_ptr<const HeadMap> map, std::vector<Span> queryGroups,
               std::vector<Span> keyGroups);

    Extent extent() const override;
    void tile(Span rows, Span columns, MatrixView<float> out) const override;
    /// Groups of which any query may see any key.
    void visibleSpans(std::int64_t row, std::vector<Span>& out) const override;

  private:
    std::shared_ptr<const HeadMap> m_map;
    std::vector<Span> m_queryGroups;
    std::vector<Span> m_keyGroups;
};

} // namespace headscope
