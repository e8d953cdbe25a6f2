// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace headscope {

/// A text as UTF-8 on one line in which every character shows: a mark or a number for what would not, a
/// dotted circle under an accent that has no letter.
std::string visibleText(std::u32string_view text);

} // namespace headscope
