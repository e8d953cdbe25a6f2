// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/forms/form.h"
#include "core/tokenizer/forms/merges_from_scores.h"
#include "core/tokenizer/forms/sentence_piece_model.h"
#include "core/tokenizer/forms/slow_tokens.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace headscope {

/// The vocabulary that a class makes of a sentencepiece model.
struct SentencePieceVocabulary {
    std::vector<ScoredPiece> pieces; ///< a piece's place is its id
    std::int64_t unkId = 0;
    /// convert_tokens_to_ids of the slow class.
    std::function<std::int64_t(const std::string& token)> idOf;
};

/// The model must outlive the result. Throws Error where the class cannot be made of the model or the
/// settings.
SentencePieceVocabulary sentencePieceVocabulary(const FormInputs& form, const SentencePieceModel& model);

} // namespace headscope
