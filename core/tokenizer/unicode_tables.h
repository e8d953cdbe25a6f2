// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

/// Character properties as the tokenizers library (0.22.2) has them. Each of its dependencies carries tables
/// of another Unicode version; code points that are younger than a table are unassigned to it, whatever the
/// system's ICU knows.
namespace headscope::unicode {

/// White_Space, the same set in every version since 6.3.
bool isWhiteSpace(char32_t c);
/// Unicode 8.0: Cc, Cf, Co. Unassigned code points are not control characters.
bool isControl(char32_t c);
/// Unicode 8.0: Mn.
bool isNonspacingMark(char32_t c);
/// ASCII punctuation and symbols, or Unicode 8.0: P*.
bool isBertPunctuation(char32_t c);
/// Unicode 9.0: Mn, Mc, Me.
bool isMark(char32_t c);
/// Unicode 17.0: N*.
bool isNumeric(char32_t c);
/// Unicode 9.0: a number for each script, Common and Inherited among them; kNoScript for code points without
/// one.
inline constexpr int kNoScript = -1;
int script(char32_t c);
/// Unicode 16.0: what regular expressions tell apart most often.
enum class RegexClass : unsigned char {
    Other,
    Letter, ///< \p{L}
    Number, ///< \p{N}
    Space,  ///< \s, which is White_Space
};
RegexClass regexClass(char32_t c);
/// Unicode 16.0: what `\w` matches in Rust's regex crate (Alphabetic, M, Nd, Pc, Join_Control).
bool isWord(char32_t c);
/// Unicode 17.0: lower case of one character, without its context. `second` is 0 except for U+0130 (i,
/// U+0307).
struct LowerCase {
    char32_t first;
    char32_t second;
};
LowerCase toLower(char32_t c);

/// Unicode 9.0: canonical combining class.
int combiningClass(char32_t c);
/// Unicode 9.0: appends the full decomposition of c, or c itself.
enum class Decomposition { Canonical, Compatible };
void appendDecomposition(char32_t c, Decomposition kind, std::vector<char32_t>& out);
/// Unicode 9.0: the character that two are composed to by NFC, or 0.
char32_t compose(char32_t first, char32_t second);

} // namespace headscope::unicode
