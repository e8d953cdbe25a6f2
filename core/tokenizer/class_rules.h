// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/progress.h"
#include "core/tokenizer/pipeline.h"

#include <optional>
#include <string>

namespace headscope {

/// The files beside tokenizer.json that decide what transformers makes of it. All are objects where present.
struct ClassInputs {
    Json modelConfig;                     ///< config.json
    std::optional<Json> tokenizerConfig;  ///< tokenizer_config.json
    std::optional<Json> specialTokensMap; ///< special_tokens_map.json
    std::optional<Json> addedTokens;      ///< added_tokens.json
};

/// Changes `stages`, read from `file`, as the transformers (4.57) class of this checkpoint changes
/// tokenizer.json on loading: settings of the normalizer and special tokens come from tokenizer_config.json
/// or, where that is silent, from the class. Each change that makes a difference is noted. Throws Error for a
/// class whose changes are not known.
void applyClassRules(const ClassInputs& inputs, const Json& file, PipelineStages& stages,
                     const NoteSink& notes);

} // namespace headscope
