// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/pipeline.h"

#include "core/base/error.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headscope {

namespace {

void requireText(std::string_view text, const std::string& subject) {
    if (text.size() > Pipeline::kMaxTextBytes)
        fail(subject, fmt::format("{} bytes", text.size()),
             fmt::format("expected at most {} (64 MB)", Pipeline::kMaxTextBytes), "use a shorter text");
    if (const std::optional<std::size_t> offset = firstInvalidUtf8(text))
        throw Error({.subject = subject,
                     .found = "not valid UTF-8",
                     .expected = {},
                     .hint = "save it as UTF-8",
                     .byteOffset = *offset});
}

} // namespace

std::vector<Token> Pipeline::encode(std::string_view text, std::optional<std::string_view> pair,
                                    const EncodeOptions& options) const {
    requireText(text, "the text");
    if (pair) requireText(*pair, "the second text");

    // Tokens view these until they are finished.
    std::array<Pieces, 2> pieces;
    std::vector<TokenList> lists;
    for (const std::optional<std::string_view> one : {std::optional(text), pair}) {
        if (!one) continue;
        Pieces& mine = pieces[lists.size()];
        mine = normalizedPieces(*one);
        if (m_stages.preTokenizer) m_stages.preTokenizer->split(mine);
        lists.push_back(tokens(mine, static_cast<std::int32_t>(lists.size())));
    }
    if (m_stages.postProcessor) lists = m_stages.postProcessor->process(std::move(lists), options.addSpecial);

    std::vector<Token> result;
    std::size_t count = 0;
    for (const TokenList& list : lists) count += list.size();
    result.reserve(count);
    for (TokenList& list : lists) {
        for (const EncodedToken& token : list) result.push_back(finished(token));
        list = {}; // a long text's tokens are not held twice for longer than needed
    }
    return result;
}

Pieces Pipeline::normalizedPieces(std::string_view text) const {
    Pieces result;
    std::size_t begin = 0;    // of the last piece; pieces of added tokens may overlap,
    std::uint32_t number = 0; // so code points are counted from one beginning to the next
    for (const Piece& typed : m_stages.added.cutTyped(text)) {
        if (typed.begin >= begin)
            number += static_cast<std::uint32_t>(countCodePoints(text.substr(begin, typed.begin - begin)));
        else
            number -=
                static_cast<std::uint32_t>(countCodePoints(text.substr(typed.begin, begin - typed.begin)));
        begin = typed.begin;

        NormalizedText piece(text.substr(typed.begin, typed.end - typed.begin), number);
        std::vector<Piece> cuts = {{0, piece.size(), typed.token}};
        if (typed.token == Piece::kNoToken) {
            if (m_stages.normalizer) m_stages.normalizer->normalize(piece);
            cuts = m_stages.added.cutNormalized(piece.text());
        }
        const std::size_t base = result.buffer.size();
        if (base == 0)
            result.buffer = std::move(piece);
        else
            result.buffer.append(piece, 0, piece.size());
        for (const Piece& cut : cuts) result.list.push_back({base + cut.begin, base + cut.end, cut.token});
    }
    return result;
}

TokenList Pipeline::tokens(const Pieces& pieces, std::int32_t textNumber) const {
    TokenList result;
    std::vector<ModelToken> found;
    const auto add = [&](const ModelToken& token, std::size_t base, bool isAdded) {
        EncodedToken encoded;
        encoded.id = token.id;
        encoded.value = token.value;
        const Span span = pieces.buffer.span(base + token.begin, base + token.end);
        encoded.start = span.begin;
        encoded.end = span.end;
        encoded.added = isAdded;
        encoded.text = textNumber;
        encoded.typeId = textNumber;
        result.push_back(encoded);
    };
    for (const Piece& piece : pieces.list) {
        if (piece.token != Piece::kNoToken) {
            add({piece.token, pieces.view(piece), 0, piece.end - piece.begin}, piece.begin, true);
            continue;
        }
        found.clear();
        m_stages.model->encode(pieces.view(piece), found);
        for (const ModelToken& token : found) add(token, piece.begin, false);
    }
    return result;
}

Token Pipeline::finished(const EncodedToken& token) const {
    Token result;
    result.id = token.id;
    result.piece = token.added ? m_stages.added.find(token.id)->content : std::string(token.value);
    result.start = token.start;
    result.end = token.end;
    result.special = token.special;
    result.text = token.text;
    result.typeId = token.typeId;
    return result;
}

std::optional<std::string> Pipeline::piece(std::int64_t id) const {
    if (const AddedToken* token = m_stages.added.find(id)) return token->content;
    const std::optional<std::string_view> piece = m_stages.model->piece(id);
    return piece ? std::optional(std::string(*piece)) : std::nullopt;
}

std::optional<std::int64_t> Pipeline::id(std::string_view piece) const {
    const std::optional<std::int64_t> added = m_stages.added.id(piece);
    return added ? added : m_stages.model->id(piece);
}

std::int64_t Pipeline::idLimit() const {
    std::int64_t largest = m_stages.model->largestId();
    if (!m_stages.added.byId().empty()) largest = std::max(largest, m_stages.added.byId().rbegin()->first);
    return largest + 1;
}

} // namespace headscope
