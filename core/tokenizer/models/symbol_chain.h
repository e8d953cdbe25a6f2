// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/models/merge_table.h"
#include "core/tokenizer/text_limit.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace headscope {

/// One word while BPE merges its symbols. Kept from word to word, so that its memory is allocated once.
class SymbolChain {
  public:
    struct Symbol {
        std::uint32_t piece;    ///< number of a vocabulary entry
        std::uint32_t bytes;    ///< of the word; 0 once it is part of the symbol before it
        std::uint32_t previous; ///< places in symbols(), or kNone
        std::uint32_t next;
    };

    /// `most`: the symbols of a word; more are refused.
    explicit SymbolChain(std::size_t most = kMaxTextBytes) : m_most(most) {}

    /// Empties the chain, for a word of so many bytes.
    void startWord(std::size_t bytes) {
        m_symbols.clear();
        m_symbols.reserve(std::min(bytes, m_most));
    }
    void add(std::uint32_t piece, std::size_t bytes);
    /// Applies merges until none fits, always the one of the lowest rank, of several of these the leftmost.
    /// Time n log n, memory linear in the number of symbols.
    void merge(const MergeTable& merges);

    const std::vector<Symbol>& symbols() const { return m_symbols; }

  private:
    static constexpr std::uint32_t kNone = UINT32_MAX;
    /// Rank of a merge << 32 | place of its left symbol: the lowest is next.
    using Candidate = std::uint64_t;
    static constexpr Candidate kNoCandidate = UINT64_MAX;

    Candidate candidate(std::uint32_t place, const MergeTable& merges) const;
    void pushLater(std::uint32_t place, const MergeTable& merges);
    Candidate pop();

    std::size_t m_most;
    std::vector<Symbol> m_symbols;
    // Sorting what the word begins with once, and only what merges add through a heap, takes two thirds of
    // the time that one heap takes.
    std::vector<Candidate> m_first; ///< ascending
    std::size_t m_nextFirst = 0;
    std::vector<Candidate> m_later; ///< a heap
};

} // namespace headscope
