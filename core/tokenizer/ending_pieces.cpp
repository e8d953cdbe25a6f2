// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/ending_pieces.h"

namespace headscope {

EndingPieces::EndingPieces(std::span<const std::string_view> pieces)
    : m_trie(pieces), m_shorter(m_trie.nodes(), kStart), m_longest(m_trie.nodes(), kNone) {
    // Shorter prefixes have lower numbers, so that all that a node needs is there before it.
    for (std::uint32_t parent = 0; parent < m_trie.nodes(); ++parent)
        for (std::uint32_t node = m_trie.firstChild(parent); node < m_trie.firstChild(parent + 1); ++node) {
            if (parent != kStart) m_shorter[node] = next(m_shorter[parent], m_trie.byteOf(node));
            const std::uint32_t own = m_trie.number(node);
            m_longest[node] = own != kNone ? own : m_longest[m_shorter[node]];
        }
}

} // namespace headscope
