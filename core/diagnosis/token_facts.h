// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/axis.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// What kind of token stands at a position. Kinds are kept apart: a head that rests on the start token and
/// one that reads full stops are two different findings.
enum class TokenClass : std::uint8_t {
    Start,       ///< position 0, whatever it holds; [CLS], <s> and their like
    Separator,   ///< every other special token: [SEP], </s>, chat markers
    Punctuation, ///< one of . , ; : ? !
    Newline,     ///< line breaks only
    Padding,
    Content
};
inline constexpr int kTokenClasses = 6;

/// "start", "separator", "punctuation", "newline", "padding", "content".
std::string_view nameOf(TokenClass tokenClass);

/// What is known of the tokens along one axis, whatever a head does with them.
struct TokenFacts {
    std::vector<TokenClass> classes; ///< [tokens]
    std::vector<std::int32_t> types; ///< [tokens], equal where ids are equal; without ids, where pieces are
    std::vector<std::string>
        names; ///< [tokens], equal for equal tokens of any text: the piece, or "#id" without
    std::vector<std::int32_t> segments; ///< [tokens], from 0, never falling: texts, else sentences
    bool segmentsAreTexts = false;

    std::int64_t size() const { return static_cast<std::int64_t>(classes.size()); }
    std::int64_t count(TokenClass tokenClass) const;
};

/// Classes by the piece without one leading space, "Ġ", "▁" or "##" and without one trailing "</w>".
/// Segments: the texts of a pair, each with the special tokens that follow it; of a single text its
/// sentences, which a run of . ? ! line breaks and separators closes. `keyAllowed` [tokens]: 0 for padding;
/// empty: there is none.
TokenFacts tokenFacts(const Axis& axis, const std::vector<std::uint8_t>& keyAllowed = {});

} // namespace headscope
