// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/pre_tokenizers/pre_tokenizer.h"
#include "core/tokenizer/stage_fields.h"

#include <fmt/format.h>
#include <vector>

namespace headscope {

namespace {

class PreTokenizerSequence : public PreTokenizer {
  public:
    explicit PreTokenizerSequence(std::vector<PreTokenizerPtr> stages) : m_stages(std::move(stages)) {}

    void split(Pieces& pieces) const override {
        for (const PreTokenizerPtr& stage : m_stages) stage->split(pieces);
    }

  private:
    std::vector<PreTokenizerPtr> m_stages;
};

} // namespace

PreTokenizerPtr parsePreTokenizerSequence(const Json& json, const std::string& subject) {
    const StageFields fields(json, subject);
    std::vector<PreTokenizerPtr> stages;
    for (const Json& stage : fields.array("pretokenizers")) {
        const StageFields inner(stage, fmt::format("{}: {}", subject, stages.size()));
        stages.push_back(parsePreTokenizer(stage, inner.subject()));
    }
    return std::make_unique<PreTokenizerSequence>(std::move(stages));
}

} // namespace headscope
