// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/unicode_tables.h"

#include "core/base/check.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/utf16.h>

namespace headscope::unicode {

namespace {

/// Assigned in Unicode `major`.0 or before.
bool isAssignedIn(char32_t c, int major) {
    UVersionInfo age;
    u_charAge(static_cast<UChar32>(c), age);
    return age[0] != 0 && (age[0] < major || (age[0] == major && age[1] == 0 && age[2] == 0));
}

std::uint32_t categoryMask(char32_t c) {
    return U_GET_GC_MASK(static_cast<UChar32>(c));
}

struct Range {
    char32_t first;
    char32_t last;
};

/// `\w` characters of Unicode 15.1 and 16.0 that ICU 72 (15.0) does not know. Sorted.
constexpr std::array kYoungWords = std::to_array<Range>({
    {0x0897, 0x0897},   {0x1c89, 0x1c8a},   {0xa7cb, 0xa7cd},   {0xa7da, 0xa7dc},   {0x105c0, 0x105f3},
    {0x10d40, 0x10d65}, {0x10d69, 0x10d6d}, {0x10d6f, 0x10d85}, {0x10ec2, 0x10ec4}, {0x10efc, 0x10efc},
    {0x11380, 0x11389}, {0x1138b, 0x1138b}, {0x1138e, 0x1138e}, {0x11390, 0x113b5}, {0x113b7, 0x113c0},
    {0x113c2, 0x113c2}, {0x113c5, 0x113c5}, {0x113c7, 0x113ca}, {0x113cc, 0x113d3}, {0x113e1, 0x113e2},
    {0x116d0, 0x116e3}, {0x11bc0, 0x11be0}, {0x11bf0, 0x11bf9}, {0x11f5a, 0x11f5a}, {0x13460, 0x143fa},
    {0x16100, 0x16139}, {0x16d40, 0x16d6c}, {0x16d70, 0x16d79}, {0x18cff, 0x18cff}, {0x1ccf0, 0x1ccf9},
    {0x1e5d0, 0x1e5fa}, {0x2ebf0, 0x2ee5d},
});

struct LowerRange {
    char32_t first;
    char32_t last;
    std::int32_t step; ///< lower case minus upper case
};

/// Upper case of Unicode 16.0 and 17.0 that ICU 72 or 76 does not know. Sorted.
constexpr std::array kYoungUpper = std::to_array<LowerRange>({
    {0x1c89, 0x1c89, 1},
    {0xa7cb, 0xa7cb, 0x0264 - 0xa7cb},
    {0xa7cc, 0xa7cc, 1},
    {0xa7ce, 0xa7ce, 1},
    {0xa7d2, 0xa7d2, 1},
    {0xa7d4, 0xa7d4, 1},
    {0xa7da, 0xa7da, 1},
    {0xa7dc, 0xa7dc, 0x019b - 0xa7dc},
    {0x10d50, 0x10d65, 0x20},
    {0x16ea0, 0x16eb8, 0x1b},
});

/// The range that holds c, or nullptr.
template <typename Ranges>
auto findRange(const Ranges& ranges, char32_t c) -> decltype(ranges.data()) {
    const auto after =
        std::upper_bound(ranges.begin(), ranges.end(), c,
                         [](char32_t value, const auto& range) { return value < range.first; });
    if (after == ranges.begin()) return nullptr;
    const auto& candidate = *std::prev(after);
    return c <= candidate.last ? &candidate : nullptr;
}

const UNormalizer2* canonicalNormalizer() {
    static const UNormalizer2* const instance = [] {
        UErrorCode status = U_ZERO_ERROR;
        const UNormalizer2* normalizer = unorm2_getNFDInstance(&status);
        HS_CHECK(U_SUCCESS(status)); // the data is part of the ICU library
        return normalizer;
    }();
    return instance;
}

} // namespace

bool isWhiteSpace(char32_t c) {
    if (c < 0x80) return c == 0x20 || (c >= 0x09 && c <= 0x0d);
    return c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 ||
           c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

bool isControl(char32_t c) {
    if (c < 0x80) return c < 0x20 || c == 0x7f;
    return (categoryMask(c) & (U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK)) != 0 && isAssignedIn(c, 8);
}

bool isNonspacingMark(char32_t c) {
    if (c < 0x300) return false;
    // Characters whose category was changed after 8.0.
    if (c == 0x1885 || c == 0x1886 || c == 0xa9bd || c == 0x111c9) return false;
    if (c == 0x1734 || c == 0x1171e) return true;
    return (categoryMask(c) & U_GC_MN_MASK) != 0 && isAssignedIn(c, 8);
}

bool isBertPunctuation(char32_t c) {
    if (c < 0x80)
        return (c >= 0x21 && c <= 0x2f) || (c >= 0x3a && c <= 0x40) || (c >= 0x5b && c <= 0x60) ||
               (c >= 0x7b && c <= 0x7e);
    if (c == 0x166d || c == 0x111c9) return true; // a category changed after 8.0
    return (categoryMask(c) & U_GC_P_MASK) != 0 && isAssignedIn(c, 8);
}

bool isMark(char32_t c) {
    if (c < 0x300) return false;
    // Characters whose category was changed after 9.0.
    if (c == 0x111c9) return false;
    if (c == 0x1cf2 || c == 0x1cf3) return true;
    return (categoryMask(c) & U_GC_M_MASK) != 0 && isAssignedIn(c, 9);
}

bool isWord(char32_t c) {
    if (c < 0x80)
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= 'a' && c <= 'z');
    if (findRange(kYoungWords, c) != nullptr) return true;
    const auto code = static_cast<UChar32>(c);
    const bool word = (categoryMask(c) & (U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK)) != 0 ||
                      u_hasBinaryProperty(code, UCHAR_ALPHABETIC) ||
                      u_hasBinaryProperty(code, UCHAR_JOIN_CONTROL);
    return word && isAssignedIn(c, 16);
}

LowerCase toLower(char32_t c) {
    if (c < 0x80) return {c >= 'A' && c <= 'Z' ? c + 0x20 : c, 0};
    if (c == 0x130) return {'i', 0x307};
    if (const LowerRange* range = findRange(kYoungUpper, c))
        return {static_cast<char32_t>(static_cast<std::int32_t>(c) + range->step), 0};
    if (!isAssignedIn(c, 17)) return {c, 0};
    return {static_cast<char32_t>(u_tolower(static_cast<UChar32>(c))), 0};
}

int combiningClass(char32_t c) {
    if (c < 0x300 || !isAssignedIn(c, 9)) return 0;
    return u_getCombiningClass(static_cast<UChar32>(c));
}

void appendCanonicalDecomposition(char32_t c, std::vector<char32_t>& out) {
    // The longest canonical decomposition has four code points.
    std::array<UChar, 16> units;
    UErrorCode status = U_ZERO_ERROR;
    const int32_t length =
        c < 0xc0 || !isAssignedIn(c, 9)
            ? -1
            : unorm2_getDecomposition(canonicalNormalizer(), static_cast<UChar32>(c), units.data(),
                                      static_cast<int32_t>(units.size()), &status);
    if (length < 0) {
        out.push_back(c);
        return;
    }
    HS_CHECK(U_SUCCESS(status));
    for (int32_t i = 0; i < length;) {
        UChar32 code = 0;
        U16_NEXT(units.data(), i, length, code);
        out.push_back(static_cast<char32_t>(code));
    }
}

} // namespace headscope::unicode
