// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/diagnosis/causes.h"

#include <optional>

namespace headscope {

/// Reads the norms, the biases and a stretch of the query projection of one attention layer from the
/// checkpoint. None where their names are not found as the specification spells them.
std::optional<WeightFingerprint> weightFingerprint(const OpenModel& model, AttentionKind kind,
                                                   LayerIndex layer);

} // namespace headscope
