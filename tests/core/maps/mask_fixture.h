// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/score_rule.h"

namespace headscope {

/// Every key is visible to every query.
inline MaskRule openMask(std::int64_t queries, std::int64_t keys) {
    MaskRule mask;
    mask.queries = queries;
    mask.keys = keys;
    return mask;
}

} // namespace headscope
