// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/families/family_tools.h"

#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// The head of a masked language model, words(norm(act(dense(x)))) + bias, by the names that it has in the
/// file.
struct MaskedHead {
    std::string dense; ///< "cls.predictions.transform.dense"
    std::string norm;
    std::string words; ///< [vocabulary, width]; not read where it is tied to the word table
    /// Names that the bias goes under; where the file has several, the first counts.
    std::vector<std::string> biases;
    Activation activation = Activation::GeluErf;
    double epsilon = 1e-12;
    std::int64_t vocabularySize = 0;
    std::int64_t width = 0; ///< of the norm and the words
};

/// None where the folder was saved without it, or with parts of it only: the maps need no head.
std::optional<OutputHeadSpec> maskedHeadSpec(const Checkpoint& checkpoint, const MaskedHead& head, bool tied);

} // namespace headscope
