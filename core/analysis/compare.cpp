// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/compare.h"

#include "core/analysis/export_part.h"
#include "core/analysis/word_groups.h"
#include "core/base/check.h"
#include "core/composed/difference_map.h"
#include "core/composed/grouped_map.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace headscope {

namespace {

AlignedMap asTokens(const ComparedSide& side) {
    requireHead(side.analysis->model->spec(), side.head);
    const HeadResult* head = side.analysis->find(side.head);
    HS_CHECK(head != nullptr);
    const auto share = [](const Axis& axis) { return std::make_shared<const Axis>(axis); };
    return {head->map, share(side.analysis->queryAxis(side.head.kind)),
            share(side.analysis->keyAxis(side.head.kind)), head->range};
}

/// Positions of the tokens that are no special ones.
std::vector<std::int64_t> ofTheText(const Axis& axis) {
    std::vector<std::int64_t> positions;
    for (std::int64_t i = 0; i < axis.size(); ++i)
        if (!axis.entries[static_cast<std::size_t>(i)].special) positions.push_back(i);
    return positions;
}

Axis chosen(const Axis& axis, const std::vector<std::int64_t>& positions) {
    Axis result;
    result.texts = axis.texts;
    for (const std::int64_t i : positions)
        result.entries.push_back(axis.entries[static_cast<std::size_t>(i)]);
    return result;
}

/// A map by words of the text, and which word each position of the tokens belongs to, -1 for special ones.
struct WordMap {
    AlignedMap aligned;
    std::vector<std::int64_t> wordOfKey;
};

WordMap asWords(const AlignedMap& tokens) {
    const std::vector<std::int64_t> rows = ofTheText(*tokens.queries);
    const std::vector<std::int64_t> columns = ofTheText(*tokens.keys);
    const WordGroups queries = wordGroups(chosen(*tokens.queries, rows));
    const WordGroups keys = wordGroups(chosen(*tokens.keys, columns));
    WordMap result;
    result.wordOfKey.assign(static_cast<std::size_t>(tokens.keys->size()), -1);
    for (std::size_t word = 0; word < keys.tokens.size(); ++word)
        for (std::int64_t i = keys.tokens[word].begin; i < keys.tokens[word].end; ++i)
            result.wordOfKey[static_cast<std::size_t>(columns[static_cast<std::size_t>(i)])] =
                static_cast<std::int64_t>(word);
    result.aligned = {
        std::make_shared<GroupedMap>(selectedMap(tokens.map, rows, columns), queries.tokens, keys.tokens),
        queries.axis,
        keys.axis,
        {}};
    result.aligned.statistics = statisticsOf(*result.aligned.map);
    return result;
}

bool samePieces(const Axis& first, const Axis& second) {
    return std::ranges::equal(first.entries, second.entries, {}, &AxisEntry::piece, &AxisEntry::piece);
}

bool sameWords(const Axis& first, const Axis& second) {
    const auto label = [](const AxisEntry& word) { return std::pair(word.text, word.start); };
    return std::ranges::equal(first.entries, second.entries, {}, label, label);
}

const ColumnTable& columnsOf(const ComparedSide& side) {
    return side.analysis->find(side.head)->metrics.columns;
}

std::vector<std::int64_t> united(std::vector<std::int64_t> first, const std::vector<std::int64_t>& second) {
    first.insert(first.end(), second.begin(), second.end());
    std::ranges::sort(first);
    const auto rest = std::ranges::unique(first);
    first.erase(rest.begin(), rest.end());
    return first;
}

std::string extentText(const Extent& extent) {
    return extent.rows == extent.columns ? fmt::format("{} tokens", extent.rows)
                                         : fmt::format("{} by {} tokens", extent.rows, extent.columns);
}

/// Tries positions, then words.
void align(HeadComparison& result) {
    AlignedMap& first = result.maps[0];
    AlignedMap& second = result.maps[1];
    result.sinks = united(columnsOf(result.sides[0]).sinks(), columnsOf(result.sides[1]).sinks());
    const bool sameTokens =
        samePieces(*first.queries, *second.queries) && samePieces(*first.keys, *second.keys);
    if (sameTokens) {
        result.alignment = Alignment::Tokens;
        return;
    }
    const bool sameTexts =
        first.queries->texts == second.queries->texts && first.keys->texts == second.keys->texts;
    if (sameTexts && !first.keys->texts.empty()) {
        WordMap one = asWords(first);
        WordMap other = asWords(second);
        if (one.aligned.map->extent().rows > 0 && sameWords(*one.aligned.queries, *other.aligned.queries) &&
            sameWords(*one.aligned.keys, *other.aligned.keys)) {
            std::vector<std::int64_t> sinks;
            for (std::size_t i = 0; i < 2; ++i)
                for (const std::int64_t key : columnsOf(result.sides[i]).sinks())
                    if (const auto word = (i == 0 ? one : other).wordOfKey[static_cast<std::size_t>(key)];
                        word >= 0)
                        sinks.push_back(word);
            result.sinks = united(std::move(sinks), {});
            result.alignment = Alignment::Words;
            result.note = "The tokenizers cut the text differently: words are compared, the weights of a "
                          "word's keys summed and of its queries averaged, special tokens left out.";
            first = std::move(one.aligned);
            second = std::move(other.aligned);
            return;
        }
    }
    if (first.map->extent() == second.map->extent()) {
        result.alignment = Alignment::Tokens;
        result.note = sameTexts ? "The tokenizers cut the text differently: tokens are compared by their "
                                  "position alone."
                                : "The texts differ: tokens are compared by their position alone.";
        return;
    }
    result.sinks.clear();
    result.note =
        fmt::format("The maps have {} and {}: there is nothing to subtract, each is shown by itself.",
                    extentText(first.map->extent()), extentText(second.map->extent()));
}

} // namespace

std::string_view nameOf(Alignment alignment) {
    constexpr std::array<std::string_view, 3> kNames = {"tokens", "words", "none"};
    return kNames[static_cast<std::size_t>(alignment)];
}

HeadComparison compareHeads(const ComparedSide& first, const ComparedSide& second, std::size_t farthest,
                            const CancelToken& cancel) {
    HeadComparison result;
    result.sides[0] = first;
    result.sides[1] = second;
    for (std::size_t i = 0; i < 2; ++i) result.maps[i] = asTokens(result.sides[i]);
    align(result);
    if (result.alignment == Alignment::None) return result;
    result.numbers = compareMaps(*result.maps[0].map, *result.maps[1].map, result.sinks, farthest, cancel);
    result.difference = std::make_shared<DifferenceMap>(result.maps[0].map, result.maps[1].map);
    return result;
}

} // namespace headscope
