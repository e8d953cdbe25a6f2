// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/code_point.h"
#include "core/tokenizer/normalizers/clean_text.h"
#include "core/tokenizer/normalizers/edit_non_ascii.h"
#include "core/tokenizer/normalizers/normalizer.h"
#include "core/tokenizer/stage_fields.h"
#include "core/tokenizer/unicode_tables.h"

namespace headscope {

namespace {

/// The blocks that the library takes for Chinese. One begins at 2B920 where the Unicode block begins at
/// 2B820.
bool isChinese(char32_t c) {
    return (c >= 0x4e00 && c <= 0x9fff) || (c >= 0x3400 && c <= 0x4dbf) || (c >= 0x20000 && c <= 0x2a6df) ||
           (c >= 0x2a700 && c <= 0x2b73f) || (c >= 0x2b740 && c <= 0x2b81f) ||
           (c >= 0x2b920 && c <= 0x2ceaf) || (c >= 0xf900 && c <= 0xfaff) || (c >= 0x2f800 && c <= 0x2fa1f);
}

/// NUL is a control character too.
bool isDropped(char32_t c) {
    const bool layout = c == '\t' || c == '\n' || c == '\r';
    return c == 0xfffd || (!layout && unicode::isControl(c));
}

bool becomesSpace(char32_t c) {
    return c != ' ' && unicode::isWhiteSpace(c);
}

void spaceChinese(NormalizedText& text) {
    editNonAscii(text, isChinese, [](TextEdit& edit, const DecodedCodePoint& c) {
        edit.replace(' ');
        edit.insert(c.value);
        edit.insert(' ');
    });
}

class BertNormalizer : public Normalizer {
  public:
    explicit BertNormalizer(const StageFields& fields)
        : m_cleanText(fields.boolean("clean_text")), m_spaceChinese(fields.boolean("handle_chinese_chars")),
          m_lowercase(fields.boolean("lowercase")),
          m_stripAccents(fields.optionalBoolean("strip_accents").value_or(m_lowercase)) {}

    void normalize(NormalizedText& text) const override {
        if (m_cleanText) cleanText(text, isDropped, becomesSpace);
        if (m_spaceChinese) spaceChinese(text);
        if (m_stripAccents) {
            applyNfd(text);
            dropNonAscii(text, unicode::isNonspacingMark);
        }
        if (m_lowercase) applyLowercase(text);
    }

  private:
    bool m_cleanText;
    bool m_spaceChinese;
    bool m_lowercase;
    bool m_stripAccents;
};

} // namespace

NormalizerPtr parseBertNormalizer(const Json& json, const std::string& subject) {
    return std::make_unique<BertNormalizer>(StageFields(json, subject));
}

} // namespace headscope
