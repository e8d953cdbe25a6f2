// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/grapheme_clusters.h"

#include "core/tokenizer/code_point.h"
#include "core/tokenizer/unicode_16.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <unicode/uchar.h>

namespace headscope {

namespace {

struct Range {
    char32_t first;
    char32_t last;
};

/// Extend in 16.0, and something else or unassigned in 15.0. Sorted, as are the others.
constexpr std::array kYoungExtend = std::to_array<Range>({
    {0x0897, 0x0897},   {0x0cc0, 0x0cc0},   {0x0cc7, 0x0cc8},   {0x0cca, 0x0ccb},   {0x1715, 0x1715},
    {0x1734, 0x1734},   {0x1b3b, 0x1b3b},   {0x1b3d, 0x1b3d},   {0x1b43, 0x1b44},   {0x1baa, 0x1baa},
    {0x1bf2, 0x1bf3},   {0xa953, 0xa953},   {0xa9c0, 0xa9c0},   {0x10d69, 0x10d6d}, {0x10efc, 0x10efc},
    {0x111c0, 0x111c0}, {0x11235, 0x11235}, {0x1134d, 0x1134d}, {0x113b8, 0x113b8}, {0x113bb, 0x113c0},
    {0x113c2, 0x113c2}, {0x113c5, 0x113c5}, {0x113c7, 0x113c9}, {0x113ce, 0x113d0}, {0x113d2, 0x113d2},
    {0x113e1, 0x113e2}, {0x116b6, 0x116b6}, {0x1193d, 0x1193d}, {0x11f41, 0x11f41}, {0x11f5a, 0x11f5a},
    {0x1611e, 0x16129}, {0x1612d, 0x1612f}, {0x16ff0, 0x16ff1}, {0x1d166, 0x1d166}, {0x1d16d, 0x1d16d},
    {0x1e5ee, 0x1e5ef},
});

/// SpacingMark in 16.0, and Extend or unassigned in 15.0.
constexpr std::array kYoungSpacingMark = std::to_array<Range>({
    {0x113b9, 0x113ba},
    {0x113ca, 0x113ca},
    {0x113cc, 0x113cd},
    {0x1171e, 0x1171e},
    {0x1612a, 0x1612c},
});

/// Consonants that a linker joins to the one before (Indic_Conjunct_Break).
constexpr std::array kConsonants = std::to_array<Range>({
    {0x0915, 0x0939}, {0x0958, 0x095f}, {0x0978, 0x097f}, {0x0995, 0x09a8}, {0x09aa, 0x09b0},
    {0x09b2, 0x09b2}, {0x09b6, 0x09b9}, {0x09dc, 0x09dd}, {0x09df, 0x09df}, {0x09f0, 0x09f1},
    {0x0a95, 0x0aa8}, {0x0aaa, 0x0ab0}, {0x0ab2, 0x0ab3}, {0x0ab5, 0x0ab9}, {0x0af9, 0x0af9},
    {0x0b15, 0x0b28}, {0x0b2a, 0x0b30}, {0x0b32, 0x0b33}, {0x0b35, 0x0b39}, {0x0b5c, 0x0b5d},
    {0x0b5f, 0x0b5f}, {0x0b71, 0x0b71}, {0x0c15, 0x0c28}, {0x0c2a, 0x0c39}, {0x0c58, 0x0c5a},
    {0x0d15, 0x0d3a},
});

template <typename Ranges>
bool contains(const Ranges& ranges, char32_t c) {
    const auto after =
        std::upper_bound(ranges.begin(), ranges.end(), c,
                         [](char32_t value, const Range& range) { return value < range.first; });
    return after != ranges.begin() && c <= std::prev(after)->last;
}

bool isConsonant(char32_t c) {
    return c >= 0x0915 && c <= 0x0d3a && contains(kConsonants, c);
}

bool isLinker(char32_t c) {
    return c == 0x094d || c == 0x09cd || c == 0x0acd || c == 0x0b4d || c == 0x0c4d || c == 0x0d4d;
}

bool isPictograph(char32_t c) {
    return c >= 0xa9 && u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_EXTENDED_PICTOGRAPHIC) != 0;
}

/// Grapheme_Cluster_Break, one of ICU's U_GCB_....
int clusterBreak(char32_t c) {
    if (c < 0x80) {
        if (c == '\r') return U_GCB_CR;
        if (c == '\n') return U_GCB_LF;
        return c < 0x20 || c == 0x7f ? U_GCB_CONTROL : U_GCB_OTHER;
    }
    if (contains(kYoungExtend, c)) return U_GCB_EXTEND;
    if (contains(kYoungSpacingMark, c)) return U_GCB_SPACING_MARK;
    if (c == 0x113d1) return U_GCB_PREPEND; // of 16.0
    const auto code = static_cast<UChar32>(c);
    if (u_charType(code) != U_UNASSIGNED && !unicode::isAssignedIn(c, 16)) return U_GCB_OTHER;
    return u_getIntPropertyValue(code, UCHAR_GRAPHEME_CLUSTER_BREAK);
}

bool isControl(int kind) {
    return kind == U_GCB_CONTROL || kind == U_GCB_CR || kind == U_GCB_LF;
}

bool joinsHangul(int before, int behind) {
    if (before == U_GCB_L)
        return behind == U_GCB_L || behind == U_GCB_V || behind == U_GCB_LV || behind == U_GCB_LVT;
    if (before == U_GCB_LV || before == U_GCB_V) return behind == U_GCB_V || behind == U_GCB_T;
    return (before == U_GCB_LVT || before == U_GCB_T) && behind == U_GCB_T;
}

/// What of a cluster decides whether the next character belongs to it.
class Cluster {
  public:
    explicit Cluster(char32_t first) { add(first, clusterBreak(first)); }

    /// False, and nothing is changed, when a cluster ends before c.
    bool take(char32_t c) {
        const int kind = clusterBreak(c);
        if (!joins(c, kind)) return false;
        add(c, kind);
        return true;
    }

  private:
    enum class Pictograph { None, Alone, Joiner }; ///< the cluster ends with one and Extend*, and a ZWJ
    enum class Conjunct { None, Consonant, Linker };

    bool joins(char32_t c, int kind) const {
        if (isControl(m_last) || isControl(kind)) return m_last == U_GCB_CR && kind == U_GCB_LF;
        return joinsHangul(m_last, kind) || kind == U_GCB_EXTEND || kind == U_GCB_ZWJ ||
               kind == U_GCB_SPACING_MARK || m_last == U_GCB_PREPEND ||
               (m_conjunct == Conjunct::Linker && isConsonant(c)) ||
               (m_pictograph == Pictograph::Joiner && isPictograph(c));
    }

    void add(char32_t c, int kind) {
        if (isPictograph(c))
            m_pictograph = Pictograph::Alone;
        else if (kind == U_GCB_ZWJ && m_pictograph == Pictograph::Alone)
            m_pictograph = Pictograph::Joiner;
        else if (kind != U_GCB_EXTEND || m_pictograph != Pictograph::Alone)
            m_pictograph = Pictograph::None;

        const bool extends = (kind == U_GCB_EXTEND && c != 0x200c) || kind == U_GCB_ZWJ;
        if (isConsonant(c))
            m_conjunct = Conjunct::Consonant;
        else if (m_conjunct != Conjunct::None && isLinker(c))
            m_conjunct = Conjunct::Linker;
        else if (!extends)
            m_conjunct = Conjunct::None;
        m_last = kind;
    }

    int m_last = U_GCB_OTHER;
    Pictograph m_pictograph = Pictograph::None;
    Conjunct m_conjunct = Conjunct::None;
};

} // namespace

std::size_t graphemeClusterEnd(std::string_view text, std::size_t at) {
    const auto isAscii = [&](std::size_t i) { return static_cast<unsigned char>(text[i]) < 0x80; };
    // Two ASCII characters are joined only when they are CR and LF.
    if (isAscii(at) && text[at] != '\r' && (at + 1 == text.size() || isAscii(at + 1))) return at + 1;
    const DecodedCodePoint first = decodeCodePoint(text, at);
    Cluster cluster(first.value);
    at += first.bytes;
    while (at < text.size()) {
        const DecodedCodePoint next = decodeCodePoint(text, at);
        if (!cluster.take(next.value)) break;
        at += next.bytes;
    }
    return at;
}

} // namespace headscope
