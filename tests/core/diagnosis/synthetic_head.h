// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/metrics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <vector>

namespace headscope::test {

using ScoreFunction = std::function<double(std::int64_t query, std::int64_t key)>;

/// A head made in double from a formula for its scores, handed to accumulators as the forward pass would.
struct SyntheticHead {
    MaskRule mask;
    std::vector<float> weights; ///< [queries, keys]
    std::vector<RowSums> sums;  ///< [queries]
    std::optional<double> sink;

    SyntheticHead(MaskRule rule, const ScoreFunction& score, std::optional<double> learnedSink = {})
        : mask(std::move(rule)), sink(learnedSink) {
        weights.resize(static_cast<std::size_t>(mask.queries * mask.keys), 0.0F);
        for (std::int64_t i = 0; i < mask.queries; ++i) addRow(i, score);
    }

    RowBlock block(Span rows) const {
        RowBlock result;
        result.rows = rows;
        result.weights = {weights.data() + rows.begin * mask.keys, rows.size(), mask.keys};
        result.sums = sums.data() + rows.begin;
        result.mask = &mask;
        return result;
    }

    HeadMetrics metrics(bool selfAttention = true, std::int64_t stripHeight = 16,
                        const TokenFacts* facts = nullptr) const {
        MetricsAccumulator accumulator(1, mask, selfAttention, facts);
        for (std::int64_t row = 0; row < mask.queries; row += stripHeight)
            accumulator.observe(block({row, std::min(row + stripHeight, mask.queries)}));
        return accumulator.result(HeadIndex(0));
    }

  private:
    void addRow(std::int64_t query, const ScoreFunction& score) {
        double maximum = sink.value_or(-std::numeric_limits<double>::infinity());
        std::vector<double> scores(static_cast<std::size_t>(mask.keys));
        for (std::int64_t j = 0; j < mask.keys; ++j) {
            if (!mask.visible(query, j)) continue;
            scores[static_cast<std::size_t>(j)] = score(query, j);
            maximum = std::max(maximum, scores[static_cast<std::size_t>(j)]);
        }
        RowSums row;
        row.normaliser.maximum = static_cast<float>(maximum);
        double l = 0.0;
        for (std::int64_t j = 0; j < mask.keys; ++j) {
            if (!mask.visible(query, j)) continue;
            const double shifted = scores[static_cast<std::size_t>(j)] - maximum;
            l += std::exp(shifted);
            row.weightedScore += std::exp(shifted) * shifted;
            row.scoreSum += shifted;
            row.scoreSquares += shifted * shifted;
        }
        row.visibleSum = l;
        if (sink) l += std::exp(*sink - maximum);
        row.normaliser.sum = static_cast<float>(l);
        for (std::int64_t j = 0; j < mask.keys; ++j)
            if (mask.visible(query, j))
                weights[static_cast<std::size_t>(query * mask.keys + j)] =
                    static_cast<float>(std::exp(scores[static_cast<std::size_t>(j)] - maximum) / l);
        row.weightSum = row.visibleSum / l;
        row.sinkWeight = sink ? std::exp(*sink - maximum) / l : 0.0;
        sums.push_back(row);
    }
};

inline MaskRule fullMask(std::int64_t queries, std::int64_t keys) {
    MaskRule mask;
    mask.queries = queries;
    mask.keys = keys;
    return mask;
}

inline MaskRule causalMask(std::int64_t tokens) {
    MaskRule mask = fullMask(tokens, tokens);
    mask.causal = true;
    return mask;
}

/// Independent Gaussian scores of the given spread; the same for the same seed.
inline ScoreFunction noiseScores(double spread, std::int64_t keys, std::int64_t queries, unsigned seed = 7) {
    std::mt19937 engine(seed);
    std::normal_distribution<double> normal(0.0, spread);
    auto values = std::make_shared<std::vector<double>>(static_cast<std::size_t>(keys * queries));
    for (double& value : *values) value = normal(engine);
    return [values, keys](std::int64_t i, std::int64_t j) {
        return (*values)[static_cast<std::size_t>(i * keys + j)];
    };
}

} // namespace headscope::test
