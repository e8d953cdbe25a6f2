// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/head_map.h"

#include <memory>

namespace headscope {

/// Weight of `first` minus weight of `second`: -1 to 1, to be pooled by MaxAbs and drawn on a scale centred
/// on 0. A cell that only one of them sees is that one's weight, with its sign.
class DifferenceMap final : public HeadMap {
  public:
    /// Of one extent.
    DifferenceMap(std::shared_ptr<const HeadMap> first, std::shared_ptr<const HeadMap> second);

    Extent extent() const override { return m_first->extent(); }
    void tile(Span rows, Span columns, MatrixView<float> out) const override;
    void visibleSpans(std::int64_t row, std::vector<Span>& out) const override; ///< what either may see

  private:
    std::shared_ptr<const HeadMap> m_first;
    std::shared_ptr<const HeadMap> m_second;
};

} // namespace headscope
