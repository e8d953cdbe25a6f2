// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/forms/text_lines.h"

#include "core/tokenizer/code_point.h"
#include "core/tokenizer/unicode_tables.h"

#include <algorithm>

namespace headscope {

std::vector<std::string_view> textLines(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
        lines.push_back(text.substr(0, end));
        const bool isPair = text.substr(end).starts_with("\r\n");
        text.remove_prefix(std::min(end + (isPair ? 2 : 1), text.size()));
    }
    return lines;
}

bool isPythonSpace(char32_t c) {
    return unicode::isWhiteSpace(c) || (c >= 0x1c && c <= 0x1f);
}

std::vector<std::string_view> pythonWords(std::string_view line) {
    std::vector<std::string_view> words;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < line.size();) {
        const DecodedCodePoint c = decodeCodePoint(line, at);
        if (isPythonSpace(c.value)) {
            if (at > begin) words.push_back(line.substr(begin, at - begin));
            begin = at + c.bytes;
        }
        at += c.bytes;
    }
    if (begin < line.size()) words.push_back(line.substr(begin));
    return words;
}

} // namespace headscope
