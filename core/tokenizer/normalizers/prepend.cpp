// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/code_point.h"
#include "core/tokenizer/normalizers/normalizer.h"
#include "core/tokenizer/stage_fields.h"

#include <utility>

namespace headscope {

namespace {

/// Puts a text before each piece that is not empty; it takes the origin of the piece's first character.
class Prepend : public Normalizer {
  public:
    explicit Prepend(const StageFields& fields) : m_prefix(fields.string("prepend")) {}

    void normalize(NormalizedText& text) const override {
        if (text.empty()) return;
        NormalizedText result = NormalizedText::successorOf(text);
        result.append(m_prefix, text.origin(0));
        std::size_t done = 0;
        if (m_prefix.empty()) {
            // The library takes the first character for an inserted one then.
            done = utf8Length(text.text()[0]);
            result.append(text.view(0, done), text.originBefore(0));
        }
        result.append(text, done, text.size());
        text = std::move(result);
    }

  private:
    std::string m_prefix;
};

} // namespace

NormalizerPtr parsePrepend(const Json& json, const std::string& subject) {
    return std::make_unique<Prepend>(StageFields(json, subject));
}

} // namespace headscope
