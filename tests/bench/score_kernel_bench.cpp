// SPDX-License-Identifier: GPL-3.0-or-later
// The score kernel against LibTorch's products, and attend() against its fused attention and the bare
// products.
#include "core/attention/attention.h"
#include "core/maps/score_kernel.h"

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <benchmark/benchmark.h>
#include <cmath>
#include <memory>
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

/// Args: tokens, instruction set.
void scoreKernel(benchmark::State& state) {
    const std::int64_t tokens = state.range(0);
    const auto isa = static_cast<Isa>(state.range(1));
    if (!isSupported(isa)) {
        state.SkipWithError("skipped: this processor lacks the instruction set");
        return;
    }
    state.SetLabel(std::string(nameOf(isa)));
    const at::Tensor queries = randomMatrix(tokens, kHeads * kHeadSize);
    const at::Tensor keys = randomMatrix(tokens, kHeads * kHeadSize);
    std::vector<std::unique_ptr<KeyPanels>> panels;
    for (std::int64_t head = 0; head < kHeads; ++head)
        panels.push_back(std::make_unique<KeyPanels>(viewOf(keys.narrow(1, head * kHeadSize, kHeadSize))));
    for (auto _ : state) {
        at::parallel_for(0, kHeads, 1, [&](std::int64_t first, std::int64_t last) {
            std::vector<float> strip(static_cast<std::size_t>(kStep * tokens));
            for (std::int64_t head = first; head < last; ++head) {
                const MatrixView<const float> q{queries.const_data_ptr<float>() + head * kHeadSize, tokens,
                                                kHeadSize, kHeads * kHeadSize};
                const ScoreSource source{q, *panels[static_cast<std::size_t>(head)], 0.125F};
                for (std::int64_t row = 0; row < tokens; row += kStep) {
                    const Span rows{row, std::min(row + kStep, tokens)};
                    scoreBlock(source, {rows, {0, tokens}}, {strip.data(), rows.size(), tokens}, isa);
                    benchmark::DoNotOptimize(strip.data());
                }
            }
        });
    }
    reportRate(state, productOperations(tokens));
}
BENCHMARK(scoreKernel)->ArgsProduct({{1024}, {0, 1, 2}})->UseRealTime()->Unit(benchmark::kMillisecond);

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
