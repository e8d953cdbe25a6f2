// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// The lines of a text file as Python's text mode has them: LF, CR and CR LF end a line. A last line without
/// an end counts.
std::vector<std::string_view> textLines(std::string_view text);

/// The words between white space as Python's str.split() has it.
std::vector<std::string_view> pythonWords(std::string_view line);

/// Python's str.isspace() of one character.
bool isPythonSpace(char32_t c);

} // namespace headscope
