// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/post_processors/post_processor.h"
#include "core/tokenizer/stage_fields.h"

#include <fmt/format.h>
#include <utility>

namespace headscope {

namespace {

class PostProcessorSequence : public PostProcessor {
  public:
    explicit PostProcessorSequence(std::vector<PostProcessorPtr> stages) : m_stages(std::move(stages)) {}

    std::vector<TokenList> process(std::vector<TokenList> texts, bool addSpecial) const override {
        for (const PostProcessorPtr& stage : m_stages) texts = stage->process(std::move(texts), addSpecial);
        return texts;
    }

  private:
    std::vector<PostProcessorPtr> m_stages;
};

} // namespace

PostProcessorPtr parsePostProcessorSequence(const Json& json, const std::string& subject) {
    const StageFields fields(json, subject);
    std::vector<PostProcessorPtr> stages;
    for (const Json& stage : fields.array("processors")) {
        const StageFields inner(stage, fmt::format("{}: {}", subject, stages.size()));
        stages.push_back(parsePostProcessor(stage, inner.subject()));
    }
    return std::make_unique<PostProcessorSequence>(std::move(stages));
}

} // namespace headscope
