// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/score_kernel.h"
#include "core/maps/score_kernel_isa.h"

namespace headscope {

/// Adds the terms of `source` to the scaled products of a region in `out`, and caps them. With a mask, of
/// each row only the panels between its first and last reachable key: other cells may hold anything and keep
/// it. Works within some 40 KB of the stack, whatever the region's size.
void addTerms(const kernel::KernelTable& kernel, const ScoreSource& source, const MaskRule* mask,
              const Region& region, MatrixView<float> out);

} // namespace headscope
