// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/tokenizer/forms/sentence_piece_model.h"

#include <string>
#include <vector>

namespace headscope {

/// A piece of a vocabulary as the converter lists it.
struct ScoredPiece {
    std::string text;
    double score = 0.0;
};

/// The merges of a BPE model that has scores only: [["a", "b"], ...]. Every way to cut one of `pieces` into
/// two pieces of the model is a merge; those with higher scores come first, then those with longer parts.
/// With `tabIsByte` a tab that is no piece counts as the byte piece <0x09>.
Json mergesFromScores(const std::vector<ScoredPiece>& pieces, const SentencePieceModel& model, bool tabIsByte,
                      const std::string& subject);

} // namespace headscope
