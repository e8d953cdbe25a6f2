// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/post_processors/frame_token.h"
#include "core/tokenizer/post_processors/post_processor.h"

namespace headscope {

namespace {

/// `cls A sep` with type 0, then `B sep` with type 1.
class BertProcessing : public PostProcessor {
  public:
    explicit BertProcessing(const StageFields& fields)
        : m_subject(fields.subject()), m_sep(readFrameToken(fields, "sep")),
          m_cls(readFrameToken(fields, "cls")) {}

    std::vector<TokenList> process(std::vector<TokenList> texts, bool addSpecial) const override {
        if (!addSpecial) return texts;
        requireBare(texts, m_subject);
        for (std::size_t i = 0; i < texts.size(); ++i) {
            if (i == 0) texts[i].insert(texts[i].begin(), m_cls.encoded(0));
            texts[i].push_back(m_sep.encoded(i == 0 ? 0 : 1));
        }
        return texts;
    }

  private:
    std::string m_subject;
    FrameToken m_sep;
    FrameToken m_cls;
};

} // namespace

PostProcessorPtr parseBertProcessing(const Json& json, const std::string& subject) {
    const StageFields fields(json, subject);
    if (hasRobertaFields(fields)) return parseRobertaProcessing(json, subject);
    return std::make_unique<BertProcessing>(fields);
}

} // namespace headscope
