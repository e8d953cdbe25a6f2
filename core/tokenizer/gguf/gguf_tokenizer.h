// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/tokenizer/class_rules.h"
#include "core/tokenizer/gguf/gguf_vocabulary.h"

#include <string>

namespace headscope {

/// How the vocabulary of a GGUF file becomes a tokenizer: by way of a class and the content of its older
/// vocabulary file, or as a whole document.
struct GgufTokenizerPlan {
    ClassInputs inputs;  ///< tokenizer_config.json with the class, the special tokens and what is added
    std::string content; ///< of the class's vocabulary file
    Json document;       ///< of the form of tokenizer.json; null where there is a content
};

/// Throws Error, by the name of the key, for a tokenizer.ggml.model or a tokenizer.ggml.pre of which it is
/// not known exactly what transformers makes of it.
GgufTokenizerPlan planGgufTokenizer(const GgufVocabulary& vocabulary, const Json& modelConfig);

} // namespace headscope
