// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/layer_maps.h"
#include "tests/core/maps/layer_fixture.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

/// Rules with random terms of every kind, and what they mean in double, cell by cell.
namespace headscope {

/// The ways in which families choose a table's row, for distance = key - query. Each is counted from its own
/// lowest row.
struct RowChoice {
    std::string name;
    std::function<std::int64_t(std::int64_t distance)> row;
};

inline std::vector<RowChoice> rowChoices() {
    const auto logarithmic = [](std::int64_t distance) {
        const std::int64_t far = std::abs(distance);
        if (far <= 4) return distance;
        const auto bucket = 4 + static_cast<std::int64_t>(2.0 * std::log2(static_cast<double>(far) / 4.0));
        return distance < 0 ? -bucket : bucket;
    };
    return {
        {"one row a distance", [](std::int64_t d) { return d; }},
        {"one row a distance, falling", [](std::int64_t d) { return -d; }},
        {"the nearest apart", [](std::int64_t d) { return std::clamp<std::int64_t>(d, -9, 8); }},
        {"the nearest apart, falling", [](std::int64_t d) { return std::clamp<std::int64_t>(-d, -9, 8); }},
        {"logarithmic, falling", [=](std::int64_t d) { return -logarithmic(d); }},
        {"one row for all", [](std::int64_t) { return 0; }}};
}

/// Random tables for a row choice; every table has some rows to spare on both sides.
inline RelativeProduct randomProduct(const MaskRule& mask, const LayerShape& shape, const RowChoice& choice,
                                     unsigned seed) {
    RelativeProduct product;
    product.scale = 1.3F / std::sqrt(static_cast<float>(shape.headSize));
    std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
    std::int64_t highest = std::numeric_limits<std::int64_t>::min();
    for (std::int64_t distance = 1 - mask.queries; distance < mask.keys; ++distance) {
        lowest = std::min(lowest, choice.row(distance));
        highest = std::max(highest, choice.row(distance));
    }
    constexpr std::int64_t kSpare = 3;
    for (std::int64_t distance = 1 - mask.queries; distance < mask.keys; ++distance)
        product.rowOf.push_back(static_cast<std::int32_t>(choice.row(distance) - lowest + kSpare));
    const std::int64_t rows = highest - lowest + 1 + 2 * kSpare;
    for (int head = 0; head < shape.heads; ++head) {
        const std::vector<float> table =
            randomNumbers(rows * shape.headSize, seed + static_cast<unsigned>(head), 0.8F);
        product.tables.push_back(
            std::make_shared<const KeyPanels>(MatrixView<const float>(table.data(), rows, shape.headSize)));
    }
    return product;
}

inline SegmentTerm randomSegments(const MaskRule& mask, int heads, unsigned seed) {
    SegmentTerm segment;
    for (std::int64_t q = 0; q < mask.queries; ++q)
        segment.ofQuery.push_back(static_cast<std::uint8_t>(q * 3 / mask.queries));
    for (std::int64_t k = 0; k < mask.keys; ++k)
        segment.ofKey.push_back(static_cast<std::uint8_t>(k * 3 / mask.keys));
    segment.same = randomNumbers(heads * mask.queries, seed);
    segment.other = randomNumbers(heads * mask.queries, seed + 1);
    return segment;
}

/// A rule and what stands out in it.
struct TermCase {
    std::string name;
    ScoreRule rule;
};

/// Every term alone, and all at once.
inline std::vector<TermCase> termCases(const MaskRule& mask, const LayerShape& shape) {
    const ScoreRule plain{.scale = 1.0F / std::sqrt(static_cast<float>(shape.headSize)), .mask = mask};
    std::vector<TermCase> cases{{"no term", plain}};
    const auto add = [&](const std::string& name, PositionTerms position) {
        cases.push_back({name, plain});
        cases.back().rule.position = std::make_shared<const PositionTerms>(std::move(position));
    };
    PositionTerms all;
    for (const RowChoice& choice : rowChoices()) {
        PositionTerms query;
        query.query = randomProduct(mask, shape, choice, 100);
        PositionTerms key;
        key.key = randomProduct(mask, shape, choice, 200);
        if (choice.name == "logarithmic, falling") all.query = query.query;
        if (choice.name == "the nearest apart") all.key = key.key;
        add("query product, " + choice.name, std::move(query));
        add("key product, " + choice.name, std::move(key));
    }
    PositionTerms one;
    one.keyBias = all.keyBias = randomNumbers(shape.heads * mask.keys, 300);
    add("key bias", one);
    one = {};
    one.distanceBias = all.distanceBias = randomNumbers(shape.heads * (mask.queries + mask.keys - 1), 301);
    add("distance bias", one);
    one = {};
    one.segment = all.segment = randomSegments(mask, shape.heads, 302);
    add("segments", one);
    cases.push_back({"cap", plain});
    cases.back().rule.softCap = 1.5F;
    cases.push_back({"sinks", plain});
    cases.back().rule.sinks = randomNumbers(shape.heads, 303);
    add("everything", all);
    cases.back().rule.softCap = 2.5F;
    cases.back().rule.sinks = randomNumbers(shape.heads, 304);
    return cases;
}

/// Any of the terms, each in every second rule.
inline TermCase randomRule(const MaskRule& mask, const LayerShape& shape, std::mt19937& random) {
    TermCase made{"terms", {.scale = 1.0F / std::sqrt(static_cast<float>(shape.headSize)), .mask = mask}};
    const auto with = [&](const std::string& name) {
        if (random() % 2 == 0) return false;
        made.name += ", " + name;
        return true;
    };
    const auto product = [&] {
        const std::vector<RowChoice> choices = rowChoices();
        const RowChoice& choice = choices[random() % choices.size()];
        made.name += " of " + choice.name;
        return randomProduct(mask, shape, choice, static_cast<unsigned>(random()));
    };
    const auto numbers = [&](std::int64_t count) {
        return randomNumbers(count, static_cast<unsigned>(random()));
    };
    PositionTerms position;
    if (with("query product")) position.query = product();
    if (with("key product")) position.key = product();
    if (with("key bias")) position.keyBias = numbers(shape.heads * mask.keys);
    if (with("distance bias")) position.distanceBias = numbers(shape.heads * (mask.queries + mask.keys - 1));
    if (with("segments"))
        position.segment = randomSegments(mask, shape.heads, static_cast<unsigned>(random()));
    made.rule.position = std::make_shared<const PositionTerms>(std::move(position));
    if (with("cap")) made.rule.softCap = 3.0F;
    if (with("sinks")) made.rule.sinks = numbers(shape.heads);
    return made;
}

inline double tableProduct(const RelativeProduct& product, int head, std::int64_t distance,
                           const float* vector) {
    const KeyPanels& table = *product.tables[static_cast<std::size_t>(head)];
    const std::int64_t row = product.rowOf[static_cast<std::size_t>(distance)];
    double dot = 0.0;
    for (std::int64_t d = 0; d < table.headSize(); ++d)
        dot += static_cast<double>(vector[d]) *
               static_cast<double>(table.panel(row / kPanelLanes)[d * kPanelLanes + row % kPanelLanes]);
    return static_cast<double>(product.scale) * dot;
}

/// One cell of a head.
struct ScoredCell {
    int head;
    std::int64_t query;
    std::int64_t key;
};

/// The definition of ScoreRule in double; `q` and `k` are this cell's vectors.
inline double scoreByDefinition(const ScoreRule& rule, const ScoredCell& cell, const float* q, const float* k,
                                std::int64_t headSize) {
    double score = 0.0;
    for (std::int64_t d = 0; d < headSize; ++d)
        score += static_cast<double>(q[d]) * static_cast<double>(k[d]);
    score *= static_cast<double>(rule.scale);
    if (rule.position) {
        const PositionTerms& position = *rule.position;
        const MaskRule& mask = rule.mask;
        const std::int64_t distance = cell.key - cell.query + mask.queries - 1;
        const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
        if (!position.query.empty()) score += tableProduct(position.query, cell.head, distance, q);
        if (!position.key.empty()) score += tableProduct(position.key, cell.head, distance, k);
        if (!position.keyBias.empty()) score += position.keyBias[at(cell.head * mask.keys + cell.key)];
        if (!position.distanceBias.empty())
            score += position.distanceBias[at(cell.head * (mask.queries + mask.keys - 1) + distance)];
        const SegmentTerm& segment = position.segment;
        if (!segment.empty()) {
            const bool same = segment.ofQuery[at(cell.query)] == segment.ofKey[at(cell.key)];
            score += (same ? segment.same : segment.other)[at(cell.head * mask.queries + cell.query)];
        }
    }
    if (rule.softCap) score = *rule.softCap * std::tanh(score / *rule.softCap);
    return score;
}

} // namespace headscope
