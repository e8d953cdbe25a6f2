// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

/// Unicode 16.0, which regular expressions have in the tokenizers library. ICU may know an older version: ICU
/// 72 knows 15.0.
namespace headscope::unicode {

/// Assigned in Unicode `major`.0 or before, as far as ICU knows.
bool isAssignedIn(char32_t c, int major);
/// Whether 14.0 knows it, by the general category that it has in 16.0.
bool isSameIn14(char32_t c);
/// The general category as one of ICU's U_GC_..._MASK; U_GC_CN_MASK for what is younger than 16.0.
std::uint32_t categoryMask16(char32_t c);
/// A code point of Unicode 14.0 that regular expressions cannot tell from `c`, unless they name one of the
/// two: of the same general category, of as many UTF-8 bytes, both or none of them Han, and the nearest such.
/// c itself when it is as old and has the same category, or is unassigned. 14.0 is what the oldest supported
/// Oniguruma knows.
char32_t twinOf14(char32_t c);

} // namespace headscope::unicode
