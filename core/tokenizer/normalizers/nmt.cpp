// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/normalizers/clean_text.h"
#include "core/tokenizer/normalizers/normalizer.h"

namespace headscope {

namespace {

bool isDropped(char32_t c) {
    return (c >= 0x01 && c <= 0x08) || c == 0x0b || (c >= 0x0e && c <= 0x1f) || c == 0x7f || c == 0x8f ||
           c == 0x9f;
}

/// Not all of them are White_Space, and not all White_Space is here: NBSP stays.
bool becomesSpace(char32_t c) {
    return c == 0x09 || c == 0x0a || c == 0x0c || c == 0x0d || c == 0x1680 || (c >= 0x200b && c <= 0x200f) ||
           c == 0x2028 || c == 0x2029 || c == 0x2581 || c == 0xfeff || c == 0xfffd;
}

/// What translation models clean their text with.
class Nmt : public Normalizer {
  public:
    void normalize(NormalizedText& text) const override { cleanText(text, isDropped, becomesSpace); }
};

} // namespace

NormalizerPtr parseNmt(const Json&, const std::string&) {
    return std::make_unique<Nmt>();
}

} // namespace headscope
