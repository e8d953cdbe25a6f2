// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <string_view>

namespace headscope {

/// The pieces "<0x00>" to "<0xFF>" that stand for single bytes of text that is in no piece; a vocabulary may
/// lack some.
class BytePieces {
  public:
    static constexpr std::uint32_t kNone = UINT32_MAX;

    /// `find` gives the number of a piece, or kNone.
    template <typename Find>
    explicit BytePieces(Find find) {
        for (std::size_t byte = 0; byte < m_pieces.size(); ++byte)
            m_pieces[byte] = find(fmt::format("<0x{:02X}>", byte));
    }

    /// Whether there is a piece for every byte of `text`.
    bool spell(std::string_view text) const {
        for (const char byte : text)
            if (piece(byte) == kNone) return false;
        return true;
    }
    std::uint32_t piece(char byte) const { return m_pieces[static_cast<unsigned char>(byte)]; }

  private:
    std::array<std::uint32_t, 256> m_pieces{};
};

} // namespace headscope
