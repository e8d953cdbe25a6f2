// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/length_policy.h"

#include "core/base/error.h"
#include "core/base/index.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace headscope {

namespace {

/// Tokens that each of two texts keeps when both together may have `room`: the longer one is cut to the
/// shorter one's length first, then both share the rest.
std::pair<std::int64_t, std::int64_t> longestFirst(std::int64_t first, std::int64_t second,
                                                   std::int64_t room) {
    if (first + second <= room) return {first, second};
    std::int64_t shorter = std::min(first, second);
    std::int64_t longer = std::max(shorter, room - shorter);
    if (shorter + longer > room) {
        shorter = room / 2;
        longer = shorter + room % 2;
    }
    return first > second ? std::pair{longer, shorter} : std::pair{shorter, longer};
}

/// The tokens whose running number within their own text lies in that text's range; added special tokens all
/// stay.
std::vector<Token> select(const std::vector<Token>& tokens, Span first, Span second) {
    std::vector<Token> kept;
    std::int64_t next[2] = {0, 0};
    for (const Token& token : tokens) {
        if (token.text < 0) {
            kept.push_back(token);
            continue;
        }
        const bool isSecond = token.text == 1;
        if ((isSecond ? second : first).contains(next[isSecond ? 1 : 0]++)) kept.push_back(token);
    }
    return kept;
}

Span keptSpan(std::int64_t all, std::int64_t kept, TruncationSide side) {
    return side == TruncationSide::Right ? Span{0, kept} : Span{all - kept, all};
}

} // namespace

TokenCounts countTokens(const std::vector<Token>& tokens) {
    TokenCounts counts;
    for (const Token& token : tokens)
        ++(token.text < 0 ? counts.added : token.text == 1 ? counts.second : counts.first);
    return counts;
}

std::vector<Token> truncated(const std::vector<Token>& tokens, std::int64_t limit, TruncationSide side) {
    const TokenCounts counts = countTokens(tokens);
    if (counts.added > limit)
        fail("text", fmt::format("its {} special tokens alone do not fit", counts.added),
             fmt::format("expected at most {} tokens", limit));
    const auto [first, second] = longestFirst(counts.first, counts.second, limit - counts.added);
    return select(tokens, keptSpan(counts.first, first, side), keptSpan(counts.second, second, side));
}

std::int64_t pieceCount(const TokenCounts& counts, std::int64_t limit) {
    const std::int64_t room = std::max<std::int64_t>(1, limit - counts.added);
    return std::max<std::int64_t>(1, (counts.first + room - 1) / room);
}

std::vector<Token> piece(const std::vector<Token>& tokens, std::int64_t limit, std::int64_t index) {
    const TokenCounts counts = countTokens(tokens);
    const std::int64_t room = limit - counts.added;
    if (room < 1)
        fail("text", fmt::format("its {} special tokens leave no room", counts.added),
             fmt::format("expected at most {} tokens", limit));
    const std::int64_t pieces = pieceCount(counts, limit);
    if (index < 0 || index >= pieces)
        fail("piece", fmt::format("there is no piece {}", index),
             pieces == 1
                 ? std::string("expected 0, the only one")
                 : fmt::format("expected 0 to {}: the text falls into {} pieces", pieces - 1, pieces));
    return select(tokens, {index * room, (index + 1) * room}, {0, 0});
}

} // namespace headscope
