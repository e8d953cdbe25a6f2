// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/models/piece_trie.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace headscope {

/// Finds, while it reads a text byte by byte, the longest piece of a list that ends behind each (Aho and
/// Corasick). A text takes time linear in its bytes, whatever the pieces. Immutable; 17 bytes for each
/// different prefix of a piece.
class EndingPieces {
  public:
    static constexpr std::uint32_t kNone = PieceTrie::kNone;
    static constexpr std::uint32_t kStart = 0; ///< the state before a text

    /// Numbers as those of PieceTrie.
    explicit EndingPieces(std::span<const std::string_view> pieces);

    /// The state behind `byte`.
    std::uint32_t next(std::uint32_t state, char byte) const {
        for (;; state = m_shorter[state]) {
            const std::uint32_t node = m_trie.next(state, byte);
            if (node != kNone) return node;
            if (state == kStart) return kStart;
        }
    }
    /// Number of the longest piece that ends here, or kNone.
    std::uint32_t longest(std::uint32_t state) const { return m_longest[state]; }

  private:
    PieceTrie m_trie;
    /// A state is the longest prefix of a piece that the text ends with; this is the next shorter one.
    std::vector<std::uint32_t> m_shorter;
    std::vector<std::uint32_t> m_longest;
};

} // namespace headscope
