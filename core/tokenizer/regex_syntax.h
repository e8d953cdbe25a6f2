// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// What of a pattern depends on the release of Oniguruma, and what could run without end.
struct RegexSyntax {
    /// What a pattern names that has other members in younger versions of Unicode.
    enum class Names { Fixed, Growing, Letters };

    std::string pattern; ///< with what releases read differently written as they all read it
    std::string refusal; ///< why it is not run, or empty
    Names names = Names::Fixed;
    std::string named; ///< the first such name, as it is written
    /// Characters of the pattern that are not ASCII, among them the ends of ranges. Sorted.
    std::vector<char32_t> literals;

    /// Whether the pattern may tell `c` from `twin`, by which it is replaced: a literal stands between them.
    bool separates(char32_t c, char32_t twin) const;
};

/// Reads a pattern of Ruby's syntax. Never throws: whatever cannot be read is left to Oniguruma or refused.
RegexSyntax readRegexSyntax(std::string_view pattern);

/// Characters of Unicode 14.0 that have become letters or small letters by a property since.
bool isLaterLetter(char32_t c);

} // namespace headscope
