// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headscope {

/// The character that stands for a byte in byte-level vocabularies: printable bytes of Latin-1 stand for
/// themselves, the other 68 for U+0100, U+0101, … in their order (a space is U+0120, "Ġ").
struct ByteCharacter {
    std::array<char, 2> utf8; ///< the second is unused when size is 1
    std::uint8_t size;        ///< bytes
};

namespace detail {

constexpr std::array<ByteCharacter, 256> makeByteCharacters() {
    std::array<ByteCharacter, 256> table{};
    std::uint32_t next = 0x100;
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        const bool printable =
            (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
        const std::uint32_t c = printable ? byte : next++;
        if (c < 0x80)
            table[byte] = {{static_cast<char>(c), 0}, 1};
        else
            table[byte] = {{static_cast<char>(0xc0 | c >> 6), static_cast<char>(0x80 | (c & 0x3f))}, 2};
    }
    return table;
}

inline constexpr std::array<ByteCharacter, 256> kByteCharacters = makeByteCharacters();

} // namespace detail

constexpr const ByteCharacter& byteCharacter(char byte) {
    return detail::kByteCharacters[static_cast<unsigned char>(byte)];
}

/// Bytes of the characters that stand for those of `text`.
constexpr std::size_t byteCharactersSize(std::string_view text) {
    std::size_t size = 0;
    for (const char byte : text) size += byteCharacter(byte).size;
    return size;
}

/// The bytes that a piece spells; nullopt when it holds a character that stands for none.
inline std::optional<std::string> bytesOfByteCharacters(std::string_view piece) {
    constexpr std::size_t kCharacters = 0x144; // the last one stands for byte 0xAD
    static constexpr std::array<std::int16_t, kCharacters> kBytes = [] {
        std::array<std::int16_t, kCharacters> bytes{};
        bytes.fill(-1);
        for (int byte = 0; byte < 256; ++byte) {
            const ByteCharacter& one = detail::kByteCharacters[static_cast<std::size_t>(byte)];
            const auto first = static_cast<unsigned char>(one.utf8[0]);
            const auto second = static_cast<unsigned char>(one.utf8[1]);
            const std::size_t c = one.size == 1 ? first : (first & 0x1fU) << 6U | (second & 0x3fU);
            bytes[c] = static_cast<std::int16_t>(byte);
        }
        return bytes;
    }();
    std::string result;
    for (std::size_t at = 0; at < piece.size(); ++at) {
        std::size_t c = static_cast<unsigned char>(piece[at]);
        if (c >= 0xc0 && c < 0xe0 && at + 1 < piece.size())
            c = (c & 0x1fU) << 6U | (static_cast<unsigned char>(piece[++at]) & 0x3fU);
        else if (c >= 0x80)
            return std::nullopt;
        if (c >= kCharacters || kBytes[c] < 0) return std::nullopt;
        result += static_cast<char>(kBytes[c]);
    }
    return result;
}

/// What stands for a space.
inline constexpr char32_t kByteSpace = 0x120;
inline constexpr std::string_view kByteSpaceUtf8 = "\u0120";

} // namespace headscope
