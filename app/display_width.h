// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headscope::app {

/// Columns that UTF-8 takes in a terminal: two for East Asian wide characters and emoji, none for accents and
/// joiners. No terminal joins what a font would, so a family of emoji counts as its members.
std::size_t displayWidth(std::string_view text);

/// `text`, or as much of it as fits `width` columns with "…" after it.
std::string cutToWidth(std::string_view text, std::size_t width);

/// `text` with spaces after it up to `width` columns.
std::string paddedToWidth(std::string_view text, std::size_t width);

/// `text` in lines of at most `width` columns, broken at spaces, within words only where one is longer than a
/// line; all lines but the first are indented.
std::string wrappedToWidth(std::string_view text, std::size_t width, std::size_t indent);

} // namespace headscope::app
