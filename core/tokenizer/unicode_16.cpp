// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/unicode_16.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <unicode/uchar.h>
#include <unicode/uscript.h>

namespace headscope::unicode {

namespace {

struct CategoryRange {
    char32_t first;
    char32_t last;
    UCharCategory category;
};

constexpr UCharCategory kLu = U_UPPERCASE_LETTER;
constexpr UCharCategory kLl = U_LOWERCASE_LETTER;
constexpr UCharCategory kLm = U_MODIFIER_LETTER;
constexpr UCharCategory kLo = U_OTHER_LETTER;
constexpr UCharCategory kMn = U_NON_SPACING_MARK;
constexpr UCharCategory kMc = U_COMBINING_SPACING_MARK;
constexpr UCharCategory kNd = U_DECIMAL_DIGIT_NUMBER;
constexpr UCharCategory kPd = U_DASH_PUNCTUATION;
constexpr UCharCategory kPo = U_OTHER_PUNCTUATION;
constexpr UCharCategory kSm = U_MATH_SYMBOL;
constexpr UCharCategory kSo = U_OTHER_SYMBOL;

/// A consonant sign that took up room only in 15.0 (ICU may know the old category).
constexpr char32_t kAhomMedialRa = 0x1171e;

/// Characters of Unicode 15.1 and 16.0. Sorted.
constexpr std::array kYoung = std::to_array<CategoryRange>({
    {0x0897, 0x0897, kMn},   {0x1b4e, 0x1b4f, kPo},   {0x1b7f, 0x1b7f, kPo},   {0x1c89, 0x1c89, kLu},
    {0x1c8a, 0x1c8a, kLl},   {0x2427, 0x2429, kSo},   {0x2ffc, 0x2fff, kSo},   {0x31e4, 0x31e5, kSo},
    {0x31ef, 0x31ef, kSo},   {0xa7cb, 0xa7cc, kLu},   {0xa7cd, 0xa7cd, kLl},   {0xa7da, 0xa7da, kLu},
    {0xa7db, 0xa7db, kLl},   {0xa7dc, 0xa7dc, kLu},   {0x105c0, 0x105f3, kLo}, {0x10d40, 0x10d49, kNd},
    {0x10d4a, 0x10d4d, kLo}, {0x10d4e, 0x10d4e, kLm}, {0x10d4f, 0x10d4f, kLo}, {0x10d50, 0x10d65, kLu},
    {0x10d69, 0x10d6d, kMn}, {0x10d6e, 0x10d6e, kPd}, {0x10d6f, 0x10d6f, kLm}, {0x10d70, 0x10d85, kLl},
    {0x10d8e, 0x10d8f, kSm}, {0x10ec2, 0x10ec4, kLo}, {0x10efc, 0x10efc, kMn}, {0x11380, 0x11389, kLo},
    {0x1138b, 0x1138b, kLo}, {0x1138e, 0x1138e, kLo}, {0x11390, 0x113b5, kLo}, {0x113b7, 0x113b7, kLo},
    {0x113b8, 0x113ba, kMc}, {0x113bb, 0x113c0, kMn}, {0x113c2, 0x113c2, kMc}, {0x113c5, 0x113c5, kMc},
    {0x113c7, 0x113ca, kMc}, {0x113cc, 0x113cd, kMc}, {0x113ce, 0x113ce, kMn}, {0x113cf, 0x113cf, kMc},
    {0x113d0, 0x113d0, kMn}, {0x113d1, 0x113d1, kLo}, {0x113d2, 0x113d2, kMn}, {0x113d3, 0x113d3, kLo},
    {0x113d4, 0x113d5, kPo}, {0x113d7, 0x113d8, kPo}, {0x113e1, 0x113e2, kMn}, {0x116d0, 0x116e3, kNd},
    {0x11bc0, 0x11be0, kLo}, {0x11be1, 0x11be1, kPo}, {0x11bf0, 0x11bf9, kNd}, {0x11f5a, 0x11f5a, kMn},
    {0x13460, 0x143fa, kLo}, {0x16100, 0x1611d, kLo}, {0x1611e, 0x16129, kMn}, {0x1612a, 0x1612c, kMc},
    {0x1612d, 0x1612f, kMn}, {0x16130, 0x16139, kNd}, {0x16d40, 0x16d42, kLm}, {0x16d43, 0x16d6a, kLo},
    {0x16d6b, 0x16d6c, kLm}, {0x16d6d, 0x16d6f, kPo}, {0x16d70, 0x16d79, kNd}, {0x18cff, 0x18cff, kLo},
    {0x1cc00, 0x1ccef, kSo}, {0x1ccf0, 0x1ccf9, kNd}, {0x1cd00, 0x1ceb3, kSo}, {0x1e5d0, 0x1e5ed, kLo},
    {0x1e5ee, 0x1e5ef, kMn}, {0x1e5f0, 0x1e5f0, kLo}, {0x1e5f1, 0x1e5fa, kNd}, {0x1e5ff, 0x1e5ff, kPo},
    {0x1f8b2, 0x1f8bb, kSo}, {0x1f8c0, 0x1f8c1, kSo}, {0x1fa89, 0x1fa89, kSo}, {0x1fa8f, 0x1fa8f, kSo},
    {0x1fabe, 0x1fabe, kSo}, {0x1fac6, 0x1fac6, kSo}, {0x1fadc, 0x1fadc, kSo}, {0x1fadf, 0x1fadf, kSo},
    {0x1fae9, 0x1fae9, kSo}, {0x1fbcb, 0x1fbef, kSo}, {0x2ebf0, 0x2ee5d, kLo},
});

std::optional<UCharCategory> youngCategory(char32_t c) {
    const auto after =
        std::upper_bound(kYoung.begin(), kYoung.end(), c,
                         [](char32_t value, const CategoryRange& range) { return value < range.first; });
    if (after == kYoung.begin() || c > std::prev(after)->last) return std::nullopt;
    return std::prev(after)->category;
}

bool isHan(char32_t c) {
    if (c >= 0x2ebf0 && c <= 0x2ee5d) return true; // of 15.1
    UErrorCode status = U_ZERO_ERROR;
    return uscript_getScript(static_cast<UChar32>(c), &status) == USCRIPT_HAN;
}

} // namespace

bool isAssignedIn(char32_t c, int major) {
    UVersionInfo age;
    u_charAge(static_cast<UChar32>(c), age);
    return age[0] != 0 && (age[0] < major || (age[0] == major && age[1] == 0 && age[2] == 0));
}

bool isSameIn14(char32_t c) {
    return c != kAhomMedialRa && isAssignedIn(c, 14);
}

std::uint32_t categoryMask16(char32_t c) {
    if (c == kAhomMedialRa) return U_GC_MC_MASK;
    if (const std::optional<UCharCategory> category = youngCategory(c)) return U_MASK(*category);
    return isAssignedIn(c, 16) ? U_GET_GC_MASK(static_cast<UChar32>(c)) : U_GC_CN_MASK;
}

char32_t twinOf14(char32_t c) {
    // Nothing of two UTF-8 bytes is younger than 14.0.
    if (c < 0x800 || isSameIn14(c)) return c;
    const std::uint32_t category = categoryMask16(c);
    if (category == U_GC_CN_MASK) return c;
    const bool han = isHan(c);
    const auto isTwin = [&](char32_t other) {
        return isSameIn14(other) && categoryMask16(other) == category && isHan(other) == han;
    };
    const char32_t lowest = c < 0x10000 ? 0x800 : 0x10000;
    const char32_t highest = c < 0x10000 ? 0xffff : 0x10ffff;
    for (char32_t other = c; other > lowest;)
        if (isTwin(--other)) return other;
    for (char32_t other = c; other < highest;)
        if (isTwin(++other)) return other;
    return c;
}

} // namespace headscope::unicode
