// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/compare.h"

#include "core/analysis/compared_sinks.h"
#include "core/composed/difference_map.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>
#include <utility>

namespace headscope {

namespace {

using Made = std::array<std::shared_ptr<const ViewedMap>, 2>;

ViewRequest requestOf(const ComparedSide& side) {
    return {side.analysis, side.head, side.view};
}

AlignedMap alignedOf(const ViewedMap& made) {
    return {made.map, made.axes, made.statistics};
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

std::string extentText(const Extent& extent, bool words) {
    const char* what = words ? "words" : "tokens";
    return extent.rows == extent.columns ? fmt::format("{} {}", extent.rows, what)
                                         : fmt::format("{} by {} {}", extent.rows, extent.columns, what);
}

bool samePieces(const HeadComparison& result) {
    const auto& [first, second] = result.maps;
    return samePieces(*first.queries(), *second.queries()) && samePieces(*first.keys(), *second.keys());
}

/// Why maps that are shown so cannot be subtracted; empty where they can.
std::string differentViews(const HeadComparison& result) {
    const MapView& first = result.sides[0].view;
    const MapView& second = result.sides[1].view;
    const auto sentence = [](bool isFirst, const char* one, const char* other) {
        return fmt::format("{} {}, {} {}: there is nothing to subtract until both are shown alike.",
                           isFirst ? "a" : "b", one, isFirst ? "b" : "a", other);
    };
    if (first.valueWeighted != second.valueWeighted)
        return sentence(second.valueWeighted, "shows weights", "weights times value norms");
    if (first.words != second.words) return sentence(first.words, "shows words", "tokens");
    if (first.hideFirst != second.hideFirst)
        return sentence(first.hideFirst, "masks the first key", "does not");
    if (first.hideSpecial != second.hideSpecial && !samePieces(result))
        return sentence(first.hideSpecial, "leaves special tokens out", "does not");
    return {};
}

/// Both by the words of their one text, where these are the same.
bool regroup(HeadComparison& result, const Made& made, const CancelToken& cancel) {
    std::array<AlignedMap, 2> words;
    for (std::size_t i = 0; i < 2; ++i) {
        const auto& [queries, keys] = made[i]->axes;
        if (!hasText(*queries.axis) || !hasText(*keys.axis)) return false;
        ViewRequest request = requestOf(result.sides[i]);
        request.view.words = true;
        request.view.hideSpecial = true;
        words[i] = alignedOf(viewMap(request, made[i]->tokens, cancel));
    }
    if (!sameWords(*words[0].queries(), *words[1].queries()) ||
        !sameWords(*words[0].keys(), *words[1].keys()))
        return false;
    result.regrouped = !(result.sides[0].view.words && result.sides[0].view.hideSpecial);
    std::ranges::move(words, result.maps);
    return true;
}

const char* const kRegrouped =
    "The tokenizers cut the text differently: words are compared, the weights of a "
    "word's keys summed and of its queries averaged, special tokens left out.";

/// Tries positions, then words.
void align(HeadComparison& result, const Made& made, const CancelToken& cancel) {
    const bool words = result.sides[0].view.words;
    result.note = differentViews(result);
    if (!result.note.empty()) return;
    result.alignment = words ? Alignment::Words : Alignment::Tokens;
    if (samePieces(result)) return;
    const auto& [first, second] = result.maps;
    const bool sameTexts =
        first.queries()->texts == second.queries()->texts && first.keys()->texts == second.keys()->texts;
    if (sameTexts && regroup(result, made, cancel)) {
        result.alignment = Alignment::Words;
        if (result.regrouped) result.note = kRegrouped;
        return;
    }
    const char* what = words ? "words" : "tokens";
    if (first.map->extent() == second.map->extent()) {
        result.note =
            fmt::format("{}: {} are compared by their position alone.",
                        sameTexts ? "The tokenizers cut the text differently" : "The texts differ", what);
        return;
    }
    result.alignment = Alignment::None;
    result.note =
        fmt::format("The maps have {} and {}: there is nothing to subtract, each is shown by itself.",
                    extentText(first.map->extent(), words), extentText(second.map->extent(), words));
}

/// Columns of the maps as they are compared; what is left out or masked is none.
std::vector<std::int64_t> alignedSinks(const HeadComparison& result, const Made& made,
                                       const CancelToken& cancel) {
    std::vector<std::int64_t> columns;
    for (std::size_t i = 0; i < 2; ++i) {
        const ViewRequest request = requestOf(result.sides[i]);
        const ViewedAxis& keys = result.maps[i].axes.keys;
        for (const std::int64_t token : comparedSinks(request, *made[i]->tokens, cancel)) {
            const auto column = keys.indexOf(token);
            if (!column) continue;
            const bool masked =
                request.view.hideFirst && keys.positions[static_cast<std::size_t>(*column)] == 0;
            if (!masked) columns.push_back(*column);
        }
    }
    std::ranges::sort(columns);
    const auto rest = std::ranges::unique(columns);
    columns.erase(rest.begin(), rest.end());
    return columns;
}

/// Rows of weights of which nothing is left out are distributions, but for what a learned sink takes.
bool isDistribution(const MapView& view) {
    return !view.valueWeighted && view.heads != HeadsShown::Largest && !view.hideSpecial && !view.hideFirst;
}

} // namespace

std::string_view nameOf(Alignment alignment) {
    constexpr std::array<std::string_view, 3> kNames = {"tokens", "words", "none"};
    return kNames[static_cast<std::size_t>(alignment)];
}

bool isSameMap(const ComparedSide& one, const ComparedSide& other) {
    const bool sameHeads = one.view.heads == HeadsShown::One
                               ? one.head == other.head
                               : one.head.kind == other.head.kind && one.head.layer == other.head.layer;
    return one.analysis == other.analysis && one.view == other.view && sameHeads;
}

MapView HeadComparison::viewOf(std::size_t side) const {
    MapView view = sides[side].view;
    view.words |= regrouped;
    view.hideSpecial |= regrouped;
    return view;
}

RangeStatistics sharedRange(const RangeStatistics& one, const RangeStatistics& other) {
    return {std::max(one.upperRowMaximum, other.upperRowMaximum), std::max(one.evenWeight, other.evenWeight),
            std::max(one.maximum, other.maximum), std::max(one.ceiling, other.ceiling)};
}

std::array<RangeStatistics, 2> comparedRanges(const HeadComparison& comparison) {
    const RangeStatistics& first = comparison.maps[0].statistics;
    const RangeStatistics& second = comparison.maps[1].statistics;
    if (comparison.sides[0].view.showsWeights() != comparison.sides[1].view.showsWeights())
        return {first, second};
    const RangeStatistics shared = sharedRange(first, second);
    return {shared, shared};
}

HeadComparison compareHeads(const ComparedSide& first, const ComparedSide& second, std::size_t farthest,
                            const CancelToken& cancel) {
    HeadComparison result;
    result.sides[0] = first;
    result.sides[1] = second;
    Made made;
    for (std::size_t i = 0; i < 2; ++i) {
        const ComparedSide& side = result.sides[i];
        made[i] = side.made ? side.made : std::make_shared<const ViewedMap>(viewMap(requestOf(side), cancel));
        result.maps[i] = alignedOf(*made[i]);
    }
    align(result, made, cancel);
    if (result.alignment == Alignment::None) return result;
    result.sinks = alignedSinks(result, made, cancel);
    result.divided = !isDistribution(result.viewOf(0)) || !isDistribution(result.viewOf(1));
    const ComparisonRules rules{result.sinks, farthest,
                                result.divided ? RowScale::Divided : RowScale::Weights};
    result.numbers = compareMaps(*result.maps[0].map, *result.maps[1].map, rules, cancel);
    result.difference = std::make_shared<DifferenceMap>(result.maps[0].map, result.maps[1].map);
    return result;
}

} // namespace headscope
