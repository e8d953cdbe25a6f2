// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/forms/sentence_piece_model.h"
#include "core/tokenizer/models/piece_trie.h"
#include "core/tokenizer/normalized_text.h"
#include "core/tokenizer/normalizers/charsmap.h"

#include <optional>
#include <string>

namespace headscope {

/// The normaliser of the sentencepiece library itself, which takes the longest rule and knows white space in
/// its own way. Origins follow the rules of the other normalizers: what a rule writes takes the place of its
/// characters one by one, and a run of spaces stands where its last one stood. Immutable; keeps nothing of
/// the model but copies.
class PieceNormalizer {
  public:
    PieceNormalizer(const SentencePieceModel& model, const std::string& subject);

    /// `text` as the model sees it. Throws Error where a rule leads outside of the rules.
    NormalizedText normalized(const NormalizedText& text) const;
    /// Bytes of the user-defined piece that `text` begins with, or 0.
    std::size_t userDefined(std::string_view text) const;

  private:
    struct Chunk {
        std::size_t bytes = 0; ///< of the text
        std::string_view becomes;
    };
    Chunk chunkAt(std::string_view text) const;

    std::string m_subject;
    std::optional<Charsmap> m_rules;
    PieceTrie m_userDefined;
    bool m_addsPrefix;
    bool m_addsSuffix;
    bool m_removesExtra;
    std::string m_space; ///< what a space is written as
};

} // namespace headscope
