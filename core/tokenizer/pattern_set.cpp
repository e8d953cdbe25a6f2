// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/pattern_set.h"

#include <algorithm>

namespace headscope {

PatternSet::PatternSet(std::span<const Pattern> patterns) {
    std::vector<std::string> texts;
    std::size_t longest = 0;
    // From the last to the first: of equal ones the trie takes the one that came last.
    for (auto at = patterns.rbegin(); at != patterns.rend(); ++at) {
        if (at->text.empty()) {
            m_empty = at->value;
            continue;
        }
        m_entries.push_back({at->text.size(), at->value});
        texts.push_back(at->text);
        longest = std::max(longest, at->text.size());
    }
    const bool isShort = longest <= kShort;
    if (!isShort)
        for (std::string& text : texts) std::reverse(text.begin(), text.end());
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    if (isShort)
        m_short = std::make_shared<PieceTrie>(views);
    else
        m_backwards = std::make_shared<EndingPieces>(views);
}

/// What begins at a place of the text ends there when the text is read from its end.
PatternSet::Search::Search(const PatternSet& set, std::string_view text) : m_set(set), m_text(text) {
    if (!set.m_backwards) return;
    std::uint32_t state = EndingPieces::kStart;
    for (std::size_t at = text.size(); at-- > 0;) {
        state = set.m_backwards->next(state, text[at]);
        const std::uint32_t entry = set.m_backwards->longest(state);
        if (entry != EndingPieces::kNone) m_found.push_back({static_cast<std::uint32_t>(at), entry});
    }
}

std::uint32_t PatternSet::Search::entryAt(std::size_t at) {
    std::uint32_t entry = PieceTrie::kNone;
    if (m_set.m_short) {
        m_set.m_short->prefixesOf(m_text.substr(at),
                                  [&](std::size_t, std::uint32_t number) { entry = number; });
        return entry;
    }
    while (!m_found.empty() && m_found.back().begin < at) m_found.pop_back();
    return m_found.empty() || m_found.back().begin != at ? entry : m_found.back().entry;
}

std::optional<PatternSet::Match> PatternSet::Search::longestAt(std::size_t at) {
    const std::uint32_t entry = m_set.m_entries.empty() ? PieceTrie::kNone : entryAt(at);
    if (entry != PieceTrie::kNone)
        return Match{at + m_set.m_entries[entry].bytes, m_set.m_entries[entry].value};
    return m_set.m_empty ? std::optional(Match{at, *m_set.m_empty}) : std::nullopt;
}

} // namespace headscope
