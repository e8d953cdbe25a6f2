// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/diagnosis_builder.h"

#include "core/base/check.h"
#include "core/diagnosis/similarity.h"

#include <algorithm>
#include <utility>

namespace headscope {

namespace {

/// The heads of one kind that see the same keys, and where they stand among all heads of that kind.
struct AlikeMasked {
    const MaskRule* mask = nullptr;
    std::vector<ComparedHead> heads;
    std::vector<std::size_t> places;
};

bool seesTheSame(const MaskRule& one, const MaskRule& other) {
    const auto reach = [](const MaskRule& mask) {
        return std::min(mask.window.value_or(mask.keys), mask.keys);
    };
    return one.causal == other.causal && reach(one) == reach(other);
}

std::vector<AlikeMasked> groupByMask(const std::vector<std::shared_ptr<const LayerResult>>& layers,
                                     AttentionKind kind) {
    std::vector<AlikeMasked> groups;
    std::size_t place = 0;
    for (const auto& layer : layers) {
        if (layer->kind != kind) continue;
        const MaskRule& mask = layer->mask;
        auto group = std::find_if(groups.begin(), groups.end(),
                                  [&](const AlikeMasked& one) { return seesTheSame(*one.mask, mask); });
        if (group == groups.end()) group = groups.insert(group, {&mask, {}, {}});
        for (const HeadResult& head : layer->heads) {
            group->heads.push_back({.map = head.map, .metrics = &head.metrics});
            group->places.push_back(place++);
        }
    }
    return groups;
}

/// All pairs of heads of one kind on one text; heads of layers with different windows are not compared.
PairsOnText comparePairs(const std::vector<std::shared_ptr<const LayerResult>>& layers, AttentionKind kind,
                         std::size_t heads, const CancelToken& cancel) {
    PairsOnText all;
    for (std::size_t first = 0; first < heads; ++first) all.tested.emplace_back(heads - first - 1);
    for (const AlikeMasked& group : groupByMask(layers, kind)) {
        PairsOnText some = pairsOnText(group.heads, *group.mask, PairSimilarity::kRedundant, cancel);
        for (PairSimilarity& pair : some.close) {
            pair.first = group.places[pair.first];
            pair.second = group.places[pair.second];
            all.close.push_back(pair);
        }
        for (std::size_t first = 0; first < some.tested.size(); ++first)
            for (std::size_t next = 0; next < some.tested[first].size(); ++next)
                if (some.tested[first][next]) {
                    const std::size_t place = group.places[first];
                    all.tested[place][group.places[first + 1 + next] - place - 1] = true;
                }
    }
    return all;
}

} // namespace

/// The first text says which layers and heads there are.
void DiagnosisBuilder::learnHeads(const std::vector<std::shared_ptr<const LayerResult>>& layers) {
    for (const auto& layer : layers) {
        m_layers.push_back({.layer = {layer->kind, layer->layer, {}}});
        for (std::size_t h = 0; h < layer->heads.size(); ++h) {
            m_kinds[layer->kind].push_back(m_heads.size());
            m_heads.push_back({layer->kind, layer->layer, HeadIndex(static_cast<std::int64_t>(h))});
        }
    }
}

void DiagnosisBuilder::addText(DiagnosedText text,
                               const std::vector<std::shared_ptr<const LayerResult>>& layers,
                               const CancelToken& cancel) {
    if (m_heads.empty()) learnHeads(layers);
    auto record = std::make_unique<OneText>();
    if (text.sourceAxis) record->sourceFacts = tokenFacts(*text.sourceAxis);
    if (text.targetAxis) record->targetFacts = tokenFacts(*text.targetAxis);
    for (const auto& layer : layers)
        for (const HeadResult& head : layer->heads) {
            record->metrics.push_back(head.metrics);
            record->verdicts.push_back(head.verdict);
            record->causes.push_back(head.causes);
        }
    HS_CHECK_EQ(record->metrics.size(), m_heads.size());
    for (const auto& [kind, heads] : m_kinds)
        record->pairs[kind] = comparePairs(layers, kind, heads.size(), cancel);
    // Nothing was added before: a text that is cancelled leaves no trace.
    for (std::size_t l = 0; l < layers.size(); ++l)
        if (layers[l]->stateCosine) {
            m_layers[l].sum += *layers[l]->stateCosine;
            ++m_layers[l].count;
        }
    m_records.push_back(std::move(record));
    m_texts.push_back(std::move(text));
}

std::vector<Cause> DiagnosisBuilder::causesOf(std::size_t head) const {
    std::vector<Cause> causes;
    for (const auto& record : m_records)
        for (const Cause& cause : record->causes[head])
            if (std::none_of(causes.begin(), causes.end(),
                             [&](const Cause& one) { return one.name == cause.name; }))
                causes.push_back(cause);
    return causes;
}

const TokenFacts* DiagnosisBuilder::factsOf(std::size_t text, AttentionKind kind) const {
    if (m_texts[text].keyAxis(kind) == nullptr) return nullptr;
    return kind == AttentionKind::Decoder ? &m_records[text]->targetFacts : &m_records[text]->sourceFacts;
}

void DiagnosisBuilder::addLabelsOfKind(AttentionKind kind, std::vector<std::vector<HeadOnText>>& onTexts,
                                       Diagnosis& result) {
    std::vector<GroupedHead> group;
    for (const std::size_t head : m_kinds.at(kind))
        group.push_back({.name = headText(m_heads[head]),
                         .onTexts = onTexts[head],
                         .diagnosis = &result.heads[head].diagnosis});
    addInactive(group);
    std::vector<PairsOnText> pairs;
    for (const auto& record : m_records) pairs.push_back(record->pairs.at(kind));
    for (const RedundantPair& pair : addRedundant(group, pairs))
        result.pairs.push_back({.first = m_heads[m_kinds.at(kind)[pair.first]],
                                .second = m_heads[m_kinds.at(kind)[pair.second]],
                                .divergence = pair.divergence,
                                .texts = pair.texts});
}

Diagnosis DiagnosisBuilder::finish() {
    Diagnosis result;
    std::vector<std::vector<HeadOnText>> onTexts(m_heads.size());
    for (std::size_t head = 0; head < m_heads.size(); ++head) {
        std::vector<const HeadMetrics*> metrics;
        for (std::size_t text = 0; text < m_texts.size(); ++text) {
            const OneText& record = *m_records[text];
            metrics.push_back(&record.metrics[head]);
            onTexts[head].push_back({.metrics = &record.metrics[head],
                                     .verdict = &record.verdicts[head],
                                     .facts = factsOf(text, m_heads[head].kind)});
        }
        result.heads.push_back({.ref = m_heads[head],
                                .diagnosis = judgeTexts(onTexts[head]),
                                .metrics = meanNumbers(metrics),
                                .causes = causesOf(head)});
    }
    for (const auto& [kind, heads] : m_kinds) addLabelsOfKind(kind, onTexts, result);
    for (DiagnosedHead& head : result.heads) choosePrimary(head.diagnosis);
    for (LayerStates& states : m_layers) {
        if (states.count > 0) states.layer.stateCosine = states.sum / states.count;
        result.layers.push_back(states.layer);
    }
    result.texts = std::move(m_texts);
    return result;
}

} // namespace headscope
