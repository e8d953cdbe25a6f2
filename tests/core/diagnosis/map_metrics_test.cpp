// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/map_metrics.h"
#include "tests/core/diagnosis/synthetic_head.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <optional>
#include <vector>

namespace headscope {
namespace {

using test::causalMask;
using test::fullMask;
using test::noiseScores;
using test::SyntheticHead;

/// What broadcast is found with the rows' peaks, and without them.
struct Found {
    std::optional<BroadcastMetrics> withPeaks, without;
};

Found broadcastsOf(const SyntheticHead& head) {
    MetricsAccumulator accumulator(1, head.mask, true);
    accumulator.observe(head.block({0, head.mask.queries}));
    const StoredMap map({head.mask.queries, head.mask.keys}, head.weights);
    HeadMetrics with = accumulator.result(HeadIndex(0));
    HeadMetrics without = with;
    measureOnMap(with, {.map = map, .mask = head.mask, .peaks = accumulator.peaks(HeadIndex(0))});
    measureOnMap(without, {.map = map, .mask = head.mask});
    return {with.broadcast, without.broadcast};
}

void expectSame(const SyntheticHead& head) {
    const Found found = broadcastsOf(head);
    ASSERT_EQ(found.withPeaks.has_value(), found.without.has_value());
    if (!found.without) return;
    EXPECT_EQ(found.withPeaks->columns, found.without->columns);
    EXPECT_EQ(found.withPeaks->rows, found.without->rows);
    EXPECT_EQ(found.withPeaks->share, found.without->share);
}

MaskRule maskOf(bool causal) {
    return causal ? causalMask(60) : fullMask(60, 60);
}

TEST(MapMetrics, PeaksChangeNoBroadcast) {
    for (const bool causal : {false, true})
        for (unsigned seed = 0; seed < 60; ++seed) {
            // From even heads to ones with a single key a row, some with heavy columns, one of them a sink.
            const double spread = 0.2 * (seed % 20);
            const double column = 0.5 * (seed % 11);
            const auto noise = noiseScores(spread, 60, 60, seed);
            const SyntheticHead head(maskOf(causal), [&](std::int64_t i, std::int64_t j) {
                const bool heavy = j == 3 || j == 5 || j == 8 || j == 13;
                return noise(i, j) + (heavy ? column : 0.0) + (j == 0 && seed % 3 == 0 ? 3.0 : 0.0);
            });
            SCOPED_TRACE(seed);
            expectSame(head);
        }
}

TEST(MapMetrics, PeaksChangeNoBroadcastOfAHeadWithALearnedSink) {
    for (const double sink : {-2.0, 2.0, 6.0}) {
        const auto noise = noiseScores(1.5, 60, 60);
        expectSame(SyntheticHead(
            maskOf(true), [&](std::int64_t i, std::int64_t j) { return noise(i, j) + (j == 4 ? 3.0 : 0.0); },
            sink));
    }
}

TEST(MapMetrics, HalfOfTheWeightOnFourKeysIsEnough) {
    // 1/8 each on four keys and no more on any other: the bound of the peaks is met exactly.
    MaskRule mask = fullMask(40, 40);
    SyntheticHead head(mask, [](std::int64_t, std::int64_t) { return 0.0; });
    for (std::int64_t i = 0; i < 40; ++i)
        for (std::int64_t j = 0; j < 40; ++j)
            head.weights[static_cast<std::size_t>(i * 40 + j)] =
                j >= 2 && j < 6 ? 0.125F : (j >= 10 && j < 14 ? 0.125F : 0.0F);
    // Rows 2 to 5 leave out their own key.
    const Found found = broadcastsOf(head);
    ASSERT_TRUE(found.withPeaks.has_value());
    EXPECT_EQ(found.withPeaks->columns, (std::array<std::int64_t, 4>{2, 3, 4, 5}));
    EXPECT_EQ(found.withPeaks->rows, 40);
    EXPECT_EQ(found.withPeaks->share, 36.0 / 40.0);
    EXPECT_EQ(found.without->share, 36.0 / 40.0);
}

TEST(MapMetrics, PeaksAreTheLargestWeightsOfTheRowsThatCount) {
    const auto noise = noiseScores(2.0, 30, 30);
    const SyntheticHead head(causalMask(30), noise);
    MetricsAccumulator accumulator(1, head.mask, true);
    accumulator.observe(head.block({0, 30}));
    const auto peaks = accumulator.peaks(HeadIndex(0));
    ASSERT_EQ(peaks.size(), 30U);
    for (std::size_t i = 0; i < 30; ++i) {
        const float* row = head.weights.data() + i * 30;
        const float* largest = std::max_element(row, row + 30);
        EXPECT_EQ(peaks[i].weight, i < 7 ? 0.0F : *largest) << i;
        EXPECT_EQ(peaks[i].key, i < 7 ? -1 : largest - row) << i;
    }
}

} // namespace
} // namespace headscope
