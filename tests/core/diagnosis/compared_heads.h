// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/similarity.h"
#include "tests/core/diagnosis/synthetic_head.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace headscope::test {

/// Several synthetic heads of one text, as similarity takes them.
struct HeadSet {
    MaskRule mask;
    bool selfAttention = true;
    std::deque<SyntheticHead> heads;
    std::deque<HeadMetrics> metrics;
    std::vector<ComparedHead> compared;

    explicit HeadSet(MaskRule rule, bool self = true) : mask(std::move(rule)), selfAttention(self) {}

    void add(const ScoreFunction& score, std::optional<double> learnedSink = {}) {
        heads.emplace_back(mask, score, learnedSink);
        metrics.push_back(heads.back().metrics(selfAttention));
        compared.push_back(
            {std::make_shared<StoredMap>(Extent{mask.queries, mask.keys}, heads.back().weights),
             &metrics.back()});
    }
    PairSimilarity pair(std::size_t first, std::size_t second) const {
        return comparePair(compared, first, second, mask);
    }
    std::vector<PairSimilarity> pairs(double limit) const { return similarPairs(compared, mask, limit, {}); }
};

/// The definition of PairSimilarity, written out over whole maps.
class PairDefinition {
  public:
    PairDefinition(const HeadSet& set, std::size_t first, std::size_t second) : m_set(set) {
        for (std::int64_t i = 0; i < set.mask.queries; ++i) m_isOfR.push_back(isOfR(i));
        const std::vector<float>& a = set.heads[first].weights;
        const std::vector<float>& b = set.heads[second].weights;
        std::vector<bool> sink(static_cast<std::size_t>(set.mask.keys));
        for (std::int64_t key = 0; key < set.mask.keys; ++key)
            sink[static_cast<std::size_t>(key)] = isSink(a, key) || isSink(b, key);
        for (std::int64_t i = 0; i < set.mask.queries; ++i)
            if (m_isOfR[static_cast<std::size_t>(i)]) addRow(i, a, b, sink);
        const auto mean = [](double& sum, std::int64_t count) {
            if (count > 0) sum /= static_cast<double>(count);
        };
        for (double* sum : {&divergence, &firstKl, &secondKl, &hellinger}) mean(*sum, rows);
        mean(fullDivergence, fullRows);
    }

    std::int64_t rows = 0;
    double divergence = 0.0;
    double firstKl = 0.0;
    double secondKl = 0.0;
    double hellinger = 0.0; ///< mean of 1 - sum sqrt(p q)
    std::int64_t fullRows = 0;
    double fullDivergence = 0.0;

  private:
    bool isOfR(std::int64_t i) const {
        if (!m_set.mask.queryAllowed.empty() && m_set.mask.queryAllowed[static_cast<std::size_t>(i)] == 0)
            return false;
        int seen = 0;
        for (std::int64_t j = 0; j < m_set.mask.keys; ++j) seen += m_set.mask.visible(i, j) ? 1 : 0;
        return seen >= 8;
    }
    double weight(const std::vector<float>& weights, std::int64_t i, std::int64_t j) const {
        return static_cast<double>(weights[static_cast<std::size_t>(i * m_set.mask.keys + j)]);
    }
    bool isSink(const std::vector<float>& weights, std::int64_t key) const {
        int all = 0;
        int seeing = 0;
        double mass = 0.0;
        for (std::int64_t i = 0; i < m_set.mask.queries; ++i) {
            if (!m_isOfR[static_cast<std::size_t>(i)]) continue;
            ++all;
            if (m_set.selfAttention && i + m_set.mask.queryOffset == key) continue;
            if (!m_set.mask.visible(i, key)) continue;
            ++seeing;
            mass += weight(weights, i, key);
        }
        return seeing >= 16 && 4 * seeing >= all && mass / seeing >= 0.30;
    }
    void addRow(std::int64_t i, const std::vector<float>& a, const std::vector<float>& b,
                const std::vector<bool>& sink) {
        std::vector<std::int64_t> seen;
        std::vector<std::int64_t> left;
        for (std::int64_t j = 0; j < m_set.mask.keys; ++j) {
            if (!m_set.mask.visible(i, j)) continue;
            seen.push_back(j);
            if (!sink[static_cast<std::size_t>(j)]) left.push_back(j);
        }
        const auto massOf = [&](const std::vector<float>& weights, const std::vector<std::int64_t>& keys) {
            double mass = 0.0;
            for (const std::int64_t j : keys) mass += weight(weights, i, j);
            return mass;
        };
        const auto normalised = [&](const std::vector<float>& weights,
                                    const std::vector<std::int64_t>& keys) {
            const double mass = massOf(weights, keys);
            std::vector<double> result;
            for (const std::int64_t j : keys) result.push_back(weight(weights, i, j) / mass);
            return result;
        };
        if (massOf(a, seen) > 0.0 && massOf(b, seen) > 0.0) {
            ++fullRows;
            fullDivergence += jensenShannon(normalised(a, seen), normalised(b, seen));
        }
        if (left.size() < 4 || massOf(a, left) < 0.2 || massOf(b, left) < 0.2) return;
        ++rows;
        const std::vector<double> p = normalised(a, left);
        const std::vector<double> q = normalised(b, left);
        divergence += jensenShannon(p, q);
        const std::vector<double> even(left.size(), 1.0 / static_cast<double>(left.size()));
        firstKl += kullback(p, even);
        secondKl += kullback(q, even);
        double coefficient = 0.0;
        for (std::size_t j = 0; j < p.size(); ++j) coefficient += std::sqrt(p[j] * q[j]);
        hellinger += 1.0 - coefficient;
    }
    static double kullback(const std::vector<double>& p, const std::vector<double>& q) {
        double sum = 0.0;
        for (std::size_t j = 0; j < p.size(); ++j)
            if (p[j] > 0.0) sum += p[j] * std::log(p[j] / q[j]);
        return sum;
    }
    static double jensenShannon(const std::vector<double>& p, const std::vector<double>& q) {
        std::vector<double> mean;
        for (std::size_t j = 0; j < p.size(); ++j) mean.push_back((p[j] + q[j]) / 2.0);
        return (kullback(p, mean) + kullback(q, mean)) / 2.0;
    }

    const HeadSet& m_set;
    std::vector<bool> m_isOfR; ///< [queries]
};

struct NamedMask {
    std::string name;
    MaskRule mask;
    bool selfAttention = true;
};

inline std::vector<std::uint8_t> onesFrom(std::int64_t begin, std::int64_t end, std::int64_t size) {
    std::vector<std::uint8_t> values(static_cast<std::size_t>(size));
    std::fill(values.begin() + begin, values.begin() + end, std::uint8_t{1});
    return values;
}

/// One mask of each kind; some higher than a strip of rows.
inline std::vector<NamedMask> masksOfEveryKind() {
    std::vector<NamedMask> masks{{"causal", causalMask(97)},
                                 {"both ways", fullMask(41, 41)},
                                 {"cross-attention", fullMask(70, 23), false},
                                 {"square cross-attention", fullMask(30, 30), false},
                                 {"causal window", causalMask(90)},
                                 {"wide causal window", causalMask(90)},
                                 {"window both ways", fullMask(75, 75)},
                                 {"padding left", causalMask(60)},
                                 {"padding right", fullMask(50, 50)},
                                 {"cached keys", causalMask(30)},
                                 {"any cells", fullMask(66, 40), false}};
    masks[4].mask.window = 12;
    masks[5].mask.window = 40;
    masks[6].mask.window = 15;
    masks[7].mask.keyAllowed = masks[7].mask.queryAllowed = onesFrom(9, 60, 60);
    masks[8].mask.keyAllowed = masks[8].mask.queryAllowed = onesFrom(0, 39, 50);
    masks[9].mask.keys = 50;
    masks[9].mask.queryOffset = 20;
    const auto cells = std::make_shared<std::vector<std::uint8_t>>(66 * 40);
    std::mt19937 engine(5);
    for (std::uint8_t& cell : *cells) cell = engine() % 3 == 0 ? 0 : 1;
    masks[10].mask.allowed = cells;
    return masks;
}

/// Heads that are hard to tell apart, or look alike for the wrong reason: a few contents of different
/// spread, each pure, nearly copied, and on top of one or two sinks of different strength.
inline HeadSet mixedHeads(const NamedMask& named, unsigned seed, int heads) {
    HeadSet set(named.mask, named.selfAttention);
    std::mt19937 engine(seed);
    const auto draw = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(engine);
    };
    const std::int64_t keys = named.mask.keys;
    for (int h = 0; h < heads; ++h) {
        const unsigned content = seed * 100 + engine() % 3;
        const ScoreFunction base = noiseScores(1.0 + content % 3, keys, named.mask.queries, content);
        const ScoreFunction own = noiseScores(1.0, keys, named.mask.queries, seed * 1000 + engine() % 1000);
        const double change = std::pow(10.0, draw(-6.0, 0.3));
        std::vector<double> bias(static_cast<std::size_t>(keys));
        for (unsigned sinks = engine() % 3; sinks > 0; --sinks)
            bias[engine() % 3 == 0 ? engine() % bias.size() : bias.size() / 4] = draw(2.0, 8.0);
        set.add(
            [=](std::int64_t i, std::int64_t j) {
                return base(i, j) + change * own(i, j) + bias[static_cast<std::size_t>(j)];
            },
            engine() % 5 == 0 ? std::optional(draw(0.0, 6.0)) : std::nullopt);
    }
    return set;
}

} // namespace headscope::test
