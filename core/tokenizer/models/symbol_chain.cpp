// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/models/symbol_chain.h"

#include "core/base/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace headscope {

void SymbolChain::add(std::uint32_t piece, std::size_t bytes) {
    if (m_symbols.size() == m_most)
        fail("the text", fmt::format("a word of more than {} symbols", m_most), "expected at most that",
             "use a shorter text");
    const auto place = static_cast<std::uint32_t>(m_symbols.size());
    if (place > 0) m_symbols.back().next = place;
    m_symbols.push_back({piece, static_cast<std::uint32_t>(bytes), place > 0 ? place - 1 : kNone, kNone});
}

SymbolChain::Candidate SymbolChain::candidate(std::uint32_t place, const MergeTable& merges) const {
    const Symbol& left = m_symbols[place];
    const std::uint32_t rank = merges.rank(left.piece, m_symbols[left.next].piece);
    return rank == MergeTable::kNone ? kNoCandidate : Candidate{rank} << 32 | place;
}

void SymbolChain::pushLater(std::uint32_t place, const MergeTable& merges) {
    const Candidate added = candidate(place, merges);
    if (added == kNoCandidate) return;
    m_later.push_back(added);
    std::push_heap(m_later.begin(), m_later.end(), std::greater<>());
}

SymbolChain::Candidate SymbolChain::pop() {
    const Candidate first = m_nextFirst < m_first.size() ? m_first[m_nextFirst] : kNoCandidate;
    if (m_later.empty() || first < m_later.front()) {
        ++m_nextFirst;
        return first;
    }
    const Candidate later = m_later.front();
    std::pop_heap(m_later.begin(), m_later.end(), std::greater<>());
    m_later.pop_back();
    return later;
}

void SymbolChain::merge(const MergeTable& merges) {
    m_first.clear();
    m_later.clear();
    m_nextFirst = 0;
    for (std::uint32_t place = 0; place + std::size_t{1} < m_symbols.size(); ++place)
        if (const Candidate first = candidate(place, merges); first != kNoCandidate) m_first.push_back(first);
    std::sort(m_first.begin(), m_first.end());

    for (Candidate next = pop(); next != kNoCandidate; next = pop()) {
        const auto place = static_cast<std::uint32_t>(next);
        Symbol& left = m_symbols[place];
        if (left.bytes == 0 || left.next == kNone) continue;
        Symbol& right = m_symbols[left.next];
        // The symbols may have changed since. The library looks at the piece that comes out, not at the rank.
        const std::uint32_t rank = merges.rank(left.piece, right.piece);
        const std::uint32_t joined = merges.joined(static_cast<std::uint32_t>(next >> 32));
        if (rank == MergeTable::kNone || merges.joined(rank) != joined) continue;

        left.piece = joined;
        left.bytes += right.bytes;
        left.next = right.next;
        right.bytes = 0;
        if (left.next != kNone) m_symbols[left.next].previous = place;
        if (left.previous != kNone) pushLater(left.previous, merges);
        if (left.next != kNone) pushLater(place, merges);
    }
}

} // namespace headscope
