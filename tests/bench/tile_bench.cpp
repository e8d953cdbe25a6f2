// SPDX-License-Identifier: GPL-3.0-or-later
// Tiles and overviews of a long text's map, made again from queries and keys as a view asks for them.
#include "core/maps/layer_maps.h"
#include "core/raster/raster.h"

#include <algorithm>
#include <array>
#include <benchmark/benchmark.h>
#include <map>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace {

using namespace headscope;

constexpr std::int64_t kTokens = 8192;
constexpr std::int64_t kHeadSize = 64;
constexpr std::int64_t kStrip = 96;

std::vector<float> randomNumbers(std::int64_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> numbers(static_cast<std::size_t>(count));
    for (float& number : numbers) number = normal(random);
    return numbers;
}

/// One head of kTokens tokens, with the normalisers that a forward pass leaves.
std::shared_ptr<const HeadMap> makeMap(bool causal) {
    const auto layer = std::make_shared<LayerMaps>();
    layer->heads = layer->keyValueHeads = 1;
    layer->headSize = kHeadSize;
    layer->rule.scale = 0.125F;
    layer->rule.mask.queries = layer->rule.mask.keys = kTokens;
    layer->rule.mask.causal = causal;
    const std::vector<float> queries = randomNumbers(kTokens * kHeadSize, 1);
    const std::vector<float> keys = randomNumbers(kTokens * kHeadSize, 2);
    layer->keepQueries({queries.data(), kTokens, kHeadSize});
    layer->keys = {
        std::make_shared<const KeyPanels>(MatrixView<const float>(keys.data(), kTokens, kHeadSize))};
    layer->normalisers.resize(static_cast<std::size_t>(kTokens));
    std::vector<float> scores(static_cast<std::size_t>(kStrip * kTokens));
    std::vector<RowSums> sums(static_cast<std::size_t>(kStrip));
    for (std::int64_t begin = 0; begin < kTokens; begin += kStrip) {
        const Span rows{begin, std::min(begin + kStrip, kTokens)};
        const MatrixView<float> strip(scores.data(), rows.size(), kTokens);
        scoreVisible(layer->sourceOf(HeadIndex(0)), layer->rule.mask, {rows, {0, kTokens}}, strip);
        softmaxRows(layer->softmaxOf(HeadIndex(0)), rows, strip, sums.data());
        for (std::int64_t r = 0; r < rows.size(); ++r)
            layer->normalisers[static_cast<std::size_t>(begin + r)] =
                sums[static_cast<std::size_t>(r)].normaliser;
    }
    return recomputedMap(layer, HeadIndex(0));
}

const HeadMap& mapOf(bool causal) {
    static std::map<bool, std::shared_ptr<const HeadMap>> made;
    auto& map = made[causal];
    if (!map) map = makeMap(causal);
    return *map;
}

RasterStyle styleOf(Pooling pooling) {
    RasterStyle style;
    style.range = {RangeMode::Fixed, 0.0F, 1.0F};
    style.pooling = pooling;
    return style;
}

/// Args: causal, first row, first column of 256 x 256 weights.
void weightTile(benchmark::State& state) {
    const HeadMap& map = mapOf(state.range(0) != 0);
    const Span rows{state.range(1), state.range(1) + kTileCells};
    const Span columns{state.range(2), state.range(2) + kTileCells};
    std::vector<float> weights(static_cast<std::size_t>(kTileCells * kTileCells));
    for (auto _ : state) {
        map.tile(rows, columns, {weights.data(), kTileCells, kTileCells});
        benchmark::DoNotOptimize(weights.data());
    }
}

/// The same as pixels. Args: causal, level, tile row, tile column.
void pixelTile(benchmark::State& state) {
    const HeadMap& map = mapOf(state.range(0) != 0);
    const TileAddress tile{static_cast<int>(state.range(1)), state.range(2), state.range(3)};
    const RasterStyle style = styleOf(Pooling::Max);
    for (auto _ : state) benchmark::DoNotOptimize(renderTile(map, tile, style));
}

/// The whole map in 1,000 x 1,000 pixels. Args: causal, pooling.
void overview(benchmark::State& state) {
    const HeadMap& map = mapOf(state.range(0) != 0);
    const RasterStyle style = styleOf(static_cast<Pooling>(state.range(1)));
    constexpr std::array kNames = {"max", "mean", "max_abs"};
    state.SetLabel(kNames[static_cast<std::size_t>(state.range(1))]);
    for (auto _ : state)
        benchmark::DoNotOptimize(renderRegion(map, {0, kTokens}, {0, kTokens}, {1000, 1000}, style));
}

BENCHMARK(weightTile)
    ->ArgNames({"causal", "row", "column"})
    ->Args({0, 0, 0})
    ->Args({0, 7936, 7936})
    ->Args({0, 4001, 1003})
    ->Args({1, 7936, 0})
    ->Args({1, 7936, 7936})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(pixelTile)
    ->ArgNames({"causal", "level", "row", "column"})
    ->Args({0, 0, 31, 31})
    ->Args({1, 0, 31, 0})
    ->Args({1, 0, 31, 31})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(overview)
    ->ArgNames({"causal", "pooling"})
    ->ArgsProduct({{0, 1}, {0, 1, 2}})
    ->Unit(benchmark::kMillisecond);

} // namespace
