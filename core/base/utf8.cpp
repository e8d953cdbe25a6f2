// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf8.h"

#include "core/base/error.h"

namespace headscope {

namespace {

/// Length of the well-formed sequence at `at`, or 0. Second-byte ranges as in Unicode table 3-7.
std::size_t sequenceLength(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(at);
    if (lead < 0x80) return 1;
    std::size_t length = 0;
    unsigned char low = 0x80;
    unsigned char high = 0xbf;
    if (lead >= 0xc2 && lead <= 0xdf) {
        length = 2;
    } else if (lead >= 0xe0 && lead <= 0xef) {
        length = 3;
        if (lead == 0xe0) low = 0xa0;
        if (lead == 0xed) high = 0x9f;
    } else if (lead >= 0xf0 && lead <= 0xf4) {
        length = 4;
        if (lead == 0xf0) low = 0x90;
        if (lead == 0xf4) high = 0x8f;
    } else {
        return 0;
    }
    if (at + length > text.size()) return 0;
    if (byte(at + 1) < low || byte(at + 1) > high) return 0;
    for (std::size_t i = 2; i < length; ++i)
        if (byte(at + i) < 0x80 || byte(at + i) > 0xbf) return 0;
    return length;
}

} // namespace

std::optional<std::size_t> firstInvalidUtf8(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t length = sequenceLength(text, at);
        if (length == 0) return at;
        at += length;
    }
    return std::nullopt;
}

void requireUtf8(std::string_view text, const std::string& subject) {
    if (const auto offset = firstInvalidUtf8(text))
        throw Error({.subject = subject,
                     .found = "the text is not valid UTF-8",
                     .expected = {},
                     .hint = "save it as UTF-8",
                     .byteOffset = *offset});
}

std::u32string toCodePoints(std::string_view utf8) {
    std::u32string out;
    out.reserve(utf8.size());
    std::size_t at = 0;
    while (at < utf8.size()) {
        const auto lead = static_cast<unsigned char>(utf8[at]);
        const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        char32_t value = length == 1 ? lead : lead & (0x7fU >> length);
        for (std::size_t i = 1; i < length && at + i < utf8.size(); ++i)
            value = (value << 6U) | (static_cast<unsigned char>(utf8[at + i]) & 0x3fU);
        out += value;
        at += length;
    }
    return out;
}

void appendUtf8(std::string& out, char32_t c) {
    const auto push = [&](char32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
    if (c < 0x80) {
        push(c);
    } else if (c < 0x800) {
        push(0xc0U | (c >> 6U));
        push(0x80U | (c & 0x3fU));
    } else if (c < 0x10000) {
        push(0xe0U | (c >> 12U));
        push(0x80U | ((c >> 6U) & 0x3fU));
        push(0x80U | (c & 0x3fU));
    } else {
        push(0xf0U | (c >> 18U));
        push(0x80U | ((c >> 12U) & 0x3fU));
        push(0x80U | ((c >> 6U) & 0x3fU));
        push(0x80U | (c & 0x3fU));
    }
}

std::string toUtf8(std::u32string_view codePoints) {
    std::string out;
    out.reserve(codePoints.size());
    for (const char32_t c : codePoints) appendUtf8(out, c);
    return out;
}

std::int64_t countCodePoints(std::string_view utf8) {
    std::int64_t count = 0;
    for (const char byte : utf8) count += (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U;
    return count;
}

std::vector<std::size_t> codePointOffsets(std::string_view utf8) {
    std::vector<std::size_t> offsets;
    offsets.reserve(utf8.size() + 1);
    for (std::size_t i = 0; i < utf8.size(); ++i)
        if ((static_cast<unsigned char>(utf8[i]) & 0xc0U) != 0x80U) offsets.push_back(i);
    offsets.push_back(utf8.size());
    return offsets;
}

} // namespace headscope
