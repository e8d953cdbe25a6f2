// SPDX-License-Identifier: GPL-3.0-or-later
// The score kernel against LibTorch's products, and attend() against its fused attention and the bare
// products.
#include "core/attention/attention.h"
#include "core/attention/thread_team.h"
#include "core/maps/layer_maps.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <array>
#include <benchmark/benchmark.h>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace headscope;

constexpr int kHeads = 12;
constexpr std::int64_t kHeadSize = 64;
constexpr std::int64_t kStep = 96;

at::Tensor randomMatrix(std::int64_t rows, std::int64_t columns) {
    return at::randn({rows, columns});
}

MatrixView<const float> viewOf(const at::Tensor& matrix) {
    return {matrix.const_data_ptr<float>(), matrix.size(0), matrix.size(1), matrix.stride(0)};
}

/// Multiply and add count as two.
void reportRate(benchmark::State& state, double operations) {
    state.counters["FLOP/s"] = benchmark::Counter(operations, benchmark::Counter::kIsIterationInvariantRate,
                                                  benchmark::Counter::kIs1000);
}

double productOperations(std::int64_t tokens) {
    return 2.0 * kHeads * static_cast<double>(tokens) * static_cast<double>(tokens) * kHeadSize;
}

/// What is added to the scaled products; DeBERTa's are both its products, V2 with 256 logarithmic buckets.
enum class Terms { None, KeyBias, DistanceBias, Segments, SoftCap, Sink, XlnetProduct, DebertaV1, DebertaV2 };

constexpr std::array kTermNames = {"plain", "key bias",      "distance bias", "segments",  "soft cap",
                                   "sink",  "XLNet product", "DeBERTa v1",    "DeBERTa v2"};

std::vector<float> randomNumbers(std::int64_t count) {
    const at::Tensor numbers = at::randn({count});
    return {numbers.const_data_ptr<float>(), numbers.const_data_ptr<float>() + count};
}

/// Tables of which row `rowOf(key - query)` is chosen.
template <typename RowOf>
RelativeProduct relativeProduct(std::int64_t tokens, std::int64_t rows, RowOf rowOf) {
    RelativeProduct product;
    product.scale = 0.125F;
    for (int head = 0; head < kHeads; ++head)
        product.tables.push_back(std::make_shared<KeyPanels>(viewOf(randomMatrix(rows, kHeadSize))));
    for (std::int64_t distance = 1 - tokens; distance < tokens; ++distance)
        product.rowOf.push_back(
            static_cast<std::int32_t>(std::clamp<std::int64_t>(rowOf(distance), 0, rows - 1)));
    return product;
}

std::int64_t logarithmicBucket(std::int64_t distance) {
    const auto far = static_cast<double>(std::abs(distance));
    if (far <= 128.0) return distance;
    const double bucket = std::ceil(std::log(far / 128.0) / std::log(511.0 / 128.0) * 127.0) + 128.0;
    return static_cast<std::int64_t>(distance < 0 ? -bucket : bucket);
}

ScoreRule ruleWith(Terms kind, std::int64_t tokens, bool causal) {
    ScoreRule rule;
    rule.scale = 0.125F;
    rule.mask.queries = rule.mask.keys = tokens;
    rule.mask.causal = causal;
    PositionTerms terms;
    switch (kind) {
    case Terms::None:
        return rule;
    case Terms::SoftCap:
        rule.softCap = 50.0F;
        return rule;
    case Terms::Sink:
        rule.sinks = randomNumbers(kHeads);
        return rule;
    case Terms::KeyBias:
        terms.keyBias = randomNumbers(kHeads * tokens);
        break;
    case Terms::DistanceBias:
        terms.distanceBias = randomNumbers(kHeads * (2 * tokens - 1));
        break;
    case Terms::Segments:
        for (std::int64_t i = 0; i < tokens; ++i) terms.segment.ofKey.push_back(i * 2 >= tokens);
        terms.segment.ofQuery = terms.segment.ofKey;
        terms.segment.same = randomNumbers(kHeads * tokens);
        terms.segment.other = randomNumbers(kHeads * tokens);
        break;
    case Terms::XlnetProduct:
        terms.query = relativeProduct(tokens, 2 * tokens, [=](std::int64_t d) { return tokens - d; });
        break;
    case Terms::DebertaV1:
        terms.query = relativeProduct(tokens, 1024, [](std::int64_t d) { return 512 - d; });
        terms.key = relativeProduct(tokens, 1024, [](std::int64_t d) { return 512 + d; });
        break;
    case Terms::DebertaV2:
        terms.query = relativeProduct(tokens, 512, [](std::int64_t d) { return 256 - logarithmicBucket(d); });
        terms.key = relativeProduct(tokens, 512, [](std::int64_t d) { return 256 + logarithmicBucket(d); });
        break;
    }
    rule.position = std::make_shared<const PositionTerms>(std::move(terms));
    return rule;
}

/// Strips of scores of all heads, and their softmax where `weights` says so.
void runStrips(benchmark::State& state, const ScoreRule& rule, Isa isa, bool weights) {
    if (!isSupported(isa)) {
        state.SkipWithError("skipped: this processor lacks the instruction set");
        return;
    }
    const std::int64_t tokens = rule.mask.keys;
    const at::Tensor queries = randomMatrix(tokens, kHeads * kHeadSize);
    const at::Tensor keys = randomMatrix(tokens, kHeads * kHeadSize);
    LayerMaps layer;
    layer.heads = layer.keyValueHeads = kHeads;
    layer.headSize = kHeadSize;
    layer.rule = rule;
    layer.queries = viewOf(queries);
    for (std::int64_t head = 0; head < kHeads; ++head)
        layer.keys.push_back(
            std::make_shared<KeyPanels>(viewOf(keys.narrow(1, head * kHeadSize, kHeadSize))));
    for (auto _ : state) {
        onThreads(kHeads, 1, [&](std::int64_t first, std::int64_t last) {
            std::vector<float> scratch(static_cast<std::size_t>(kStep * tokens));
            std::vector<RowSums> sums(static_cast<std::size_t>(kStep));
            for (HeadIndex head(first); head.value < last; ++head.value) {
                for (std::int64_t row = 0; row < tokens; row += kStep) {
                    const Span rows{row, std::min(row + kStep, tokens)};
                    const MatrixView<float> strip(scratch.data(), rows.size(), tokens);
                    scoreVisible(layer.sourceOf(head), rule.mask, {rows, {0, tokens}}, strip, isa);
                    if (weights) softmaxRows(layer.softmaxOf(head), rows, strip, sums.data(), isa);
                    benchmark::DoNotOptimize(strip.data);
                }
            }
        });
    }
}

/// Args: tokens, instruction set.
void scoreKernel(benchmark::State& state) {
    const auto isa = static_cast<Isa>(state.range(1));
    state.SetLabel(std::string(nameOf(isa)));
    runStrips(state, ruleWith(Terms::None, state.range(0), false), isa, false);
    reportRate(state, productOperations(state.range(0)));
}
BENCHMARK(scoreKernel)->ArgsProduct({{1024}, {0, 1, 2}})->UseRealTime()->Unit(benchmark::kMillisecond);

/// Args: tokens, causal, with the softmax, terms: to compare with the plain row of the same first three.
void scoreTerms(benchmark::State& state) {
    state.SetLabel(kTermNames[static_cast<std::size_t>(state.range(3))]);
    runStrips(state, ruleWith(static_cast<Terms>(state.range(3)), state.range(0), state.range(1) != 0),
              bestIsa(), state.range(2) != 0);
}
BENCHMARK(scoreTerms)
    ->ArgNames({"tokens", "causal", "softmax", "terms"})
    ->ArgsProduct({{512, 1024}, {0, 1}, {0, 1}, benchmark::CreateDenseRange(0, kTermNames.size() - 1, 1)})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

/// The same product for all heads by LibTorch, which has to write the whole result.
void torchProduct(benchmark::State& state) {
    const c10::InferenceMode inference;
    const std::int64_t tokens = state.range(0);
    const at::Tensor queries = at::randn({kHeads, tokens, kHeadSize});
    const at::Tensor keys = at::randn({kHeads, kHeadSize, tokens});
    at::Tensor out = at::empty({kHeads, tokens, tokens});
    for (auto _ : state) at::matmul_out(out, queries, keys);
    reportRate(state, productOperations(tokens));
}
BENCHMARK(torchProduct)->Arg(1024)->UseRealTime()->Unit(benchmark::kMillisecond);

struct Layer {
    AttentionShape shape = AttentionShape::divide(kHeads * kHeadSize, kHeads);
    ScoreRule rule;
    ProjectedHeads heads;
};

Layer makeLayer(std::int64_t tokens, bool causal) {
    Layer layer;
    layer.rule.scale = 1.0F / std::sqrt(static_cast<float>(kHeadSize));
    layer.rule.mask.queries = tokens;
    layer.rule.mask.keys = tokens;
    layer.rule.mask.causal = causal;
    const std::int64_t width = kHeads * kHeadSize;
    layer.heads = {randomMatrix(tokens, width), randomMatrix(tokens, width), randomMatrix(tokens, width)};
    return layer;
}

class KeepNothing final : public AttentionObserver {
  public:
    std::vector<RowAccumulator*> beginLayer(const AttentionLayer&) override { return {}; }
    void endLayer(const AttentionLayer&, std::shared_ptr<const LayerMaps>, const LayerChecks&,
                  const HeadOutputNorms&) override {}
};

/// Args: tokens, causal, with an observer.
void attention(benchmark::State& state) {
    const Layer layer = makeLayer(state.range(0), state.range(1) != 0);
    KeepNothing observer;
    AttentionCall call;
    call.rule = &layer.rule;
    if (state.range(2) != 0) call.observer = &observer;
    for (auto _ : state) benchmark::DoNotOptimize(attend(layer.shape, layer.heads, call));
}
BENCHMARK(attention)
    ->ArgNames({"tokens", "causal", "observed"})
    ->ArgsProduct({{1024, 4096}, {0, 1}, {0, 1}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

void fusedAttention(benchmark::State& state) {
    const c10::InferenceMode inference;
    const Layer layer = makeLayer(state.range(0), state.range(1) != 0);
    const auto split = [&](const at::Tensor& t) {
        return t.view({1, state.range(0), kHeads, kHeadSize}).transpose(1, 2);
    };
    for (auto _ : state)
        benchmark::DoNotOptimize(
            at::scaled_dot_product_attention(split(layer.heads.queries), split(layer.heads.keys),
                                             split(layer.heads.values), {}, 0.0, layer.rule.mask.causal));
}
BENCHMARK(fusedAttention)
    ->ArgNames({"tokens", "causal"})
    ->ArgsProduct({{1024, 4096}, {0, 1}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

/// Q K^T and A V over the visible pairs by LibTorch, nothing else: causal strips end at their last query.
void bareProducts(benchmark::State& state) {
    const c10::InferenceMode inference;
    const std::int64_t tokens = state.range(0);
    const bool causal = state.range(1) != 0;
    const at::Tensor queries = at::randn({kHeads, tokens, kHeadSize});
    const at::Tensor keys = at::randn({kHeads, kHeadSize, tokens});
    const at::Tensor values = at::randn({kHeads, tokens, kHeadSize});
    for (auto _ : state) {
        for (std::int64_t row = 0; row < tokens; row += 128) {
            const std::int64_t rows = std::min<std::int64_t>(128, tokens - row);
            const std::int64_t seen = causal ? row + rows : tokens;
            const at::Tensor weights = at::matmul(queries.narrow(1, row, rows), keys.narrow(2, 0, seen));
            benchmark::DoNotOptimize(at::matmul(weights, values.narrow(1, 0, seen)));
        }
    }
}
BENCHMARK(bareProducts)
    ->ArgNames({"tokens", "causal"})
    ->ArgsProduct({{1024, 4096}, {0, 1}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

} // namespace
