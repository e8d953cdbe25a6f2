// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/forms/merges_from_scores.h"

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/tokenizer/code_point.h"
#include "core/tokenizer/stage_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace headscope {

namespace {

struct Merge {
    std::string_view text;
    std::uint32_t leftBytes = 0;
    std::uint32_t leftLength = 0; ///< code points
    std::uint32_t rightLength = 0;
    double score = 0.0;
    std::size_t leftId = 0;
    std::size_t rightId = 0;
};

/// Ids of all pieces of the model by spelling; of two that are spelled alike the last.
PieceViewMap<std::size_t> idsOf(const SentencePieceModel& model) {
    PieceViewMap<std::size_t> ids;
    ids.reserve(model.pieces.size());
    for (std::size_t i = 0; i < model.pieces.size(); ++i) ids[model.pieces[i].text] = i;
    return ids;
}

/// Adds every way to cut the piece, by the ids of the parts.
void addMerges(const ScoredPiece& piece, double score, const PieceViewMap<std::size_t>& ids,
               std::vector<Merge>& merges) {
    const std::string_view text = piece.text;
    const auto length = static_cast<std::uint32_t>(countCodePoints(text));
    const auto first = static_cast<std::ptrdiff_t>(merges.size());
    std::uint32_t leftLength = 0;
    for (std::size_t at = utf8Length(text[0]); at < text.size(); at += utf8Length(text[at])) {
        ++leftLength;
        const auto left = ids.find(text.substr(0, at));
        if (left == ids.end()) continue;
        const auto right = ids.find(text.substr(at));
        if (right == ids.end()) continue;
        merges.push_back({text, static_cast<std::uint32_t>(at), leftLength, length - leftLength, score,
                          left->second, right->second});
    }
    std::sort(merges.begin() + first, merges.end(), [](const Merge& a, const Merge& b) {
        return std::tie(a.leftId, a.rightId) < std::tie(b.leftId, b.rightId);
    });
}

} // namespace

Json mergesFromScores(const std::vector<ScoredPiece>& pieces, const SentencePieceModel& model, bool tabIsByte,
                      const std::string& subject) {
    constexpr std::size_t kMaxPieceBytes = 1024; // every cut of a piece looks up two parts
    PieceViewMap<std::size_t> ids = idsOf(model);
    if (const auto byte = ids.find("<0x09>"); tabIsByte && byte != ids.end()) ids.emplace("\t", byte->second);
    PieceViewMap<double> scores; // of two pieces that are spelled alike the last score counts
    scores.reserve(pieces.size());
    for (const ScoredPiece& piece : pieces) scores[piece.text] = piece.score;

    std::vector<Merge> merges;
    PieceViewMap<bool> seen;
    for (const ScoredPiece& piece : pieces) {
        if (piece.text.size() > kMaxPieceBytes)
            fail(subject, fmt::format("a piece of {} bytes", piece.text.size()),
                 fmt::format("expected at most {}", kMaxPieceBytes));
        if (!piece.text.empty() && seen.emplace(piece.text, true).second)
            addMerges(piece, scores.at(piece.text), ids, merges);
    }
    std::stable_sort(merges.begin(), merges.end(), [](const Merge& a, const Merge& b) {
        return std::tie(a.score, a.leftLength, a.rightLength) >
               std::tie(b.score, b.leftLength, b.rightLength);
    });

    std::vector<Json> pairs;
    pairs.reserve(merges.size());
    for (const Merge& merge : merges)
        pairs.push_back(jsonArray(
            {jsonText(merge.text.substr(0, merge.leftBytes)), jsonText(merge.text.substr(merge.leftBytes))}));
    return jsonArray(std::move(pairs));
}

} // namespace headscope
