// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/maps/layer_maps.h"

#include "core/base/check.h"

#include <algorithm>
#include <utility>

namespace headscope {

namespace {

ScoreTerms::Product productOf(const RelativeProduct& product, std::size_t head) {
    if (product.empty()) return {};
    return {product.tables[head].get(), product.rowOf.data(), product.scale};
}

/// The numbers of one head among those of all, or null where there are none.
const float* partOf(const std::vector<float>& numbers, HeadIndex head, std::int64_t each) {
    return numbers.empty() ? nullptr : numbers.data() + head.value * each;
}

class RecomputedMap final : public HeadMap {
  public:
    RecomputedMap(std::shared_ptr<const LayerMaps> layer, HeadIndex head)
        : m_layer(std::move(layer)), m_head(head) {}

    Extent extent() const override { return m_layer->extent(); }

    void tile(Span rows, Span columns, MatrixView<float> out) const override {
        const ScoreRule& rule = m_layer->rule;
        const Region region{rows, columns};
        scoreVisible(m_layer->sourceOf(m_head), rule.mask, region, out);
        weightsFromScores(rule.mask, region, m_layer->normalisersOf(m_head) + rows.begin, out);
    }

    void visibleSpans(std::int64_t row, std::vector<Span>& out) const override {
        m_layer->rule.mask.visibleSpans(row, out);
    }

  private:
    std::shared_ptr<const LayerMaps> m_layer;
    HeadIndex m_head;
};

} // namespace

MatrixView<const float> LayerMaps::queriesOf(HeadIndex head) const {
    HS_CHECK(head.value >= 0 && head.value < heads);
    return {queries.data + head.value * headSize, queries.rows, headSize, queries.stride};
}

const KeyPanels& LayerMaps::keysOf(HeadIndex head) const {
    HS_CHECK(head.value >= 0 && head.value < heads);
    return *keys[static_cast<std::size_t>(head.value / (heads / keyValueHeads))];
}

ScoreSource LayerMaps::sourceOf(HeadIndex head) const {
    ScoreSource source{queriesOf(head), keysOf(head), rule.scale};
    source.terms.softCap = rule.softCap.value_or(0.0F);
    source.terms.queries = rule.mask.queries;
    if (!rule.position) return source;
    const PositionTerms& position = *rule.position;
    const auto [rows, columns] = extent();
    ScoreTerms& terms = source.terms;
    terms.query = productOf(position.query, static_cast<std::size_t>(head.value));
    terms.key = productOf(position.key, static_cast<std::size_t>(head.value));
    terms.keyBias = partOf(position.keyBias, head, columns);
    terms.distanceBias = partOf(position.distanceBias, head, rows + columns - 1);
    if (!position.segment.empty()) {
        terms.querySegments = position.segment.ofQuery.data();
        terms.keySegments = position.segment.ofKey.data();
        terms.sameSegment = partOf(position.segment.same, head, rows);
        terms.otherSegment = partOf(position.segment.other, head, rows);
    }
    return source;
}

void LayerMaps::keepQueries(MatrixView<const float> from) {
    const auto copy = std::make_shared<PageVector<float>>(static_cast<std::size_t>(from.rows * from.columns));
    for (std::int64_t row = 0; row < from.rows; ++row)
        std::copy_n(from.row(row), from.columns, copy->data() + row * from.columns);
    queries = {copy->data(), from.rows, from.columns};
    queriesOwner = copy;
}

SoftmaxRule LayerMaps::softmaxOf(HeadIndex head) const {
    HS_CHECK(head.value >= 0 && head.value < heads);
    if (rule.sinks.empty()) return {rule.mask, {}};
    return {rule.mask, rule.sinks[static_cast<std::size_t>(head.value)]};
}

const RowNormaliser* LayerMaps::normalisersOf(HeadIndex head) const {
    HS_CHECK(head.value >= 0 && head.value < heads);
    return normalisers.data() + head.value * queries.rows;
}

std::span<const float> LayerMaps::addedNorms(HeadIndex head) const {
    const auto count = static_cast<std::size_t>(rule.mask.keys);
    if (!projectedValueNorms.empty())
        return std::span(projectedValueNorms).subspan(static_cast<std::size_t>(head.value) * count, count);
    const auto group = static_cast<std::size_t>(head.value / (heads / keyValueHeads));
    return std::span(valueNorms).subspan(group * count, count);
}

std::size_t LayerMaps::bytes() const {
    std::size_t total = static_cast<std::size_t>(queries.rows * queries.columns) * sizeof(float);
    for (const auto& panels : keys) total += panels->bytes();
    total += normalisers.size() * sizeof(RowNormaliser) +
             (valueNorms.size() + projectedValueNorms.size()) * sizeof(float);
    total += rule.mask.keyAllowed.size() + rule.mask.queryAllowed.size();
    total += rule.sinks.size() * sizeof(float);
    if (rule.position) total += rule.position->bytes();
    return rule.mask.allowed ? total + rule.mask.allowed->size() : total;
}

float LayerMaps::score(HeadIndex head, std::int64_t query, std::int64_t key) const {
    float value = 0.0F;
    scoreBlock(sourceOf(head), {{query, query + 1}, {key, key + 1}}, {&value, 1, 1});
    return value;
}

std::shared_ptr<const HeadMap> recomputedMap(std::shared_ptr<const LayerMaps> layer, HeadIndex head) {
    HS_CHECK(layer != nullptr);
    HS_CHECK(head.value >= 0 && head.value < layer->heads);
    return std::make_shared<RecomputedMap>(std::move(layer), head);
}

} // namespace headscope
