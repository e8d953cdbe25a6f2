// SPDX-License-Identifier: GPL-3.0-or-later
// attend() on numbers worked out by hand: with scale 1 and keys 0, ln 2, ln 4 a query of 1 has weights 1/7,
// 2/7, 4/7.
#include "tests/core/attention/attention_fixture.h"

#include <gtest/gtest.h>

namespace headscope {
namespace {

const float kLn2 = std::log(2.0F);

struct Case {
    AttentionShape shape;
    ScoreRule rule;
    ProjectedHeads heads;
};

/// One head of size 1 over three keys; `queries` of them, all 1.
Case threeKeys(std::int64_t queries) {
    return {
        .shape = {.modelSize = 1, .heads = 1, .keyValueHeads = 1, .headSize = 1},
        .rule = {.scale = 1.0F, .mask = openMask(queries, 3)},
        .heads = {at::ones({queries, 1}), matrix(3, 1, {0.0F, kLn2, 2 * kLn2}), matrix(3, 1, {7, 14, 28})}};
}

/// The output of all paths, which must agree: observed, not observed, by tensor operations.
std::vector<float> outputOf(const Case& c) {
    RecordingObserver observer;
    AttentionCall call;
    call.rule = &c.rule;
    const std::vector<float> plain = numbersOf(attend(c.shape, c.heads, call));
    const std::vector<float> tensors = numbersOf(attendByTensors(c.shape, c.heads, call));
    call.observer = &observer;
    EXPECT_EQ(numbersOf(attend(c.shape, c.heads, call)), plain);
    EXPECT_EQ(tensors.size(), plain.size());
    for (std::size_t i = 0; i < plain.size(); ++i)
        EXPECT_NEAR(tensors[i], plain[i], 4e-7 * std::abs(plain[i]));
    return plain;
}

void expectNear(const std::vector<float>& got, const std::vector<double>& expected) {
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_NEAR(got[i], expected[i], 4e-7 * std::abs(expected[i])) << "number " << i;
}

TEST(Attend, OneHead) {
    expectNear(outputOf(threeKeys(1)), {(7 + 2 * 14 + 4 * 28) / 7.0});
}

TEST(Attend, ScaleMultipliesTheScore) {
    Case c = threeKeys(1);
    c.rule.scale = 2.0F; // weights 1, 4, 16 of 21
    expectNear(outputOf(c), {(7 + 4 * 14 + 16 * 28) / 21.0});
}

TEST(Attend, SeveralHeadsKeepToThemselves) {
    Case c = threeKeys(1);
    c.shape.heads = c.shape.keyValueHeads = 2;
    c.heads.queries = matrix(1, 2, {1, 0}); // the second head is uniform
    c.heads.keys = matrix(3, 2, {0, 5, kLn2, 6, 2 * kLn2, 7});
    c.heads.values = matrix(3, 2, {7, 3, 14, 6, 28, 9});
    expectNear(outputOf(c), {21, 6});
}

TEST(Attend, FewerKeyValueHeadsThanQueryHeads) {
    Case c = threeKeys(1);
    c.shape.heads = 4;
    c.shape.keyValueHeads = 2;
    c.heads.queries = matrix(1, 4, {1, 0, 0, 1}); // heads 0 and 1 read key/value head 0, 2 and 3 read 1
    c.heads.keys = matrix(3, 2, {0, 2 * kLn2, kLn2, kLn2, 2 * kLn2, 0});
    c.heads.values = matrix(3, 2, {7, 70, 14, 140, 28, 280});
    expectNear(outputOf(c), {21, 49 / 3.0, 490 / 3.0, (4 * 70 + 2 * 140 + 280) / 7.0});
}

TEST(Attend, RectangularMaps) {
    Case c = threeKeys(2);
    c.heads.queries = matrix(2, 1, {1, 0});
    expectNear(outputOf(c), {21, 49 / 3.0});
    Case tall = threeKeys(5);
    expectNear(outputOf(tall), {21, 21, 21, 21, 21});
}

TEST(Attend, Causal) {
    Case c = threeKeys(3);
    c.rule.mask.causal = true;
    expectNear(outputOf(c), {7, (7 + 2 * 14) / 3.0, 21});
}

TEST(Attend, CausalWithQueryOffset) {
    Case c = threeKeys(2);
    c.rule.mask.causal = true;
    c.rule.mask.queryOffset = 1;
    expectNear(outputOf(c), {(7 + 2 * 14) / 3.0, 21});
}

TEST(Attend, WindowBothWaysAndCausal) {
    Case c = threeKeys(3);
    c.rule.mask.window = 2;
    expectNear(outputOf(c), {(7 + 2 * 14) / 3.0, 21, (2 * 14 + 4 * 28) / 6.0});
    c.rule.mask.causal = true;
    expectNear(outputOf(c), {7, (7 + 2 * 14) / 3.0, (2 * 14 + 4 * 28) / 6.0});
}

TEST(Attend, PaddingKeysAreNotRead) {
    Case c = threeKeys(1);
    c.rule.mask.keyAllowed = {1, 1, 0};
    expectNear(outputOf(c), {(7 + 2 * 14) / 3.0});
}

TEST(Attend, PaddingQueriesAreComputed) {
    Case c = threeKeys(2);
    c.heads.queries = matrix(2, 1, {1, 0});
    c.rule.mask.queryAllowed = {1, 0};
    expectNear(outputOf(c), {21, 49 / 3.0});
}

TEST(Attend, NormsAreMeansOverRealQueriesThatSeeEightKeys) {
    // Even weights over values 0, 1, 2...: row i gives i / 2. Rows 0 to 6 see too few keys, row 9 is padding.
    Case c = threeKeys(10);
    c.rule.mask = openMask(10, 10);
    c.rule.mask.causal = true;
    c.rule.mask.queryAllowed = {1, 1, 1, 1, 1, 1, 1, 1, 1, 0};
    c.heads.keys = at::zeros({10, 1});
    c.heads.values = matrix(10, 1, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    RecordingObserver observer;
    AttentionCall call;
    call.rule = &c.rule;
    call.observer = &observer;
    attend(c.shape, c.heads, call);
    EXPECT_NEAR(observer.norms.meanNorm.at(0), (3.5 + 4) / 2, 1e-6);
    c.rule.mask.window = 7;
    attend(c.shape, c.heads, call);
    EXPECT_EQ(observer.norms.meanNorm.at(0), 0.0);
}

TEST(Attend, AnyBooleanMask) {
    Case c = threeKeys(2);
    c.rule.mask.allowed =
        std::make_shared<const std::vector<std::uint8_t>>(std::vector<std::uint8_t>{1, 0, 1, 0, 1, 0});
    expectNear(outputOf(c), {(7 + 4 * 28) / 5.0, 14});
}

TEST(Attend, ARowThatSeesNothingGivesZeros) {
    Case c = threeKeys(2);
    c.rule.mask.allowed =
        std::make_shared<const std::vector<std::uint8_t>>(std::vector<std::uint8_t>{0, 0, 0, 1, 1, 1});
    expectNear(outputOf(c), {0, 21});
    RecordingObserver observer;
    AttentionCall call;
    call.rule = &c.rule;
    call.observer = &observer;
    attend(c.shape, c.heads, call);
    EXPECT_EQ(std::vector<float>(observer.weights[0].begin(), observer.weights[0].begin() + 3),
              (std::vector<float>{0, 0, 0}));
    EXPECT_EQ(observer.maps->normalisersOf(HeadIndex(0))[0].sum, 0.0F);
    EXPECT_LT(observer.checks.rowSumError, 1e-6) << "the empty row does not count";
    Case none = threeKeys(1);
    none.rule.mask.keyAllowed = {0, 0, 0};
    expectNear(outputOf(none), {0});
}

TEST(Attend, OneToken) {
    const AttentionShape shape = AttentionShape::divide(6, 3);
    const ScoreRule rule{.scale = 1.0F, .mask = openMask(1, 1)};
    const at::Tensor x = matrix(1, 6, {1, 2, 3, 4, 5, 6});
    AttentionCall call;
    call.rule = &rule;
    EXPECT_EQ(numbersOf(attend(shape, {x, x, x}, call)), numbersOf(x));
}

TEST(Attend, NoTokenAtAll) {
    const AttentionShape shape = AttentionShape::divide(4, 2);
    const ScoreRule noQueries{.scale = 1.0F, .mask = openMask(0, 3)};
    RecordingObserver observer;
    AttentionCall call;
    call.rule = &noQueries;
    call.observer = &observer;
    EXPECT_EQ(attend(shape, {at::zeros({0, 4}), at::ones({3, 4}), at::ones({3, 4})}, call).numel(), 0);
    const ScoreRule noKeys{.scale = 1.0F, .mask = openMask(2, 0)};
    call.rule = &noKeys;
    EXPECT_EQ(numbersOf(attend(shape, {at::ones({2, 4}), at::zeros({0, 4}), at::zeros({0, 4})}, call)),
              std::vector<float>(8, 0.0F));
}

} // namespace
} // namespace headscope
