// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/imported_layers.h"

#include "core/diagnosis/map_metrics.h"
#include "core/diagnosis/pair_pass.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>

namespace headscope {

namespace {

constexpr std::int64_t kBlockCells = std::int64_t{1} << 16U; ///< stay in the processor's cache

/// The sums that the score kernel finds on its way, from weights alone: with m = 0 and l = 1 a score is the
/// logarithm of its weight.
void sumRows(MatrixView<const float> weights, bool learnedSink, std::vector<RowSums>& sums) {
    sums.clear();
    for (std::int64_t row = 0; row < weights.rows; ++row) {
        const WeightTotals totals = pairPass().totals(weights.row(row), weights.columns);
        sums.push_back({.normaliser = {.maximum = 0.0F, .sum = 1.0F},
                        .visibleSum = totals.sum,
                        .weightedScore = totals.weightedLog,
                        .weightSum = totals.sum,
                        .sinkWeight = learnedSink ? std::max(0.0, 1.0 - totals.sum) : 0.0});
    }
}

void observeMap(const HeadMap& map, HeadIndex head, const MaskRule& mask, bool learnedSink,
                std::span<RowAccumulator* const> accumulators) {
    const Extent extent = map.extent();
    const std::int64_t height = std::clamp<std::int64_t>(kBlockCells / extent.columns, 1, extent.rows);
    std::vector<float> block(static_cast<std::size_t>(height * extent.columns));
    std::vector<RowSums> sums;
    for (std::int64_t begin = 0; begin < extent.rows; begin += height) {
        const Span rows{begin, std::min(begin + height, extent.rows)};
        const MatrixView<float> weights(block.data(), rows.size(), extent.columns);
        map.tile(rows, {0, extent.columns}, weights);
        sumRows(weights, learnedSink, sums);
        for (RowAccumulator* one : accumulators)
            one->observe(
                {.head = head, .rows = rows, .weights = weights, .sums = sums.data(), .mask = &mask});
    }
}

/// Labels that take tokens, where these are not known and a text is long enough for labels.
void addUntested(Verdict& verdict, const ImportedLayer& layer) {
    if (verdict.isTooShort()) return;
    std::vector<Label> labels{Label::Delimiter};
    if (layer.kind != AttentionKind::Cross) {
        labels.insert(labels.end(), {Label::DuplicateToken, Label::Block});
        if (layer.mask.causal) labels.push_back(Label::Induction);
    }
    for (const Label label : labels)
        verdict.notTested.push_back({label, "the file does not say which tokens its maps are of"});
}

} // namespace

std::vector<std::shared_ptr<const LayerResult>>
measureImported(const ImportedAttention& file, const AnalysisEvents& events, const CancelToken& cancel) {
    std::map<const Axis*, TokenFacts> facts;
    for (const Axis* axis : {file.sourceAxis.get(), file.targetAxis.get()})
        if (axis != nullptr) facts.emplace(axis, tokenFacts(*axis));
    std::vector<std::shared_ptr<const LayerResult>> results;
    for (const ImportedLayer& layer : file.layers) {
        auto result = std::make_shared<LayerResult>();
        result->kind = layer.kind;
        result->layer = layer.layer;
        result->mask = layer.mask;
        const Axis* axis = file.keyAxis(layer.kind);
        const TokenFacts* keyFacts = axis == nullptr ? nullptr : &facts.at(axis);
        const bool selfAttention = layer.kind != AttentionKind::Cross;
        const int heads = static_cast<int>(layer.heads.size());
        MetricsAccumulator metrics(heads, layer.mask, selfAttention, keyFacts);
        RangeAccumulator ranges(heads, layer.mask);
        ThumbnailAccumulator thumbnails(heads, layer.mask);
        const std::array<RowAccumulator*, 3> accumulators{&metrics, &ranges, &thumbnails};
        for (std::size_t h = 0; h < layer.heads.size(); ++h) {
            cancel.throwIfCancelled();
            const HeadIndex index(static_cast<std::int64_t>(h));
            observeMap(*layer.heads[h], index, layer.mask, file.learnedSink, accumulators);
            HeadResult head;
            head.map = layer.heads[h];
            head.metrics = metrics.result(index);
            head.metrics.scoreMaximum.reset();
            head.metrics.scoreDeviation.reset();
            measureOnMap(
                head.metrics,
                {.map = *head.map, .mask = layer.mask, .selfAttention = selfAttention, .facts = keyFacts});
            head.thumbnail = thumbnails.take(index);
            head.range = ranges.result(index);
            head.verdict = judge(head.metrics);
            if (keyFacts == nullptr) addUntested(head.verdict, layer);
            result->heads.push_back(std::move(head));
        }
        results.push_back(result);
        if (events.layer) events.layer(results.back());
        if (events.progress)
            events.progress({"layer", static_cast<std::int64_t>(results.size()),
                             static_cast<std::int64_t>(file.layers.size())});
    }
    return results;
}

} // namespace headscope
