// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/tokenizer.h"

#include <cstdint>
#include <vector>

namespace headscope {

/// How many tokens of each text there are, and how many the template added.
struct TokenCounts {
    std::int64_t first = 0;
    std::int64_t second = 0;
    std::int64_t added = 0;
};

TokenCounts countTokens(const std::vector<Token>& tokens);

enum class TruncationSide { Right, Left };

/// At most `limit` tokens: texts are shortened as the tokenizers library's longest_first does, added special
/// tokens stay. Throws Error when the special tokens alone are more than `limit`.
std::vector<Token> truncated(const std::vector<Token>& tokens, std::int64_t limit, TruncationSide side);

/// Number of pieces of at most `limit` tokens, special tokens added to each, that one text falls into; at
/// least 1.
std::int64_t pieceCount(const TokenCounts& counts, std::int64_t limit);
/// The `index`-th of them (0-based). Throws Error naming the count when it is out of range, and when the
/// special tokens leave no room.
std::vector<Token> piece(const std::vector<Token>& tokens, std::int64_t limit, std::int64_t index);

} // namespace headscope
