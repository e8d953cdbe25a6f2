// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/code_point.h"
#include "core/tokenizer/pre_tokenizers/pre_tokenizer.h"
#include "core/tokenizer/stage_fields.h"

namespace headscope {

namespace {

/// Cuts after every `length` code points.
class FixedLength : public PreTokenizer {
  public:
    explicit FixedLength(const StageFields& fields)
        : m_length(fields.find("length") == nullptr ? 5 : fields.integer("length", 1, INT64_MAX)) {}

    void split(Pieces& pieces) const override {
        pieces.splitEach([this](std::string_view text, const auto& add) {
            std::size_t begin = 0;
            std::int64_t count = 0;
            for (std::size_t at = 0; at < text.size();) {
                at += utf8Length(text[at]);
                if (++count < m_length) continue;
                add(begin, at);
                begin = at;
                count = 0;
            }
            add(begin, text.size());
        });
    }

  private:
    std::int64_t m_length;
};

} // namespace

PreTokenizerPtr parseFixedLength(const Json& json, const std::string& subject) {
    return std::make_unique<FixedLength>(StageFields(json, subject));
}

} // namespace headscope
