// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/post_processors/trim_offsets.h"

#include "core/tokenizer/byte_characters.h"
#include "core/tokenizer/code_point.h"
#include "core/tokenizer/unicode_tables.h"

#include <algorithm>

namespace headscope {

namespace {

bool isSpace(char32_t c) {
    return c == kByteSpace || unicode::isWhiteSpace(c);
}

std::int64_t leadingSpaces(std::string_view value) {
    std::int64_t count = 0;
    for (std::size_t at = 0; at < value.size(); ++count) {
        const DecodedCodePoint c = decodeCodePoint(value, at);
        if (!isSpace(c.value)) break;
        at += c.bytes;
    }
    return count;
}

std::int64_t trailingSpaces(std::string_view value) {
    std::int64_t count = 0;
    for (std::size_t end = value.size(); end > 0; ++count) {
        const DecodedCodePoint c = decodeCodePointBefore(value, end);
        if (!isSpace(c.value)) break;
        end -= c.bytes;
    }
    return count;
}

} // namespace

void trimOffsets(TokenList& tokens, bool addPrefixSpace) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        EncodedToken& token = tokens[i];
        std::int64_t leading = leadingSpaces(token.value);
        const std::int64_t trailing = trailingSpaces(token.value);
        if (leading == 1 && addPrefixSpace && (i == 0 || token.start == 0)) leading = 0;
        if (leading > 0) token.start = std::min(token.start + leading, token.end);
        if (trailing > 0 && token.end >= trailing) token.end = std::max(token.end - trailing, token.start);
    }
}

} // namespace headscope
