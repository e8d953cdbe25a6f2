// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/maps/score_steps.h"

#include <cstdint>
#include <vector>

namespace headscope {

/// One cell of every map of a kind.
struct CellQuestion {
    AttentionKind kind = AttentionKind::Self;
    std::int64_t query = 0;
    std::int64_t key = 0;

    friend bool operator==(const CellQuestion&, const CellQuestion&) = default;
};

/// One head's answer.
struct FoundHead {
    HeadRef head;
    float weight = 0.0F;   ///< HeadMap::cell, to the bit
    std::int64_t keys = 0; ///< that the query sees in this head, this one among them
    std::int64_t rank = 1; ///< of the key in its row: 1 more than keys of a larger weight

    double even() const { return 1.0 / static_cast<double>(keys); } ///< what even weights would give
    double timesEven() const { return static_cast<double>(weight) * static_cast<double>(keys); }
};

struct FoundHeads {
    std::vector<FoundHead> heads; ///< that see the cell: the largest weight first, then by layer and head
    std::size_t hidden = 0;       ///< heads that do not: they have no weight there
    HiddenBy hiddenBy = HiddenBy::Nothing; ///< what hides it from the first of these
};

/// Every head of the kind by its weight from a query to a key. Throws Error: a position that the text does
/// not have, cancelled.
FoundHeads findHeads(const Analysis& analysis, const CellQuestion& cell, const CancelToken& cancel);

} // namespace headscope
