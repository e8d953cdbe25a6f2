// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/tokenizer/gguf/gguf_vocabulary.h"

namespace headscope {

/// The document of a byte-level BPE vocabulary (tokenizer.ggml.model "gpt2"), with the rule for cutting words
/// that tokenizer.ggml.pre names. Throws Error for a rule that is not known, and for a merge that is not two
/// pieces.
Json byteLevelDocument(const GgufVocabulary& vocabulary);

} // namespace headscope
