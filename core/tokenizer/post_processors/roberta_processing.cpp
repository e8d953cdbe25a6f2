// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/post_processors/frame_token.h"
#include "core/tokenizer/post_processors/post_processor.h"
#include "core/tokenizer/post_processors/trim_offsets.h"

namespace headscope {

namespace {

/// `cls A sep`, then `sep B sep`. Every type id is 0, with and without special tokens.
class RobertaProcessing : public PostProcessor {
  public:
    explicit RobertaProcessing(const StageFields& fields)
        : m_subject(fields.subject()), m_sep(readFrameToken(fields, "sep")),
          m_cls(readFrameToken(fields, "cls")), m_trims(fields.boolean("trim_offsets")),
          m_addPrefixSpace(fields.boolean("add_prefix_space")) {}

    std::vector<TokenList> process(std::vector<TokenList> texts, bool addSpecial) const override {
        if (addSpecial) requireBare(texts, m_subject);
        for (std::size_t i = 0; i < texts.size(); ++i) {
            TokenList& text = texts[i];
            if (m_trims) trimOffsets(text, m_addPrefixSpace);
            for (EncodedToken& token : text) token.typeId = 0;
            if (!addSpecial) continue;
            text.insert(text.begin(), (i == 0 ? m_cls : m_sep).encoded(0));
            text.push_back(m_sep.encoded(0));
        }
        return texts;
    }

  private:
    std::string m_subject;
    FrameToken m_sep;
    FrameToken m_cls;
    bool m_trims;
    bool m_addPrefixSpace;
};

} // namespace

PostProcessorPtr parseRobertaProcessing(const Json& json, const std::string& subject) {
    const StageFields fields(json, subject);
    if (!hasRobertaFields(fields)) return parseBertProcessing(json, subject);
    return std::make_unique<RobertaProcessing>(fields);
}

} // namespace headscope
