// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/forms/slow_tokens.h"

namespace headscope {

SlowTokens::SlowTokens(PieceMap<std::int64_t> vocabulary, TokensById added, const SpecialTokens& special,
                       Precedence precedence)
    : m_byId(std::move(added)) {
    // Where two ids have one content, the one that came last counts, and in the vocabulary the larger one.
    for (const auto& [id, named] : m_byId.inOrder()) m_ids[named.token.content] = id;
    PieceMap<std::int64_t> declared;
    for (const auto& [id, named] : m_byId.sorted()) declared[named.token.content] = id;
    for (const auto& [content, id] : declared) {
        const auto at = vocabulary.try_emplace(content, id).first;
        if (precedence == Precedence::Added) at->second = id;
    }
    auto next = static_cast<std::int64_t>(vocabulary.size());
    for (NamedToken named : special.all()) {
        const std::string& content = named.token.content;
        if (content.empty() || (!named.isObject && m_ids.contains(content))) continue;
        const auto [at, isNew] = vocabulary.try_emplace(content, next);
        if (isNew) ++next;
        m_ids[content] = at->second;
        named.token.special = true;
        m_byId.set(at->second, named);
    }
}

std::optional<std::int64_t> SlowTokens::id(std::string_view content) const {
    const auto at = m_ids.find(content);
    return at == m_ids.end() ? std::nullopt : std::optional(at->second);
}

PieceMap<std::int64_t> vocabularyById(const std::vector<std::string_view>& pieces, const TokensById& added) {
    PieceMap<std::int64_t> vocabulary;
    vocabulary.reserve(pieces.size());
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const NamedToken* named = added.find(static_cast<std::int64_t>(i));
        const std::string_view piece = named == nullptr ? pieces[i] : named->token.content;
        vocabulary[std::string(piece)] = static_cast<std::int64_t>(i);
    }
    return vocabulary;
}

} // namespace headscope
