// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// A token with its place in the text. `value` is what the library calls its text: the vocabulary's spelling,
/// for an added token the characters that were cut out. It views the model, the text's buffer or the
/// post-processor.
struct EncodedToken {
    std::int64_t id = 0;
    std::string_view value;
    std::int64_t start = 0; ///< code points of the original text
    std::int64_t end = 0;
    bool added = false;     ///< an added token found in the text
    bool special = false;   ///< put there by the post-processor
    std::int32_t text = -1; ///< 0 first, 1 second, -1 none
    std::int32_t typeId = 0;
};

using TokenList = std::vector<EncodedToken>;

/// Puts the texts together and adds special tokens. Immutable.
class PostProcessor {
  public:
    virtual ~PostProcessor() = default;
    /// `texts` holds one or two lists, with type ids 0 and 1; behind another processor what that gave, which
    /// may be more lists. Those that come back are read one behind the other.
    virtual std::vector<TokenList> process(std::vector<TokenList> texts, bool addSpecial) const = 0;
};

using PostProcessorPtr = std::unique_ptr<const PostProcessor>;

/// Reads the stage `json` by its "type"; `subject` names it in errors. nullptr for null: the texts follow
/// each other.
PostProcessorPtr parsePostProcessor(const Json& json, const std::string& subject);

// One parser a type; each stands in the file of that name. The library does not tell BertProcessing from
// RobertaProcessing by the type: one with the fields of the second is the second, one without is the first.
PostProcessorPtr parseBertProcessing(const Json& json, const std::string& subject);
PostProcessorPtr parseByteLevelProcessor(const Json& json, const std::string& subject);
PostProcessorPtr parseRobertaProcessing(const Json& json, const std::string& subject);
PostProcessorPtr parsePostProcessorSequence(const Json& json, const std::string& subject);
PostProcessorPtr parseTemplateProcessing(const Json& json, const std::string& subject);

} // namespace headscope
