// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/over_texts.h"

#include <optional>
#include <span>

namespace headscope {

/// Rows of many short texts taken together, as if they were one.
struct PooledRows {
    HeadMetrics metrics; ///< shape and the heaviest column, by position from one end
    int texts = 0;       ///< that had a row
    bool fromEnd = false;
};

/// Whether every text is one that is pooled: fewer than 32 keys.
bool areFewKeys(std::span<const HeadOnText> texts);

/// Means over the rows of all texts; columns by position from the start or from the end, whichever has the
/// heavier one. None for fewer than 8 texts with rows, or fewer than 100 rows, or if one has 32 keys.
std::optional<PooledRows> poolRows(std::span<const HeadOnText> texts);

} // namespace headscope
