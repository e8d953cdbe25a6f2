// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "core/maps/head_map.h"

#include <cstdint>
#include <vector>

namespace headscope {

/// What stands beside a map: a number for each row and one for each column. NaN does not count.
struct MapMargins {
    /// [rows], nats: of the row's weights divided by their sum. 0: it reads one key, or nothing.
    std::vector<float> spread;
    std::vector<std::int64_t> seen; ///< [rows]: keys that the row may see
    /// [columns]: the mean weight of the column over the rows that may see it; 0 where none may.
    std::vector<float> received;
    std::vector<std::int64_t> readers; ///< [columns]: those rows
};

/// Reads every cell once, in strips of rows: memory is linear in rows and columns. Throws Error when
/// cancelled.
MapMargins marginsOf(const HeadMap& map, const CancelToken& cancel);

} // namespace headscope
