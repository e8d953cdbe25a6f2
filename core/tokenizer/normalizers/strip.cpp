// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/code_point.h"
#include "core/tokenizer/normalizers/normalizer.h"
#include "core/tokenizer/stage_fields.h"
#include "core/tokenizer/unicode_tables.h"

namespace headscope {

namespace {

/// Drops White_Space at the ends of the text.
class Strip : public Normalizer {
  public:
    explicit Strip(const StageFields& fields)
        : m_left(fields.boolean("strip_left")), m_right(fields.boolean("strip_right")) {}

    void normalize(NormalizedText& text) const override {
        const std::string& typed = text.text();
        std::size_t begin = 0;
        while (m_left && begin < typed.size()) {
            const DecodedCodePoint c = decodeCodePoint(typed, begin);
            if (!unicode::isWhiteSpace(c.value)) break;
            begin += c.bytes;
        }
        std::size_t end = typed.size();
        while (m_right && end > begin) {
            const DecodedCodePoint c = decodeCodePointBefore(typed, end);
            if (!unicode::isWhiteSpace(c.value)) break;
            end -= c.bytes;
        }
        if (begin == 0 && end == typed.size()) return;
        TextEdit edit(text);
        edit.drop(begin);
        edit.keep(end - begin);
        edit.finish();
    }

  private:
    bool m_left;
    bool m_right;
};

} // namespace

NormalizerPtr parseStrip(const Json& json, const std::string& subject) {
    return std::make_unique<Strip>(StageFields(json, subject));
}

} // namespace headscope
