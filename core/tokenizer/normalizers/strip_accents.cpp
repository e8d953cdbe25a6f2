// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/code_point.h"
#include "core/tokenizer/normalizers/normalizer.h"
#include "core/tokenizer/unicode_tables.h"

namespace headscope {

namespace {

/// Drops marks of all three kinds. Decomposes nothing: usually an NFD or NFKD stage stands before it.
class StripAccents : public Normalizer {
  public:
    void normalize(NormalizedText& text) const override { dropNonAscii(text, unicode::isMark); }
};

} // namespace

void dropNonAscii(NormalizedText& text, bool (*drops)(char32_t)) {
    if (findNonAscii(text.text(), 0) == text.size()) return;
    TextEdit edit(text);
    const std::string& old = edit.oldText();
    std::size_t at = 0;
    while (at < old.size()) {
        at = findNonAscii(old, at);
        if (at == old.size()) break;
        const DecodedCodePoint c = decodeCodePoint(old, at);
        if (drops(c.value)) {
            edit.keep(at - edit.cursor());
            edit.drop(c.bytes);
        }
        at += c.bytes;
    }
    edit.keep(old.size() - edit.cursor());
    edit.finish();
}

NormalizerPtr parseStripAccents(const Json&, const std::string&) {
    return std::make_unique<StripAccents>();
}

} // namespace headscope
