// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/normalizers/normalizer.h"
#include "core/tokenizer/stage_fields.h"
#include "core/tokenizer/text_pattern.h"

#include <utility>

namespace headscope {

namespace {

/// Writes `content` in place of every match, as it stands: "$1" has no meaning. All of it takes the origin of
/// the character before the match's end, which is the last one matched or, where nothing is, the one before.
class Replace : public Normalizer {
  public:
    explicit Replace(const StageFields& fields)
        : m_pattern(parseTextPattern(fields)), m_content(fields.string("content")) {}

    void normalize(NormalizedText& text) const override {
        if (text.empty()) return;
        NormalizedText result = NormalizedText::successorOf(text);
        std::size_t done = 0;
        m_pattern->startSearch(text.size())
            ->forEachMatch(text.text(), [&](std::size_t begin, std::size_t end) {
                result.append(text, done, begin);
                result.append(m_content, text.originBefore(end));
                done = end;
            });
        if (done == 0 && result.empty()) return;
        result.append(text, done, text.size());
        text = std::move(result);
    }

  private:
    TextPatternPtr m_pattern;
    std::string m_content;
};

} // namespace

NormalizerPtr parseReplace(const Json& json, const std::string& subject) {
    return std::make_unique<Replace>(StageFields(json, subject));
}

} // namespace headscope
