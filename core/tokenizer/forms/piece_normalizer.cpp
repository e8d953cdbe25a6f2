// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/forms/piece_normalizer.h"

#include "core/base/error.h"
#include "core/tokenizer/code_point.h"
#include "core/tokenizer/text_limit.h"

#include <algorithm>
#include <vector>

namespace headscope {

namespace {

std::vector<std::string_view> userDefinedPieces(const SentencePieceModel& model) {
    std::vector<std::string_view> pieces;
    for (const SentencePiece& piece : model.pieces)
        if (piece.kind == PieceKind::UserDefined) pieces.push_back(piece.text);
    return pieces;
}

/// The normalised text while it is written: ends of it can still be changed.
struct Output {
    std::string text;
    std::vector<std::uint32_t> origins; ///< one a byte

    void add(std::string_view characters, std::uint32_t origin) {
        requireNormalizedSize(text.size() + characters.size());
        text += characters;
        origins.resize(text.size(), origin);
    }
    void setLastOrigin(std::size_t bytes, std::uint32_t origin) {
        std::fill(origins.end() - static_cast<std::ptrdiff_t>(bytes), origins.end(), origin);
    }
    void removeLast(std::size_t bytes) {
        text.resize(text.size() - bytes);
        origins.resize(text.size());
    }
    NormalizedText finished() const {
        NormalizedText result;
        for (std::size_t begin = 0; begin < text.size();) {
            std::size_t end = begin + 1;
            while (end < text.size() && origins[end] == origins[begin]) ++end;
            result.append(std::string_view(text).substr(begin, end - begin), origins[begin]);
            begin = end;
        }
        return result;
    }
};

} // namespace

PieceNormalizer::PieceNormalizer(const SentencePieceModel& model, const std::string& subject)
    : m_subject(subject), m_userDefined(userDefinedPieces(model)),
      m_addsPrefix(model.addDummyPrefix && !model.treatWhitespaceAsSuffix),
      m_addsSuffix(model.addDummyPrefix && model.treatWhitespaceAsSuffix),
      m_removesExtra(model.removeExtraWhitespaces), m_space(model.escapeWhitespaces ? "▁" : " ") {
    if (!model.charsmap.empty()) m_rules.emplace(model.charsmap, subject);
}

std::size_t PieceNormalizer::userDefined(std::string_view text) const {
    std::size_t longest = 0;
    m_userDefined.prefixesOf(text, [&](std::size_t bytes, std::uint32_t) { longest = bytes; });
    return longest;
}

PieceNormalizer::Chunk PieceNormalizer::chunkAt(std::string_view text) const {
    if (const std::size_t bytes = userDefined(text); bytes > 0) return {bytes, text.substr(0, bytes)};
    if (m_rules) {
        if (const auto rule = m_rules->longestRule(text)) {
            if (rule->bytes < text.size() && isContinuationByte(text[rule->bytes]))
                fail(m_subject, "a rule that ends inside a character");
            return {rule->bytes, rule->replacement};
        }
    }
    const std::size_t bytes = utf8Length(text[0]);
    return {bytes, text.substr(0, bytes)};
}

NormalizedText PieceNormalizer::normalized(const NormalizedText& text) const {
    const std::string_view typed = text.text();
    std::size_t at = 0;
    std::optional<std::uint32_t> lastSpace; // of those at the start
    while (m_removesExtra && at < typed.size()) {
        const Chunk chunk = chunkAt(typed.substr(at));
        if (chunk.becomes != " ") break;
        at += chunk.bytes;
        lastSpace = text.origin(at - 1);
    }
    Output out;
    if (at == typed.size()) return out.finished();
    if (m_addsPrefix) out.add(m_space, lastSpace.value_or(text.origin(at)));

    bool isBehindSpace = m_removesExtra;
    while (at < typed.size()) {
        const Chunk chunk = chunkAt(typed.substr(at));
        std::string_view becomes = chunk.becomes;
        const std::size_t end = at + chunk.bytes;
        // Surplus characters stand where the last one of the chunk does.
        std::size_t source = at;
        const auto nextSource = [&] {
            const std::size_t next = source + utf8Length(typed[source]);
            if (next < end) source = next;
        };
        while (isBehindSpace && becomes.starts_with(' ')) {
            if (out.text.ends_with(m_space)) out.setLastOrigin(m_space.size(), text.origin(source));
            becomes.remove_prefix(1);
            nextSource();
        }
        if (!becomes.empty()) isBehindSpace = becomes.ends_with(' ');
        while (!becomes.empty()) {
            const std::size_t bytes = utf8Length(becomes[0]);
            const std::string_view character = becomes.substr(0, bytes);
            out.add(character == " " ? m_space : character, text.origin(source));
            becomes.remove_prefix(bytes);
            nextSource();
        }
        at = end;
        isBehindSpace = isBehindSpace && m_removesExtra;
    }
    std::optional<std::uint32_t> removed;
    while (m_removesExtra && out.text.ends_with(m_space)) {
        removed = removed.value_or(out.origins.back());
        out.removeLast(m_space.size());
    }
    if (m_addsSuffix) out.add(m_space, removed.value_or(text.origin(typed.size() - 1)));
    return out.finished();
}

} // namespace headscope
