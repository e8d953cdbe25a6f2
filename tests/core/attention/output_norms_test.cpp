// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/output_norms.h"
#include "core/base/error.h"
#include "tests/core/attention/attention_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <optional>

namespace headscope {
namespace {

using ::testing::HasSubstr;

constexpr AttentionShape kShape{.modelSize = 20, .heads = 6, .keyValueHeads = 2, .headSize = 5};

/// Norm of x [headSize] behind the slice of W_O that belongs to `head`, in double.
double behind(const at::Tensor& weight, int head, const at::Tensor& x) {
    const at::Tensor slice = weight.narrow(1, head * kShape.headSize, kShape.headSize).to(at::kDouble);
    return at::mv(slice, x.to(at::kDouble)).norm().item<double>();
}

TEST(OutputNorms, AreThoseBehindEachHeadsSliceOfTheOutputMatrix) {
    at::manual_seed(5);
    ScoreRule rule;
    rule.mask = openMask(700, 700); // more than one chunk of rows
    rule.mask.causal = true;
    rule.mask.queryAllowed.assign(700, 1);
    rule.mask.queryAllowed.back() = 0; // padding has no say
    const ProjectedHeads heads = randomHeads(kShape, rule.mask);
    RecordingObserver observer;
    AttentionCall call;
    call.rule = &rule;
    call.observer = &observer;
    const at::Tensor weight = at::randn({20, 30});
    const SliceNorms slices(kShape, weight);
    call.outputNorms = &slices;
    const at::Tensor output = attend(kShape, heads, call);
    ASSERT_EQ(observer.norms.projectedNorm.size(), 6U);
    ASSERT_EQ(observer.maps->projectedValueNorms.size(), 6U * 700U);
    for (int head = 0; head < 6; ++head) {
        double sum = 0.0;
        for (std::int64_t row = 7; row < 699; ++row) // the first see fewer than eight keys
            sum += behind(weight, head, output[row].narrow(0, head * 5, 5));
        EXPECT_NEAR(observer.norms.projectedNorm[static_cast<std::size_t>(head)], sum / 692.0, 1e-4);
        for (const std::int64_t key : {0, 511, 512, 699})
            EXPECT_NEAR(observer.maps->projectedValueNorms[static_cast<std::size_t>(head * 700 + key)],
                        behind(weight, head, heads.values[key].narrow(0, head / 3 * 5, 5)), 1e-4);
    }
}

TEST(OutputNorms, AreUnknownWithoutAnOutputMatrix) {
    ScoreRule rule;
    rule.mask = openMask(4, 4);
    RecordingObserver observer;
    AttentionCall call;
    call.rule = &rule;
    call.observer = &observer;
    attend(kShape, randomHeads(kShape, rule.mask), call);
    EXPECT_TRUE(observer.norms.projectedNorm.empty());
    EXPECT_TRUE(observer.maps->projectedValueNorms.empty());
}

TEST(Scores, ThatAreNoNumbersNameLayerHeadAndQuery) {
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 1e30F})
        for (const bool observed : {true, false}) {
            ScoreRule rule;
            rule.mask = openMask(40, 40);
            ProjectedHeads heads = randomHeads(kShape, rule.mask);
            heads.queries[7][2 * 5 + 1] = bad; // head 2
            if (bad == 1e30F) heads.keys.mul_(1e20);
            RecordingObserver observer;
            AttentionCall call;
            call.kind = AttentionKind::Decoder;
            call.layer = LayerIndex(3);
            call.rule = &rule;
            if (observed) call.observer = &observer;
            std::string sentence;
            try {
                attend(kShape, heads, call);
            } catch (const Error& error) {
                sentence = error.sentence();
            }
            EXPECT_THAT(sentence,
                        HasSubstr("decoder layer 3, head 2, query 7: its scores hold NaN or infinity"));
        }
}

} // namespace
} // namespace headscope
