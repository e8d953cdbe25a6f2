// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace headscope {

/// Bytes of the UTF-8 sequence that begins with `lead`. Only for text that is known to be well formed.
inline std::size_t utf8Length(char lead) {
    const auto byte = static_cast<unsigned char>(lead);
    if (byte < 0x80) return 1;
    if (byte < 0xe0) return 2;
    return byte < 0xf0 ? 3 : 4;
}

inline bool isContinuationByte(char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

struct DecodedCodePoint {
    char32_t value;
    std::size_t bytes;
};

/// The code point that begins at byte `at` of well-formed UTF-8.
inline DecodedCodePoint decodeCodePoint(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) {
        return static_cast<char32_t>(static_cast<unsigned char>(text[at + i]));
    };
    const char32_t lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    if (lead < 0xe0) return {(lead & 0x1f) << 6 | (byte(1) & 0x3f), 2};
    if (lead < 0xf0) return {(lead & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f), 3};
    return {(lead & 0x07) << 18 | (byte(1) & 0x3f) << 12 | (byte(2) & 0x3f) << 6 | (byte(3) & 0x3f), 4};
}

/// The code point that ends right before byte `end` (> 0) of well-formed UTF-8.
inline DecodedCodePoint decodeCodePointBefore(std::string_view text, std::size_t end) {
    std::size_t at = end - 1;
    while (isContinuationByte(text[at])) --at;
    return decodeCodePoint(text, at);
}

/// First byte in [at, text.size()) that is not ASCII, or text.size().
inline std::size_t findNonAscii(std::string_view text, std::size_t at) {
    while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
    return at;
}

} // namespace headscope
