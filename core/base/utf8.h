// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Byte offset of the first byte that is not part of well-formed UTF-8 (Unicode table 3-7: no overlong forms,
/// no surrogates, nothing above U+10FFFF), or nullopt.
std::optional<std::size_t> firstInvalidUtf8(std::string_view text);

/// Throws Error naming `subject` and the byte offset unless `text` is well-formed UTF-8.
void requireUtf8(std::string_view text, const std::string& subject);

/// Code points of well-formed UTF-8.
std::u32string toCodePoints(std::string_view utf8);
std::string toUtf8(std::u32string_view codePoints);
void appendUtf8(std::string& out, char32_t codePoint);

/// Number of code points.
std::int64_t countCodePoints(std::string_view utf8);

/// `byteOffsets()[i]` = byte offset of code point i; one more entry holds the size in bytes.
std::vector<std::size_t> codePointOffsets(std::string_view utf8);

} // namespace headscope
