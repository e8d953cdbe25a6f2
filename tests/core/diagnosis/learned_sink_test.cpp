// SPDX-License-Identifier: GPL-3.0-or-later
// Heads whose learned sink takes a share of every row: shape without it, masses with it.
#include "core/diagnosis/labels.h"
#include "tests/core/diagnosis/synthetic_head.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope {
namespace {

using headscope::test::causalMask;
using headscope::test::fullMask;
using headscope::test::noiseScores;
using headscope::test::ScoreFunction;
using headscope::test::SyntheticHead;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Key 2 with score ln 7, the others 0.
double oneKey(std::int64_t, std::int64_t j) {
    return j == 2 ? std::log(7.0) : 0.0;
}

double even(std::int64_t, std::int64_t) {
    return 0.0;
}

TEST(LearnedSink, RowsByHand) {
    // Twenty queries over eight keys: exponentials 7 and seven times 1, beside a sink of 42: of 56, the sink
    // takes 3/4, key 2 has 1/8 and each other key 1/56. Without the sink 1/2 and 1/14.
    const SyntheticHead head(fullMask(20, 8), oneKey, std::log(42.0));
    EXPECT_NEAR(head.weights[2], 1.0 / 8, 1e-7);
    EXPECT_NEAR(head.weights[0], 1.0 / 56, 1e-7);
    const HeadMetrics metrics = head.metrics(false);
    EXPECT_EQ(metrics.rows, 20);
    EXPECT_NEAR(metrics.sinkWeight, 0.75, 1e-12);
    const double entropy = 0.5 * std::log(2.0) + 0.5 * std::log(14.0);
    EXPECT_NEAR(metrics.entropy, entropy, 1e-6);
    EXPECT_NEAR(metrics.normalizedEntropy, entropy / std::log(8.0), 1e-6);
    EXPECT_NEAR(metrics.klToUniform, std::log(8.0) - entropy, 1e-6);
    EXPECT_NEAR(metrics.tvToUniform, 0.5 - 1.0 / 8, 1e-6);
    EXPECT_NEAR(metrics.confidence, 0.5, 1e-6);
    ASSERT_TRUE(metrics.column);
    EXPECT_EQ(metrics.column->column, 2);
    EXPECT_NEAR(metrics.column->mass, 1.0 / 8, 1e-7) << "a mass is what the key really gets";
    EXPECT_NEAR(metrics.column->chance, 1.0 / 8, 1e-12);
    EXPECT_DOUBLE_EQ(metrics.column->modalShare, 1.0);
}

TEST(LearnedSink, ShapeIsThatOfTheSameHeadWithoutIt) {
    const ScoreFunction score = noiseScores(1.5, 60, 60);
    const HeadMetrics without = SyntheticHead(causalMask(60), score).metrics();
    const HeadMetrics with = SyntheticHead(causalMask(60), score, 3.0).metrics();
    EXPECT_EQ(without.sinkWeight, 0.0);
    EXPECT_GT(with.sinkWeight, 0.2);
    EXPECT_EQ(with.rows, without.rows);
    EXPECT_NEAR(with.entropy, without.entropy, 1e-9);
    EXPECT_NEAR(with.normalizedEntropy, without.normalizedEntropy, 1e-9);
    EXPECT_NEAR(with.klToUniform, without.klToUniform, 1e-9);
    EXPECT_NEAR(with.tvToUniform, without.tvToUniform, 1e-6);
    EXPECT_NEAR(with.confidence, without.confidence, 1e-6);
    EXPECT_LT(with.column->mass, without.column->mass);
}

TEST(LearnedSink, ASinkThatLeavesAlmostNothingKeepsTheShape) {
    const HeadMetrics metrics = SyntheticHead(fullMask(20, 8), oneKey, 40.0).metrics(false);
    EXPECT_NEAR(metrics.sinkWeight, 1.0, 1e-12);
    EXPECT_NEAR(metrics.confidence, 0.5, 1e-6);
    EXPECT_NEAR(metrics.tvToUniform, 0.5 - 1.0 / 8, 1e-6);
}

TEST(LearnedSink, RowsWithoutAnyWeightLeftHaveNoShape) {
    // The kernel writes such rows as zeros: the first ten here, of twenty.
    const SyntheticHead shaped(fullMask(20, 8), oneKey);
    SyntheticHead head = shaped;
    std::fill_n(head.weights.begin(), 10 * 8, 0.0F);
    for (std::size_t row = 0; row < 10; ++row) {
        head.sums[row] = RowSums{};
        head.sums[row].normaliser = {200.0F, 1.0F};
        head.sums[row].sinkWeight = 1.0;
    }
    const HeadMetrics metrics = head.metrics(false);
    EXPECT_EQ(metrics.rows, 20);
    EXPECT_DOUBLE_EQ(metrics.sinkWeight, 0.5);
    EXPECT_NEAR(metrics.entropy, shaped.metrics(false).entropy, 1e-12);
    EXPECT_NEAR(metrics.confidence, 0.5, 1e-6);
    EXPECT_NEAR(metrics.column->mass, 0.25, 1e-7) << "the empty rows count in masses";
    EXPECT_DOUBLE_EQ(metrics.column->modalShare, 0.5);
}

TEST(LearnedSink, AHeadThatGivesAllToItHasNumbersAndIsASink) {
    SyntheticHead head(fullMask(40, 40), even);
    std::fill(head.weights.begin(), head.weights.end(), 0.0F);
    for (RowSums& row : head.sums) {
        row = RowSums{};
        row.sinkWeight = 1.0;
    }
    const HeadMetrics metrics = head.metrics();
    EXPECT_EQ(metrics.rows, 40);
    EXPECT_EQ(metrics.sinkWeight, 1.0);
    EXPECT_EQ(metrics.entropy, 0.0);
    EXPECT_EQ(metrics.confidence, 0.0);
    const Verdict verdict = judge(metrics);
    EXPECT_THAT(verdict.flags(), ElementsAre(Label::Sink)); // stuck needs a real key
    EXPECT_EQ(verdict.find(Label::Sink)->detail, "learned sink");
    EXPECT_EQ(verdict.find(Label::Sink)->column, std::nullopt);
}

TEST(LearnedSink, AnEvenHeadIsUniformUnlessItGivesTheSinkMuch) {
    // 40 exponentials of 1 beside a sink of 10 (a fifth of all) or 40 (half).
    const HeadMetrics little = SyntheticHead(fullMask(40, 40), even, std::log(10.0)).metrics();
    EXPECT_NEAR(little.sinkWeight, 0.2, 1e-9);
    EXPECT_NEAR(little.klToUniform, 0.0, 1e-6);
    EXPECT_NEAR(little.tvToUniform, 0.0, 1e-6);
    EXPECT_THAT(judge(little).flags(), ElementsAre(Label::Uniform));
    const HeadMetrics much = SyntheticHead(fullMask(40, 40), even, std::log(40.0)).metrics();
    EXPECT_NEAR(much.sinkWeight, 0.5, 1e-9);
    EXPECT_NEAR(much.klToUniform, 0.0, 1e-6);
    const Verdict verdict = judge(much);
    EXPECT_THAT(verdict.flags(), ElementsAre(Label::Sink));
    EXPECT_EQ(verdict.findings[0].measures.back().name, "learned_sink");
}

TEST(LearnedSink, ASinkOfExactlyTheCutIsNoUniformHead) {
    HeadMetrics metrics = SyntheticHead(fullMask(40, 40), even, std::log(10.0)).metrics();
    metrics.sinkWeight = 0.30;
    EXPECT_THAT(judge(metrics).flags(), ElementsAre(Label::Sink));
    metrics.sinkWeight = std::nextafter(0.30, 0.0);
    EXPECT_THAT(judge(metrics).flags(), ElementsAre(Label::Uniform));
}

} // namespace
} // namespace headscope
