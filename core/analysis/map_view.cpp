// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/map_view.h"

#include "core/analysis/export_part.h"
#include "core/analysis/word_groups.h"
#include "core/base/check.h"
#include "core/composed/combined_heads.h"
#include "core/composed/grouped_map.h"
#include "core/composed/hidden_tokens.h"
#include "core/composed/rollout.h"
#include "core/composed/weighted_map.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <utility>

namespace headscope {

namespace {

constexpr std::array<std::string_view, 4> kHeadsShown = {"one", "mean", "max", "rollout"};

/// What each position of the whole text is made of: tokens, or words.
struct Positions {
    std::shared_ptr<const Axis> axis;
    std::vector<Span> tokens;
};

Positions positionsOf(const Axis& tokens, bool words) {
    if (words) {
        WordGroups groups = wordGroups(tokens);
        return {std::move(groups.axis), std::move(groups.tokens)};
    }
    Positions all{std::make_shared<const Axis>(tokens), {}};
    for (std::int64_t i = 0; i < tokens.size(); ++i) all.tokens.push_back({i, i + 1});
    return all;
}

ViewedAxis viewedAxis(const Axis& tokens, const MapView& view, const std::optional<Span>& part,
                      const char* what) {
    const Positions all = positionsOf(tokens, view.words);
    const std::int64_t count = all.axis->size();
    const Span wanted = part.value_or(Span{0, count});
    if (wanted.begin < 0 || wanted.end > count || wanted.size() <= 0)
        fail(what, fmt::format("{}:{} was asked for", wanted.begin, wanted.end),
             fmt::format("there are {} {}, hence 0:{} at most", count, view.words ? "words" : "tokens",
                         count));
    ViewedAxis shown;
    auto axis = std::make_shared<Axis>();
    axis->texts = tokens.texts;
    for (std::int64_t i = wanted.begin; i < wanted.end; ++i) {
        const AxisEntry& entry = all.axis->entries[static_cast<std::size_t>(i)];
        if (view.hideSpecial && entry.special) continue;
        axis->entries.push_back(entry);
        shown.positions.push_back(i);
        shown.tokens.push_back(all.tokens[static_cast<std::size_t>(i)]);
    }
    if (shown.positions.empty())
        fail(what, "only special tokens are in this part, and they are hidden", {},
             "leave out --hide-special or give a longer text");
    shown.axis = std::move(axis);
    return shown;
}

const LayerResult& layerOf(const Analysis& analysis, const HeadRef& head) {
    for (const auto& layer : analysis.layers)
        if (layer->kind == head.kind && layer->layer == head.layer) return *layer;
    fail(fmt::format("layer {}", head.layer.value), "it was not computed");
}

const HeadResult& resultOf(const Analysis& analysis, const HeadRef& head) {
    requireHead(analysis.model->spec(), head);
    const HeadResult* found = analysis.find(head);
    HS_CHECK(found != nullptr);
    return *found;
}

/// [keys]
std::span<const float> valueNorms(const Analysis& analysis, const HeadRef& head) {
    const LayerResult& layer = layerOf(analysis, head);
    if (!layer.maps)
        fail(fmt::format("head {}", headText(head)), "its values are not known, only its weights",
             "expected a model, whose values have norms");
    return layer.maps->addedNorms(head.head);
}

std::vector<std::shared_ptr<const HeadMap>> mapsOf(const Analysis& analysis, std::span<const HeadRef> heads,
                                                   const MapView& view) {
    std::vector<std::shared_ptr<const HeadMap>> maps;
    for (const HeadRef& head : heads) {
        std::shared_ptr<const HeadMap> map = resultOf(analysis, head).map;
        if (view.valueWeighted) {
            const std::span<const float> norms = valueNorms(analysis, head);
            map = std::make_shared<WeightedMap>(std::move(map), std::vector(norms.begin(), norms.end()));
        }
        maps.push_back(std::move(map));
    }
    return maps;
}

std::shared_ptr<const HeadMap> rolloutTo(const Analysis& analysis, const HeadRef& head,
                                         const CancelToken& cancel) {
    std::vector<std::shared_ptr<const HeadMap>> layers;
    for (const auto& layer : analysis.layers) {
        if (layer->kind != head.kind || layer->layer.value > head.layer.value) continue;
        std::vector<std::shared_ptr<const HeadMap>> maps;
        for (const HeadResult& one : layer->heads) maps.push_back(one.map);
        layers.push_back(std::make_shared<CombinedHeads>(std::move(maps), CombineHeads::Mean));
    }
    return rollout(layers, cancel);
}

/// Token by token, as far as heads and values go.
std::shared_ptr<const HeadMap> ofTokens(const Analysis& analysis, std::span<const HeadRef> heads,
                                        const MapView& view, const CancelToken& cancel) {
    requireView(analysis, heads, view);
    switch (view.heads) {
    case HeadsShown::One:
        HS_CHECK_EQ(heads.size(), 1U);
        return mapsOf(analysis, heads, view).front();
    case HeadsShown::Mean:
        return std::make_shared<CombinedHeads>(mapsOf(analysis, heads, view), CombineHeads::Mean);
    case HeadsShown::Largest:
        return std::make_shared<CombinedHeads>(mapsOf(analysis, heads, view), CombineHeads::Max);
    case HeadsShown::Rollout:
        return rolloutTo(analysis, heads.front(), cancel);
    }
    detail::checkFailed(__FILE__, __LINE__, "unknown choice of heads");
}

std::shared_ptr<const HeadMap> grouped(const Analysis& analysis, AttentionKind kind, const MapView& view,
                                       std::shared_ptr<const HeadMap> map) {
    if (view.words)
        map = std::make_shared<GroupedMap>(std::move(map), wordGroups(analysis.queryAxis(kind)).tokens,
                                           wordGroups(analysis.keyAxis(kind)).tokens);
    if (view.hideFirst)
        map = std::make_shared<HiddenTokens>(std::move(map), std::vector<Span>{}, std::vector<Span>{{0, 1}});
    return map;
}

/// The rows and columns that are shown.
std::shared_ptr<const HeadMap> along(const ViewedAxes& axes, std::shared_ptr<const HeadMap> map) {
    const Extent extent = map->extent();
    if (axes.queries.size() == extent.rows && axes.keys.size() == extent.columns) return map;
    return selectedMap(std::move(map), axes.queries.positions, axes.keys.positions);
}

/// The mean of what a weight is multiplied by: 1 where weights are shown.
double meanFactor(const Analysis& analysis, std::span<const HeadRef> heads, const MapView& view) {
    if (!view.valueWeighted) return 1.0;
    double sum = 0.0;
    std::size_t count = 0;
    for (const HeadRef& head : heads) {
        const std::span<const float> norms = valueNorms(analysis, head);
        sum = std::accumulate(norms.begin(), norms.end(), sum);
        count += norms.size();
    }
    return count > 0 ? sum / static_cast<double>(count) : 1.0;
}

struct Shown {
    const Analysis& analysis;
    std::span<const HeadRef> heads;
    const MapView& view;
};

RangeStatistics statisticsOf(const Shown& shown, const std::shared_ptr<const HeadMap>& tokens,
                             const CancelToken& cancel) {
    const auto& [analysis, heads, view] = shown;
    const RangeStatistics& first = resultOf(analysis, heads.front()).range;
    if (view.isPlain()) return first;
    const AttentionKind kind = heads.front().kind;
    const ViewedAxes axes = viewedAxes(analysis, kind, view);
    const auto map = along(axes, grouped(analysis, kind, view, tokens));
    // The first key of the text, the usual sink, has no say; where it is left out, all others have.
    RangeStatistics statistics = statisticsOf(*map, axes.keys.positions.front() == 0, cancel);
    // Hidden tokens take nothing from what even weights would be; a word has those of its tokens.
    const Axis& keys = analysis.keyAxis(kind);
    const auto tokensOfKey =
        static_cast<double>(keys.size()) / static_cast<double>(positionsOf(keys, view.words).tokens.size());
    statistics.evenWeight = static_cast<float>(static_cast<double>(first.evenWeight) * tokensOfKey *
                                               meanFactor(analysis, heads, view));
    if (!view.showsWeights()) statistics.ceiling = std::numeric_limits<float>::infinity();
    return statistics;
}

} // namespace

std::string_view nameOf(HeadsShown heads) {
    return kHeadsShown[static_cast<std::size_t>(heads)];
}

std::optional<HeadsShown> headsShownOf(std::string_view word) {
    const auto found = std::ranges::find(kHeadsShown, word);
    if (found == kHeadsShown.end()) return std::nullopt;
    return static_cast<HeadsShown>(found - kHeadsShown.begin());
}

std::vector<HeadRef> shownHeads(const ModelSpec& spec, const HeadRef& head, const MapView& view) {
    requireHead(spec, head);
    if (view.heads == HeadsShown::One) return {head};
    return headsOfLayer(spec, head.kind, head.layer);
}

std::optional<std::int64_t> ViewedAxis::indexOf(std::int64_t token) const {
    const auto found =
        std::ranges::upper_bound(tokens, token, {}, [](const Span& span) { return span.begin; });
    if (found == tokens.begin() || !std::prev(found)->contains(token)) return std::nullopt;
    return std::prev(found) - tokens.begin();
}

ViewedAxes viewedAxes(const Analysis& analysis, AttentionKind kind, const MapView& view,
                      const ShownPart& part) {
    return {viewedAxis(analysis.queryAxis(kind), view, part.rows, "rows"),
            viewedAxis(analysis.keyAxis(kind), view, part.columns, "columns")};
}

void requireView(const Analysis& analysis, std::span<const HeadRef> heads, const MapView& view) {
    HS_CHECK(!heads.empty());
    const AttentionKind kind = heads.front().kind;
    for (const HeadRef& head : heads) HS_CHECK(head.kind == kind);
    if (view.valueWeighted && view.heads != HeadsShown::Rollout)
        for (const HeadRef& head : heads) valueNorms(analysis, head);
    if (view.heads != HeadsShown::Rollout) return;
    if (view.valueWeighted) fail("rollout", "it was to be weighted by values", "it leaves values out");
    if (kind == AttentionKind::Cross)
        fail("rollout", "cross-attention was asked for",
             "expected attention of a text to itself, whose layers follow each other");
    const std::int64_t tokens = analysis.queryAxis(kind).size();
    if (tokens > kMostRolloutTokens)
        fail("rollout", fmt::format("the text has {} tokens", tokens),
             fmt::format("expected at most {}", kMostRolloutTokens));
}

std::shared_ptr<const HeadMap> viewedMap(const Analysis& analysis, std::span<const HeadRef> heads,
                                         const MapView& view, const ViewedAxes& axes,
                                         const CancelToken& cancel) {
    return along(axes, grouped(analysis, heads.front().kind, view, ofTokens(analysis, heads, view, cancel)));
}

RangeStatistics viewedStatistics(const Analysis& analysis, std::span<const HeadRef> heads,
                                 const MapView& view, const CancelToken& cancel) {
    return statisticsOf({analysis, heads, view}, ofTokens(analysis, heads, view, cancel), cancel);
}

ViewedMap viewMap(const ViewRequest& request, const CancelToken& cancel) {
    const std::vector<HeadRef> heads =
        shownHeads(request.analysis->model->spec(), request.head, request.view);
    return viewMap(request, ofTokens(*request.analysis, heads, request.view, cancel), cancel);
}

ViewedMap viewMap(const ViewRequest& request, std::shared_ptr<const HeadMap> tokens,
                  const CancelToken& cancel) {
    const Analysis& analysis = *request.analysis;
    const AttentionKind kind = request.head.kind;
    const std::vector<HeadRef> heads = shownHeads(analysis.model->spec(), request.head, request.view);
    ViewedMap shown;
    shown.axes = viewedAxes(analysis, kind, request.view);
    shown.tokens = std::move(tokens);
    shown.map = along(shown.axes, grouped(analysis, kind, request.view, shown.tokens));
    shown.statistics = statisticsOf({analysis, heads, request.view}, shown.tokens, cancel);
    return shown;
}

} // namespace headscope
