// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/byte_characters.h"
#include "core/tokenizer/normalizers/normalizer.h"

#include <utility>

namespace headscope {

namespace {

/// Writes a character for each byte (byte_characters.h).
class ByteLevel : public Normalizer {
  public:
    void normalize(NormalizedText& text) const override {
        text.requireRewritable();
        NormalizedText result = NormalizedText::successorOf(text, byteCharactersSize(text.text()));
        result.appendByteCharacters(text, 0, text.size());
        text = std::move(result);
    }
};

} // namespace

NormalizerPtr parseByteLevelNormalizer(const Json&, const std::string&) {
    return std::make_unique<ByteLevel>();
}

} // namespace headscope
