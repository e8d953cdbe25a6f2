// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/normalizers/edit_non_ascii.h"
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
    editNonAscii(text, drops, [](TextEdit& edit, const DecodedCodePoint& c) { edit.drop(c.bytes); });
}

NormalizerPtr parseStripAccents(const Json&, const std::string&) {
    return std::make_unique<StripAccents>();
}

} // namespace headscope
