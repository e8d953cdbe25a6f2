// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/code_point.h"
#include "core/tokenizer/pre_tokenizers/pre_tokenizer.h"
#include "core/tokenizer/unicode_tables.h"

#include <optional>
#include <unicode/uscript.h>

namespace headscope {

namespace {

/// The script as SentencePiece tells them apart: Japanese is one. kNoScript for what joins any.
int scriptOf(char32_t c) {
    if (c == ' ') return unicode::kNoScript;
    if (c == 0x30fc) return USCRIPT_HAN; // the long vowel sign
    const int script = unicode::script(c);
    return script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA ? USCRIPT_HAN : script;
}

/// Cuts where the script changes. Common and Inherited are scripts like any other. What stands before the
/// first character that has a script is lost, as in the library.
class UnicodeScripts : public PreTokenizer {
  public:
    void split(Pieces& pieces) const override {
        pieces.splitEach([](std::string_view text, const auto& add) {
            int last = unicode::kNoScript;
            std::optional<std::size_t> begin;
            for (std::size_t at = 0; at < text.size();) {
                const DecodedCodePoint c = decodeCodePoint(text, at);
                const int script = scriptOf(c.value);
                if (script != unicode::kNoScript && script != last) {
                    if (begin) add(*begin, at);
                    begin = at;
                    last = script;
                }
                at += c.bytes;
            }
            if (begin) add(*begin, text.size());
        });
    }
};

} // namespace

PreTokenizerPtr parseUnicodeScripts(const Json&, const std::string&) {
    return std::make_unique<UnicodeScripts>();
}

} // namespace headscope
