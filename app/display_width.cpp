// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/display_width.h"

#include "core/base/utf8.h"

#include <algorithm>
#include <unicode/uchar.h>

namespace headscope::app {

namespace {

std::size_t widthOf(char32_t codePoint) {
    const auto c = static_cast<UChar32>(codePoint);
    const auto category = u_charType(c);
    if (category == U_NON_SPACING_MARK || category == U_ENCLOSING_MARK || category == U_FORMAT_CHAR) return 0;
    const int width = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
    return width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
}

/// Code points; bytes where it is no UTF-8.
std::u32string charactersOf(std::string_view text) {
    if (!firstInvalidUtf8(text)) return toCodePoints(text);
    std::u32string bytes;
    for (const char byte : text) bytes += static_cast<unsigned char>(byte);
    return bytes;
}

std::size_t widthOf(std::u32string_view text) {
    std::size_t width = 0;
    for (const char32_t codePoint : text) width += widthOf(codePoint);
    return width;
}

/// Bytes of the longest beginning of `text` that fits; accents stay with their letter.
std::size_t bytesThatFit(std::string_view text, std::size_t width) {
    if (firstInvalidUtf8(text)) return std::min(text.size(), width);
    const std::u32string characters = toCodePoints(text);
    std::size_t used = 0;
    std::size_t count = 0;
    while (count < characters.size() && used + widthOf(characters[count]) <= width)
        used += widthOf(characters[count++]);
    return toUtf8(std::u32string_view(characters).substr(0, count)).size();
}

} // namespace

std::size_t displayWidth(std::string_view text) {
    return widthOf(charactersOf(text));
}

std::string cutToWidth(std::string_view text, std::size_t width) {
    if (displayWidth(text) <= width) return std::string(text);
    return std::string(text.substr(0, bytesThatFit(text, width > 0 ? width - 1 : 0))) + "…";
}

std::string paddedToWidth(std::string_view text, std::size_t width) {
    const std::size_t used = displayWidth(text);
    return std::string(text) + std::string(width > used ? width - used : 0, ' ');
}

std::string wrappedToWidth(std::string_view text, std::size_t width, std::size_t indent) {
    std::string lines;
    std::size_t used = 0;
    bool isFirst = true; // on its line
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!isFirst && used + 1 + displayWidth(word) > width) {
            lines += '\n' + std::string(indent, ' ');
            used = indent;
        } else if (!isFirst) {
            lines += ' ';
            ++used;
        }
        while (used + displayWidth(word) > width) {
            const std::size_t bytes = bytesThatFit(word, width - used);
            lines += word.substr(0, bytes);
            lines += '\n' + std::string(indent, ' ');
            word.remove_prefix(bytes);
            used = indent;
        }
        lines += word;
        used += displayWidth(word);
        isFirst = false;
    }
    return lines + '\n';
}

} // namespace headscope::app
