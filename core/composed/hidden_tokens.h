// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/head_map.h"

#include <memory>
#include <vector>

namespace headscope {

/// A map in which some queries and keys are out of sight: their cells are 0 and count as masked. The others
/// keep their weights; nothing is divided anew, so rows sum to 1 less what the hidden keys take.
class HiddenTokens final : public HeadMap {
  public:
    /// Sets of queries and keys: ascending disjoint ranges within the map.
    HiddenTokens(std::shared_ptr<const HeadMap> map, std::vector<Span> queries, std::vector<Span> keys);

    Extent extent() const override { return m_map->extent(); }
    void tile(Span rows, Span columns, MatrixView<float> out) const override;
    void visibleSpans(std::int64_t row, std::vector<Span>& out) const override;

  private:
    bool isHidden(std::int64_t query) const;

    std::shared_ptr<const HeadMap> m_map;
    std::vector<Span> m_queries;
    std::vector<Span> m_keys;
};

} // namespace headscope
