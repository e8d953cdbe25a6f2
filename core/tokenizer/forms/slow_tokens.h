// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/class_special_tokens.h"
#include "core/tokenizer/forms/piece_map.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// The added tokens of a slow tokenizer, as its constructor leaves them: those that are declared keep the ids
/// they are declared with, the other special tokens get that of the vocabulary or the next free number.
class SlowTokens {
  public:
    /// Whose id a special token gets that is in the vocabulary and added with another one.
    enum class Precedence { Added, Vocabulary };

    /// `vocabulary` = what get_vocab() gives before the special tokens are added, without `added`.
    SlowTokens(PieceMap<std::int64_t> vocabulary, TokensById added, const SpecialTokens& special,
               Precedence precedence = Precedence::Added);

    /// The id of an added token.
    std::optional<std::int64_t> id(std::string_view content) const;
    const TokensById& byId() const { return m_byId; }

  private:
    TokensById m_byId;
    PieceMap<std::int64_t> m_ids;
};

/// get_vocab() of a class that spells its vocabulary anew from the ids: a token that is added under an id
/// stands in for the piece of that id.
PieceMap<std::int64_t> vocabularyById(const std::vector<std::string_view>& pieces, const TokensById& added);

} // namespace headscope
