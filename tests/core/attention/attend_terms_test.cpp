// SPDX-License-Identifier: GPL-3.0-or-later
// attend() with every term of a score rule: the strips, tensor operations and the definition in double agree.
#include "tests/core/attention/attention_fixture.h"
#include "tests/core/maps/terms_fixture.h"

#include <ATen/Parallel.h>

#include <gtest/gtest.h>

namespace headscope {
namespace {

/// Capped and uncapped scores stay under 12; half of it goes to either side.
constexpr double kTolerance = 12.0 / (1 << 21);

struct Size {
    int heads;
    int keyValueHeads;
    std::int64_t headSize;
    std::int64_t queries;
    std::int64_t keys;

    AttentionShape shape() const {
        return {.modelSize = heads * headSize,
                .heads = heads,
                .keyValueHeads = keyValueHeads,
                .headSize = headSize};
    }
    LayerShape layer() const { return {heads, keyValueHeads, headSize}; }
};

/// Shared key/value heads, more keys than queries and fewer, nothing a multiple of 16.
std::vector<Size> smallSizes() {
    return {{1, 1, 1, 1, 1}, {4, 2, 3, 7, 31}, {6, 1, 17, 25, 9}, {2, 2, 80, 13, 13}};
}

AttentionCall callFor(const ScoreRule& rule, AttentionObserver* observer = nullptr) {
    AttentionCall call;
    call.rule = &rule;
    call.observer = observer;
    return call;
}

/// Attention from the definition of the rule, cell by cell in double.
at::Tensor outputByDefinition(const Size& size, const ProjectedHeads& heads, const ScoreRule& rule) {
    const std::vector<float> q = numbersOf(heads.queries);
    const std::vector<float> k = numbersOf(heads.keys);
    const std::vector<float> v = numbersOf(heads.values);
    const std::int64_t d = size.headSize;
    std::vector<double> out(static_cast<std::size_t>(size.queries * size.heads * d), 0.0);
    for (int head = 0; head < size.heads; ++head) {
        const std::int64_t shared = head / (size.heads / size.keyValueHeads);
        for (std::int64_t i = 0; i < size.queries; ++i) {
            double total = rule.sinks.empty() ? 0.0 : std::exp(static_cast<double>(rule.sinks.at(head)));
            double* row = out.data() + (i * size.heads + head) * d;
            for (std::int64_t j = 0; j < size.keys; ++j) {
                if (!rule.mask.visible(i, j)) continue;
                const std::int64_t key = (j * size.keyValueHeads + shared) * d;
                const double e = std::exp(scoreByDefinition(
                    rule, {head, i, j}, q.data() + (i * size.heads + head) * d, k.data() + key, d));
                total += e;
                for (std::int64_t c = 0; c < d; ++c) row[c] += e * static_cast<double>(v.at(key + c));
            }
            if (total > 0.0)
                for (std::int64_t c = 0; c < d; ++c) row[c] /= total;
        }
    }
    return at::tensor(out).view({size.queries, size.heads * d});
}

TEST(AttendTerms, AgreeWithTheDefinitionInDouble) {
    at::manual_seed(1);
    for (const Size& size : smallSizes()) {
        // The terms know nothing of masks: three are enough.
        const std::vector<MaskCase> masks = maskCases(size.queries, size.keys);
        for (const auto& [maskName, mask] : {masks.at(2), masks.at(4), masks.back()}) {
            for (const auto& [name, rule] : termCases(mask, size.layer())) {
                SCOPED_TRACE(name + ", " + maskName + ", head size " + std::to_string(size.headSize));
                const ProjectedHeads heads = randomHeads(size.shape(), mask);
                const at::Tensor expected = outputByDefinition(size, heads, rule);
                ASSERT_LT(largestDifference(attend(size.shape(), heads, callFor(rule)), expected),
                          kTolerance);
                ASSERT_LT(largestDifference(attendByTensors(size.shape(), heads, callFor(rule)), expected),
                          kTolerance);
            }
        }
    }
}

TEST(AttendTerms, StripsAndTensorOperationsAgreeOnAnyRandomRule) {
    std::mt19937 random(4);
    at::manual_seed(2);
    const auto below = [&](std::int64_t n) {
        return static_cast<std::int64_t>(random() % static_cast<unsigned>(n));
    };
    for (int trial = 0; trial < 40; ++trial) {
        Size size{};
        size.keyValueHeads = static_cast<int>(1 + below(2));
        size.heads = static_cast<int>(size.keyValueHeads * (1 + below(3)));
        size.headSize = 1 + below(80);
        size.queries = 1 + below(250);
        size.keys = 1 + below(300);
        const std::vector<MaskCase> masks = maskCases(size.queries, size.keys);
        const auto& [maskName, mask] = masks[static_cast<std::size_t>(below(masks.size()))];
        const auto& [name, rule] = randomRule(mask, size.layer(), random);
        SCOPED_TRACE(name + ", " + maskName + ", head size " + std::to_string(size.headSize));
        const ProjectedHeads heads = randomHeads(size.shape(), mask);
        const at::Tensor strips = attend(size.shape(), heads, callFor(rule));
        ASSERT_LT(largestDifference(strips, attendByTensors(size.shape(), heads, callFor(rule))), kTolerance);
    }
}

TEST(AttendTerms, ObserverSeesTheRowsThatTheMapsRecompute) {
    at::manual_seed(3);
    const Size size{4, 2, 20, 130, 117};
    MaskRule mask = openMask(size.queries, size.keys);
    mask.causal = true;
    for (const auto& [name, rule] : termCases(mask, size.layer())) {
        SCOPED_TRACE(name);
        const ProjectedHeads heads = randomHeads(size.shape(), mask);
        const std::vector<float> plain = numbersOf(attend(size.shape(), heads, callFor(rule)));
        RecordingObserver observer;
        const at::Tensor output = attend(size.shape(), heads, callFor(rule, &observer));
        EXPECT_EQ(numbersOf(output), plain);
        EXPECT_LT(observer.checks.rowSumError, 2e-6);
        EXPECT_LT(observer.checks.outputError, 2e-6);
        for (int head = 0; head < size.heads; ++head) {
            std::vector<float> whole(static_cast<std::size_t>(mask.queries * mask.keys));
            recomputedMap(observer.maps, HeadIndex(head))
                ->tile({0, mask.queries}, {0, mask.keys}, {whole.data(), mask.queries, mask.keys});
            ASSERT_EQ(whole, observer.weights[static_cast<std::size_t>(head)]);
        }
    }
}

TEST(AttendTerms, AnyNumberOfThreadsGivesTheSameBits) {
    at::manual_seed(4);
    const int threads = at::get_num_threads();
    const Size size{3, 3, 32, 211, 211};
    const ScoreRule rule = termCases(openMask(size.queries, size.keys), size.layer()).back().rule;
    const ProjectedHeads heads = randomHeads(size.shape(), rule.mask);
    std::vector<std::vector<float>> outputs;
    for (const int count : {1, 2, 5}) {
        at::set_num_threads(count);
        RecordingObserver observer;
        outputs.push_back(numbersOf(attend(size.shape(), heads, callFor(rule))));
        outputs.push_back(numbersOf(attend(size.shape(), heads, callFor(rule, &observer))));
    }
    for (const auto& output : outputs) EXPECT_EQ(output, outputs.front());
    at::set_num_threads(threads);
}

TEST(AttendTerms, ASinkTakesItsShareAndEverythingOfARowThatSeesNothing) {
    // Keys of score 0, ln 2 and ln 4 beside a sink of ln 8: weights 1/15, 2/15, 4/15 of values 15, 30, 60.
    const float ln2 = std::log(2.0F);
    ScoreRule rule{.scale = 1.0F, .mask = openMask(2, 3)};
    rule.sinks = {3 * ln2};
    rule.mask.allowed =
        std::make_shared<const std::vector<std::uint8_t>>(std::vector<std::uint8_t>{1, 1, 1, 0, 0, 0});
    const AttentionShape shape{.modelSize = 1, .heads = 1, .keyValueHeads = 1, .headSize = 1};
    const ProjectedHeads heads{at::ones({2, 1}), matrix(3, 1, {0.0F, ln2, 2 * ln2}),
                               matrix(3, 1, {15, 30, 60})};
    RecordingObserver observer;
    for (const at::Tensor& output :
         {attend(shape, heads, callFor(rule, &observer)), attend(shape, heads, callFor(rule)),
          attendByTensors(shape, heads, callFor(rule))}) {
        const std::vector<float> numbers = numbersOf(output);
        EXPECT_NEAR(numbers[0], 1 + 4 + 16, 1e-5);
        EXPECT_EQ(numbers[1], 0.0F);
    }
    EXPECT_LT(observer.checks.rowSumError, 1e-6) << "the sink's share counts";
    EXPECT_EQ(observer.maps->normalisersOf(HeadIndex(0))[1].maximum, 3 * ln2);
}

TEST(AttendTermsOnCuda, AgreeWithTheCpuAndGiveTheSameMaps) {
    if (!at::globalContext().hasCUDA()) GTEST_SKIP() << "skipped: no CUDA device";
    at::manual_seed(5);
    for (const Size& size : {Size{4, 2, 17, 55, 55}, Size{2, 1, 64, 130, 300}}) {
        for (const auto& [maskName, mask] : maskCases(size.queries, size.keys)) {
            for (const auto& [name, rule] : termCases(mask, size.layer())) {
                SCOPED_TRACE(name + ", " + maskName);
                const ProjectedHeads heads = randomHeads(size.shape(), mask);
                const ProjectedHeads there{heads.queries.cuda(), heads.keys.cuda(), heads.values.cuda()};
                RecordingObserver here;
                RecordingObserver onDevice;
                const at::Tensor expected = attend(size.shape(), heads, callFor(rule, &here));
                const at::Tensor output = attend(size.shape(), there, callFor(rule, &onDevice));
                EXPECT_TRUE(output.is_cuda());
                EXPECT_LT(largestDifference(output.cpu(), expected), 1e-5);
                EXPECT_EQ(onDevice.weights, here.weights);
            }
        }
    }
}

} // namespace
} // namespace headscope
