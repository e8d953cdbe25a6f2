// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/maps/head_map.h"
#include "tests/core/maps/layer_fixture.h"

#include <gtest/gtest.h>
#include <thread>

namespace headscope {
namespace {

StoredMap counting(std::int64_t rows, std::int64_t columns) {
    std::vector<float> weights;
    for (std::int64_t i = 0; i < rows * columns; ++i) weights.push_back(static_cast<float>(i));
    return {{rows, columns}, std::move(weights)};
}

std::vector<float> pooledOf(const HeadMap& map, Span rows, Span columns, Extent cells, Pooling pooling) {
    std::vector<float> out(static_cast<std::size_t>(cells.rows * cells.columns), -99.0F);
    map.pooled(rows, columns, cells, pooling, {out.data(), cells.rows, cells.columns});
    return out;
}

TEST(StoredMap, GivesItsNumbers) {
    const StoredMap map = counting(2, 3);
    EXPECT_EQ(map.cell(1, 2), 5.0F);
    EXPECT_EQ(map.row(1), (std::vector<float>{3, 4, 5}));
    EXPECT_EQ(map.column(1), (std::vector<float>{1, 4}));
    std::vector<Span> spans;
    map.visibleSpans(1, spans);
    EXPECT_EQ(spans, (std::vector<Span>{{0, 3}}));
    std::vector<float> tile(2 * 4, -1.0F);
    map.tile({0, 2}, {1, 3}, {tile.data(), 2, 2, 4});
    EXPECT_EQ(tile, (std::vector<float>{1, 2, -1, -1, 4, 5, -1, -1}));
}

TEST(StoredMapDeathTest, RefusesWrongSizes) {
    EXPECT_DEATH(StoredMap({2, 2}, {1.0F, 2.0F, 3.0F}), "m_weights");
    const StoredMap map = counting(2, 2);
    EXPECT_DEATH(map.cell(2, 0), "range");
    EXPECT_DEATH(map.cell(0, -1), "range");
}

TEST(Pooled, ByHand) {
    const StoredMap map({2, 4}, {1, -5, 3, 0, 2, 2, -7, 7});
    EXPECT_EQ(pooledOf(map, {0, 2}, {0, 4}, {1, 2}, Pooling::Max), (std::vector<float>{2, 7}));
    EXPECT_EQ(pooledOf(map, {0, 2}, {0, 4}, {1, 2}, Pooling::Mean), (std::vector<float>{0, 0.75}));
    // The first of equal magnitudes, sign kept.
    EXPECT_EQ(pooledOf(map, {0, 2}, {0, 4}, {1, 2}, Pooling::MaxAbs), (std::vector<float>{-5, -7}));
    EXPECT_EQ(pooledOf(map, {1, 2}, {2, 4}, {1, 1}, Pooling::Max), (std::vector<float>{7}));
}

TEST(Pooled, OfNegativeNumbersIsNotZero) {
    const StoredMap map({1, 2}, {-3, -2});
    EXPECT_EQ(pooledOf(map, {0, 1}, {0, 2}, {1, 1}, Pooling::Max), (std::vector<float>{-2}));
}

TEST(Pooled, OneCellPerWeightIsTheTile) {
    const StoredMap map = counting(5, 7);
    for (const Pooling pooling : {Pooling::Max, Pooling::Mean, Pooling::MaxAbs})
        EXPECT_EQ(pooledOf(map, {1, 4}, {2, 5}, {3, 3}, pooling),
                  (std::vector<float>{9, 10, 11, 16, 17, 18, 23, 24, 25}));
}

TEST(Pooled, NoCellsIsNothing) {
    const StoredMap map = counting(3, 3);
    EXPECT_TRUE(pooledOf(map, {0, 3}, {1, 1}, {3, 0}, Pooling::Max).empty());
    EXPECT_TRUE(pooledOf(map, {2, 2}, {0, 3}, {0, 2}, Pooling::Max).empty());
}

TEST(Pooled, EqualsBruteForceForOddRatios) {
    MaskRule mask;
    mask.queries = 131;
    mask.keys = 117;
    mask.causal = true;
    const BuiltLayer built = buildLayer(mask, {1, 1, 8});
    const auto map = built.map(0);
    const Span rows{3, 130};
    const Span columns{1, 110};
    for (const Extent cells :
         {Extent{1, 1}, Extent{10, 7}, Extent{127, 3}, Extent{50, 109}, Extent{126, 108}}) {
        for (const Pooling pooling : {Pooling::Max, Pooling::Mean, Pooling::MaxAbs}) {
            const std::vector<float> out = pooledOf(*map, rows, columns, cells, pooling);
            for (std::int64_t a = 0; a < cells.rows; ++a)
                for (std::int64_t b = 0; b < cells.columns; ++b) {
                    double largest = 0.0;
                    double sum = 0.0;
                    std::int64_t count = 0;
                    for (std::int64_t i = rows.begin + a * rows.size() / cells.rows;
                         i < rows.begin + (a + 1) * rows.size() / cells.rows; ++i)
                        for (std::int64_t j = columns.begin + b * columns.size() / cells.columns;
                             j < columns.begin + (b + 1) * columns.size() / cells.columns; ++j, ++count) {
                            const float weight = built.strips[0][static_cast<std::size_t>(i * mask.keys + j)];
                            largest = std::max<double>(largest, weight);
                            sum += weight;
                        }
                    const float got = out[static_cast<std::size_t>(a * cells.columns + b)];
                    if (pooling == Pooling::Mean)
                        EXPECT_NEAR(got, sum / static_cast<double>(count), 1e-7);
                    else
                        EXPECT_EQ(got, static_cast<float>(largest));
                }
        }
    }
}

TEST(LayerMaps, HeadsReadTheirOwnQueriesAndSharedKeys) {
    MaskRule mask;
    mask.queries = 4;
    mask.keys = 6;
    const BuiltLayer built = buildLayer(mask, {4, 2, 3});
    const LayerMaps& layer = *built.layer;
    EXPECT_EQ(layer.extent(), (Extent{4, 6}));
    EXPECT_EQ(&layer.keysOf(HeadIndex(0)), &layer.keysOf(HeadIndex(1)));
    EXPECT_NE(&layer.keysOf(HeadIndex(1)), &layer.keysOf(HeadIndex(2)));
    EXPECT_EQ(layer.queriesOf(HeadIndex(2)).data, layer.queries.data + 6);
    EXPECT_EQ(layer.normalisersOf(HeadIndex(3)), layer.normalisers.data() + 12);
    const std::vector<float> q = randomNumbers(4 * 12, 1);
    const std::vector<float> k = randomNumbers(6 * 6, 2);
    double dot = 0.0; // query 1 of head 3 with key 5 of key/value head 1
    for (std::size_t d = 0; d < 3; ++d) dot += static_cast<double>(q[12 + 9 + d]) * k[5 * 6 + 3 + d];
    EXPECT_NEAR(layer.score(HeadIndex(3), 1, 5), dot / std::sqrt(3.0), 1e-6);
    EXPECT_EQ(layer.bytes(), (4U * 12 + 2 * 3 * 16 + 4 * 4 * 2) * sizeof(float));
}

TEST(LayerMapsDeathTest, HeadOutOfRange) {
    MaskRule mask;
    mask.queries = 1;
    mask.keys = 1;
    const BuiltLayer built = buildLayer(mask, {1, 1, 1});
    EXPECT_DEATH(built.map(1), "head");
    EXPECT_DEATH(built.layer->queriesOf(HeadIndex(-1)), "head");
}

TEST(RecomputedMap, ShowsItsMaskAndZeroesHiddenCells) {
    MaskRule mask;
    mask.queries = 3;
    mask.keys = 3;
    mask.causal = true;
    mask.keyAllowed = {0, 1, 1};
    const BuiltLayer built = buildLayer(mask, {1, 1, 2});
    const auto map = built.map(0);
    std::vector<Span> spans;
    map->visibleSpans(0, spans);
    EXPECT_TRUE(spans.empty());
    map->visibleSpans(2, spans);
    EXPECT_EQ(spans, (std::vector<Span>{{1, 3}}));
    EXPECT_EQ(map->row(0), (std::vector<float>{0, 0, 0}));
    EXPECT_EQ(map->row(1), (std::vector<float>{0, 1, 0}));
    EXPECT_EQ(map->cell(0, 1), 0.0F);
}

TEST(RecomputedMap, MayBeReadFromManyThreads) {
    MaskRule mask;
    mask.queries = 90;
    mask.keys = 90;
    const BuiltLayer built = buildLayer(mask, {1, 1, 16});
    const auto map = built.map(0);
    std::vector<int> wrong(4, 0);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (std::int64_t i = 0; i < 90; ++i) {
                const std::vector<float> row = map->row(i);
                for (std::size_t k = 0; k < 90; ++k)
                    wrong[t] += row[k] != built.strips[0][static_cast<std::size_t>(i) * 90 + k];
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, (std::vector<int>{0, 0, 0, 0}));
}

} // namespace
} // namespace headscope
