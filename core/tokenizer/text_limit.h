// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace headscope {

/// The longest text that is read or tokenised, in bytes of UTF-8.
inline constexpr std::size_t kMaxTextBytes = 64'000'000;

// What a tokenizer file may make of a text, so that no file takes more memory than there is: each of these
// limits keeps its part of the work within about 2 GB.

/// The longest text after normalisation, in bytes.
inline constexpr std::size_t kMaxNormalizedBytes = 2 * kMaxTextBytes;
/// The tokens of one encoding, and the pieces that a text is cut into.
inline constexpr std::size_t kMaxTokens = std::size_t{1} << 24;
/// The bytes of the spellings of all tokens of one encoding.
inline constexpr std::size_t kMaxSpelledBytes = 2 * kMaxNormalizedBytes;

/// Throws Error for a text of more than kMaxTokens tokens or pieces.
[[noreturn]] void refuseTokens();
/// Throws Error unless there is room for one more than `count` tokens or pieces.
inline void requireRoomForToken(std::size_t count) {
    if (count >= kMaxTokens) refuseTokens();
}
/// Throws Error for a normalised text of more than kMaxNormalizedBytes.
void requireNormalizedSize(std::size_t bytes);

} // namespace headscope
