// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/post_processors/post_processor.h"

namespace headscope {

/// Takes the white space at both ends of the tokens' values (White_Space, or what byte-level vocabularies
/// write for a space) out of their spans. With `addPrefixSpace`, a single space in front of the list's first
/// token, or of one that begins at 0, is left: it is taken for one that was put there.
void trimOffsets(TokenList& tokens, bool addPrefixSpace);

} // namespace headscope
