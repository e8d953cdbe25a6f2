// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

/// Writes the bytes of protobuf messages, for tests.
namespace headscope::test::protobuf {

inline std::string varint(std::uint64_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7) bytes += static_cast<char>((value & 0x7f) | 0x80);
    return bytes + static_cast<char>(value);
}

/// A number.
inline std::string number(std::uint64_t field, std::uint64_t value) {
    return varint(field << 3) + varint(value);
}

/// A string or message.
inline std::string field(std::uint64_t number, std::string_view content) {
    return varint(number << 3 | 2) + varint(content.size()) + std::string(content);
}

inline std::string single(std::uint64_t field, float value) {
    std::string bytes = varint(field << 3 | 5);
    for (std::uint32_t bits = std::bit_cast<std::uint32_t>(value), i = 0; i < 4; ++i, bits >>= 8)
        bytes += static_cast<char>(bits & 0xff);
    return bytes;
}

/// A piece of a sentencepiece model: of type 1 normal, 2 unknown, 3 control, 4 user-defined, 5 unused, 6
/// byte.
inline std::string piece(std::string_view text, float score, std::uint64_t type = 1) {
    return field(1, field(1, text) + single(2, score) + number(3, type));
}

} // namespace headscope::test::protobuf
