// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/models/vocabulary.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace headscope {

/// The merges of a BPE model: which two pieces become one, and in what order of precedence. Pieces are
/// numbers of vocabulary entries; ranks count from 0, the lowest goes first.
class MergeTable {
  public:
    static constexpr std::uint32_t kNone = UINT32_MAX;

    /// From the list of pairs, ["a","b"] each or "a b" each. Both pieces and the one they make, which is the
    /// second without its first `prefixBytes` bytes behind the first, must be in the vocabulary; a pair that
    /// stands twice has the later rank. Throws Error for anything else.
    MergeTable(const Json& list, const Vocabulary& vocabulary, std::size_t prefixBytes,
               const std::string& subject);

    /// Rank of a pair, or kNone.
    std::uint32_t rank(std::uint32_t left, std::uint32_t right) const {
        for (std::size_t slot = firstSlot(left, right);; slot = (slot + 1) & m_mask) {
            const Slot& at = m_slots[slot];
            if (at.rank == kNone || (at.left == left && at.right == right)) return at.rank;
        }
    }
    /// The piece that the merge of this rank makes.
    std::uint32_t joined(std::uint32_t rank) const { return m_joined[rank]; }

  private:
    struct Slot {
        std::uint32_t left = 0;
        std::uint32_t right = 0;
        std::uint32_t rank = kNone; ///< kNone in a free slot
    };

    void add(std::uint32_t left, std::uint32_t right, std::uint32_t joined);
    std::size_t firstSlot(std::uint32_t left, std::uint32_t right) const {
        return static_cast<std::size_t>((std::uint64_t{left} << 32 | right) * m_multiplier >> m_shift);
    }

    std::vector<Slot> m_slots; ///< open addressing, a power of two, at most half full
    std::vector<std::uint32_t> m_joined;
    std::size_t m_mask = 0;
    std::uint64_t m_multiplier = hashSeed() | 1;
    int m_shift = 0;
};

} // namespace headscope
