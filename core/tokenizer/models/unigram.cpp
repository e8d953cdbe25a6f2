// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/tokenizer/code_point.h"
#include "core/tokenizer/models/byte_pieces.h"
#include "core/tokenizer/models/model.h"
#include "core/tokenizer/models/piece_trie.h"
#include "core/tokenizer/models/score.h"
#include "core/tokenizer/models/seen_words.h"
#include "core/tokenizer/stage_fields.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace headscope {

namespace {

constexpr std::uint32_t kNone = PieceTrie::kNone;

/// The list [[piece, score], ...]; a piece's place is its id.
struct ScoredPieces {
    std::string spellings; ///< all pieces, one behind the other
    std::vector<std::string_view> pieces;
    std::vector<double> scores;
};

/// Every place of a text is compared with pieces up to this length.
constexpr std::size_t kMaxPieceBytes = 1024;

ScoredPieces readPieces(const StageFields& fields) {
    const std::vector<Json>& list = fields.array("vocab");
    const std::string subject = fields.subjectOf("vocab");
    const auto entrySubject = [&](std::size_t entry) { return fmt::format("{}: {}", subject, entry); };
    if (list.empty()) fail(subject, "no pieces", "expected at least one");
    ScoredPieces result;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (!list[i].isArray() || list[i].items().size() != 2 || !list[i].items()[0].isString())
            fail(entrySubject(i), list[i].isArray() ? "an array of another form" : list[i].typeName(),
                 "expected [\"piece\", score]");
        const std::string& piece = list[i].items()[0].asString();
        if (piece.size() > kMaxPieceBytes)
            fail(entrySubject(i), fmt::format("a piece of {} bytes", piece.size()),
                 fmt::format("expected at most {}", kMaxPieceBytes));
        bytes += piece.size();
    }
    if (bytes > PieceTrie::kMaxBytes)
        fail(subject, fmt::format("pieces of {} bytes together", bytes),
             fmt::format("expected at most {}", PieceTrie::kMaxBytes));
    result.spellings.reserve(bytes); // the views must not move
    result.pieces.reserve(list.size());
    result.scores.reserve(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::size_t begin = result.spellings.size();
        result.spellings += list[i].items()[0].asString();
        result.pieces.push_back(std::string_view(result.spellings).substr(begin));
        const Json& written = list[i].items()[1];
        const std::optional<double> score = readScore(written);
        if (!score)
            fail(entrySubject(i),
                 written.isNumber() ? fmt::format("found {}", written.asReal())
                                    : fmt::format("found {}", written.typeName()),
                 "expected a score, a number within 1e19");
        result.scores.push_back(*score);
    }
    return result;
}

/// The best way to cut a word: of all ways the one whose scores have the largest sum.
class Unigram : public Model {
  public:
    explicit Unigram(const StageFields& fields)
        : m_subject(fields.subject()), m_vocab(readPieces(fields)), m_trie(m_vocab.pieces),
          m_bytes([this](std::string_view piece) { return m_trie.find(piece); }),
          m_byteFallback(fields.boolean("byte_fallback", false)) {
        const Json* unknown = fields.find("unk_id");
        if (unknown != nullptr && !unknown->isNull())
            m_unknown = static_cast<std::uint32_t>(
                fields.integer("unk_id", 0, static_cast<std::int64_t>(m_vocab.pieces.size()) - 1));
        constexpr double kPenalty = 10.0;
        m_unknownScore = *std::min_element(m_vocab.scores.begin(), m_vocab.scores.end()) - kPenalty;
    }

    void encode(const Pieces& pieces, const TokenSink& sink) const override {
        SeenWords seen;
        Lattice lattice;
        encodeEach(pieces, sink, [&](std::string_view word) {
            return seen.tokens(word, [&](std::string_view unseen, std::vector<ModelToken>& out) {
                findBestPath(unseen, lattice);
                addTokens(unseen, lattice, out);
            });
        });
    }

    std::optional<std::int64_t> id(std::string_view piece) const override {
        const std::uint32_t number = m_trie.find(piece);
        return number == kNone ? std::nullopt : std::optional(std::int64_t{number});
    }
    std::optional<std::string_view> piece(std::int64_t id) const override {
        return id < 0 || id >= size() ? std::nullopt
                                      : std::optional(m_vocab.pieces[static_cast<std::size_t>(id)]);
    }
    std::int64_t size() const override { return static_cast<std::int64_t>(m_vocab.pieces.size()); }
    std::int64_t largestId() const override { return size() - 1; }

  private:
    /// The best path to a byte of the word.
    struct Node {
        double score = 0.0;
        std::uint32_t begin = kNone; ///< of its last piece; kNone where no path ends
        std::uint32_t piece = kNone;
    };
    struct Lattice {
        std::vector<Node> nodes;         ///< one a byte of the word, and one for its end
        std::vector<std::uint32_t> ends; ///< of the best path's pieces, from the last to the first
    };

    /// Of several paths with the same score the one found first stays: places from left to right, and at one
    /// place from the shortest piece on.
    void findBestPath(std::string_view word, Lattice& lattice) const {
        lattice.nodes.assign(word.size() + 1, Node());
        for (std::size_t begin = 0; begin < word.size();) {
            const double before = lattice.nodes[begin].score;
            const auto offer = [&](std::size_t end, double score, std::uint32_t piece) {
                Node& node = lattice.nodes[end];
                if (node.begin != kNone && !(before + score > node.score)) return false;
                node = {before + score, static_cast<std::uint32_t>(begin), piece};
                return true;
            };
            const std::size_t character = utf8Length(word[begin]);
            bool known = false;
            m_trie.prefixesOf(word.substr(begin), [&](std::size_t bytes, std::uint32_t piece) {
                offer(begin + bytes, m_vocab.scores[piece], piece);
                known = known || bytes == character;
            });
            if (!known && offer(begin + character, m_unknownScore, m_unknown) && m_unknown == kNone)
                fail(m_subject,
                     fmt::format("\"{}\" is not in the vocabulary, and unk_id names no unknown token",
                                 escapeForMessage(word.substr(begin, character))));
            begin += character;
        }
        lattice.ends.clear();
        for (std::size_t end = word.size(); end > 0; end = lattice.nodes[end].begin)
            lattice.ends.push_back(static_cast<std::uint32_t>(end));
    }

    void addTokens(std::string_view word, const Lattice& lattice, std::vector<ModelToken>& out) const {
        const auto isUnknown = [&](std::uint32_t end) {
            return m_unknown != kNone && lattice.nodes[end].piece == m_unknown;
        };
        for (std::size_t i = lattice.ends.size(); i-- > 0;) {
            const std::size_t begin = lattice.nodes[lattice.ends[i]].begin;
            if (!isUnknown(lattice.ends[i])) {
                const std::uint32_t piece = lattice.nodes[lattice.ends[i]].piece;
                addToken(out, {piece, m_vocab.pieces[piece], begin, lattice.ends[i]});
                continue;
            }
            while (i > 0 && isUnknown(lattice.ends[i - 1])) --i; // neighbours are one token
            addUnknown(word, begin, lattice.ends[i], out);
        }
    }

    void addUnknown(std::string_view word, std::size_t begin, std::size_t end,
                    std::vector<ModelToken>& out) const {
        const std::string_view text = word.substr(begin, end - begin);
        if (const std::uint32_t piece = m_trie.find(text); piece != kNone) {
            addToken(out, {piece, m_vocab.pieces[piece], begin, end});
        } else if (m_byteFallback && m_bytes.spell(text)) {
            for (const char byte : text)
                addToken(out, {m_bytes.piece(byte), m_vocab.pieces[m_bytes.piece(byte)], begin, end});
        } else {
            addToken(out, {m_unknown, text, begin, end});
        }
    }

    std::string m_subject;
    ScoredPieces m_vocab;
    PieceTrie m_trie;
    BytePieces m_bytes;
    bool m_byteFallback;
    std::uint32_t m_unknown = kNone;
    double m_unknownScore = 0.0;
};

} // namespace

ModelPtr parseUnigram(const Json& json, const std::string& subject) {
    return std::make_unique<Unigram>(StageFields(json, subject));
}

} // namespace headscope
