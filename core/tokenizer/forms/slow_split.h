// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/added_tokens.h"
#include "core/tokenizer/forms/piece_map.h"
#include "core/tokenizer/normalized_text.h"

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace headscope {

/// A stretch of a text between added tokens, or one of them.
struct SlowPart {
    NormalizedText text; ///< of a token: with the white space that it takes
    std::string token;   ///< content of the added token; empty for text
};

/// Cuts a text at added tokens as the slow tokenizers do, which is not how the tokenizers library does it: of
/// several tokens the one that is complete first counts, and white space is taken after all cuts are made.
/// Immutable.
class SlowSplitter {
  public:
    SlowSplitter() = default;
    explicit SlowSplitter(const std::vector<AddedToken>& tokens);

    /// Calls `sink` for each part, from the first on. Throws Error where long tokens that begin alike would
    /// take too many steps.
    void split(const NormalizedText& text, const std::function<void(const SlowPart&)>& sink) const;

  private:
    struct Node {
        std::unordered_map<char32_t, std::size_t> next;
        bool isEnd = false;
    };

    std::vector<std::size_t> cuts(const std::u32string& text) const;
    const Node* step(const Node* node, const std::u32string& text, std::size_t at) const;

    PieceMap<AddedToken> m_tokens;
    std::vector<Node> m_nodes{1};
};

} // namespace headscope
