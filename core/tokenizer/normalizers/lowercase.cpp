// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/code_point.h"
#include "core/tokenizer/normalizers/normalizer.h"
#include "core/tokenizer/unicode_tables.h"

namespace headscope {

namespace {

bool isAsciiUpper(char byte) {
    return byte >= 'A' && byte <= 'Z';
}

class Lowercase : public Normalizer {
  public:
    void normalize(NormalizedText& text) const override { applyLowercase(text); }
};

} // namespace

void applyLowercase(NormalizedText& text) {
    TextEdit edit(text);
    const std::string& old = edit.oldText();
    while (!edit.atEnd()) {
        std::size_t end = edit.cursor();
        while (end < old.size() && static_cast<unsigned char>(old[end]) < 0x80 && !isAsciiUpper(old[end]))
            ++end;
        edit.keep(end - edit.cursor());
        if (edit.atEnd()) break;
        const unicode::LowerCase lower = unicode::toLower(decodeCodePoint(old, edit.cursor()).value);
        edit.replace(lower.first);
        if (lower.second != 0) edit.insert(lower.second);
    }
    edit.finish();
}

NormalizerPtr parseLowercase(const Json&, const std::string&) {
    return std::make_unique<Lowercase>();
}

} // namespace headscope
