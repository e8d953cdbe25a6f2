// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/attention/attention_fixture.h"
#include "tests/support/sentence_of.h"

#include <gtest/gtest.h>

namespace headscope {
namespace {

TEST(AttentionShape, DividesTheModelSize) {
    EXPECT_EQ(AttentionShape::divide(512, 8).headSize, 64);
    EXPECT_EQ(AttentionShape::divide(768, 8).headSize, 96);
    EXPECT_EQ(AttentionShape::divide(768, 12).headSize, 64);
    EXPECT_EQ(AttentionShape::divide(768, 12).keyValueHeads, 12);
    EXPECT_EQ(AttentionShape::divide(5, 1).headSize, 5);
}

TEST(AttentionShape, RefusesWhatDoesNotDivide) {
    const std::string sentence = test::sentenceOf([] { AttentionShape::divide(512, 12); });
    EXPECT_NE(sentence.find("512"), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("12 heads"), std::string::npos) << sentence;
    EXPECT_FALSE(test::sentenceOf([] { AttentionShape::divide(512, 0); }).empty());
    EXPECT_FALSE(test::sentenceOf([] { AttentionShape::divide(0, 8); }).empty());
    EXPECT_FALSE(test::sentenceOf([] { AttentionShape::divide(512, -8); }).empty());
}

LinearWeights identity(std::int64_t size) {
    return {at::eye(size), {}};
}

TEST(ApplyLinear, WithAndWithoutBias) {
    const at::Tensor x = matrix(1, 2, {1, 2});
    const at::Tensor w = matrix(3, 2, {1, 0, 0, 1, 3, -1});
    EXPECT_EQ(numbersOf(applyLinear({w, {}}, x)), (std::vector<float>{1, 2, 1}));
    EXPECT_EQ(numbersOf(applyLinear({w, at::tensor({1.0F, 2.0F, 3.0F})}, x)), (std::vector<float>{2, 4, 4}));
}

TEST(MultiHeadAttention, ProjectsSplitsAndJoinsByHand) {
    // Two heads of size 1. Queries 1 and 0 after projection: head 0 weighs 1/3, 2/3, head 1 evenly.
    const AttentionShape shape = AttentionShape::divide(2, 2);
    MultiHeadAttention::Weights weights{.query = {at::zeros({2, 2}), at::tensor({1.0F, 0.0F})},
                                        .key = identity(2),
                                        .value = {at::eye(2) * 3, {}},
                                        .output = {matrix(2, 2, {0, 1, 1, 0}), at::tensor({0.0F, 100.0F})}};
    const MultiHeadAttention attention(shape, weights);
    const at::Tensor x = matrix(2, 2, {0, 2, std::log(2.0F), 4});
    const ScoreRule rule{.scale = 1.0F, .mask = openMask(2, 2)};
    AttentionCall call;
    call.rule = &rule;
    const std::vector<float> output = numbersOf(attention.forward(x, x, call));
    const double head0 = 3 * (2.0 / 3) * std::log(2.0);
    for (const std::size_t row : {0U, 1U}) {
        EXPECT_NEAR(output[row * 2], 9.0, 1e-5);
        EXPECT_NEAR(output[row * 2 + 1], 100.0 + head0, 1e-5);
    }
}

TEST(MultiHeadAttention, CrossAttentionTakesOtherWidthsAndFewerKeyValueHeads) {
    at::manual_seed(1);
    const AttentionShape shape{.modelSize = 24, .heads = 6, .keyValueHeads = 2, .headSize = 8};
    MultiHeadAttention::Weights weights{.query = {at::randn({48, 24}), at::randn({48})},
                                        .key = {at::randn({16, 10}), {}},
                                        .value = {at::randn({16, 10}), at::randn({16})},
                                        .output = {at::randn({24, 48}) * 0.1, at::randn({24})}};
    const MultiHeadAttention attention(shape, weights);
    EXPECT_EQ(attention.shape().heads, 6);
    const at::Tensor queriesFrom = at::randn({5, 24}) * 0.2;
    const at::Tensor keysFrom = at::randn({7, 10}) * 0.2;
    const ScoreRule rule{.scale = 0.35F, .mask = openMask(5, 7)};
    RecordingObserver observer;
    AttentionCall call;
    call.rule = &rule;
    call.observer = &observer;
    const at::Tensor output = attention.forward(queriesFrom, keysFrom, call);
    const ProjectedHeads projected{at::linear(queriesFrom, weights.query.weight, weights.query.bias),
                                   at::linear(keysFrom, weights.key.weight),
                                   at::linear(keysFrom, weights.value.weight, weights.value.bias)};
    const at::Tensor joined = referenceOutput(shape, projected, rule);
    const at::Tensor expected =
        at::linear(joined, weights.output.weight.to(at::kDouble), weights.output.bias.to(at::kDouble));
    EXPECT_LT(largestDifference(output, expected), 2e-6);
    EXPECT_EQ(observer.maps->extent(), (Extent{5, 7}));
    EXPECT_EQ(observer.maps->keyValueHeads, 2);
}

TEST(MultiHeadAttention, LeavesNoGradientBehindWeightsThatWantOne) {
    const AttentionShape shape = AttentionShape::divide(4, 2);
    LinearWeights trained{at::eye(4).requires_grad_(true), {}};
    const MultiHeadAttention attention(shape, {trained, trained, trained, trained});
    const at::Tensor x = at::ones({3, 4});
    const ScoreRule rule{.scale = 1.0F, .mask = openMask(3, 3)};
    AttentionCall call;
    call.rule = &rule;
    const at::Tensor output = attention.forward(x, x, call);
    EXPECT_FALSE(output.requires_grad());
    EXPECT_EQ(numbersOf(output), std::vector<float>(12, 1.0F));
}

TEST(MultiHeadAttention, RefusesWeightsThatDoNotFitNamingBothShapes) {
    const AttentionShape shape = AttentionShape::divide(8, 2);
    const MultiHeadAttention::Weights good{identity(8), identity(8), identity(8), identity(8)};
    const auto sentence = [&](const MultiHeadAttention::Weights& weights) {
        return test::sentenceOf([&] { MultiHeadAttention(shape, weights); });
    };
    MultiHeadAttention::Weights bad = good;
    bad.query.weight = at::zeros({8, 6});
    EXPECT_EQ(sentence(bad).find("query projection weight: found 8 x 6, expected 8 x 8"), 0U)
        << sentence(bad);
    bad = good;
    bad.key.weight = at::zeros({4, 8});
    EXPECT_EQ(sentence(bad).find("key projection weight: found 4 x 8, expected 8 x any"), 0U)
        << sentence(bad);
    bad = good;
    bad.value.weight = at::zeros({8, 5});
    EXPECT_EQ(sentence(bad).find("value projection weight: found 8 x 5, expected 8 x 8"), 0U)
        << sentence(bad);
    bad = good;
    bad.output.weight = at::zeros({8});
    EXPECT_EQ(sentence(bad).find("output projection weight: found 8, expected 8 x 8"), 0U) << sentence(bad);
    bad = good;
    bad.value.bias = at::zeros({9});
    EXPECT_EQ(sentence(bad).find("value projection bias: found 9, expected 8"), 0U) << sentence(bad);
    bad = good;
    bad.output.weight = at::Tensor();
    EXPECT_EQ(sentence(bad).find("output projection: no weight"), 0U) << sentence(bad);
    AttentionShape uneven = shape;
    uneven.keyValueHeads = 3;
    EXPECT_NE(
        test::sentenceOf([&] { MultiHeadAttention(uneven, good); }).find("3 key/value heads for 2 heads"),
        std::string::npos);
}

} // namespace
} // namespace headscope
