// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/maps/layer_maps.h"

#include "core/base/check.h"

#include <utility>

namespace headscope {

namespace {

class RecomputedMap final : public HeadMap {
  public:
    RecomputedMap(std::shared_ptr<const LayerMaps> layer, HeadIndex head)
        : m_layer(std::move(layer)), m_head(head) {}

    Extent extent() const override { return m_layer->extent(); }

    void tile(Span rows, Span columns, MatrixView<float> out) const override {
        const ScoreRule& rule = m_layer->rule;
        const Region region{rows, columns};
        const ScoreSource source{m_layer->queriesOf(m_head), m_layer->keysOf(m_head), rule.scale};
        scoreVisible(source, rule.mask, region, out);
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

const RowNormaliser* LayerMaps::normalisersOf(HeadIndex head) const {
    HS_CHECK(head.value >= 0 && head.value < heads);
    return normalisers.data() + head.value * queries.rows;
}

std::size_t LayerMaps::bytes() const {
    std::size_t total = static_cast<std::size_t>(queries.rows * queries.columns) * sizeof(float);
    for (const auto& panels : keys) total += panels->bytes();
    total += normalisers.size() * sizeof(RowNormaliser) + valueNorms.size() * sizeof(float);
    total += rule.mask.keyAllowed.size() + rule.mask.queryAllowed.size();
    return rule.mask.allowed ? total + rule.mask.allowed->size() : total;
}

float LayerMaps::score(HeadIndex head, std::int64_t query, std::int64_t key) const {
    float value = 0.0F;
    scoreBlock({queriesOf(head), keysOf(head), rule.scale}, {{query, query + 1}, {key, key + 1}},
               {&value, 1, 1});
    return value;
}

std::shared_ptr<const HeadMap> recomputedMap(std::shared_ptr<const LayerMaps> layer, HeadIndex head) {
    HS_CHECK(layer != nullptr);
    HS_CHECK(head.value >= 0 && head.value < layer->heads);
    return std::make_shared<RecomputedMap>(std::move(layer), head);
}

} // namespace headscope
