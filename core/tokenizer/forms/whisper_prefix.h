// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/class_templates.h"
#include "core/tokenizer/forms/form.h"

namespace headscope {

/// The vocabulary as the slow class of Whisper asks it.
struct WhisperVocabulary {
    TemplateIds idOf;
    const TokensById& added;
    const Json& vocab; ///< {"piece": id}
};

/// Whisper's template: the tokens for start, language, task and time stamps that the settings give, the text
/// and the end token.
Json whisperTemplate(const FormInputs& form, const WhisperVocabulary& vocabulary);

} // namespace headscope
