// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/pipeline.h"

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/tokenizer/byte_characters.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headscope {

void requireText(std::string_view text, const std::string& subject) {
    if (text.size() > kMaxTextBytes)
        fail(subject, fmt::format("{} bytes", text.size()),
             fmt::format("expected at most {} (64 MB)", kMaxTextBytes), "use a shorter text");
    if (const std::optional<std::size_t> offset = firstInvalidUtf8(text))
        throw Error({.subject = subject,
                     .found = "not valid UTF-8",
                     .expected = {},
                     .hint = "save it as UTF-8",
                     .byteOffset = *offset});
}

namespace {

[[noreturn]] void refuseSpellings() {
    fail("the text", fmt::format("tokens whose spellings have more than {} MB", kMaxSpelledBytes / 1'000'000),
         "expected at most that", "use a shorter text");
}

/// Where a model's tokens stand in the original text.
class TokenPlaces {
  public:
    TokenPlaces(const Pieces& pieces, std::string_view original) : m_pieces(pieces), m_original(original) {}

    /// For a token of [begin, end) of the piece, not empty.
    Span of(const Piece& piece, std::size_t begin, std::size_t end) {
        if (piece.begin + end <= piece.end)
            return m_pieces.buffer.span(piece.begin + begin, piece.begin + end);
        return beyond(begin, end);
    }

  private:
    /// A token that ends beyond its piece: the library takes bytes of the piece for bytes of the text then,
    /// and bytes for code points where those lie beyond the text too.
    Span beyond(std::size_t begin, std::size_t end) {
        if (!m_codePoints) m_codePoints.emplace(m_original, 0);
        const auto codePoint = [&](std::size_t byte) { return std::int64_t{m_codePoints->origin(byte)}; };
        const std::size_t size = m_codePoints->size();
        if (begin >= size) return {static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end)};
        if (end < size) return {codePoint(begin), codePoint(end)};
        if (end == size) return {codePoint(begin), codePoint(end - 1) + 1};
        return {codePoint(begin), codePoint(begin) + 2};
    }

    const Pieces& m_pieces;
    std::string_view m_original;
    std::optional<NormalizedText> m_codePoints; ///< the original text, once it is needed
};

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
        lists.push_back(tokens(mine, *one, static_cast<std::int32_t>(lists.size())));
    }
    const PostProcessorPtr& postProcessor = options.target && m_stages.targetPostProcessor
                                                ? m_stages.targetPostProcessor
                                                : m_stages.postProcessor;
    if (postProcessor) lists = postProcessor->process(std::move(lists), options.addSpecial);

    std::vector<Token> result;
    std::size_t count = 0;
    for (const TokenList& list : lists) count += list.size();
    if (count > kMaxTokens) refuseTokens();
    result.reserve(count);
    std::size_t spelled = 0;
    for (TokenList& list : lists) {
        for (const EncodedToken& token : list) {
            const std::string_view spelling = spellingOf(token);
            spelled += spelling.size();
            if (spelled > kMaxSpelledBytes) refuseSpellings();
            result.push_back(finished(token, spelling));
        }
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

TokenList Pipeline::tokens(const Pieces& pieces, std::string_view original, std::int32_t textNumber) const {
    TokenList result;
    TokenPlaces places(pieces, original);
    const auto add = [&](const Piece& piece, const ModelToken& token) {
        EncodedToken encoded;
        encoded.id = token.id;
        encoded.value = token.value;
        const Span span = places.of(piece, token.begin, token.end);
        encoded.start = span.begin;
        encoded.end = span.end;
        encoded.added = piece.token != Piece::kNoToken;
        encoded.text = textNumber;
        encoded.typeId = textNumber;
        requireRoomForToken(result.size());
        result.push_back(encoded);
    };
    m_stages.model->encode(pieces, [&](const Piece& piece, std::span<const ModelToken> tokens) {
        if (piece.token != Piece::kNoToken)
            add(piece, {piece.token, pieces.view(piece), 0, piece.end - piece.begin});
        for (const ModelToken& token : tokens) add(piece, token);
    });
    return result;
}

std::string_view Pipeline::spellingOf(const EncodedToken& token) const {
    if (token.added) return m_stages.added.find(token.id)->content;
    return token.special ? token.value : *m_stages.model->piece(token.id);
}

Token Pipeline::finished(const EncodedToken& token, std::string_view spelling) {
    Token result;
    result.id = token.id;
    result.piece = spelling;
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

std::optional<std::string> Pipeline::bytes(std::int64_t id) const {
    if (!m_stages.isByteLevel || m_stages.added.find(id) != nullptr) return std::nullopt;
    const std::optional<std::string_view> piece = m_stages.model->piece(id);
    return piece ? bytesOfByteCharacters(*piece) : std::nullopt;
}

std::int64_t Pipeline::idLimit() const {
    std::int64_t largest = m_stages.model->largestId();
    if (!m_stages.added.byId().empty()) largest = std::max(largest, m_stages.added.byId().rbegin()->first);
    return largest + 1;
}

} // namespace headscope
