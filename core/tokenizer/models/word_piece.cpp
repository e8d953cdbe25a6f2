// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/tokenizer/code_point.h"
#include "core/tokenizer/models/vocabulary_model.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace headscope {

namespace {

/// Greedy longest match from left to right; a word that cannot be matched to its end is one unknown token.
class WordPiece : public VocabularyModel {
  public:
    explicit WordPiece(const StageFields& fields)
        : VocabularyModel(fields), m_unknown(fields.string("unk_token")),
          m_prefix(fields.string("continuing_subword_prefix")), m_continuing(m_prefix),
          m_longestWord(fields.integer("max_input_chars_per_word", 0, INT64_MAX)) {
        requireShortPieces(fields);
    }

    void encode(const Pieces& pieces, const TokenSink& sink) const override {
        std::vector<ModelToken> tokens;
        encodeEach(pieces, sink, [&](std::string_view word) -> std::vector<ModelToken>& {
            tokens.clear();
            encodeWord(word, tokens);
            return tokens;
        });
    }

  private:
    /// At every place of a word all lengths up to that of the longest piece are tried.
    void requireShortPieces(const StageFields& fields) const {
        constexpr std::int64_t kMost = 1024;
        const auto longest = static_cast<std::int64_t>(vocabulary().longestPiece());
        if (m_longestWord > kMost && longest > kMost)
            fail(fields.subjectOf("max_input_chars_per_word"),
                 fmt::format("found {}, where the longest piece has {} bytes", m_longestWord, longest),
                 fmt::format("expected at most {} for one of the two", kMost));
    }

    void encodeWord(std::string_view word, std::vector<ModelToken>& out) const {
        if (static_cast<std::int64_t>(word.size()) > m_longestWord && countCodePoints(word) > m_longestWord) {
            addToken(out, unknown(word));
            return;
        }
        std::size_t begin = 0;
        while (begin < word.size()) {
            const std::optional<ModelToken> token = longestAt(word, begin);
            if (!token) {
                out = {unknown(word)};
                return;
            }
            addToken(out, *token);
            begin = token->end;
        }
    }

    std::optional<ModelToken> longestAt(std::string_view word, std::size_t begin) const {
        const std::string_view prefix = begin == 0 ? std::string_view() : std::string_view(m_prefix);
        PieceHash hash = begin == 0 ? PieceHash() : m_continuing;
        std::optional<ModelToken> longest;
        // Nothing longer than the longest piece can match, which bounds the work at one word position.
        const std::size_t limit = std::min(word.size(), begin + vocabulary().longestPiece());
        for (std::size_t at = begin; at < limit;) {
            const std::size_t end = at + utf8Length(word[at]);
            if (end > limit) break;
            hash.add(word.substr(at, end - at));
            at = end;
            if (const Vocabulary::Entry* entry =
                    vocabulary().find(hash, prefix, word.substr(begin, end - begin)))
                longest = ModelToken{entry->id, entry->piece, begin, end};
        }
        return longest;
    }

    ModelToken unknown(std::string_view word) const {
        const Vocabulary::Entry* entry = vocabulary().find(m_unknown);
        if (entry == nullptr)
            fail(subject(),
                 fmt::format(
                     "the word \"{}\" is not in the vocabulary, and neither is the unknown token \"{}\"",
                     escapeForMessage(word, 40), escapeForMessage(m_unknown, 40)));
        return {entry->id, entry->piece, 0, word.size()};
    }

    std::string m_unknown;
    std::string m_prefix;
    PieceHash m_continuing;     ///< after m_prefix
    std::int64_t m_longestWord; ///< code points
};

} // namespace

ModelPtr parseWordPiece(const Json& json, const std::string& subject) {
    return std::make_unique<WordPiece>(StageFields(json, subject));
}

} // namespace headscope
