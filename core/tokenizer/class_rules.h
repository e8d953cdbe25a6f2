// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/progress.h"
#include "core/tokenizer/class_rules_table.h"
#include "core/tokenizer/pipeline.h"
#include "core/tokenizer/tokenizer_file.h"

#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// What stands beside the vocabulary and decides what transformers makes of it. The files are objects where
/// present.
struct ClassInputs {
    Json modelConfig;                     ///< config.json
    std::optional<Json> tokenizerConfig;  ///< tokenizer_config.json
    std::optional<Json> specialTokensMap; ///< special_tokens_map.json
    std::optional<Json> addedTokens;      ///< added_tokens.json
    std::vector<ListedToken> listed;      ///< "added_tokens" of tokenizer.json, where there is one
    /// The tokenizer is built from older files, by way of the slow class, whose special tokens differ.
    bool isBuilt = false;
    /// It is built although tokenizer.json is there; the slow class is then not told of the added tokens.
    bool isRebuilt = false;
};

/// The class that transformers (4.57) loads this checkpoint's tokenizer with. Throws Error for a class whose
/// rules are not known, naming those that are.
const ClassRule& findClassRule(const ClassInputs& inputs);

/// True where the files name a class that needs no tokenizer file.
bool isByteClass(const ClassInputs& inputs);

/// True where the class builds the tokenizer from the older files although tokenizer.json is there.
bool rebuildsFromOlderFiles(const ClassRule& rule, const ClassInputs& inputs);

/// Changes `stages`, read from `file`, as the class changes them on loading: settings of the stages and
/// special tokens come from tokenizer_config.json or, where that is silent, from the class. Each change that
/// makes a difference is noted, unless the tokenizer is built. Throws Error where transformers refuses the
/// settings.
void applyClassRules(const ClassRule& rule, const ClassInputs& inputs, const Json& file,
                     PipelineStages& stages, const NoteSink& notes);

} // namespace headscope
