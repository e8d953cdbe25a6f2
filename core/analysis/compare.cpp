// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/compare.h"

#include "core/analysis/map_view.h"
#include "core/base/check.h"
#include "core/composed/difference_map.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace headscope {

namespace {

/// A side as it is shown.
struct ShownSide {
    AlignedMap aligned;
    ViewedAxis keys;
};

ShownSide shownAs(const ComparedSide& side, const MapView& view, const CancelToken& cancel) {
    ViewedMap shown = viewMap({side.analysis, side.head, view}, cancel);
    return {{std::move(shown.map), shown.axes.queries.axis, shown.axes.keys.axis, shown.statistics},
            std::move(shown.axes.keys)};
}

/// A token that is no special one.
bool hasText(const Axis& axis) {
    return !std::ranges::all_of(axis.entries, &AxisEntry::special);
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
void align(HeadComparison& result, const CancelToken& cancel) {
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
    if (sameTexts && hasText(*first.queries) && hasText(*first.keys) && hasText(*second.queries) &&
        hasText(*second.keys)) {
        constexpr MapView kWords{.words = true, .hideSpecial = true};
        ShownSide one = shownAs(result.sides[0], kWords, cancel);
        ShownSide other = shownAs(result.sides[1], kWords, cancel);
        if (sameWords(*one.aligned.queries, *other.aligned.queries) &&
            sameWords(*one.aligned.keys, *other.aligned.keys)) {
            std::vector<std::int64_t> sinks;
            for (std::size_t i = 0; i < 2; ++i)
                for (const std::int64_t key : columnsOf(result.sides[i]).sinks())
                    if (const auto word = (i == 0 ? one : other).keys.indexOf(key)) sinks.push_back(*word);
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
    for (std::size_t i = 0; i < 2; ++i) result.maps[i] = shownAs(result.sides[i], {}, cancel).aligned;
    align(result, cancel);
    if (result.alignment == Alignment::None) return result;
    result.numbers = compareMaps(*result.maps[0].map, *result.maps[1].map, result.sinks, farthest, cancel);
    result.difference = std::make_shared<DifferenceMap>(result.maps[0].map, result.maps[1].map);
    return result;
}

} // namespace headscope
