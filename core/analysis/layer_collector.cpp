// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/layer_collector.h"

#include "core/attention/row_norms.h"
#include "core/base/check.h"
#include "core/diagnosis/map_metrics.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace headscope {

namespace {

constexpr double kRowSumBound = 1e-5;
/// Relative to the largest value norm: both sides are sums of values weighted by numbers that add up to 1.
constexpr double kOutputBound = 1e-5;

/// Norm of the value at `key` over the median of all keys that are no padding; none when that median is 0.
std::optional<double> valueNormRatio(const LayerMaps& maps, HeadIndex head, std::int64_t key) {
    const std::int64_t keys = maps.rule.mask.keys;
    const std::span<const float> norms = maps.addedNorms(head);
    std::vector<float> real;
    for (std::int64_t j = 0; j < keys; ++j)
        if (maps.rule.mask.keyAllowed.empty() || maps.rule.mask.keyAllowed[static_cast<std::size_t>(j)] != 0)
            real.push_back(norms[static_cast<std::size_t>(j)]);
    const auto middle = real.begin() + static_cast<std::ptrdiff_t>(real.size() / 2);
    std::nth_element(real.begin(), middle, real.end());
    double median = static_cast<double>(*middle);
    if (real.size() % 2 == 0)
        median = 0.5 * (median + static_cast<double>(*std::max_element(real.begin(), middle)));
    if (median <= 0.0) return std::nullopt;
    return static_cast<double>(norms[static_cast<std::size_t>(key)]) / median;
}

/// Share of one key in all that the head passes on, weight times norm of the value (Kobayashi et al. 2020).
double normWeightedMass(const ColumnTable& columns, const float* norms, std::int64_t key) {
    const auto effect = [&](std::int64_t k) {
        return columns.mass[static_cast<std::size_t>(k)] * static_cast<double>(columns.plan->rows(k)) *
               static_cast<double>(norms[k]);
    };
    double sum = 0.0;
    for (std::int64_t k = 0; k < columns.keys(); ++k) sum += effect(k);
    return sum > 0.0 ? effect(key) / sum : 0.0;
}

/// Of each head, scale times mean |q| times mean |k|.
std::vector<double> productNorms(const LayerMaps& maps) {
    const MatrixView<const float>& queries = maps.queries;
    std::vector<double> products(static_cast<std::size_t>(maps.heads));
    std::vector<float> norms(products.size());
    for (std::int64_t row = 0; row < queries.rows; ++row) {
        euclideanNorms({queries.row(row), maps.heads, maps.headSize, maps.headSize}, norms.data());
        for (std::size_t head = 0; head < norms.size(); ++head)
            products[head] += static_cast<double>(norms[head]);
    }
    norms.resize(static_cast<std::size_t>(maps.rule.mask.keys));
    double keyMean = 0.0; // of the key/value head that several heads share
    for (int head = 0; head < maps.heads; ++head) {
        if (head % (maps.heads / maps.keyValueHeads) == 0) {
            euclideanNorms(maps.keysOf(HeadIndex(head)), norms.data());
            keyMean = std::accumulate(norms.begin(), norms.end(), 0.0) / static_cast<double>(norms.size());
        }
        products[static_cast<std::size_t>(head)] *=
            static_cast<double>(maps.rule.scale) / static_cast<double>(queries.rows) * keyMean;
    }
    return products;
}

double sumOf(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

} // namespace

void LayerCollector::seeStates(AttentionKind, LayerIndex, double meanCosine) {
    m_stateCosine = meanCosine;
}

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
    if (!(checks.rowSumError <= kRowSumBound)) // NaN is no agreement
        m_notes.push_back(fmt::format("layer {}: the weights of a row do not sum to 1 (off by {:.1e})",
                                      layer.layer.value, checks.rowSumError));
    const float largest =
        maps.valueNorms.empty() ? 0.0F : *std::max_element(maps.valueNorms.begin(), maps.valueNorms.end());
    if (!(checks.outputError <= kOutputBound * std::max(1.0, static_cast<double>(largest))))
        m_notes.push_back(
            fmt::format("layer {}: what is shown differs from what was computed (outputs off by {:.1e})",
                        layer.layer.value, checks.outputError));
}

void LayerCollector::explain(LayerResult& result) const {
    const LayerMaps& maps = *result.maps;
    // One for all heads of the layer, and only where a head needs it.
    std::optional<std::optional<WeightFingerprint>> weights;
    std::vector<double> products;
    for (std::size_t number = 0; number < result.heads.size(); ++number) {
        HeadResult& head = result.heads[number];
        if (!wantsCauses(head.metrics, head.verdict)) continue;
        if (!weights) weights = m_fingerprint(result.kind, result.layer);
        if (products.empty()) products = productNorms(maps);
        head.causes = causesOf(head.metrics, head.verdict,
                               {.stateCosine = result.stateCosine,
                                .scale = static_cast<double>(maps.rule.scale),
                                .headSize = maps.headSize,
                                .productNorm = products[number],
                                .weights = *weights});
    }
}

void LayerCollector::endLayer(const AttentionLayer& layer, std::shared_ptr<const LayerMaps> maps,
                              const LayerChecks& checks, const HeadOutputNorms& norms) {
    HS_CHECK_EQ(norms.meanNorm.size(), static_cast<std::size_t>(layer.heads));
    auto result = std::make_shared<LayerResult>();
    result->kind = layer.kind;
    result->layer = layer.layer;
    result->mask = layer.rule->mask;
    result->maps = maps;
    result->checks = checks;
    result->stateCosine = m_stateCosine;
    const double meanNorm = sumOf(norms.meanNorm) / static_cast<double>(layer.heads);
    const double projectedSum = sumOf(norms.projectedNorm);
    for (int number = 0; number < layer.heads; ++number) {
        const HeadIndex index(number);
        HeadResult head;
        head.map = recomputedMap(maps, index);
        head.metrics = m_metrics->result(index);
        measureOnMap(head.metrics, {.map = *head.map,
                                    .mask = layer.rule->mask,
                                    .selfAttention = layer.kind != AttentionKind::Cross,
                                    .facts = m_keyFacts(layer.kind),
                                    .peaks = m_metrics->peaks(index)});
        head.metrics.meanOutputNorm = norms.meanNorm[static_cast<std::size_t>(number)];
        if (meanNorm > 0.0) head.metrics.outputNormRatio = head.metrics.meanOutputNorm / meanNorm;
        if (projectedSum > 0.0)
            head.metrics.outputShare = norms.projectedNorm[static_cast<std::size_t>(number)] / projectedSum;
        if (head.metrics.column) {
            const std::int64_t key = head.metrics.column->column;
            head.metrics.columnValueNormRatio = valueNormRatio(*maps, index, key);
            head.metrics.columnNormWeightedMass =
                normWeightedMass(head.metrics.columns, maps->addedNorms(index).data(), key);
        }
        head.verdict = judge(head.metrics);
        head.thumbnail = m_thumbnails->take(index);
        head.range = m_ranges->result(index);
        result->heads.push_back(std::move(head));
    }
    explain(*result);
    noteChecks(layer, *maps, checks);
    m_bytesKept += maps->bytes();
    m_layers.push_back(result);
    if (m_publish) m_publish(result);
}

} // namespace headscope
