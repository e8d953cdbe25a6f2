// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/post_processors/frame_token.h"

#include "core/base/error.h"

#include <algorithm>

namespace headscope {

EncodedToken FrameToken::encoded(std::int32_t typeId) const {
    EncodedToken result;
    result.id = id;
    result.value = spelling;
    result.special = true;
    result.typeId = typeId;
    return result;
}

FrameToken readFrameToken(const StageFields& fields, std::string_view key) {
    const std::vector<Json>& pair = fields.array(key);
    if (pair.size() != 2 || !pair[0].isString())
        fail(fields.subjectOf(key), "an array of another form", "expected [\"spelling\", id]");
    return {pair[0].asString(), readId(pair[1], fields.subjectOf(key))};
}

void requireBare(const std::vector<TokenList>& texts, const std::string& subject) {
    for (const TokenList& text : texts)
        if (std::any_of(text.begin(), text.end(), [](const EncodedToken& token) { return token.special; }))
            fail(subject, "special tokens from the processor before it", "expected none",
                 "use another checkpoint, or give the text as token ids with --ids");
}

bool hasRobertaFields(const StageFields& fields) {
    const auto isBoolean = [&](std::string_view key) {
        const Json* value = fields.find(key);
        return value != nullptr && value->isBool();
    };
    return isBoolean("trim_offsets") && isBoolean("add_prefix_space");
}

} // namespace headscope
