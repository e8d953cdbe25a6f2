// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/byte_characters.h"
#include "core/tokenizer/known_regexes.h"
#include "core/tokenizer/pre_tokenizers/pre_tokenizer.h"
#include "core/tokenizer/stage_fields.h"

namespace headscope {

namespace {

/// Cuts each piece as GPT-2 does, or leaves it whole, and writes a character for each byte
/// (byte_characters.h).
class ByteLevel : public PreTokenizer {
  public:
    explicit ByteLevel(const StageFields& fields)
        : m_addPrefixSpace(fields.boolean("add_prefix_space")), m_cuts(fields.boolean("use_regex", true)) {
        fields.boolean("trim_offsets"); // required, though it has a meaning in the post-processor only
    }

    void split(Pieces& pieces) const override {
        const std::size_t bytes = byteCharactersSize(pieces.buffer.text()) + (m_addPrefixSpace ? 2 : 0);
        pieces.rewriteEach(bytes, [&](const Piece& piece, NormalizedText& text, const auto& add) {
            pieces.buffer.requireRewritable(piece.begin);
            const std::string_view view = pieces.view(piece);
            if (m_addPrefixSpace && !view.starts_with(' '))
                write(pieces.buffer, piece, std::string(1, ' ').append(view), text, add);
            else
                write(pieces.buffer, piece, view, text, add);
        });
    }

  private:
    /// `seen` is the piece's text, with or without a space put before it, which takes the origin of the
    /// first character.
    template <typename Add>
    void write(const NormalizedText& from, const Piece& piece, std::string_view seen, NormalizedText& text,
               const Add& add) const {
        const std::size_t prefix = seen.size() - (piece.end - piece.begin);
        for (std::size_t begin = 0; begin < seen.size();) {
            // GPT-2's pattern matches at every place.
            const std::size_t end = m_cuts ? m_scanner(seen, begin) : seen.size();
            const std::size_t before = text.size();
            if (begin < prefix) {
                text.append(kByteSpaceUtf8, from.origin(piece.begin));
                begin = prefix;
            }
            text.appendByteCharacters(from, piece.begin + begin - prefix, piece.begin + end - prefix);
            add(before, text.size());
            begin = end;
        }
    }

    bool m_addPrefixSpace;
    bool m_cuts;
    RegexScanner m_scanner = scannerFor(kGpt2Regex);
};

} // namespace

PreTokenizerPtr parseByteLevelPreTokenizer(const Json& json, const std::string& subject) {
    return std::make_unique<ByteLevel>(StageFields(json, subject));
}

} // namespace headscope
