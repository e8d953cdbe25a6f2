// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/post_processors/post_processor.h"
#include "core/tokenizer/post_processors/trim_offsets.h"
#include "core/tokenizer/stage_fields.h"

namespace headscope {

namespace {

/// Adds nothing; takes white space out of the spans.
class ByteLevel : public PostProcessor {
  public:
    explicit ByteLevel(const StageFields& fields)
        : m_trims(fields.boolean("trim_offsets")), m_addPrefixSpace(fields.boolean("add_prefix_space")) {
        fields.boolean("use_regex", true); // has a meaning in the pre-tokenizer only
    }

    std::vector<TokenList> process(std::vector<TokenList> texts, bool) const override {
        if (m_trims)
            for (TokenList& text : texts) trimOffsets(text, m_addPrefixSpace);
        return texts;
    }

  private:
    bool m_trims;
    bool m_addPrefixSpace;
};

} // namespace

PostProcessorPtr parseByteLevelProcessor(const Json& json, const std::string& subject) {
    return std::make_unique<ByteLevel>(StageFields(json, subject));
}

} // namespace headscope
