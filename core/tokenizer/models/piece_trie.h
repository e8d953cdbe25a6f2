// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace headscope {

/// Finds all pieces of a list that begin at one place of a text. Immutable; 9 bytes for each different prefix
/// of a piece.
class PieceTrie {
  public:
    static constexpr std::uint32_t kNone = UINT32_MAX;
    static constexpr std::size_t kMaxBytes = UINT32_MAX - 2; ///< of all pieces together

    /// `pieces[n]` has the number n; of equal ones the last counts. An empty one is never found. Keeps
    /// nothing of the list.
    explicit PieceTrie(std::span<const std::string_view> pieces);

    /// Calls `found(bytes, number)` for every piece that `text` starts with, from the shortest on.
    template <typename Found>
    void prefixesOf(std::string_view text, Found found) const {
        std::uint32_t node = 0;
        for (std::size_t at = 0; at < text.size(); ++at) {
            node = next(node, text[at]);
            if (node == kNone) return;
            if (m_numbers[node] != kNone) found(at + 1, m_numbers[node]);
        }
    }

    /// Number of the piece that is spelled `text`, or kNone.
    std::uint32_t find(std::string_view text) const;

    // The nodes, for other ways of searching: each prefix of a piece is one, numbered by length; 0 is the
    // root.
    std::uint32_t nodes() const { return static_cast<std::uint32_t>(m_numbers.size()); }
    /// The node that `byte` leads to, or kNone.
    std::uint32_t next(std::uint32_t node, char byte) const {
        return node == 0 ? m_fromRoot[static_cast<unsigned char>(byte)] : child(node, byte);
    }
    std::uint32_t number(std::uint32_t node) const { return m_numbers[node]; } ///< of the piece, or kNone
    /// Where a node's children begin; they end where those of the next node begin.
    std::uint32_t firstChild(std::uint32_t node) const { return m_firstChild[node]; }
    char byteOf(std::uint32_t node) const { return m_bytes[node]; } ///< what leads to it

  private:
    /// The child of `node` (not the root) with that byte, or kNone.
    std::uint32_t child(std::uint32_t node, char byte) const {
        const std::uint32_t first = m_firstChild[node];
        const std::uint32_t count = m_firstChild[node + 1] - first;
        if (count == 0) return kNone;
        const void* at = std::memchr(m_bytes.data() + first, byte, count);
        if (at == nullptr) return kNone;
        return static_cast<std::uint32_t>(static_cast<const char*>(at) - m_bytes.data());
    }

    // Nodes level by level, the children of one node side by side, so that one number a node finds them.
    std::vector<std::uint32_t> m_firstChild; ///< one more than there are nodes
    std::vector<char> m_bytes;               ///< what leads to the node
    std::vector<std::uint32_t> m_numbers;    ///< of the piece that ends there, or kNone
    std::array<std::uint32_t, 256> m_fromRoot{};
};

} // namespace headscope
