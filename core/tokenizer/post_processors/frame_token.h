// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/post_processors/post_processor.h"
#include "core/tokenizer/stage_fields.h"

#include <string>

namespace headscope {

/// A special token that BertProcessing or RobertaProcessing puts around the texts.
struct FrameToken {
    std::string spelling;
    std::int64_t id = 0;

    /// Its value views this.
    EncodedToken encoded(std::int32_t typeId) const;
};

/// From ["[CLS]", 101], else Error.
FrameToken readFrameToken(const StageFields& fields, std::string_view key);

/// Throws Error when a processor has put special tokens there before: the library forgets then that they are
/// special.
void requireBare(const std::vector<TokenList>& texts, const std::string& subject);

/// Whether the fields by which RobertaProcessing differs from BertProcessing are there.
bool hasRobertaFields(const StageFields& fields);

} // namespace headscope
