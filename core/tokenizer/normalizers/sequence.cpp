// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/normalizers/normalizer.h"
#include "core/tokenizer/stage_fields.h"

#include <fmt/format.h>
#include <vector>

namespace headscope {

namespace {

class NormalizerSequence : public Normalizer {
  public:
    explicit NormalizerSequence(std::vector<NormalizerPtr> stages) : m_stages(std::move(stages)) {}

    void normalize(NormalizedText& text) const override {
        for (const NormalizerPtr& stage : m_stages) stage->normalize(text);
    }

  private:
    std::vector<NormalizerPtr> m_stages;
};

} // namespace

NormalizerPtr parseNormalizerSequence(const Json& json, const std::string& subject) {
    const StageFields fields(json, subject);
    std::vector<NormalizerPtr> stages;
    for (const Json& stage : fields.array("normalizers")) {
        const StageFields inner(stage, fmt::format("{}: {}", subject, stages.size()));
        stages.push_back(parseNormalizer(stage, inner.subject()));
    }
    return std::make_unique<NormalizerSequence>(std::move(stages));
}

} // namespace headscope
