// SPDX-License-Identifier: GPL-3.0-or-later
// A learned sink: one more score in every row's sum, and none of the map.
#include "tests/core/maps/layer_fixture.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace headscope {
namespace {

class LearnedSink : public testing::TestWithParam<Isa> {
  protected:
    /// Weights of one row of scores that are all visible.
    struct Row {
        std::vector<float> weights;
        RowSums sums;
    };
    static Row softmaxOf(std::vector<float> scores, std::optional<float> sink) {
        const auto keys = static_cast<std::int64_t>(scores.size());
        Row row;
        softmaxRows({openMask(1, keys), sink}, {0, 1}, {scores.data(), 1, keys}, &row.sums, GetParam());
        row.weights = std::move(scores);
        return row;
    }
};
INSTANTIATE_TEST_SUITE_P(Every, LearnedSink, testing::ValuesIn(supportedIsas()),
                         [](const auto& about) { return std::string(nameOf(about.param)); });

TEST_P(LearnedSink, ByHand) {
    // exp of 0, ln 2, ln 4 and the sink's ln 8 is 1, 2, 4 and 8, of 15.
    const float ln2 = std::log(2.0F);
    const Row row = softmaxOf({0.0F, ln2, 2 * ln2}, 3 * ln2);
    EXPECT_NEAR(row.weights[0], 1.0 / 15, 1e-7);
    EXPECT_NEAR(row.weights[1], 2.0 / 15, 1e-7);
    EXPECT_NEAR(row.weights[2], 4.0 / 15, 1e-7);
    EXPECT_NEAR(row.sums.sinkWeight, 8.0 / 15, 1e-7);
    EXPECT_NEAR(row.sums.weightSum, 7.0 / 15, 1e-7);
    EXPECT_EQ(row.sums.normaliser.maximum, 3 * ln2) << "m is at least the sink";
    EXPECT_NEAR(row.sums.normaliser.sum, 15.0 / 8, 1e-7);
    EXPECT_NEAR(row.sums.visibleSum, 7.0 / 8, 1e-7);
    // The entropy of 1/7, 2/7, 4/7, whatever the sink.
    const double v = row.sums.visibleSum;
    EXPECT_NEAR(std::log(v) - row.sums.weightedScore / v,
                std::log(7.0) - (2 * std::log(2.0) + 4 * std::log(4.0)) / 7, 1e-6);
}

TEST_P(LearnedSink, BelowTheLargestScoreLeavesMAlone) {
    const float ln2 = std::log(2.0F);
    const Row row = softmaxOf({0.0F, ln2, 2 * ln2}, 0.0F);
    EXPECT_EQ(row.sums.normaliser.maximum, 2 * ln2);
    EXPECT_NEAR(row.sums.normaliser.sum, 2.0, 1e-7);
    EXPECT_NEAR(row.sums.sinkWeight, 1.0 / 8, 1e-7);
    EXPECT_NEAR(row.weights[2], 0.5, 1e-7);
}

TEST_P(LearnedSink, ARowThatSeesNothingGivesItEverything) {
    MaskRule mask = openMask(2, 20);
    mask.keyAllowed.assign(20, 0);
    std::vector<float> strip(40, std::nanf(""));
    std::vector<RowSums> sums(2);
    softmaxRows({mask, -3.5F}, {0, 2}, {strip.data(), 2, 20}, sums.data(), GetParam());
    EXPECT_EQ(strip, std::vector<float>(40, 0.0F));
    EXPECT_EQ(sums[1].normaliser.maximum, -3.5F);
    EXPECT_EQ(sums[1].normaliser.sum, 1.0F);
    EXPECT_EQ(sums[1].visibleSum, 0.0);
    EXPECT_EQ(sums[1].weightSum, 0.0);
    EXPECT_EQ(sums[1].sinkWeight, 1.0);
}

TEST_P(LearnedSink, FarAboveTakesAllAndFarBelowNothing) {
    const std::vector<float> scores = {1.0F, -2.0F, 0.5F};
    const Row above = softmaxOf(scores, 200.0F);
    EXPECT_EQ(above.weights, std::vector<float>(3, 0.0F));
    EXPECT_EQ(above.sums.sinkWeight, 1.0);
    EXPECT_EQ(above.sums.weightSum, 0.0);
    const Row below = softmaxOf(scores, -200.0F);
    const Row without = softmaxOf(scores, {});
    EXPECT_EQ(bitsOf(below.weights), bitsOf(without.weights));
    EXPECT_EQ(below.sums.sinkWeight, 0.0);
    EXPECT_EQ(below.sums.normaliser.sum, without.sums.normaliser.sum);
    EXPECT_EQ(without.sums.sinkWeight, 0.0);
    EXPECT_EQ(static_cast<float>(without.sums.visibleSum), without.sums.normaliser.sum);
}

TEST_P(LearnedSink, RowsAgreeWithDoublePrecision) {
    for (const std::int64_t keys : {1, 15, 16, 17, 300}) {
        const std::vector<float> scores = randomNumbers(keys, 9, 2.0F);
        const float sink = 1.7F;
        const Row row = softmaxOf(scores, sink);
        double total = std::exp(static_cast<double>(sink));
        for (const float score : scores) total += std::exp(static_cast<double>(score));
        for (std::size_t k = 0; k < scores.size(); ++k)
            EXPECT_NEAR(row.weights[k], std::exp(static_cast<double>(scores[k])) / total, 1e-6);
        EXPECT_NEAR(row.sums.sinkWeight, std::exp(static_cast<double>(sink)) / total, 1e-6);
        EXPECT_NEAR(row.sums.weightSum + row.sums.sinkWeight, 1.0, 1e-6);
    }
}

TEST(LearnedSinkOfAHead, IsItsOwn) {
    ScoreRule rule{.scale = 1.0F, .mask = openMask(3, 5)};
    rule.sinks = {-1.0F, 4.0F};
    const BuiltLayer built = buildLayer(rule, {2, 1, 4});
    EXPECT_EQ(built.layer->softmaxOf(HeadIndex(0)).sink, -1.0F);
    EXPECT_EQ(built.layer->softmaxOf(HeadIndex(1)).sink, 4.0F);
    EXPECT_EQ(built.layer->bytes(), (3U * 8 + 4 * 16 + 2 * 3 * 2 + 2) * sizeof(float));
    for (int head = 0; head < 2; ++head) {
        for (std::int64_t q = 0; q < 3; ++q) {
            double sum = 0.0;
            for (const float weight : built.map(head)->row(q)) sum += static_cast<double>(weight);
            const RowSums& sums = built.sums[static_cast<std::size_t>(head)][static_cast<std::size_t>(q)];
            EXPECT_NEAR(sum, 1.0 - sums.sinkWeight, 1e-6);
            EXPECT_GT(sums.sinkWeight, 0.0);
        }
    }
}

} // namespace
} // namespace headscope
