// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/models/piece_trie.h"

#include "core/base/check.h"

#include <algorithm>

namespace headscope {

namespace {

/// A piece with its first eight bytes as a number, which decides most comparisons.
struct SortKey {
    std::uint64_t start = 0;
    std::uint32_t number = 0;
};

SortKey sortKey(std::string_view piece, std::uint32_t number) {
    SortKey key{0, number};
    for (std::size_t i = 0; i < 8; ++i)
        key.start = key.start << 8 | (i < piece.size() ? static_cast<unsigned char>(piece[i]) : 0U);
    return key;
}

std::vector<SortKey> sorted(std::span<const std::string_view> pieces) {
    std::vector<SortKey> keys;
    keys.reserve(pieces.size());
    for (const std::string_view piece : pieces)
        keys.push_back(sortKey(piece, static_cast<std::uint32_t>(keys.size())));
    std::sort(keys.begin(), keys.end(), [&](const SortKey& a, const SortKey& b) {
        if (a.start != b.start) return a.start < b.start;
        const int order = pieces[a.number].compare(pieces[b.number]);
        return order != 0 ? order < 0 : a.number < b.number;
    });
    return keys;
}

/// Keys [first, end) have the same bytes up to the node.
struct KeyRange {
    std::uint32_t first = 0;
    std::uint32_t end = 0;
};

} // namespace

PieceTrie::PieceTrie(std::span<const std::string_view> pieces) {
    HS_CHECK_LT(pieces.size(), std::size_t{kNone});
    const std::vector<SortKey> keys = sorted(pieces);
    m_bytes.push_back(0);
    m_numbers.push_back(kNone);
    std::vector<KeyRange> level = {{0, static_cast<std::uint32_t>(keys.size())}};
    for (std::size_t depth = 0; !level.empty(); ++depth) {
        std::vector<KeyRange> next;
        std::size_t node = m_numbers.size() - level.size();
        for (KeyRange range : level) {
            // Those that end here sort before the others, the last of the list behind the equal ones.
            for (; range.first < range.end && pieces[keys[range.first].number].size() == depth; ++range.first)
                m_numbers[node] = keys[range.first].number;
            m_firstChild.push_back(static_cast<std::uint32_t>(m_bytes.size()));
            while (range.first < range.end) {
                const char byte = pieces[keys[range.first].number][depth];
                KeyRange child = {range.first, range.first};
                while (child.end < range.end && pieces[keys[child.end].number][depth] == byte) ++child.end;
                m_bytes.push_back(byte);
                m_numbers.push_back(kNone);
                next.push_back(child);
                range.first = child.end;
            }
            ++node;
        }
        level = std::move(next);
    }
    HS_CHECK_LE(m_bytes.size(), kMaxBytes + 1);
    m_firstChild.push_back(static_cast<std::uint32_t>(m_bytes.size()));
    m_numbers[0] = kNone;

    m_fromRoot.fill(kNone);
    for (std::uint32_t node = m_firstChild[0]; node < m_firstChild[1]; ++node)
        m_fromRoot[static_cast<unsigned char>(m_bytes[node])] = node;
}

std::uint32_t PieceTrie::find(std::string_view text) const {
    std::uint32_t number = kNone;
    prefixesOf(text, [&](std::size_t bytes, std::uint32_t found) {
        if (bytes == text.size()) number = found;
    });
    return number;
}

} // namespace headscope
