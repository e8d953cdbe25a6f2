// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/forms/slow_tokenizer.h"

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/tokenizer/code_point.h"
#include "core/tokenizer/pipeline.h"
#include "core/tokenizer/stage_fields.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

class SlowTokenizer : public Tokenizer {
  public:
    explicit SlowTokenizer(SlowParts parts) : m_parts(std::move(parts)) {
        for (const SlowSide* side : {&m_parts.source, &m_parts.target})
            if (side->missing.empty() && m_parts.unknown && !side->vocabulary->ids.contains(*m_parts.unknown))
                fail("vocab.json", fmt::format("there is no \"{}\"", escapeForMessage(*m_parts.unknown, 40)),
                     "expected the unknown token");
    }

    std::vector<Token> encode(std::string_view text, std::optional<std::string_view> pair,
                              const EncodeOptions& options) const override {
        const SlowSide& side = options.target ? m_parts.target : m_parts.source;
        if (!side.missing.empty())
            fail("tokenizer_config.json", side.missing, {},
                 "add it, or give the target as token ids with --target-ids");
        requireText(text, "the text");
        if (pair) requireText(*pair, "the second text");
        std::vector<Token> tokens;
        if (options.addSpecial) addSpecial(side.prefix, tokens);
        addText(side, text, 0, tokens);
        if (options.addSpecial && m_parts.endsEachText) addEnd(side, 0, tokens);
        if (pair) addText(side, *pair, 1, tokens);
        if (options.addSpecial && m_parts.endsEachText && pair) addEnd(side, 1, tokens);
        if (options.addSpecial && !m_parts.endsEachText) addSpecial(side.suffix, tokens);
        return tokens;
    }

    std::optional<std::string> piece(std::int64_t id) const override {
        if (const NamedToken* named = m_parts.added.byId().find(id)) return named->token.content;
        for (const auto& [token, number] : m_parts.languages)
            if (number == id) return token;
        const auto at = m_parts.source.vocabulary->pieces.find(id);
        return at == m_parts.source.vocabulary->pieces.end() ? std::nullopt : std::optional(at->second);
    }

    std::optional<std::int64_t> id(std::string_view piece) const override {
        if (const auto added = m_parts.added.id(piece)) return added;
        for (const PieceMap<std::int64_t>* ids : {&m_parts.languages, &m_parts.source.vocabulary->ids})
            if (const auto at = ids->find(piece); at != ids->end()) return at->second;
        return std::nullopt;
    }

    std::optional<std::string> bytes(std::int64_t id) const override {
        if (!m_parts.isBytes || m_parts.added.byId().find(id) != nullptr) return std::nullopt;
        const auto at = m_parts.source.vocabulary->pieces.find(id);
        if (at == m_parts.source.vocabulary->pieces.end()) return std::nullopt;
        return std::string(1, static_cast<char>(decodeCodePoint(at->second, 0).value));
    }

    bool isSpecial(std::int64_t id) const override {
        const NamedToken* named = m_parts.added.byId().find(id);
        return named != nullptr && named->token.special;
    }

    std::int64_t idLimit() const override {
        std::int64_t largest = -1;
        for (const SlowSide* side : {&m_parts.source, &m_parts.target})
            largest = std::max(largest, side->vocabulary->pieces.rbegin()->first);
        for (const auto& [token, id] : m_parts.languages) largest = std::max(largest, id);
        for (const auto& [id, named] : m_parts.added.byId().inOrder()) largest = std::max(largest, id);
        return largest + 1;
    }

  private:
    void addSpecial(const std::vector<std::int64_t>& ids, std::vector<Token>& tokens) const {
        for (const std::int64_t id : ids) {
            Token token;
            token.id = id;
            token.piece = piece(id).value_or("");
            token.special = true;
            tokens.push_back(std::move(token));
        }
    }

    /// Ends text `number`, unless its last token does.
    void addEnd(const SlowSide& side, int number, std::vector<Token>& tokens) const {
        const bool isEnded = !tokens.empty() && tokens.back().text == number && !side.suffix.empty() &&
                             tokens.back().id == side.suffix.back();
        if (!isEnded) addSpecial(side.suffix, tokens);
    }

    void addText(const SlowSide& side, std::string_view typed, int number, std::vector<Token>& tokens) const {
        m_parts.splitter.split(NormalizedText(typed, 0), [&](const SlowPart& part) {
            if (!part.token.empty()) {
                const Span span = part.text.span(0, part.text.size());
                addToken(tokens, found(side, {part.token, span.begin, span.end}, number));
                return;
            }
            const std::size_t language = languageBytes(part.text.text());
            if (language > 0) {
                const Span span = part.text.span(0, language);
                addToken(tokens,
                         found(side, {part.text.text().substr(0, language), span.begin, span.end}, number));
            }
            NormalizedText rest;
            rest.append(part.text, language, part.text.size());
            for (const EncodedPiece& piece : side.encoder->encode(rest))
                addToken(tokens, found(side, piece, number));
        });
    }

    static void addToken(std::vector<Token>& tokens, Token token) {
        requireRoomForToken(tokens.size());
        tokens.push_back(std::move(token));
    }

    /// Bytes of ">>xx<<" at the start.
    std::size_t languageBytes(std::string_view text) const {
        if (!m_parts.cutsLanguage || !text.starts_with(">>")) return 0;
        const std::size_t end = text.find("<<");
        return end == std::string_view::npos ? 0 : end + 2;
    }

    Token found(const SlowSide& side, const EncodedPiece& piece, int number) const {
        Token token;
        token.piece = piece.text;
        token.start = piece.start;
        token.end = piece.end;
        token.text = number;
        if (const auto added = m_parts.added.id(piece.text)) {
            token.id = *added;
            return token;
        }
        const auto language = m_parts.languages.find(piece.text);
        if (language != m_parts.languages.end()) {
            token.id = language->second;
            return token;
        }
        const PieceMap<std::int64_t>& ids = side.vocabulary->ids;
        auto at = ids.find(piece.text);
        if (at == ids.end()) {
            token.piece = m_parts.unknown.value();
            at = ids.find(token.piece);
        }
        token.id = at->second;
        return token;
    }

    SlowParts m_parts;
};

} // namespace

PieceIds::PieceIds(const Json& json, const std::string& subject) {
    if (!json.isObject())
        fail(subject, fmt::format("found {}", json.typeName()), "expected an object of pieces and ids");
    if (json.members().empty()) fail(subject, "no pieces", "expected at least one");
    for (const auto& [piece, value] : json.members())
        ids[piece] = readId(value, fmt::format("{}: \"{}\"", subject, escapeForMessage(piece, 40)));
    for (const auto& [piece, value] : json.members()) {
        if (ids[piece] != value.asInteger()) continue; // written twice
        const auto [at, isNew] = pieces.emplace(value.asInteger(), piece);
        if (!isNew && at->second != piece)
            fail(subject,
                 fmt::format("\"{}\" and \"{}\" have the same id {}", escapeForMessage(at->second, 40),
                             escapeForMessage(piece, 40), at->first),
                 "expected one id for each piece");
    }
}

SlowSplitter slowSplitter(const FormInputs& form, const SlowTokens& added) {
    const ClassSettings settings = form.settings();
    const Json* options = settings.find("sp_model_kwargs");
    if (options != nullptr && !options->isNull() && (!options->isObject() || !options->members().empty()))
        fail(ClassSettings::subjectOf("sp_model_kwargs"), "options of the sentencepiece library",
             "expected none, which is what is computed");
    std::vector<AddedToken> tokens;
    if (!settings.loose("split_special_tokens", false))
        for (const auto& [id, named] : added.byId().inOrder()) tokens.push_back(named.settled());
    return SlowSplitter(tokens);
}

std::shared_ptr<const Tokenizer> makeSlowTokenizer(SlowParts parts) {
    return std::make_shared<SlowTokenizer>(std::move(parts));
}

} // namespace headscope
