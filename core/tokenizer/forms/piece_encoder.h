// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/forms/piece_normalizer.h"
#include "core/tokenizer/forms/sentence_piece_model.h"
#include "core/tokenizer/forms/text_encoder.h"

#include <string>
#include <vector>

namespace headscope {

/// The sentencepiece library's own encoder (0.2.3), for the classes that have no fast tokenizer. It differs
/// from the tokenizers library's models in the precision of scores, in user-defined and unused pieces, and in
/// what becomes of unknown characters. Immutable.
class PieceEncoder : public TextEncoder {
  public:
    /// Reads the model; `subject` names it in errors.
    PieceEncoder(std::string_view bytes, const std::string& subject);

    /// The pieces of a text; encode(text, out_type=str) of the library. Throws Error where the library stops.
    std::vector<EncodedPiece> encode(const NormalizedText& text) const override;

  private:
    /// A piece of the normalised text, by bytes.
    struct Found {
        std::size_t begin;
        std::size_t end;
        std::size_t id;
    };

    std::vector<Found> unigram(std::string_view text) const;
    std::vector<Found> bpe(std::string_view text) const;
    bool isKind(std::size_t id, PieceKind kind) const { return m_model.pieces[id].kind == kind; }

    std::string m_subject;
    SentencePieceModel m_model;
    PieceNormalizer m_normalizer;
    PieceTrie m_pieces; ///< ordinary pieces, numbered by `m_ids`
    std::vector<std::uint32_t> m_ids;
    float m_unknownScore = 0.0F;
};

} // namespace headscope
