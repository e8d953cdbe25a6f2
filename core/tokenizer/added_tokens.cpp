// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/added_tokens.h"

#include "core/base/error.h"
#include "core/tokenizer/code_point.h"
#include "core/tokenizer/unicode_tables.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace headscope {

namespace {

bool wordBefore(std::string_view text, std::size_t at) {
    return at > 0 && unicode::isWord(decodeCodePointBefore(text, at).value);
}

bool wordAt(std::string_view text, std::size_t at) {
    return at < text.size() && unicode::isWord(decodeCodePoint(text, at).value);
}

/// Where the white space that ends at `at` begins, not before `limit`.
std::size_t spaceBegin(std::string_view text, std::size_t at, std::size_t limit) {
    while (at > limit) {
        const DecodedCodePoint c = decodeCodePointBefore(text, at);
        if (!unicode::isWhiteSpace(c.value)) break;
        at -= c.bytes;
    }
    return at;
}

/// Where the white space that begins at a place ends. Remembers the last run: tokens may be found inside of
/// it.
class SpaceEnd {
  public:
    explicit SpaceEnd(std::string_view text) : m_text(text) {}

    std::size_t operator()(std::size_t at) {
        if (at >= m_begin && at < m_end) return m_end;
        m_begin = at;
        m_end = at;
        while (m_end < m_text.size()) {
            const DecodedCodePoint c = decodeCodePoint(m_text, m_end);
            if (!unicode::isWhiteSpace(c.value)) break;
            m_end += c.bytes;
        }
        return m_end;
    }

  private:
    std::string_view m_text;
    std::size_t m_begin = 0;
    std::size_t m_end = 0;
};

/// A token that cannot be normalised is no fault of a text.
void normalizeContent(NormalizedText& content, const Normalizer& normalizer) {
    const std::string spelled = content.text();
    try {
        normalizer.normalize(content);
    } catch (const Error& error) {
        ErrorParts parts = error.parts();
        if (parts.subject != "the text") throw;
        parts.subject = fmt::format("the added token \"{}\"", escapeForMessage(spelled, 40));
        throw Error(std::move(parts));
    }
}

/// Each of them may become as long as a text.
[[noreturn]] void refuseContents() {
    fail("the added tokens",
         fmt::format("more than {} MB after normalisation", kMaxNormalizedBytes / 1'000'000),
         "expected at most that, all together");
}

[[noreturn]] void refuseCut(const AddedToken& token, const char* why) {
    fail("the text", fmt::format("the added token \"{}\" {}", escapeForMessage(token.content, 40), why), {},
         "the tokenizers library stops at this too: change the text, or give it as token ids with --ids");
}

} // namespace

void AddedTokens::add(std::span<const AddedToken> tokens, const Model& model, const Normalizer* normalizer) {
    for (const AddedToken& token : tokens)
        if (token.special && !token.content.empty() && m_specialContents.insert(token.content).second)
            m_special.push_back(token);

    std::int64_t next = model.size();
    if (!m_byId.empty()) next = std::max(next, m_byId.rbegin()->first + 1);
    std::set<AddedToken> existing;
    for (const auto& [id, token] : m_byId) existing.insert(token);
    for (const AddedToken& token : tokens) {
        if (token.content.empty() || !existing.insert(token).second) continue;
        const auto known = m_ids.find(token.content);
        std::optional<std::int64_t> id = known != m_ids.end() ? known->second : model.id(token.content);
        if (!id) id = next++;
        m_ids[token.content] = *id;
        m_byId[*id] = token;
        if (!m_specialContents.contains(token.content)) m_ordinary.push_back(token);
    }
    rebuildPatterns(normalizer);
}

void AddedTokens::rebuildPatterns(const Normalizer* normalizer) {
    std::vector<PatternSet::Pattern> typed;
    std::vector<PatternSet::Pattern> normalized;
    std::size_t bytes = 0;
    for (const std::vector<AddedToken>* tokens : {&m_special, &m_ordinary}) {
        for (const AddedToken& token : *tokens) {
            NormalizedText content(token.content, 0);
            if (token.normalized && normalizer != nullptr) normalizeContent(content, *normalizer);
            bytes += content.size();
            if (bytes > kMaxNormalizedBytes) refuseContents();
            (token.normalized ? normalized : typed).push_back({content.text(), m_ids.at(token.content)});
        }
    }
    m_typedPatterns = PatternSet(typed);
    m_normalizedPatterns = PatternSet(normalized);
}

std::vector<Piece> AddedTokens::cut(std::string_view text, const PatternSet& patterns) const {
    std::vector<Piece> pieces;
    const auto addPiece = [&](std::size_t begin, std::size_t end, std::int64_t token) {
        if (begin >= end) return;
        requireRoomForToken(pieces.size());
        pieces.push_back({begin, end, token});
    };
    SpaceEnd spaceEnd(text);
    PatternSet::Search search(patterns, text);
    std::size_t done = 0;                // end of the last cut, white space included
    std::optional<std::size_t> matchEnd; // end of the last match, refused ones included
    for (std::size_t at = 0; !patterns.empty() && at <= text.size();) {
        const std::optional<PatternSet::Match> match = search.longestAt(at);
        if (!match || (match->end == at && matchEnd == at)) {
            ++at;
            continue;
        }
        std::size_t begin = at;
        std::size_t end = match->end;
        at = end;
        matchEnd = end;
        const AddedToken& token = m_byId.at(match->value);
        if (m_splitSpecial && m_specialContents.contains(token.content)) continue;
        if (begin < text.size() && isContinuationByte(text[begin]))
            refuseCut(token, "normalises to nothing and is found inside a character");
        if (token.singleWord && (wordBefore(text, begin) || wordAt(text, end))) continue;
        if (token.lstrip) begin = begin > done ? spaceBegin(text, begin, done) : done;
        if (token.rstrip) end = spaceEnd(end);
        if (begin > end) refuseCut(token, "is found in white space that another one has taken");
        addPiece(done, begin, Piece::kNoToken);
        addPiece(begin, end, match->value);
        done = end;
    }
    addPiece(done, text.size(), Piece::kNoToken);
    return pieces;
}

std::optional<std::int64_t> AddedTokens::id(std::string_view content) const {
    const auto at = m_ids.find(content);
    return at == m_ids.end() ? std::nullopt : std::optional(at->second);
}

const AddedToken* AddedTokens::find(std::int64_t id) const {
    const auto at = m_byId.find(id);
    return at == m_byId.end() ? nullptr : &at->second;
}

bool AddedTokens::isSpecial(std::int64_t id) const {
    const AddedToken* token = find(id);
    return token != nullptr && m_specialContents.contains(token->content);
}

} // namespace headscope
