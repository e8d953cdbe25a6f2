// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/pattern_set.h"

namespace headscope {

void PatternSet::add(std::string_view pattern, std::int64_t value) {
    if (m_nodes.empty()) m_nodes.emplace_back();
    std::uint32_t node = 0;
    for (const char byte : pattern) {
        const auto [at, isNew] =
            m_edges.try_emplace(edge(node, byte), static_cast<std::uint32_t>(m_nodes.size()));
        if (isNew) m_nodes.emplace_back();
        node = at->second;
    }
    if (!pattern.empty()) m_firstBytes[static_cast<unsigned char>(pattern[0])] = true;
    if (!m_nodes[node].isEnd) m_nodes[node] = {true, value};
}

std::optional<PatternSet::Match> PatternSet::longestAt(std::string_view text, std::size_t at) const {
    if (m_nodes.empty()) return std::nullopt;
    std::optional<Match> longest;
    if (m_nodes[0].isEnd) longest = Match{at, m_nodes[0].value};
    if (at == text.size() || !m_firstBytes[static_cast<unsigned char>(text[at])]) return longest;
    std::uint32_t node = 0;
    for (std::size_t i = at; i < text.size(); ++i) {
        const auto next = m_edges.find(edge(node, text[i]));
        if (next == m_edges.end()) break;
        node = next->second;
        if (m_nodes[node].isEnd) longest = Match{i + 1, m_nodes[node].value};
    }
    return longest;
}

} // namespace headscope
