// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace headscope {

/// One entry along an axis of a map.
struct AxisEntry {
    std::string label; ///< what a person reads: visible marks for spaces, no "##" stripped of meaning
    std::string piece; ///< raw vocabulary piece
    std::int64_t id = -1;
    std::int64_t start = 0; ///< code points [start, end) of the text
    std::int64_t end = 0;
    int text = -1; ///< 0, 1, or -1 for a special token
    bool special = false;
};

/// The tokens along the rows or the columns of a map.
struct Axis {
    std::vector<AxisEntry> entries;
    std::vector<std::string> texts; ///< the original texts, UTF-8

    std::int64_t size() const { return static_cast<std::int64_t>(entries.size()); }
};

} // namespace headscope
