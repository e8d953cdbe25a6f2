// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace headscope {

/// Where the extended grapheme cluster of Unicode 16.0 that begins at byte `at` of well-formed UTF-8 ends, as
/// the tokenizers library has them. `at` is where another one ended, or 0; pairs of regional indicators count
/// as two clusters, which no user of this can tell.
std::size_t graphemeClusterEnd(std::string_view text, std::size_t at);

} // namespace headscope
