// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/metrics.h"
#include "core/diagnosis/token_facts.h"
#include "core/maps/head_map.h"

#include <span>

namespace headscope {

/// Whose rows are looked at again, and what is known of its keys.
struct MappedHead {
    const HeadMap& map;
    const MaskRule& mask;
    bool selfAttention = true;
    const TokenFacts* facts = nullptr; ///< of the keys; null: not known
    /// Of MetricsAccumulator; empty: every row is looked at, with the same result.
    std::span<const RowPeak> peaks = {};
};

/// Fills in what takes a second look, at a few columns or one diagonal of the map: the mean mass at a far
/// offset, where that could be a finding, and BroadcastMetrics. Linear in tokens.
void measureOnMap(HeadMetrics& metrics, const MappedHead& head);

} // namespace headscope
