// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/analysis.h"
#include "core/analysis/length_policy.h"

#include <fmt/format.h>

namespace headscope {

namespace {

/// Ids fed as given: nothing is added, so nothing has a span; special is what the vocabulary says.
std::vector<Token> tokensOfIds(const OpenModel& model, const std::vector<std::int64_t>& ids) {
    if (ids.empty()) fail("ids", "there are none", "expected at least one");
    std::vector<Token> tokens;
    const std::int64_t limit = model.spec().vocabularySize;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (ids[i] < 0 || ids[i] >= limit)
            fail("ids", fmt::format("{} at position {} is outside the model's vocabulary", ids[i], i),
                 fmt::format("expected 0 to {}", limit - 1));
        Token token;
        token.id = ids[i];
        if (model.tokenizer) {
            token.piece = model.tokenizer->piece(ids[i]).value_or("");
            token.special = model.tokenizer->isSpecial(ids[i]);
        }
        token.text = 0; // for the length policy; nothing of it stands in a text, which is said below
        tokens.push_back(std::move(token));
    }
    return tokens;
}

std::vector<Token> tokensOfText(const OpenModel& model, const TextInput& input) {
    if (!model.tokenizer)
        fail(escapeForMessage(model.name), "the folder has no tokenizer.json, so no text can be read", {},
             "add the file, or give token ids (--ids)");
    EncodeOptions options;
    options.addSpecial = input.addSpecial;
    std::optional<std::string_view> pair;
    if (input.pair) pair = *input.pair;
    std::vector<Token> tokens = model.tokenizer->encode(input.text, pair, options);
    const std::int64_t limit = model.spec().vocabularySize;
    for (const Token& token : tokens)
        if (token.id < 0 || token.id >= limit)
            fail("tokenizer.json",
                 fmt::format("it gives \"{}\" the id {}", escapeForMessage(token.piece, 40), token.id),
                 fmt::format("expected 0 to {}, the model's vocabulary", limit - 1),
                 "the tokenizer and the weights belong to different models");
    return tokens;
}

TruncationSide sideOf(const OpenModel& model) {
    const Json* side = model.checkpoint.tokenizerConfig
                           ? model.checkpoint.tokenizerConfig->find("truncation_side")
                           : nullptr;
    return side != nullptr && side->isString() && side->asString() == "left" ? TruncationSide::Left
                                                                             : TruncationSide::Right;
}

} // namespace

TokenizedText tokenizeText(const OpenModel& model, const TextInput& input) {
    TokenizedText result;
    std::vector<Token> tokens = input.ids ? tokensOfIds(model, *input.ids) : tokensOfText(model, input);
    if (tokens.empty())
        fail("text", "it has no tokens", "expected at least one",
             "type something, or let special tokens be added");
    result.fullLength = static_cast<std::int64_t>(tokens.size());
    result.limit = model.spec().maxPositions;
    const bool hasPair = input.pair && !input.ids;
    if (input.length == LengthPolicy::Piece && hasPair)
        fail("piece", "pieces are made of a single text, and there is a second one (--pair)", {},
             "truncate instead (--truncate), or leave the second text out");
    if (result.limit) {
        if (!hasPair) result.pieces = pieceCount(countTokens(tokens), *result.limit);
        if (input.length == LengthPolicy::Truncate) tokens = truncated(tokens, *result.limit, sideOf(model));
        if (input.length == LengthPolicy::Piece) tokens = piece(tokens, *result.limit, input.piece);
    } else if (input.length == LengthPolicy::Piece && input.piece != 0) {
        fail("piece", fmt::format("there is no piece {}", input.piece),
             "expected 0: this model has no position limit");
    }
    std::vector<std::string> texts;
    if (input.ids) {
        for (Token& token : tokens) token.text = -1;
    } else {
        texts.push_back(input.text);
        if (input.pair) texts.push_back(*input.pair);
    }
    result.axis = std::make_shared<Axis>(makeAxis(tokens, std::move(texts), model.tokenizer.get()));
    result.tokens = std::move(tokens);
    return result;
}

} // namespace headscope
