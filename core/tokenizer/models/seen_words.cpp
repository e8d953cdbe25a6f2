// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/models/seen_words.h"

#include "core/tokenizer/models/vocabulary.h"

#include <algorithm>

namespace headscope {

std::size_t SeenWords::find(std::string_view word) const {
    const std::size_t mask = m_slots.size() - 1;
    std::size_t at = PieceHash(word).value() & mask;
    while (!m_slots[at].word.empty() && m_slots[at].word != word) at = (at + 1) & mask;
    return at;
}

void SeenWords::makeRoom() {
    if (m_slots.size() < kMaxSlots && m_tokens.size() <= kMaxTokens) {
        std::vector<Slot> old(std::max<std::size_t>(2 * m_slots.size(), 64));
        old.swap(m_slots);
        for (const Slot& slot : old)
            if (!slot.word.empty()) m_slots[find(slot.word)] = slot;
        return;
    }
    std::fill(m_slots.begin(), m_slots.end(), Slot());
    m_words = 0;
    m_tokens.clear();
}

} // namespace headscope
