// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/unicode_tables.h"

#include "core/base/check.h"
#include "core/tokenizer/unicode_16.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/utf16.h>

namespace headscope::unicode {

namespace {

std::uint32_t categoryMask(char32_t c) {
    return U_GET_GC_MASK(static_cast<UChar32>(c));
}

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

/// ICU's data for one normalization form; it is part of the library.
const UNormalizer2* normalizer(const UNormalizer2* (*get)(UErrorCode*)) {
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2* instance = get(&status);
    HS_CHECK(U_SUCCESS(status));
    return instance;
}

RegexClass readRegexClass(char32_t c) {
    if (isWhiteSpace(c)) return RegexClass::Space;
    const std::uint32_t category = categoryMask16(c);
    if ((category & U_GC_L_MASK) != 0) return RegexClass::Letter;
    return (category & U_GC_N_MASK) != 0 ? RegexClass::Number : RegexClass::Other;
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

bool isNumeric(char32_t c) {
    if (c < 0x80) return c >= '0' && c <= '9';
    if ((c >= 0x11de0 && c <= 0x11de9) || (c >= 0x16ff4 && c <= 0x16ff6)) return true; // of Unicode 17.0
    return (categoryMask16(c) & U_GC_N_MASK) != 0;
}

bool isWord(char32_t c) {
    if (c < 0x80)
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= 'a' && c <= 'z');
    const std::uint32_t category = categoryMask16(c);
    if ((category & (U_GC_L_MASK | U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK)) != 0) return true;
    const auto code = static_cast<UChar32>(c);
    return category != U_GC_CN_MASK &&
           (u_hasBinaryProperty(code, UCHAR_ALPHABETIC) || u_hasBinaryProperty(code, UCHAR_JOIN_CONTROL));
}

int script(char32_t c) {
    // Characters whose script was changed after 9.0.
    if (c == 0x0589 || c == 0x061c) return USCRIPT_COMMON;
    if (c == 0x0953 || c == 0x0954) return USCRIPT_DEVANAGARI;
    if (!isAssignedIn(c, 9)) return kNoScript;
    UErrorCode status = U_ZERO_ERROR;
    const UScriptCode code = uscript_getScript(static_cast<UChar32>(c), &status);
    return U_FAILURE(status) || code == USCRIPT_UNKNOWN ? kNoScript : code;
}

RegexClass regexClass(char32_t c) {
    // Every character of a text is asked for, and asking ICU takes a hundred times as long.
    static const std::vector<RegexClass> table = [] {
        std::vector<RegexClass> classes(0x10000);
        for (char32_t code = 0; code < 0x10000; ++code) classes[code] = readRegexClass(code);
        return classes;
    }();
    return c < table.size() ? table[c] : readRegexClass(c);
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

void appendDecomposition(char32_t c, Decomposition kind, std::vector<char32_t>& out) {
    static const UNormalizer2* const canonical = normalizer(unorm2_getNFDInstance);
    static const UNormalizer2* const compatible = normalizer(unorm2_getNFKDInstance);
    // The longest canonical decomposition has four code points, the longest compatible one eighteen.
    std::array<UChar, 36> units;
    UErrorCode status = U_ZERO_ERROR;
    const int32_t length =
        c < 0xa0 || !isAssignedIn(c, 9)
            ? -1
            : unorm2_getDecomposition(kind == Decomposition::Canonical ? canonical : compatible,
                                      static_cast<UChar32>(c), units.data(),
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

char32_t compose(char32_t first, char32_t second) {
    static const UNormalizer2* const instance = normalizer(unorm2_getNFCInstance);
    const UChar32 composed =
        unorm2_composePair(instance, static_cast<UChar32>(first), static_cast<UChar32>(second));
    return composed < 0 || !isAssignedIn(static_cast<char32_t>(composed), 9)
               ? 0
               : static_cast<char32_t>(composed);
}

} // namespace headscope::unicode
