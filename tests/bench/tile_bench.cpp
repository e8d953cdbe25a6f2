// SPDX-License-Identifier: GPL-3.0-or-later
// Tiles and overviews of a long text's map, made again from queries and keys as a view asks for them.
#include "core/raster/raster.h"
#include "tests/bench/long_map.h"

#include <algorithm>
#include <array>
#include <benchmark/benchmark.h>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace {

using namespace headscope;
using bench::kTokens;

const HeadMap& mapOf(bool causal) {
    static std::map<bool, std::shared_ptr<const HeadMap>> made;
    auto& map = made[causal];
    if (!map) map = bench::longMap(causal);
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
