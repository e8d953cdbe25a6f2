// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/matrix_view.h"
#include "core/maps/score_kernel.h"
#include "core/maps/score_rule.h"

namespace headscope {

/// A block of whole rows of one head, seen once while the forward pass computes it and gone afterwards.
struct RowBlock {
    HeadIndex head;
    Span rows;                       ///< queries
    MatrixView<const float> weights; ///< [rows.size(), keys]; masked cells are 0
    const RowSums* sums = nullptr;   ///< [rows.size()]
    const MaskRule* mask = nullptr;
};

/// Something computed from all rows of all heads of one layer in the same pass as the output: a metric, a
/// thumbnail. Blocks of one head arrive in ascending row order from one thread at a time; blocks of different
/// heads arrive concurrently, so state is kept per head.
class RowAccumulator {
  public:
    virtual ~RowAccumulator() = default;
    virtual void observe(const RowBlock& block) = 0;
};

} // namespace headscope
