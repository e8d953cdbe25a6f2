// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/maps/axis.h"

#include <memory>
#include <vector>

namespace headscope {

/// The words that the tokens of a text make up.
struct WordGroups {
    std::vector<Span> tokens;         ///< of each word: ascending, without a gap, all tokens
    std::shared_ptr<const Axis> axis; ///< the words: label, piece and id of a single token are kept
};

/// Tokens put together by the words of the original text (wordBoundaries()): a token belongs to the word in
/// which its span begins, white space at its front not counted; special tokens stand alone.
WordGroups wordGroups(const Axis& tokens);

} // namespace headscope
