// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/probe_fit.h"

#include "core/analysis/unknown_token.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace headscope {

namespace {

constexpr std::int64_t kUnknownShare = 10; ///< at most one in so many
constexpr std::size_t kLongestWord = 30;   ///< code points; what has no space for longer has no words

bool isSpace(char32_t c) {
    return c == U' ' || c == U'\n' || c == U'\t';
}

/// Where to cut so that at most `end` code points stay: after a word.
std::size_t wordEnd(const std::u32string& text, std::size_t end) {
    std::size_t cut = end;
    while (cut > 0 && !isSpace(text[cut])) --cut;
    if (end - cut > kLongestWord) return end;
    while (cut > 0 && isSpace(text[cut - 1])) --cut;
    return cut;
}

/// Code points that the first tokens cover, as many as there is room for beside the special ones.
std::size_t coveredBy(const std::vector<Token>& tokens, std::int64_t limit) {
    std::int64_t room =
        limit - std::ranges::count_if(tokens, [](const Token& token) { return token.text < 0; });
    std::int64_t end = 0;
    for (const Token& token : tokens)
        if (token.text >= 0 && room-- > 0) end = std::max(end, token.end);
    return static_cast<std::size_t>(end);
}

std::int64_t smallest(std::initializer_list<std::optional<std::int64_t>> limits) {
    std::int64_t least = kMostProbeTokens;
    for (const std::optional<std::int64_t>& limit : limits) least = std::min(least, limit.value_or(least));
    return least;
}

/// A probe text holds no special token: one that stands for a part of it says that it was not understood.
bool isUnknown(const OpenModel& model, const Token& token) {
    return token.text >= 0 && (isUnknownPiece(token.piece) || model.tokenizer->isSpecial(token.id));
}

/// A text of which a model reads enough.
void requireRead(const OpenModel& model, const std::vector<Token>& tokens, const std::string& name) {
    const auto count = static_cast<std::int64_t>(tokens.size());
    if (count < kLeastProbeTokens)
        fail(name, fmt::format("it has {} tokens for this model", count),
             fmt::format("expected at least {}", kLeastProbeTokens));
    const std::int64_t unknown =
        std::ranges::count_if(tokens, [&](const Token& token) { return isUnknown(model, token); });
    if (unknown * kUnknownShare > count)
        fail(name, fmt::format("{} of its {} tokens are unknown to the tokenizer", unknown, count),
             fmt::format("expected at most one in {}", kUnknownShare));
}

TextInput inputOf(const std::string& text) {
    TextInput input;
    input.text = text;
    return input;
}

std::vector<Token> bareTokens(const OpenModel& model, const std::string& text) {
    TextInput input = inputOf(text);
    input.addSpecial = false;
    return tokenizeText(model, input).tokens;
}

/// A special token between two texts, or a segment number: only then does the model know that they are two.
void requireApart(const OpenModel& model, const std::vector<Token>& tokens, const std::string& name) {
    const auto isFirst = [](const Token& token) { return token.text == 0; };
    const auto isSecond = [](const Token& token) { return token.text == 1; };
    const auto firstEnd = std::find_if(tokens.rbegin(), tokens.rend(), isFirst).base();
    const auto second = std::ranges::find_if(tokens, isSecond);
    const bool parted = second != tokens.end() && firstEnd < second;
    const bool typed = model.spec().tokenTypes > 1 && second != tokens.end() && second->typeId != 0;
    if (!model.spec().stacks.front().causal && (parted || typed)) return;
    fail(name, "this model does not keep two texts apart");
}

void fitPair(const OpenModel& model, TextInput& input, const std::string& name) {
    std::vector<Token> tokens = tokenizeText(model, input).tokens;
    requireApart(model, tokens, name);
    const std::int64_t over = static_cast<std::int64_t>(tokens.size()) - sourceLimit(model);
    if (over <= 0) return;
    const auto count = [&](int text) {
        return std::ranges::count_if(tokens, [&](const Token& token) { return token.text == text; });
    };
    const std::int64_t room = count(0) + count(1) - over;
    const std::int64_t first = std::min(count(0), std::max(room / 2, room - count(1)));
    const TokensOf bare = [&](const std::string& text) { return bareTokens(model, text); };
    input.text = cutToFit(input.text, first, bare);
    input.pair = cutToFit(*input.pair, room - first, bare);
}

/// The decoder reads the text itself, or the second of two.
void fitTarget(const OpenModel& model, ProbeFit& fit, const std::string& name) {
    TextInput& input = fit.input;
    const std::string whole = input.pair.value_or(input.text);
    const TokensOf tokensOf = [&](const std::string& text) {
        input.target = text;
        return tokenizeTarget(model, input)->tokens;
    };
    try {
        input.target = cutToFit(whole, targetLimit(model), tokensOf);
        requireRead(model, tokenizeTarget(model, input)->tokens, name + " (target)");
    } catch (const Error& error) {
        input.target.reset();
        fit.targetProblem = error.sentence();
        tokenizeTarget(model, input); // throws where the decoder cannot even begin
    }
}

} // namespace

std::int64_t sourceLimit(const OpenModel& model) {
    return smallest({model.spec().maxPositions, model.spec().trainedPositions});
}

std::int64_t targetLimit(const OpenModel& model) {
    return smallest({model.spec().decoder->maxPositions, model.spec().trainedPositions});
}

std::string cutToFit(std::string text, std::int64_t limit, const TokensOf& tokensOf) {
    while (!text.empty()) {
        const std::vector<Token> tokens = tokensOf(text);
        if (static_cast<std::int64_t>(tokens.size()) <= limit) break;
        const std::u32string read = toCodePoints(text);
        // One less at least, whatever the spans say.
        const std::size_t end = std::min(coveredBy(tokens, limit), read.size() - 1);
        text = toUtf8(std::u32string_view(read).substr(0, wordEnd(read, end)));
    }
    return text;
}

ProbeFit fitProbe(const OpenModel& model, const ProbeSource& source) {
    ProbeFit fit;
    fit.input.text = source.text;
    fit.input.pair = source.pair;
    if (source.pair)
        fitPair(model, fit.input, source.name);
    else
        fit.input.text = cutToFit(source.text, sourceLimit(model), [&](const std::string& text) {
            return tokenizeText(model, inputOf(text)).tokens;
        });
    const TokenizedText text = tokenizeText(model, fit.input);
    requireRead(model, text.tokens, source.name);
    if (static_cast<std::int64_t>(text.tokens.size()) > sourceLimit(model))
        fail(source.name, fmt::format("it has {} tokens even when it is cut", text.tokens.size()),
             fmt::format("expected at most {}", sourceLimit(model)));
    if (model.spec().decoder) fitTarget(model, fit, source.name);
    return fit;
}

} // namespace headscope
