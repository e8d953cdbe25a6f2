// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/head_map.h"
#include "core/maps/score_rule.h"

#include <memory>
#include <vector>

namespace headscope {

/// A map held as numbers, with the rule that says who sees whom.
class ImportedMap final : public HeadMap {
  public:
    /// `weights` is row-major [mask->queries, mask->keys] and 0 where `mask` hides; both are CHECKed to be
    /// there, the zeros are not looked at.
    ImportedMap(std::shared_ptr<const MaskRule> mask, std::vector<float> weights);

    Extent extent() const override { return m_map.extent(); }
    void tile(Span rows, Span columns, MatrixView<float> out) const override;
    void visibleSpans(std::int64_t row, std::vector<Span>& out) const override;

  private:
    std::shared_ptr<const MaskRule> m_mask;
    StoredMap m_map;
};

} // namespace headscope
