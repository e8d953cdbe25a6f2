// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/visible_text.h"

#include "core/base/utf8.h"
#include "core/tokenizer/unicode_tables.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <iterator>

namespace headscope {

namespace {

constexpr char32_t kJoiner = 0x200d;

struct CodePointRange {
    char32_t first;
    char32_t last;
};

/// Spaces of other widths, characters that only act on others, fillers. Sorted.
constexpr std::array kInvisible = std::to_array<CodePointRange>({
    {0x80, 0xa0},       {0xad, 0xad},       {0x34f, 0x34f},     {0x61c, 0x61c},   {0x115f, 0x1160},
    {0x1680, 0x1680},   {0x17b4, 0x17b5},   {0x180b, 0x180f},   {0x2000, 0x200f}, {0x2028, 0x202f},
    {0x205f, 0x206f},   {0x2800, 0x2800},   {0x3000, 0x3000},   {0x3164, 0x3164}, {0xfdd0, 0xfdef},
    {0xfeff, 0xfeff},   {0xffa0, 0xffa0},   {0xfff0, 0xfffb},   {0xfffe, 0xffff}, {0x1bca0, 0x1bca3},
    {0x1d159, 0x1d159}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
});

bool isInvisible(char32_t c) {
    const auto after =
        std::upper_bound(kInvisible.begin(), kInvisible.end(), c,
                         [](char32_t value, const CodePointRange& range) { return value < range.first; });
    return after != kInvisible.begin() && c <= std::prev(after)->last;
}

/// They choose the form of the character before them.
bool isSelector(char32_t c) {
    return (c >= 0xfe00 && c <= 0xfe0f) || (c >= 0xe0100 && c <= 0xe01ef);
}

bool isPictograph(char32_t c) {
    return (c >= 0x2190 && c <= 0x2bff) || c == 0xfe0f || (c >= 0x1f000 && c <= 0x1faff);
}

/// Whether a character is drawn as it is, so that an accent can stand on it.
bool showsItself(char32_t c) {
    return c > U' ' && c != 0x7f && !isInvisible(c);
}

void appendMark(std::string& out, char32_t c) {
    if (c == U' ')
        out += "␣";
    else if (c == U'\n')
        out += "↵";
    else if (c == U'\t')
        out += "⇥";
    else if (c < 0x20)
        appendUtf8(out, 0x2400 + c); // the control pictures of Unicode
    else if (c == 0x7f)
        out += "␡";
    else
        out += fmt::format("<U+{:04X}>", static_cast<std::uint32_t>(c));
}

} // namespace

std::string visibleText(std::u32string_view text) {
    std::string out;
    bool hasBase = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char32_t c = text[i];
        // Between two pictographs the joiner does show: they become one.
        const bool joins = c == kJoiner && i > 0 && i + 1 < text.size() && isPictograph(text[i - 1]) &&
                           isPictograph(text[i + 1]);
        const bool shows = joins || (isSelector(c) ? hasBase : showsItself(c));
        if (!shows) {
            appendMark(out, c);
        } else {
            if (!hasBase && unicode::isMark(c)) out += "◌";
            appendUtf8(out, c);
        }
        hasBase = shows;
    }
    return out;
}

} // namespace headscope
