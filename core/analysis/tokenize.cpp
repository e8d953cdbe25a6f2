// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/analysis.h"
#include "core/analysis/length_policy.h"

#include <fmt/format.h>

namespace headscope {

namespace {

/// Ids fed as given: nothing is added, so nothing has a span; special is what the vocabulary says.
std::vector<Token> tokensOfIds(const OpenModel& model, const std::vector<std::int64_t>& ids,
                               std::int64_t limit, const char* subject) {
    if (ids.empty()) fail(subject, "there are none", "expected at least one");
    std::vector<Token> tokens;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (ids[i] < 0 || ids[i] >= limit)
            fail(subject, fmt::format("{} at position {} is outside the model's vocabulary", ids[i], i),
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

/// Ids must lie in the vocabulary that they are looked up in.
void requireIds(const std::vector<Token>& tokens, std::int64_t limit) {
    for (const Token& token : tokens)
        if (token.id < 0 || token.id >= limit)
            fail("tokenizer.json",
                 fmt::format("it gives \"{}\" the id {}", escapeForMessage(token.piece, 40), token.id),
                 fmt::format("expected 0 to {}, the model's vocabulary", limit - 1),
                 "the tokenizer and the weights belong to different models");
}

const Tokenizer& tokenizerOf(const OpenModel& model) {
    if (model.tokenizerProblem) throw Error(*model.tokenizerProblem);
    if (!model.tokenizer)
        fail(escapeForMessage(model.name), "the folder has no tokenizer.json, so no text can be read", {},
             "add the file, or give token ids (--ids)");
    return *model.tokenizer;
}

std::vector<Token> tokensOfText(const OpenModel& model, const TextInput& input) {
    EncodeOptions options;
    options.addSpecial = input.addSpecial;
    std::optional<std::string_view> pair;
    if (input.pair) pair = *input.pair;
    std::vector<Token> tokens = tokenizerOf(model).encode(input.text, pair, options);
    requireIds(tokens, model.spec().vocabularySize);
    return tokens;
}

TruncationSide sideOf(const OpenModel& model) {
    const Json* side = model.checkpoint.tokenizerConfig
                           ? model.checkpoint.tokenizerConfig->find("truncation_side")
                           : nullptr;
    return side != nullptr && side->isString() && side->asString() == "left" ? TruncationSide::Left
                                                                             : TruncationSide::Right;
}

/// The decoder's first token.
Token startToken(const OpenModel& model) {
    const std::optional<std::int64_t> start = model.spec().decoderStart;
    if (!start)
        fail("config.json", "it has no decoder_start_token_id",
             "expected the id that the decoder begins with",
             "give the decoder's ids yourself (--target-ids)");
    Token token;
    token.id = *start;
    token.special = true;
    if (model.tokenizer) token.piece = model.tokenizer->piece(*start).value_or("");
    return token;
}

/// Every token moves one place to the right, behind the start token.
std::vector<Token> shiftedTarget(const OpenModel& model, const TextInput& input) {
    if (!input.target) return {startToken(model)};
    EncodeOptions options;
    options.addSpecial = input.addSpecial;
    options.target = true;
    std::vector<Token> tokens = tokenizerOf(model).encode(*input.target, std::nullopt, options);
    requireIds(tokens, model.spec().decoder->embedding.vocabularySize);
    const bool lastFirst = model.spec().decoderStartsWithLast && input.addSpecial && !tokens.empty();
    tokens.insert(tokens.begin(), lastFirst ? tokens.back() : startToken(model));
    // The last token is only predicted; without special tokens there is no end to leave out.
    if (input.addSpecial && tokens.size() > 1) tokens.pop_back();
    return tokens;
}

} // namespace

TokenizedText tokenizeText(const OpenModel& model, const TextInput& input) {
    TokenizedText result;
    std::vector<Token> tokens = input.ids ? tokensOfIds(model, *input.ids, model.spec().vocabularySize, "ids")
                                          : tokensOfText(model, input);
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

std::optional<TokenizedText> tokenizeTarget(const OpenModel& model, const TextInput& input) {
    const std::optional<TransformerSpec>& decoder = model.spec().decoder;
    if (!decoder) {
        if (input.target || input.targetIds)
            fail("target", "the model has no decoder that could read it", {}, "leave it out");
        return std::nullopt;
    }
    TokenizedText result;
    std::vector<Token> tokens = input.targetIds ? tokensOfIds(model, *input.targetIds,
                                                              decoder->embedding.vocabularySize, "target ids")
                                                : shiftedTarget(model, input);
    result.fullLength = static_cast<std::int64_t>(tokens.size());
    result.limit = decoder->maxPositions;
    if (result.limit && input.length == LengthPolicy::Truncate)
        tokens = truncated(tokens, *result.limit, TruncationSide::Right);
    std::vector<std::string> texts;
    if (input.targetIds)
        for (Token& token : tokens) token.text = -1;
    else if (input.target)
        texts.push_back(*input.target);
    result.axis = std::make_shared<Axis>(makeAxis(tokens, std::move(texts), model.tokenizer.get()));
    result.tokens = std::move(tokens);
    return result;
}

} // namespace headscope
