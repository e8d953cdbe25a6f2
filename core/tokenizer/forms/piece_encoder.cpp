// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/forms/piece_encoder.h"

#include "core/base/error.h"
#include "core/tokenizer/code_point.h"
#include "core/tokenizer/text_limit.h"

#include <queue>

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <unordered_map>

namespace headscope {

namespace {

constexpr std::size_t kNone = SIZE_MAX;

bool isOrdinary(PieceKind kind) {
    return kind == PieceKind::Normal || kind == PieceKind::UserDefined || kind == PieceKind::Unused;
}

std::vector<std::uint32_t> ordinaryIds(const SentencePieceModel& model) {
    std::vector<std::uint32_t> ids;
    for (std::size_t i = 0; i < model.pieces.size(); ++i)
        if (isOrdinary(model.pieces[i].kind)) ids.push_back(static_cast<std::uint32_t>(i));
    return ids;
}

std::vector<std::string_view> spellings(const SentencePieceModel& model, std::span<const std::uint32_t> ids,
                                        const std::string& subject) {
    constexpr std::size_t kMaxPieceBytes = 1024; // every place of a text is compared with pieces up to this
    std::vector<std::string_view> result;
    for (const std::uint32_t id : ids) {
        const std::string& text = model.pieces[id].text;
        if (text.size() > kMaxPieceBytes)
            fail(fmt::format("{}: piece {}", subject, id), fmt::format("{} bytes", text.size()),
                 fmt::format("expected at most {}", kMaxPieceBytes));
        result.push_back(text);
    }
    return result;
}

} // namespace

PieceEncoder::PieceEncoder(std::string_view bytes, const std::string& subject)
    : m_subject(subject), m_model(bytes, subject), m_normalizer(m_model, subject), m_pieces({}),
      m_ids(ordinaryIds(m_model)) {
    m_pieces = PieceTrie(spellings(m_model, m_ids, m_subject));
    constexpr float kPenalty = 10.0F;
    float smallest = std::numeric_limits<float>::max();
    for (const SentencePiece& piece : m_model.pieces)
        if (piece.kind == PieceKind::Normal) smallest = std::min(smallest, piece.score);
    m_unknownScore = smallest - kPenalty;
}

/// The best way to cut the text, in the library's single precision; of two that are as good the one found
/// first stays.
std::vector<PieceEncoder::Found> PieceEncoder::unigram(std::string_view text) const {
    struct Node {
        float score = 0.0F; ///< of the best path to here
        std::uint32_t begin = UINT32_MAX;
        std::uint32_t id = 0;
    };
    std::vector<Node> nodes(text.size() + 1);
    for (std::size_t begin = 0; begin < text.size();) {
        const float before = nodes[begin].score;
        const auto offer = [&](std::size_t end, float score, std::size_t id) {
            Node& node = nodes[end];
            const float sum = before + score;
            if (node.begin != UINT32_MAX && !(sum > node.score)) return;
            node = {sum, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(id)};
        };
        const std::size_t character = utf8Length(text[begin]);
        bool isKnown = false;
        m_pieces.prefixesOf(text.substr(begin), [&](std::size_t bytes, std::uint32_t number) {
            const std::size_t id = m_ids[number];
            if (isKind(id, PieceKind::Unused)) return;
            // A user-defined piece gets the more the longer it is, where others get less than nothing.
            const float score = isKind(id, PieceKind::UserDefined)
                                    ? static_cast<float>(static_cast<double>(bytes) * 0.1 - 0.1)
                                    : m_model.pieces[id].score;
            offer(begin + bytes, score, id);
            isKnown = isKnown || bytes == character;
        });
        if (!isKnown) offer(begin + character, m_unknownScore, m_model.unknown());
        begin += character;
    }
    std::vector<Found> found;
    for (std::size_t end = text.size(); end > 0; end = nodes[end].begin) {
        requireRoomForToken(found.size());
        found.push_back({nodes[end].begin, end, nodes[end].id});
    }
    std::reverse(found.begin(), found.end());
    return found;
}

std::vector<PieceEncoder::Found> PieceEncoder::bpe(std::string_view text) const {
    struct Symbol {
        std::size_t begin;
        std::size_t end; ///< as `begin` once it is merged into the one before it
        std::size_t previous;
        std::size_t next;
        bool isFrozen; ///< a user-defined piece
    };
    std::vector<Symbol> symbols;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t defined = m_normalizer.userDefined(text.substr(at));
        const std::size_t bytes = defined > 0 ? defined : utf8Length(text[at]);
        const std::size_t i = symbols.size();
        if (i == kMaxTokens)
            fail("the text", fmt::format("more than {} characters", kMaxTokens), "expected at most that",
                 "use a shorter text");
        symbols.push_back({at, at + bytes, i == 0 ? kNone : i - 1, i + 1, defined > 0});
        at += bytes;
    }
    if (symbols.empty()) return {};
    symbols.back().next = kNone;

    struct Pair {
        float score;
        std::size_t left;
        std::size_t right;
        std::size_t bytes; ///< of both, to see whether they are still what they were
        bool operator<(const Pair& other) const {
            return score < other.score || (score == other.score && left > other.left);
        }
    };
    std::priority_queue<Pair> agenda;
    std::unordered_map<std::size_t, std::size_t>
        cuts; // of unused pieces by their place, the length of the left part
    const auto offer = [&](std::size_t left, std::size_t right) {
        if (left == kNone || right == kNone || symbols[left].isFrozen || symbols[right].isFrozen) return;
        const std::size_t begin = symbols[left].begin;
        const std::size_t bytes = symbols[right].end - begin;
        const std::uint32_t number = m_pieces.find(text.substr(begin, bytes));
        if (number == PieceTrie::kNone) return;
        agenda.push({m_model.pieces[m_ids[number]].score, left, right, bytes});
        if (isKind(m_ids[number], PieceKind::Unused)) cuts[number] = symbols[left].end - begin;
    };
    for (std::size_t i = 1; i < symbols.size(); ++i) offer(i - 1, i);
    while (!agenda.empty()) {
        const Pair pair = agenda.top();
        agenda.pop();
        Symbol& left = symbols[pair.left];
        Symbol& right = symbols[pair.right];
        if (left.begin == left.end || right.begin == right.end || right.end - left.begin != pair.bytes)
            continue;
        left.end = right.end;
        left.next = right.next;
        if (right.next != kNone) symbols[right.next].previous = pair.left;
        right.end = right.begin;
        offer(left.previous, pair.left);
        offer(pair.left, left.next);
    }

    std::vector<Found> found;
    std::vector<std::pair<std::size_t, std::size_t>> left; // what is not yet written, the next one last
    for (std::size_t i = 0; i != kNone; i = symbols[i].next) {
        left.emplace_back(symbols[i].begin, symbols[i].end);
        while (!left.empty()) {
            const auto [begin, end] = left.back();
            left.pop_back();
            const std::string_view piece = text.substr(begin, end - begin);
            const std::size_t id = m_model.idOf(piece);
            const auto cut = isKind(id, PieceKind::Unused) ? cuts.find(m_pieces.find(piece)) : cuts.end();
            if (cut == cuts.end()) {
                found.push_back({begin, end, id});
                continue;
            }
            left.emplace_back(begin + cut->second, end);
            left.emplace_back(begin, begin + cut->second);
        }
    }
    return found;
}

std::vector<EncodedPiece> PieceEncoder::encode(const NormalizedText& text) const {
    const NormalizedText normalized = m_normalizer.normalized(text);
    const std::string_view view = normalized.text();
    std::vector<EncodedPiece> pieces;
    bool isBehindUnknown = false;
    for (const Found& found : m_model.type == PieceModelType::Unigram ? unigram(view) : bpe(view)) {
        if (isKind(found.id, PieceKind::Control))
            fail(m_subject,
                 fmt::format("the text makes the control piece \"{}\"",
                             escapeForMessage(m_model.pieces[found.id].text, 40)),
                 {}, "the sentencepiece library stops at this too: change the text");
        const Span span = normalized.span(found.begin, found.end);
        const std::string_view spelled = view.substr(found.begin, found.end - found.begin);
        const bool isUnknown = isKind(found.id, PieceKind::Unknown);
        if (isUnknown && m_model.byteFallback) {
            for (const char byte : spelled) {
                requireRoomForToken(pieces.size());
                pieces.push_back(
                    {fmt::format("<0x{:02X}>", static_cast<unsigned char>(byte)), span.begin, span.end});
            }
        } else if (isUnknown && isBehindUnknown) { // neighbours are one piece
            pieces.back().text += spelled;
            pieces.back().end = span.end;
        } else {
            pieces.push_back({std::string(spelled), span.begin, span.end});
        }
        isBehindUnknown = isUnknown;
    }
    return pieces;
}

} // namespace headscope
