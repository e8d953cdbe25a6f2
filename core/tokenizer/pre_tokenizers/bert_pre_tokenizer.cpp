// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/code_point.h"
#include "core/tokenizer/pre_tokenizers/pre_tokenizer.h"
#include "core/tokenizer/unicode_tables.h"

namespace headscope {

namespace {

/// Drops white space and makes every punctuation character a piece.
class BertPreTokenizer : public PreTokenizer {
  public:
    void split(Pieces& pieces) const override {
        pieces.splitEach([](std::string_view text, const auto& add) {
            std::size_t begin = 0;
            std::size_t at = 0;
            while (at < text.size()) {
                const DecodedCodePoint c = decodeCodePoint(text, at);
                const bool space = unicode::isWhiteSpace(c.value);
                if (space || unicode::isBertPunctuation(c.value)) {
                    add(begin, at);
                    begin = at + c.bytes;
                    if (!space) add(at, begin);
                }
                at += c.bytes;
            }
            add(begin, at);
        });
    }
};

} // namespace

PreTokenizerPtr parseBertPreTokenizer(const Json&, const std::string&) {
    return std::make_unique<BertPreTokenizer>();
}

} // namespace headscope
