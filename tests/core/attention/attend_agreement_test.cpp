// SPDX-License-Identifier: GPL-3.0-or-later
// attend() against the definition in double, LibTorch's own attention, and itself along other paths.
#include "core/base/error.h"
#include "tests/core/attention/attention_fixture.h"

#include <ATen/Parallel.h>

#include <atomic>
#include <gtest/gtest.h>
#include <stdexcept>

namespace headscope {
namespace {

/// Outputs are of order 1; a float32 score of size s is off by about s * 2^-22, which reaches the weights.
/// Inputs are spread so that scores stay under about 20.
constexpr double kTolerance = 1e-6;
/// Against double, at scores up to about 9: both roundings count, and nothing of one side's error is shared.
constexpr double kDoubleTolerance = 9.0 / (1 << 21);

AttentionShape shapeOf(int heads, int keyValueHeads, std::int64_t headSize) {
    return {
        .modelSize = heads * headSize, .heads = heads, .keyValueHeads = keyValueHeads, .headSize = headSize};
}

ScoreRule ruleFor(const AttentionShape& shape, const MaskRule& mask) {
    return {.scale = 1.0F / std::sqrt(static_cast<float>(shape.headSize)), .mask = mask};
}

/// Shapes on both sides of tiles and strips, shared key/value heads among them.
struct Size {
    AttentionShape shape;
    std::int64_t queries;
    std::int64_t keys;
};

std::vector<Size> sizes() {
    return {{AttentionShape::divide(512, 8), 33, 33},
            {AttentionShape::divide(768, 8), 17, 17},
            {AttentionShape::divide(768, 12), 40, 40},
            {shapeOf(1, 1, 5), 200, 200},
            {shapeOf(6, 2, 16), 9, 31},
            {shapeOf(4, 1, 64), 31, 9},
            {shapeOf(2, 2, 80), 130, 300},
            {shapeOf(3, 3, 1), 7, 7}};
}

TEST(AttendAgreement, WithTheDefinitionInDouble) {
    at::manual_seed(1);
    for (const Size& size : sizes()) {
        for (const auto& [name, mask] : maskCases(size.queries, size.keys)) {
            SCOPED_TRACE(name + ", head size " + std::to_string(size.shape.headSize));
            const ScoreRule rule = ruleFor(size.shape, mask);
            const ProjectedHeads heads = randomHeads(size.shape, mask, 1.4);
            AttentionCall call;
            call.rule = &rule;
            const at::Tensor expected = referenceOutput(size.shape, heads, rule);
            EXPECT_LT(largestDifference(attend(size.shape, heads, call), expected), kDoubleTolerance);
            EXPECT_LT(largestDifference(attendByTensors(size.shape, heads, call), expected),
                      kDoubleTolerance);
        }
    }
}

TEST(AttendAgreement, WithScaledDotProductAttention) {
    at::manual_seed(2);
    for (const Size& size : sizes()) {
        for (const auto& [name, mask] : maskCases(size.queries, size.keys)) {
            SCOPED_TRACE(name + ", head size " + std::to_string(size.shape.headSize));
            const ScoreRule rule = ruleFor(size.shape, mask);
            const ProjectedHeads heads = randomHeads(size.shape, mask);
            const std::int64_t sharing = size.shape.heads / size.shape.keyValueHeads;
            const auto split = [&](const at::Tensor& t, int count) {
                return t.view({1, t.size(0), count, size.shape.headSize}).transpose(1, 2);
            };
            at::Tensor visible = at::zeros({mask.queries, mask.keys}, at::kBool);
            for (std::int64_t i = 0; i < mask.queries; ++i)
                for (std::int64_t j = 0; j < mask.keys; ++j)
                    visible.data_ptr<bool>()[i * mask.keys + j] = mask.visible(i, j);
            const at::Tensor given = at::scaled_dot_product_attention(
                split(heads.queries, size.shape.heads),
                split(heads.keys, size.shape.keyValueHeads).repeat_interleave(sharing, 1),
                split(heads.values, size.shape.keyValueHeads).repeat_interleave(sharing, 1), visible);
            at::Tensor expected = given[0].transpose(0, 1).reshape({mask.queries, -1});
            // What LibTorch gives for a row without keys differs between its kernels; here it is 0.
            expected = expected.masked_fill(visible.any(1, true).logical_not(), 0.0);
            AttentionCall call;
            call.rule = &rule;
            EXPECT_LT(largestDifference(attend(size.shape, heads, call), expected), kTolerance);
        }
    }
}

TEST(AttendAgreement, ObserverSeesTheRowsThatTheMapsRecompute) {
    at::manual_seed(3);
    for (const Size& size : sizes()) {
        for (const auto& [name, mask] : maskCases(size.queries, size.keys)) {
            SCOPED_TRACE(name + ", head size " + std::to_string(size.shape.headSize));
            const ScoreRule rule = ruleFor(size.shape, mask);
            const ProjectedHeads heads = randomHeads(size.shape, mask, 1.4);
            RecordingObserver observer;
            AttentionCall call;
            call.kind = AttentionKind::Cross;
            call.layer = LayerIndex(4);
            call.rule = &rule;
            const std::vector<float> plain = numbersOf(attend(size.shape, heads, call));
            call.observer = &observer;
            const at::Tensor output = attend(size.shape, heads, call);
            EXPECT_EQ(numbersOf(output), plain);
            EXPECT_TRUE(observer.inOrder);
            EXPECT_EQ(observer.begun.layer, LayerIndex(4));
            EXPECT_EQ(observer.begun.kind, AttentionKind::Cross);
            EXPECT_LT(observer.checks.rowSumError, 2e-6);
            EXPECT_LT(observer.checks.outputError, 2e-6);
            ASSERT_EQ(observer.maps->valueNorms.size(),
                      static_cast<std::size_t>(size.shape.keyValueHeads * mask.keys));
            const at::Tensor values =
                heads.values.view({mask.keys, size.shape.keyValueHeads, -1}).to(at::kDouble);
            EXPECT_NEAR(observer.maps->valueNorms.back(),
                        values[mask.keys - 1][size.shape.keyValueHeads - 1].norm().item<double>(), 1e-5);
            for (int head = 0; head < size.shape.heads; ++head) {
                const auto at = static_cast<std::size_t>(head);
                EXPECT_EQ(observer.nextRow[at], mask.queries);
                const auto map = recomputedMap(observer.maps, HeadIndex(head));
                std::vector<float> whole(static_cast<std::size_t>(mask.queries * mask.keys));
                map->tile({0, mask.queries}, {0, mask.keys}, {whole.data(), mask.queries, mask.keys});
                ASSERT_EQ(whole, observer.weights[at]);
                const at::Tensor own = output.view({mask.queries, size.shape.heads, -1}).select(1, head);
                double sum = 0.0;
                std::int64_t count = 0;
                for (std::int64_t q = 0; q < mask.queries; ++q) {
                    std::int64_t seen = 0;
                    for (std::int64_t k = 0; k < mask.keys; ++k) seen += mask.visible(q, k) ? 1 : 0;
                    if (!mask.isRealQuery(q) || seen < 8) continue;
                    sum += own[q].to(at::kDouble).norm().item<double>();
                    ++count;
                }
                EXPECT_NEAR(observer.norms.meanNorm.at(at),
                            count == 0 ? 0.0 : sum / static_cast<double>(count), 1e-5);
            }
        }
    }
}

TEST(AttendAgreement, MapsOutliveTheTensorsAndTakeSlices) {
    at::manual_seed(4);
    const AttentionShape shape = shapeOf(2, 2, 8);
    const ScoreRule rule = ruleFor(shape, openMask(20, 20));
    RecordingObserver observer;
    AttentionCall call;
    call.rule = &rule;
    call.observer = &observer;
    std::vector<float> fromSlices;
    ProjectedHeads copies;
    {
        const at::Tensor fused = at::randn({20, 48});
        const ProjectedHeads slices{fused.narrow(1, 0, 16), fused.narrow(1, 16, 16), fused.narrow(1, 32, 16)};
        copies = {slices.queries.clone(), slices.keys.clone(), slices.values.clone()};
        fromSlices = numbersOf(attend(shape, slices, call));
    }
    const std::shared_ptr<const LayerMaps> maps = observer.maps;
    EXPECT_EQ(maps->queries.stride, 16) << "a slice must not keep the fused projection alive";
    const std::vector<float> row = recomputedMap(maps, HeadIndex(1))->row(7);
    EXPECT_EQ(numbersOf(attend(shape, copies, call)), fromSlices);
    EXPECT_EQ(recomputedMap(observer.maps, HeadIndex(1))->row(7), row);
}

TEST(AttendAgreement, AnyNumberOfThreadsGivesTheSameBits) {
    at::manual_seed(5);
    const int threads = at::get_num_threads();
    for (const int heads : {1, 3}) {
        const AttentionShape shape = shapeOf(heads, heads, 32);
        MaskRule mask = openMask(300, 300);
        mask.causal = true;
        const ScoreRule rule = ruleFor(shape, mask);
        const ProjectedHeads projected = randomHeads(shape, mask);
        std::vector<std::vector<float>> outputs;
        for (const int count : {1, 2, 5}) {
            at::set_num_threads(count);
            RecordingObserver observer;
            AttentionCall call;
            call.rule = &rule;
            outputs.push_back(numbersOf(attend(shape, projected, call)));
            call.observer = &observer;
            outputs.push_back(numbersOf(attend(shape, projected, call)));
            EXPECT_TRUE(observer.inOrder);
        }
        for (const auto& output : outputs) EXPECT_EQ(output, outputs.front());
    }
    at::set_num_threads(threads);
}

/// Cancels, or throws, at the third block it sees.
class Interrupting final : public AttentionObserver, public RowAccumulator {
  public:
    explicit Interrupting(const CancelToken* toCancel) : m_toCancel(toCancel) {}
    std::vector<RowAccumulator*> beginLayer(const AttentionLayer&) override { return {this}; }
    void observe(const RowBlock&) override {
        if (++m_blocks < 3) return;
        if (m_toCancel == nullptr) throw std::runtime_error("broken accumulator");
        m_toCancel->cancel();
    }
    void endLayer(const AttentionLayer&, std::shared_ptr<const LayerMaps>, const LayerChecks&,
                  const HeadOutputNorms&) override {
        ended = true;
    }
    int blocks() const { return m_blocks; }
    bool ended = false;

  private:
    const CancelToken* m_toCancel;
    std::atomic<int> m_blocks = 0;
};

TEST(AttendInterrupted, CancelStopsBetweenStrips) {
    const AttentionShape shape = shapeOf(8, 8, 4);
    const ScoreRule rule = ruleFor(shape, openMask(2000, 50));
    const ProjectedHeads heads = randomHeads(shape, rule.mask);
    const CancelToken token;
    Interrupting observer(&token);
    AttentionCall call;
    call.rule = &rule;
    call.observer = &observer;
    call.cancel = &token;
    try {
        attend(shape, heads, call);
        FAIL() << "not cancelled";
    } catch (const Error& error) {
        EXPECT_EQ(error.parts().kind, ErrorKind::Cancelled);
    }
    EXPECT_FALSE(observer.ended);
    EXPECT_LE(observer.blocks(), 3 + at::get_num_threads()) << "of " << 8 * 21;
    call.observer = nullptr;
    EXPECT_THROW(attend(shape, heads, call), Error);
    EXPECT_THROW(attendByTensors(shape, heads, call), Error);
}

TEST(AttendInterrupted, AnExceptionOfAnAccumulatorArrivesWhole) {
    const AttentionShape shape = shapeOf(8, 8, 4);
    const ScoreRule rule = ruleFor(shape, openMask(1000, 50));
    Interrupting observer(nullptr);
    AttentionCall call;
    call.rule = &rule;
    call.observer = &observer;
    EXPECT_THROW(attend(shape, randomHeads(shape, rule.mask), call), std::runtime_error);
    EXPECT_FALSE(observer.ended);
}

TEST(AttendOnCuda, AgreesWithTheCpuAndGivesTheSameMaps) {
    if (!at::globalContext().hasCUDA()) GTEST_SKIP() << "skipped: no CUDA device";
    at::manual_seed(6);
    for (const Size& size : sizes()) {
        for (const auto& [name, mask] : maskCases(size.queries, size.keys)) {
            SCOPED_TRACE(name);
            const ScoreRule rule = ruleFor(size.shape, mask);
            const ProjectedHeads heads = randomHeads(size.shape, mask);
            const ProjectedHeads there{heads.queries.cuda(), heads.keys.cuda(), heads.values.cuda()};
            RecordingObserver here;
            RecordingObserver onDevice;
            AttentionCall call;
            call.rule = &rule;
            call.observer = &here;
            const at::Tensor expected = attend(size.shape, heads, call);
            call.observer = &onDevice;
            const at::Tensor output = attend(size.shape, there, call);
            EXPECT_TRUE(output.is_cuda());
            EXPECT_LT(largestDifference(output.cpu(), expected), 1e-5);
            EXPECT_EQ(onDevice.weights, here.weights);
        }
    }
}

} // namespace
} // namespace headscope
