// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/code_point.h"
#include "core/tokenizer/pre_tokenizers/pre_tokenizer.h"
#include "core/tokenizer/unicode_tables.h"

namespace headscope {

namespace {

enum class Kind { Space, Word, Other };

Kind kindOf(char32_t c) {
    if (unicode::isWord(c)) return Kind::Word;
    return unicode::isWhiteSpace(c) ? Kind::Space : Kind::Other;
}

/// Keeps what `\w+|[^\w\s]+` matches: runs of word characters, and runs of what is neither that nor white
/// space.
class Whitespace : public PreTokenizer {
  public:
    void split(Pieces& pieces) const override {
        pieces.splitEach([](std::string_view text, const auto& add) {
            std::size_t begin = 0;
            Kind last = Kind::Space;
            for (std::size_t at = 0; at < text.size();) {
                const DecodedCodePoint c = decodeCodePoint(text, at);
                const Kind kind = kindOf(c.value);
                if (kind != last) {
                    if (last != Kind::Space) add(begin, at);
                    begin = at;
                    last = kind;
                }
                at += c.bytes;
            }
            if (last != Kind::Space) add(begin, text.size());
        });
    }
};

} // namespace

PreTokenizerPtr parseWhitespace(const Json&, const std::string&) {
    return std::make_unique<Whitespace>();
}

} // namespace headscope
