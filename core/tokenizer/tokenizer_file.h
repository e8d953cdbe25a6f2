// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/progress.h"
#include "core/tokenizer/pipeline.h"

#include <string>
#include <vector>

namespace headscope {

/// One entry of "added_tokens". The id is what the file says, which is not what the token gets
/// (AddedTokens::add).
struct ListedToken {
    std::int64_t id = 0;
    AddedToken token;
};

/// The entries of "added_tokens" of a tokenizer.json; empty when it is absent or null.
std::vector<ListedToken> readListedTokens(const Json& file, const std::string& subject);

/// Every stage of a tokenizer.json. Throws Error for unknown keys, stages and types, and notes what is left
/// aside: the file's truncation and padding, ids of added tokens that the library would not give.
PipelineStages readStages(const Json& file, const std::string& subject, const NoteSink& notes);

} // namespace headscope
