// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/over_texts.h"
#include "core/diagnosis/similarity.h"

#include <span>
#include <string>
#include <vector>

namespace headscope {

/// A head among all others of its kind of attention.
struct GroupedHead {
    std::string name; ///< "5.1"
    std::span<const HeadOnText> onTexts;
    HeadDiagnosis* diagnosis = nullptr; ///< labels are added to it
};

/// Two heads that are near-copies on at least 0.8 of the texts that could tell.
struct RedundantPair {
    std::size_t first = 0;
    std::size_t second = 0;
    double divergence = 0.0; ///< the lowest
    TextCount texts;
};

/// inactive: the mean output norm over that of the layer (AHON-LN) is at most 0.5 and among the lowest tenth
/// of at least 4 heads. At most observed: only an ablation could tell more.
void addInactive(std::span<GroupedHead> heads);

/// redundant, to both heads of each pair. `texts`: of the heads of the group, in its order. Returns the
/// pairs, the nearest first.
std::vector<RedundantPair> addRedundant(std::span<GroupedHead> heads, std::span<const PairsOnText> texts);

} // namespace headscope
