// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace headscope {

/// Where words begin, white space and punctuation being words of their own (UAX #29 word boundaries as ICU
/// finds them, with its dictionaries for scripts without spaces; no language is assumed). Code points,
/// ascending, from 0 to the number of code points; only {0} for an empty text. `text` is well-formed UTF-8.
std::vector<std::int64_t> wordBoundaries(std::string_view text);

} // namespace headscope
