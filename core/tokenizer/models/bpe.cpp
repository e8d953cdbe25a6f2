// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/tokenizer/code_point.h"
#include "core/tokenizer/models/byte_pieces.h"
#include "core/tokenizer/models/merge_table.h"
#include "core/tokenizer/models/seen_words.h"
#include "core/tokenizer/models/symbol_chain.h"
#include "core/tokenizer/models/vocabulary_model.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

std::optional<std::string> optionalString(const StageFields& fields, std::string_view key) {
    const Json* value = fields.find(key);
    return value == nullptr || value->isNull() ? std::nullopt : std::optional(fields.string(key));
}

/// A prefix or suffix that is put on characters before they are looked up. With byte pieces each of its bytes
/// may become a symbol of its own at every character, so its length is limited.
std::string affix(const StageFields& fields, std::string_view key) {
    constexpr std::size_t kMaxBytes = 64;
    std::string text = optionalString(fields, key).value_or("");
    if (text.size() > kMaxBytes)
        fail(fields.subjectOf(key), fmt::format("{} bytes", text.size()),
             fmt::format("expected at most {}", kMaxBytes));
    return text;
}

/// Byte pair encoding: a word starts as its characters, and neighbours are joined in the order of the merges.
class Bpe : public VocabularyModel {
  public:
    explicit Bpe(const StageFields& fields)
        : VocabularyModel(fields), m_prefix(affix(fields, "continuing_subword_prefix")),
          m_suffix(affix(fields, "end_of_word_suffix")),
          m_merges(fields.required("merges"), vocabulary(), m_prefix.size(), fields.subjectOf("merges")),
          m_bytes([this](std::string_view piece) { return find(piece); }),
          m_unknown(optionalString(fields, "unk_token")),
          m_unknownPiece(m_unknown ? find(*m_unknown) : kNone),
          m_fuseUnknown(fields.optionalBoolean("fuse_unk").value_or(false)),
          m_byteFallback(fields.optionalBoolean("byte_fallback").value_or(false)),
          m_ignoreMerges(fields.optionalBoolean("ignore_merges").value_or(false)) {
        requireNoDropout(fields);
        for (std::size_t c = 0; c < m_shortCharacters.size(); ++c) {
            std::string text;
            appendUtf8(text, static_cast<char32_t>(c));
            m_shortCharacters[c] = find(text);
        }
    }

    void encode(const Pieces& pieces, const TokenSink& sink) const override {
        SeenWords seen;
        SymbolChain chain;
        encodeEach(pieces, sink, [&](std::string_view word) {
            return seen.tokens(word, [&](std::string_view unseen, std::vector<ModelToken>& out) {
                encodeWord(unseen, chain, out);
            });
        });
    }

  private:
    /// The library draws lots above 0, having read it as a single precision number.
    static void requireNoDropout(const StageFields& fields) {
        constexpr double kRoundedToZero = 0x1p-150;
        const Json* dropout = fields.find("dropout");
        if (dropout == nullptr || dropout->isNull()) return;
        if (!dropout->isNumber() || std::abs(dropout->asReal()) > kRoundedToZero)
            fail(fields.subjectOf("dropout"),
                 dropout->isNumber() ? fmt::format("found {}", dropout->asReal())
                                     : fmt::format("found {}", dropout->typeName()),
                 "expected null or 0, as tokens would differ from run to run");
    }

    std::uint32_t find(std::string_view piece) const {
        const Vocabulary::Entry* entry = vocabulary().find(piece);
        return entry == nullptr ? kNone : vocabulary().number(*entry);
    }

    void encodeWord(std::string_view word, SymbolChain& chain, std::vector<ModelToken>& out) const {
        if (m_ignoreMerges) {
            if (const Vocabulary::Entry* entry = vocabulary().find(word)) {
                addToken(out, {entry->id, entry->piece, 0, word.size()});
                return;
            }
        }
        chain.startWord(word.size());
        addCharacters(word, chain);
        chain.merge(m_merges);
        // Lengths are added up, as the library does: after a character that has vanished, places are too low.
        std::size_t begin = 0;
        for (const SymbolChain::Symbol& symbol : chain.symbols()) {
            if (symbol.bytes == 0) continue;
            const Vocabulary::Entry& entry = vocabulary().entry(symbol.piece);
            addToken(out, {entry.id, entry.piece, begin, begin + symbol.bytes});
            begin += symbol.bytes;
        }
    }

    void addCharacters(std::string_view word, SymbolChain& chain) const {
        std::size_t unknownBytes = 0; // of characters whose unknown token is not written yet
        const auto writeUnknown = [&] {
            if (unknownBytes > 0) chain.add(m_unknownPiece, unknownBytes);
            unknownBytes = 0;
        };
        std::string affixed;
        for (std::size_t begin = 0; begin < word.size();) {
            const std::size_t bytes = utf8Length(word[begin]);
            const std::string_view character = spelled(word, begin, bytes, affixed);
            begin += bytes;
            if (const std::uint32_t piece = findCharacter(character); piece != kNone) {
                writeUnknown();
                chain.add(piece, bytes);
            } else if (m_byteFallback && m_bytes.spell(character)) {
                // An unknown token that is due is written behind these.
                for (const char byte : character) chain.add(m_bytes.piece(byte), 1);
            } else if (m_unknown) {
                requireUnknownPiece(character);
                if (!m_fuseUnknown) writeUnknown();
                unknownBytes += bytes;
            } // else it vanishes, and its neighbours stand side by side
        }
        writeUnknown();
    }

    /// The character as it is looked up. `buffer` holds it where it is not the text's own.
    std::string_view spelled(std::string_view word, std::size_t begin, std::size_t bytes,
                             std::string& buffer) const {
        const std::string_view character = word.substr(begin, bytes);
        const bool prefixed = begin > 0 && !m_prefix.empty();
        const bool suffixed = begin + bytes == word.size() && !m_suffix.empty();
        if (!prefixed && !suffixed) return character;
        buffer.clear();
        if (prefixed) buffer += m_prefix;
        buffer += character;
        if (suffixed) buffer += m_suffix;
        return buffer;
    }

    std::uint32_t findCharacter(std::string_view text) const {
        if (text.size() == utf8Length(text[0]) && text.size() <= 2)
            return m_shortCharacters[decodeCodePoint(text, 0).value];
        return find(text);
    }

    void requireUnknownPiece(std::string_view character) const {
        if (m_unknownPiece == kNone)
            fail(subject(),
                 fmt::format("\"{}\" is not in the vocabulary, and neither is the unknown token \"{}\"",
                             escapeForMessage(character, 40), escapeForMessage(*m_unknown, 40)));
    }

    std::string m_prefix; ///< before every character but a word's first
    std::string m_suffix; ///< behind a word's last character
    MergeTable m_merges;
    BytePieces m_bytes;
    std::optional<std::string> m_unknown;
    std::uint32_t m_unknownPiece; ///< kNone where the vocabulary lacks it, which matters once it is needed
    bool m_fuseUnknown;
    bool m_byteFallback;
    bool m_ignoreMerges;
    std::array<std::uint32_t, 0x800> m_shortCharacters{}; ///< pieces of characters of one or two bytes
};

} // namespace

ModelPtr parseBpe(const Json& json, const std::string& subject) {
    return std::make_unique<Bpe>(StageFields(json, subject));
}

} // namespace headscope
