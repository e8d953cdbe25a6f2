// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/models/model.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace headscope {

/// The tokens of words that came before in the same text: most words of a text come again, and looking one up
/// costs a fraction of computing it. Bounded: when it is full it starts anew. Views the text.
class SeenWords {
  public:
    /// The tokens of `word`, with places inside of it; those of a word not seen yet (or too long to be kept)
    /// are what `compute(word, out)` adds to `out`. Valid until the next call.
    template <typename Compute>
    std::span<const ModelToken> tokens(std::string_view word, Compute compute) {
        if (word.size() > kLongestWord) {
            m_long.clear();
            compute(word, m_long);
            return m_long;
        }
        if (2 * (m_words + 1) > m_slots.size() || m_tokens.size() > kMaxTokens) makeRoom();
        Slot& slot = m_slots[find(word)];
        if (slot.word.empty()) {
            const std::size_t first = m_tokens.size();
            compute(word, m_tokens);
            slot = {word, static_cast<std::uint32_t>(first),
                    static_cast<std::uint32_t>(m_tokens.size() - first)};
            ++m_words;
        }
        return std::span(m_tokens).subspan(slot.first, slot.count);
    }

  private:
    static constexpr std::size_t kLongestWord = 64; ///< bytes
    static constexpr std::size_t kMaxSlots = std::size_t{1} << 15;
    static constexpr std::size_t kMaxTokens = std::size_t{1} << 17;

    struct Slot {
        std::string_view word; ///< empty in a free slot
        std::uint32_t first = 0;
        std::uint32_t count = 0;
    };

    std::size_t find(std::string_view word) const;
    void makeRoom();

    std::vector<Slot> m_slots; ///< open addressing, a power of two, at most half full
    std::size_t m_words = 0;
    std::vector<ModelToken> m_tokens; ///< of all words seen, one behind the other
    std::vector<ModelToken> m_long;   ///< of the last word that was too long
};

} // namespace headscope
