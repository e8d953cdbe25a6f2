// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/maps/score_steps.h"

#include "core/base/check.h"

#include <algorithm>
#include <limits>

namespace headscope {

namespace {

struct Cell {
    std::int64_t query;
    std::int64_t key;
};

float scoreOf(const ScoreSource& source, const Cell& cell) {
    float value = 0.0F;
    scoreBlock(source, {{cell.query, cell.query + 1}, {cell.key, cell.key + 1}}, {&value, 1, 1});
    return value;
}

/// The head's source with some of its terms alone.
ScoreSource with(const ScoreSource& source, const ScoreTerms& terms) {
    return {source.queries, source.keys, source.scale, terms};
}

std::vector<float> keyVector(const KeyPanels& keys, std::int64_t key) {
    const float* panel = keys.panel(key / KeyPanels::kLanes) + key % KeyPanels::kLanes;
    std::vector<float> numbers;
    for (std::int64_t d = 0; d < keys.headSize(); ++d) numbers.push_back(panel[d * KeyPanels::kLanes]);
    return numbers;
}

/// A product of `vector` with the table row of a distance, as the kernel adds it to a score.
float tableProduct(const ScoreTerms::Product& product, const std::vector<float>& vector,
                   std::int64_t distance) {
    const MatrixView<const float> one(vector.data(), 1, static_cast<std::int64_t>(vector.size()));
    return scoreOf({one, *product.table, product.scale}, {0, product.rowOf[distance]});
}

/// Puts the terms in one by one and asks the kernel for the score each time.
void addTermSteps(const ScoreSource& source, const Cell& cell, ScoreSteps& steps) {
    const ScoreTerms& all = source.terms;
    const std::int64_t distance = cell.key - cell.query + all.queries - 1;
    ScoreTerms some;
    some.queries = all.queries;
    const auto add = [&](ScoreTerm term, float value) {
        steps.terms.push_back({term, value, scoreOf(with(source, some), cell)});
    };
    if (all.query.table != nullptr) {
        some.query = all.query;
        add(ScoreTerm::QueryProduct, tableProduct(all.query, steps.query, distance));
    }
    if (all.key.table != nullptr) {
        some.key = all.key;
        add(ScoreTerm::KeyProduct, tableProduct(all.key, steps.key, distance));
    }
    if (all.keyBias != nullptr) {
        some.keyBias = all.keyBias;
        add(ScoreTerm::KeyBias, all.keyBias[cell.key]);
    }
    if (all.distanceBias != nullptr) {
        some.distanceBias = all.distanceBias;
        add(ScoreTerm::DistanceBias, all.distanceBias[distance]);
    }
    if (all.keySegments != nullptr) {
        some.querySegments = all.querySegments;
        some.keySegments = all.keySegments;
        some.sameSegment = all.sameSegment;
        some.otherSegment = all.otherSegment;
        const bool same = all.querySegments[cell.query] == all.keySegments[cell.key];
        add(ScoreTerm::Segment, (same ? all.sameSegment : all.otherSegment)[cell.query]);
    }
}

/// exp(score - maximum), by the kernel.
float exponentialOf(float score, float maximum) {
    MaskRule seen;
    seen.queries = seen.keys = 1;
    const RowNormaliser normaliser{maximum, 1.0F};
    weightsFromScores(seen, {{0, 1}, {0, 1}}, &normaliser, {&score, 1, 1});
    return score;
}

/// The first visible key with the row's largest score, where a key has it.
std::optional<std::int64_t> maximumKeyOf(const ScoreSource& source, const MaskRule& mask, std::int64_t query,
                                         float maximum) {
    std::vector<float> scores(static_cast<std::size_t>(mask.keys));
    scoreVisible(source, mask, {{query, query + 1}, {0, mask.keys}}, {scores.data(), 1, mask.keys});
    std::vector<Span> spans;
    mask.visibleSpans(query, spans);
    for (const Span span : spans)
        for (std::int64_t key = span.begin; key < span.end; ++key)
            if (scores[static_cast<std::size_t>(key)] == maximum) return key;
    return std::nullopt;
}

} // namespace

HiddenBy hiddenBy(const MaskRule& mask, std::int64_t query, std::int64_t key) {
    const std::int64_t position = query + mask.queryOffset;
    if (mask.causal && key > position) return HiddenBy::Causality;
    if (!mask.reach(query).contains(key)) return HiddenBy::Window;
    if (!mask.keyAllowed.empty() && mask.keyAllowed[static_cast<std::size_t>(key)] == 0)
        return HiddenBy::Padding;
    return mask.visible(query, key) ? HiddenBy::Nothing : HiddenBy::GivenMask;
}

ScoreSteps scoreSteps(const LayerMaps& layer, HeadIndex head, std::int64_t query, std::int64_t key) {
    const auto [rows, columns] = layer.extent();
    HS_CHECK(query >= 0 && query < rows);
    HS_CHECK(key >= 0 && key < columns);
    const ScoreSource source = layer.sourceOf(head);
    const MaskRule& mask = layer.rule.mask;
    const Cell cell{query, key};
    ScoreSteps steps;
    const float* q = source.queries.row(query);
    steps.query.assign(q, q + layer.headSize);
    steps.key = keyVector(source.keys, key);
    for (std::size_t d = 0; d < steps.query.size(); ++d)
        steps.products.push_back(steps.query[d] * steps.key[d]);
    steps.dot = scoreOf({source.queries, source.keys, 1.0F}, cell);
    steps.scale = source.scale;
    steps.scaled = scoreOf(with(source, {}), cell);
    addTermSteps(source, cell, steps);
    if (source.terms.softCap > 0.0F) steps.softCap = source.terms.softCap;
    steps.score = scoreOf(source, cell);

    steps.hidden = hiddenBy(mask, query, key);
    steps.visibleKeys = mask.visibleCount(query);
    steps.row = layer.normalisersOf(head)[query];
    steps.sink = layer.softmaxOf(head).sink;
    if (steps.visibleKeys > 0) steps.maximumKey = maximumKeyOf(source, mask, query, steps.row.maximum);
    if (steps.sink) steps.sinkExponential = exponentialOf(*steps.sink, steps.row.maximum);
    if (steps.hidden != HiddenBy::Nothing) return steps;
    steps.exponential = exponentialOf(steps.score, steps.row.maximum);
    steps.weight = steps.score;
    weightsFromScores(mask, {{query, query + 1}, {key, key + 1}}, layer.normalisersOf(head) + query,
                      {&steps.weight, 1, 1});
    return steps;
}

} // namespace headscope
