// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/pre_tokenizers/pre_tokenizer.h"
#include "core/tokenizer/split_behavior.h"
#include "core/tokenizer/text_pattern.h"

namespace headscope {

namespace {

/// Cuts at the matches of a pattern, or with `invert` at what is between them.
class Split : public PreTokenizer {
  public:
    explicit Split(const StageFields& fields)
        : m_pattern(parseTextPattern(fields)), m_behavior(readSplitBehavior(fields, "behavior")),
          m_invert(fields.boolean("invert")) {}

    void split(Pieces& pieces) const override {
        const std::unique_ptr<TextSearch> search = m_pattern->startSearch(pieces.buffer.size());
        pieces.splitEach([&](std::string_view text, const auto& add) {
            Splitter splitter(m_behavior, m_invert, add);
            search->forEachMatch(text,
                                 [&](std::size_t begin, std::size_t end) { splitter.match(begin, end); });
            splitter.finish(text.size());
        });
    }

  private:
    TextPatternPtr m_pattern;
    SplitBehavior m_behavior;
    bool m_invert;
};

} // namespace

PreTokenizerPtr parseSplit(const Json& json, const std::string& subject) {
    return std::make_unique<Split>(StageFields(json, subject));
}

} // namespace headscope
