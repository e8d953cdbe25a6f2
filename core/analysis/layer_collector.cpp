// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/layer_collector.h"

#include "core/base/check.h"
#include "core/diagnosis/map_metrics.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace headscope {

namespace {

constexpr double kRowSumBound = 1e-5;
/// Relative to the largest value norm: both sides are sums of values weighted by numbers that add up to 1.
constexpr double kOutputBound = 1e-5;

/// Norm of the value at `key` over the median of all keys that are no padding; 0 when that median is 0.
double valueNormRatio(const LayerMaps& maps, HeadIndex head, std::int64_t key) {
    const std::int64_t keys = maps.rule.mask.keys;
    const std::int64_t keyValueHead = head.value / (maps.heads / maps.keyValueHeads);
    const float* norms = maps.valueNorms.data() + keyValueHead * keys;
    std::vector<float> real;
    for (std::int64_t j = 0; j < keys; ++j)
        if (maps.rule.mask.keyAllowed.empty() || maps.rule.mask.keyAllowed[static_cast<std::size_t>(j)] != 0)
            real.push_back(norms[j]);
    const auto middle = real.begin() + static_cast<std::ptrdiff_t>(real.size() / 2);
    std::nth_element(real.begin(), middle, real.end());
    double median = static_cast<double>(*middle);
    if (real.size() % 2 == 0)
        median = 0.5 * (median + static_cast<double>(*std::max_element(real.begin(), middle)));
    return median > 0.0 ? static_cast<double>(norms[key]) / median : 0.0;
}

} // namespace

std::vector<RowAccumulator*> LayerCollector::beginLayer(const AttentionLayer& layer) {
    const MaskRule& mask = layer.rule->mask;
    m_metrics = std::make_unique<MetricsAccumulator>(layer.heads, mask, layer.kind != AttentionKind::Cross,
                                                     m_keyFacts(layer.kind));
    m_ranges = std::make_unique<RangeAccumulator>(layer.heads, mask);
    m_thumbnails = std::make_unique<ThumbnailAccumulator>(layer.heads, mask);
    return {m_metrics.get(), m_ranges.get(), m_thumbnails.get()};
}

void LayerCollector::noteChecks(const AttentionLayer& layer, const LayerMaps& maps,
                                const LayerChecks& checks) {
    if (checks.rowSumError > kRowSumBound)
        m_notes.push_back(fmt::format("layer {}: the weights of a row do not sum to 1 (off by {:.1e})",
                                      layer.layer.value, checks.rowSumError));
    const float largest =
        maps.valueNorms.empty() ? 0.0F : *std::max_element(maps.valueNorms.begin(), maps.valueNorms.end());
    if (checks.outputError > kOutputBound * std::max(1.0, static_cast<double>(largest)))
        m_notes.push_back(
            fmt::format("layer {}: what is shown differs from what was computed (outputs off by {:.1e})",
                        layer.layer.value, checks.outputError));
}

void LayerCollector::endLayer(const AttentionLayer& layer, std::shared_ptr<const LayerMaps> maps,
                              const LayerChecks& checks, const HeadOutputNorms& norms) {
    HS_CHECK_EQ(norms.meanNorm.size(), static_cast<std::size_t>(layer.heads));
    auto result = std::make_shared<LayerResult>();
    result->kind = layer.kind;
    result->layer = layer.layer;
    result->maps = maps;
    result->checks = checks;
    const double meanNorm =
        std::accumulate(norms.meanNorm.begin(), norms.meanNorm.end(), 0.0) / static_cast<double>(layer.heads);
    for (int number = 0; number < layer.heads; ++number) {
        const HeadIndex index(number);
        HeadResult head;
        head.map = recomputedMap(maps, index);
        head.metrics = m_metrics->result(index);
        measureOnMap(head.metrics, {.map = *head.map,
                                    .mask = layer.rule->mask,
                                    .selfAttention = layer.kind != AttentionKind::Cross,
                                    .facts = m_keyFacts(layer.kind)});
        head.metrics.meanOutputNorm = norms.meanNorm[static_cast<std::size_t>(number)];
        if (meanNorm > 0.0) head.metrics.outputNormRatio = head.metrics.meanOutputNorm / meanNorm;
        if (head.metrics.column)
            head.metrics.columnValueNormRatio = valueNormRatio(*maps, index, head.metrics.column->column);
        head.verdict = judge(head.metrics);
        head.thumbnail = m_thumbnails->take(index);
        head.range = m_ranges->result(index);
        result->heads.push_back(std::move(head));
    }
    noteChecks(layer, *maps, checks);
    m_bytesKept += maps->bytes();
    m_layers.push_back(result);
    if (m_publish) m_publish(result);
}

} // namespace headscope
