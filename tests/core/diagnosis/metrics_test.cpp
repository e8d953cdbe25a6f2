// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/metrics.h"
#include "core/diagnosis/row_pass.h"
#include "tests/core/diagnosis/synthetic_head.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace headscope {
namespace {

using test::causalMask;
using test::fullMask;
using test::noiseScores;
using test::SyntheticHead;

TEST(Metrics, OneRowByHand) {
    // Eight keys, weights 1/2, then seven of 1/14: scores ln 7 and 0.
    const SyntheticHead head(fullMask(1, 8),
                             [](std::int64_t, std::int64_t j) { return j == 2 ? std::log(7.0) : 0.0; });
    const HeadMetrics metrics = head.metrics(false);
    const double entropy = 0.5 * std::log(2.0) + 0.5 * std::log(14.0);
    EXPECT_EQ(metrics.keys, 8);
    EXPECT_EQ(metrics.rows, 1);
    EXPECT_NEAR(metrics.entropy, entropy, 1e-6);
    EXPECT_NEAR(metrics.normalizedEntropy, entropy / std::log(8.0), 1e-6);
    EXPECT_NEAR(metrics.klToUniform, std::log(8.0) - entropy, 1e-6);
    EXPECT_NEAR(metrics.tvToUniform, 0.5 - 1.0 / 8.0, 1e-6);
    EXPECT_NEAR(metrics.confidence, 0.5, 1e-7);
    EXPECT_FALSE(metrics.column) << "one row is fewer than the sixteen a column needs";
}

TEST(Metrics, ColumnOfCrossAttentionCountsEveryRow) {
    // Twenty queries, nine keys: every even query puts 1/2 on key 4 (scores ln 8), every odd one 1/9 on each.
    const SyntheticHead head(fullMask(20, 9), [](std::int64_t i, std::int64_t j) {
        return i % 2 == 0 && j == 4 ? std::log(8.0) : 0.0;
    });
    const HeadMetrics metrics = head.metrics(false);
    ASSERT_TRUE(metrics.column);
    EXPECT_EQ(metrics.column->column, 4);
    EXPECT_EQ(metrics.column->rows, 20);
    EXPECT_NEAR(metrics.column->mass, 0.5 * (0.5 + 1.0 / 9.0), 1e-7);
    EXPECT_NEAR(metrics.column->chance, 1.0 / 9.0, 1e-12);
    EXPECT_NEAR(metrics.column->kappa, (0.5 * (0.5 + 1.0 / 9.0) - 1.0 / 9.0) / (8.0 / 9.0), 1e-7);
    // The even rows of the odd queries resolve to key 0.
    EXPECT_DOUBLE_EQ(metrics.column->modalShare, 0.5);
}

TEST(Metrics, OwnRowIsLeftOutInSelfAttention) {
    // Every token reads itself: with its own row a column would have mass 1/20, without it nearly none.
    const SyntheticHead head(fullMask(20, 20),
                             [](std::int64_t i, std::int64_t j) { return i == j ? 40.0 : 0.0; });
    const HeadMetrics self = head.metrics(true);
    const HeadMetrics cross = head.metrics(false);
    ASSERT_TRUE(self.column && cross.column);
    EXPECT_EQ(self.column->rows, 19);
    EXPECT_LT(self.column->mass, 1e-12);
    EXPECT_DOUBLE_EQ(self.column->modalShare, 0.0);
    EXPECT_EQ(cross.column->rows, 20);
    EXPECT_NEAR(cross.column->mass, 0.05, 1e-9);
    EXPECT_DOUBLE_EQ(cross.column->modalShare, 0.05);
}

TEST(Metrics, ArgmaxTakesTheLowestOfNearlyEqualWeights) {
    // Key 5 is larger than key 2 by a relative 5e-5 (counts as equal), then by 2e-4 (does not).
    const auto share = [](double advantage) {
        const SyntheticHead head(fullMask(16, 8), [=](std::int64_t, std::int64_t j) {
            return j == 5 ? 2.0 + std::log1p(advantage) : j == 2 ? 2.0 : 0.0;
        });
        const HeadMetrics metrics = head.metrics(false);
        EXPECT_EQ(metrics.column->column, 5) << "the heaviest column is judged by its sum, without slack";
        return metrics.column->modalShare;
    };
    EXPECT_DOUBLE_EQ(share(5e-5), 0.0);
    EXPECT_DOUBLE_EQ(share(2e-4), 1.0);
}

TEST(Metrics, EvenCausalHeadHasModalShareOneByTies) {
    const SyntheticHead head(causalMask(97), [](std::int64_t, std::int64_t) { return 0.0; });
    const HeadMetrics metrics = head.metrics();
    EXPECT_EQ(metrics.rows, 90);
    EXPECT_NEAR(metrics.klToUniform, 0.0, 1e-7);
    EXPECT_NEAR(metrics.normalizedEntropy, 1.0, 1e-7);
    EXPECT_NEAR(metrics.tvToUniform, 0.0, 1e-7);
    ASSERT_TRUE(metrics.column);
    EXPECT_EQ(metrics.column->column, 0);
    EXPECT_DOUBLE_EQ(metrics.column->modalShare, 1.0);
    EXPECT_NEAR(metrics.column->kappa, 0.0, 1e-6);
}

TEST(Metrics, CausalHeadStuckInTheMiddleCountsOnlyRowsThatSeeTheColumn) {
    const SyntheticHead head(causalMask(97),
                             [](std::int64_t, std::int64_t j) { return j == 40 ? 9.0 : 0.0; });
    const HeadMetrics metrics = head.metrics();
    ASSERT_TRUE(metrics.column);
    EXPECT_EQ(metrics.column->column, 40);
    EXPECT_EQ(metrics.column->rows, 56);
    EXPECT_DOUBLE_EQ(metrics.column->modalShare, 1.0);
    EXPECT_GT(metrics.column->mass, 0.98);
}

TEST(Metrics, ColumnNeedsAQuarterOfTheRows) {
    // Causal, 97 tokens: R has 90 rows, so a column needs 23 rows (22.5): key 73 has 23, key 74 has 22.
    const auto best = [](std::int64_t key) {
        const SyntheticHead head(causalMask(97),
                                 [=](std::int64_t, std::int64_t j) { return j == key ? 9.0 : 0.0; });
        return head.metrics().column->column;
    };
    EXPECT_EQ(best(73), 73);
    EXPECT_EQ(best(74), 0);
}

TEST(Metrics, NarrowWindowHasNoColumn) {
    MaskRule mask = causalMask(200);
    mask.window = 10;
    const SyntheticHead head(mask, [](std::int64_t, std::int64_t) { return 0.0; });
    const HeadMetrics metrics = head.metrics();
    EXPECT_EQ(metrics.rows, 193);
    EXPECT_FALSE(metrics.column);
}

TEST(Metrics, AnyStripHeightGivesTheSameBits) {
    const SyntheticHead head(causalMask(97), noiseScores(2.0, 97, 97));
    const HeadMetrics whole = head.metrics(true, 97);
    for (const std::int64_t height : {1, 2, 3, 7, 16, 50, 96}) {
        const HeadMetrics strips = head.metrics(true, height);
        EXPECT_EQ(strips.entropy, whole.entropy) << height;
        EXPECT_EQ(strips.normalizedEntropy, whole.normalizedEntropy) << height;
        EXPECT_EQ(strips.klToUniform, whole.klToUniform) << height;
        EXPECT_EQ(strips.tvToUniform, whole.tvToUniform) << height;
        EXPECT_EQ(strips.confidence, whole.confidence) << height;
        ASSERT_TRUE(strips.column);
        EXPECT_EQ(strips.column->column, whole.column->column) << height;
        EXPECT_EQ(strips.column->mass, whole.column->mass) << height;
        EXPECT_EQ(strips.column->modalShare, whole.column->modalShare) << height;
    }
}

TEST(Metrics, EqualsASlowComputationFromTheDefinitions) {
    const std::int64_t tokens = 61;
    const SyntheticHead head(causalMask(tokens), noiseScores(1.5, tokens, tokens, 3));
    const HeadMetrics metrics = head.metrics();
    double entropy = 0.0;
    double tv = 0.0;
    double confidence = 0.0;
    for (std::int64_t i = 7; i < tokens; ++i) {
        const float* row = head.weights.data() + i * tokens;
        const auto n = static_cast<double>(i + 1);
        for (std::int64_t j = 0; j <= i; ++j) {
            const double weight = row[j];
            entropy -= weight * std::log(weight);
            tv += 0.5 * std::fabs(weight - 1.0 / n);
        }
        confidence += *std::max_element(row, row + i + 1);
    }
    const double rows = static_cast<double>(tokens - 7);
    EXPECT_EQ(metrics.rows, tokens - 7);
    EXPECT_NEAR(metrics.entropy, entropy / rows, 1e-6);
    EXPECT_NEAR(metrics.tvToUniform, tv / rows, 1e-6);
    EXPECT_NEAR(metrics.confidence, confidence / rows, 1e-9);
    double best = -1.0;
    for (std::int64_t k = 0; k < tokens; ++k) {
        const std::int64_t first = std::max<std::int64_t>(k + 1, 7);
        const std::int64_t seen = tokens - first;
        if (seen < 16) continue;
        double mass = 0.0;
        for (std::int64_t i = first; i < tokens; ++i)
            mass += head.weights[static_cast<std::size_t>(i * tokens + k)];
        best = std::max(best, mass / static_cast<double>(seen));
    }
    EXPECT_NEAR(metrics.column->mass, best, 1e-9);
}

TEST(Metrics, PaddingChangesNothing) {
    const std::int64_t real = 40;
    const test::ScoreFunction score = noiseScores(2.0, real, real, 11);
    const HeadMetrics plain = SyntheticHead(fullMask(real, real), score).metrics();
    for (const std::int64_t shift : {0, 9}) { // padding right, then left
        MaskRule mask = fullMask(real + 9, real + 9);
        mask.keyAllowed.assign(static_cast<std::size_t>(real + 9), 0);
        mask.queryAllowed.assign(static_cast<std::size_t>(real + 9), 0);
        for (std::int64_t i = 0; i < real; ++i) {
            mask.keyAllowed[static_cast<std::size_t>(i + shift)] = 1;
            mask.queryAllowed[static_cast<std::size_t>(i + shift)] = 1;
        }
        const SyntheticHead head(mask, [&](std::int64_t i, std::int64_t j) {
            const bool realQuery = i >= shift && i < shift + real;
            return realQuery ? score(i - shift, j - shift) : 30.0 * static_cast<double>(j % 2);
        });
        const HeadMetrics padded = head.metrics();
        EXPECT_EQ(padded.keys, plain.keys);
        EXPECT_EQ(padded.rows, plain.rows);
        EXPECT_EQ(padded.entropy, plain.entropy);
        EXPECT_EQ(padded.klToUniform, plain.klToUniform);
        EXPECT_EQ(padded.confidence, plain.confidence);
        EXPECT_NEAR(padded.tvToUniform, plain.tvToUniform, 1e-12);
        ASSERT_TRUE(padded.column && plain.column);
        EXPECT_EQ(padded.column->column, plain.column->column + shift);
        EXPECT_EQ(padded.column->mass, plain.column->mass);
        EXPECT_EQ(padded.column->rows, plain.column->rows);
        EXPECT_EQ(padded.column->modalShare, plain.column->modalShare);
    }
}

TEST(Metrics, QueryThatSeesNothingEntersNoMean) {
    MaskRule mask = fullMask(40, 40);
    auto allowed = std::make_shared<std::vector<std::uint8_t>>(1600, std::uint8_t{1});
    std::fill(allowed->begin() + 3 * 40, allowed->begin() + 4 * 40, std::uint8_t{0});
    mask.allowed = allowed;
    const HeadMetrics metrics = SyntheticHead(mask, noiseScores(1.0, 40, 40)).metrics();
    EXPECT_EQ(metrics.rows, 39);
    EXPECT_TRUE(std::isfinite(metrics.entropy));
    EXPECT_GT(metrics.entropy, 2.0);
}

TEST(Metrics, OnlyPaddingGivesNoRows) {
    MaskRule mask = fullMask(12, 12);
    mask.keyAllowed.assign(12, 0);
    mask.queryAllowed.assign(12, 0);
    const HeadMetrics metrics = SyntheticHead(mask, noiseScores(1.0, 12, 12)).metrics();
    EXPECT_EQ(metrics.keys, 0);
    EXPECT_EQ(metrics.rows, 0);
    EXPECT_EQ(metrics.entropy, 0.0);
    EXPECT_FALSE(metrics.column);
}

TEST(Metrics, HeadsAreKeptApart) {
    const SyntheticHead flat(fullMask(32, 32), [](std::int64_t, std::int64_t) { return 0.0; });
    const SyntheticHead sharp(fullMask(32, 32),
                              [](std::int64_t, std::int64_t j) { return j == 3 ? 20.0 : 0.0; });
    MetricsAccumulator accumulator(2, flat.mask, true);
    RowBlock one = flat.block({0, 32});
    RowBlock two = sharp.block({0, 32});
    two.head = HeadIndex(1);
    accumulator.observe(two);
    accumulator.observe(one);
    EXPECT_NEAR(accumulator.result(HeadIndex(0)).confidence, 1.0 / 32, 1e-7);
    EXPECT_GT(accumulator.result(HeadIndex(1)).confidence, 0.99);
}

TEST(RowPass, AnyLengthEqualsThePlainLoops) {
    constexpr std::size_t kLongest = 613;
    std::vector<float> weights(kLongest);
    for (std::size_t i = 0; i < kLongest; ++i)
        weights[i] = static_cast<float>((i * 37 % kLongest) + 1) / 1024.0F;
    for (std::int64_t count = 0; count <= static_cast<std::int64_t>(kLongest); ++count) {
        double deviation = 0.0;
        float maximum = 0.0F;
        std::vector<double> totals(kLongest, 1.0);
        for (std::int64_t j = 0; j < count; ++j) {
            deviation += static_cast<double>(std::fabs(weights[static_cast<std::size_t>(j)] - 0.25F));
            maximum = std::max(maximum, weights[static_cast<std::size_t>(j)]);
        }
        const StretchSums sums = rowPass().sums(weights.data(), count, 0.25F);
        ASSERT_NEAR(sums.deviation, deviation, 1e-6 * deviation) << count;
        ASSERT_EQ(sums.maximum, maximum) << count;
        rowPass().addTo(totals.data(), weights.data(), count);
        for (std::size_t j = 0; j < kLongest; ++j) {
            const double added = j < static_cast<std::size_t>(count) ? static_cast<double>(weights[j]) : 0.0;
            ASSERT_EQ(totals[j], 1.0 + added) << count << " " << j;
        }
        for (const float threshold : {0.25F, 0.5F, 0.597F}) {
            const auto first = std::find_if(weights.begin(), weights.begin() + count,
                                            [&](float w) { return w >= threshold; });
            ASSERT_EQ(rowPass().firstAtLeast(weights.data(), count, threshold), first - weights.begin())
                << count;
        }
    }
}

} // namespace
} // namespace headscope
