// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/tokenizer/pieces.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// A token as the model finds it in one piece.
struct ModelToken {
    std::int64_t id = 0;
    std::string_view value; ///< as the vocabulary spells it, or the piece's own text where a model says that
                            ///< of unknown text; lives as long as the model and the pieces
    std::size_t begin = 0;  ///< bytes [begin, end) of the piece, not empty; may reach beyond it (Bpe)
    std::size_t end = 0;
};

/// Receives a piece and its tokens, which are gone after the call.
using TokenSink = std::function<void(const Piece& piece, std::span<const ModelToken> tokens)>;

/// Turns pieces of text into tokens. Immutable.
class Model {
  public:
    virtual ~Model() = default;
    /// Calls `sink` for every piece in order; one that is an added token has no tokens. What is kept from
    /// piece to piece lives within one call, so that several threads may be in here at once.
    virtual void encode(const Pieces& pieces, const TokenSink& sink) const = 0;
    virtual std::optional<std::int64_t> id(std::string_view piece) const = 0;
    virtual std::optional<std::string_view> piece(std::int64_t id) const = 0;
    virtual std::int64_t size() const = 0; ///< number of vocabulary entries
    virtual std::int64_t largestId() const = 0;
};

/// Adds a token of a piece. Throws Error where there are too many for one text.
inline void addToken(std::vector<ModelToken>& tokens, const ModelToken& token) {
    requireRoomForToken(tokens.size());
    tokens.push_back(token);
}

using ModelPtr = std::unique_ptr<const Model>;

/// Calls `sink` with what `tokensOf(view)` gives (something that converts to a span) for each piece that is
/// no added token.
template <typename TokensOf>
void encodeEach(const Pieces& pieces, const TokenSink& sink, TokensOf tokensOf) {
    for (const Piece& piece : pieces.list) {
        if (piece.token == Piece::kNoToken)
            sink(piece, tokensOf(pieces.view(piece)));
        else
            sink(piece, {});
    }
}

/// Reads the model by its "type"; in a file of the time before types, the first one that its fields fit.
/// `subject` names it in errors.
ModelPtr parseModel(const Json& json, const std::string& subject);

// One parser a type; each stands in the file of that name.
ModelPtr parseBpe(const Json& json, const std::string& subject);
ModelPtr parseUnigram(const Json& json, const std::string& subject);
ModelPtr parseWordLevel(const Json& json, const std::string& subject);
ModelPtr parseWordPiece(const Json& json, const std::string& subject);

} // namespace headscope
