// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/forms/piece_map.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// What a piece of a sentencepiece model is.
enum class PieceKind { Normal = 1, Unknown, Control, UserDefined, Unused, Byte };

struct SentencePiece {
    std::string text;
    float score = 0.0F;
    PieceKind kind = PieceKind::Normal;
};

enum class PieceModelType { Unigram = 1, Bpe = 2 };

/// A sentencepiece model (*.model, *.spm) with what matters for encoding. A piece's place is its id.
class SentencePieceModel {
  public:
    /// Reads the protobuf message. Throws Error, subject first, for what the sentencepiece library refuses:
    /// malformed bytes, empty pieces, two pieces of one spelling, none or two unknown pieces, byte pieces
    /// that are not 256 or stand there without byte_fallback; and for scores that are not finite and the word
    /// and character models.
    SentencePieceModel(std::string_view bytes, const std::string& subject);
    SentencePieceModel(const SentencePieceModel&) = delete; // the index views the pieces
    SentencePieceModel& operator=(const SentencePieceModel&) = delete;

    std::vector<SentencePiece> pieces;
    PieceModelType type = PieceModelType::Unigram;
    std::int64_t unkId = 0; ///< what the file says of it; `unknown` is where it is
    std::string unkPiece = "<unk>";
    bool byteFallback = false;
    bool treatWhitespaceAsSuffix = false;
    std::string charsmap; ///< precompiled rules of the normalizer, may be empty
    bool addDummyPrefix = true;
    bool removeExtraWhitespaces = true;
    bool escapeWhitespaces = true;

    std::size_t unknown() const { return m_unknown; } ///< the piece of kind Unknown
    /// The id of a piece as the library finds it: special kinds first, the unknown piece where there is none.
    std::size_t idOf(std::string_view text) const;

  private:
    void indexPieces(const std::string& subject);

    PieceViewMap<std::size_t> m_special; ///< unknown, control and byte pieces
    PieceViewMap<std::size_t> m_ordinary;
    std::size_t m_unknown = 0;
};

} // namespace headscope
