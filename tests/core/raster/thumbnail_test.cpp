// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/raster/raster.h"
#include "masked_map.h"

#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace headscope {
namespace {

std::vector<float> randomWeights(const MaskRule& mask) {
    std::mt19937 generator(11);
    std::vector<float> weights(static_cast<std::size_t>(mask.queries * mask.keys));
    for (std::int64_t i = 0; i < mask.queries; ++i)
        for (std::int64_t j = 0; j < mask.keys; ++j)
            if (mask.visible(i, j))
                weights[static_cast<std::size_t>(i * mask.keys + j)] =
                    static_cast<float>(generator() % 997) / 997.0F;
    return weights;
}

TEST(ThumbnailAccumulator, EqualsThePooledMapWhateverTheStrips) {
    for (const Extent extent :
         {Extent{1, 1}, Extent{7, 5}, Extent{96, 96}, Extent{97, 250}, Extent{301, 96}}) {
        MaskRule mask;
        mask.queries = extent.rows;
        mask.keys = extent.columns;
        const std::vector<float> weights = randomWeights(mask);
        const Thumbnail expected = thumbnailOf(StoredMap(extent, weights), ThumbnailAccumulator::kLimit);
        PageVector<float> pooled(expected.weights.size());
        StoredMap(extent, weights)
            .pooled({0, extent.rows}, {0, extent.columns}, expected.cells, Pooling::Max,
                    {pooled.data(), expected.cells.rows, expected.cells.columns});
        EXPECT_EQ(expected.weights, pooled);
        for (const std::int64_t strip : {1, 13, 64, 512}) {
            ThumbnailAccumulator accumulator(2, mask);
            feed(accumulator, HeadIndex(1), mask, weights, strip);
            const Thumbnail thumbnail = accumulator.take(HeadIndex(1));
            EXPECT_EQ(thumbnail.cells, expected.cells);
            EXPECT_EQ(thumbnail.weights, expected.weights) << extent.rows << " in strips of " << strip;
            EXPECT_EQ(thumbnail.visible, PageVector<std::uint8_t>(thumbnail.weights.size(), 1));
        }
    }
}

TEST(ThumbnailAccumulator, HandComputed) {
    // 4 x 4 causal into 2 x 2.
    const MaskRule mask = causalMask(4);
    const std::vector<float> weights = {1.0F, 0.0F, 0.0F, 0.0F, //
                                        0.3F, 0.7F, 0.0F, 0.0F, //
                                        0.5F, 0.2F, 0.3F, 0.0F, //
                                        0.1F, 0.6F, 0.2F, 0.1F};
    ThumbnailAccumulator accumulator(1, mask, 2);
    feed(accumulator, HeadIndex(0), mask, weights, 3);
    const Thumbnail thumbnail = accumulator.take(HeadIndex(0));
    EXPECT_EQ(thumbnail.cells, (Extent{2, 2}));
    EXPECT_EQ(thumbnail.weights, (PageVector<float>{1.0F, 0.0F, 0.6F, 0.3F}));
    EXPECT_EQ(thumbnail.visible, (PageVector<std::uint8_t>{1, 0, 1, 1}));
    EXPECT_EQ(thumbnailOf(MaskedMap(mask, weights), 2).visible, thumbnail.visible);
}

TEST(ThumbnailAccumulator, MasksOfEveryKindMarkTheSameCellsAsTheMap) {
    MaskRule mask = causalMask(230);
    mask.window = 40;
    mask.keyAllowed.assign(230, 1);
    for (std::size_t j = 60; j < 90; ++j) mask.keyAllowed[j] = 0;
    const std::vector<float> weights = randomWeights(mask);
    ThumbnailAccumulator accumulator(1, mask);
    feed(accumulator, HeadIndex(0), mask, weights, 32);
    const Thumbnail thumbnail = accumulator.take(HeadIndex(0));
    const Thumbnail expected = thumbnailOf(MaskedMap(mask, weights), ThumbnailAccumulator::kLimit);
    EXPECT_EQ(thumbnail.visible, expected.visible);
    EXPECT_EQ(thumbnail.weights, expected.weights);
    // Cell (a, b) by the definition, for one that the padding and one that the window decide.
    for (std::int64_t a = 0; a < 96; ++a)
        for (std::int64_t b = 0; b < 96; ++b) {
            bool any = false;
            for (std::int64_t i = a * 230 / 96; i < (a + 1) * 230 / 96; ++i)
                for (std::int64_t j = b * 230 / 96; j < (b + 1) * 230 / 96; ++j)
                    any = any || mask.visible(i, j);
            ASSERT_EQ(thumbnail.visible[static_cast<std::size_t>(a * 96 + b)] != 0, any) << a << ", " << b;
        }
}

TEST(ThumbnailAccumulator, NanIsSkippedAndAHeadWithoutRowsIsEmpty) {
    MaskRule mask;
    mask.queries = 2;
    mask.keys = 2;
    ThumbnailAccumulator accumulator(2, mask, 1);
    feed(accumulator, HeadIndex(0), mask, {std::numeric_limits<float>::quiet_NaN(), 0.25F, 0.5F, 0.125F}, 2);
    EXPECT_EQ(accumulator.take(HeadIndex(0)).weights, (PageVector<float>{0.5F}));
    EXPECT_EQ(accumulator.take(HeadIndex(1)).weights, (PageVector<float>{0.0F}));
}

TEST(Shrunk, IsTheMaximumOfTheCellsUnderIt) {
    const Thumbnail thumbnail{{3, 2}, {0.1F, 0.2F, 0.5F, 0.3F, 0.4F, 0.9F}, {0, 1, 0, 0, 0, 0}};
    const Thumbnail small = shrunk(thumbnail, {2, 1});
    EXPECT_EQ(small.cells, (Extent{2, 1}));
    EXPECT_EQ(small.weights, (PageVector<float>{0.2F, 0.9F})); // rows 0 | 1, 2
    EXPECT_EQ(small.visible, (PageVector<std::uint8_t>{1, 0}));
    EXPECT_EQ(shrunk(thumbnail, {9, 9}).weights, thumbnail.weights);
    EXPECT_TRUE(shrunk({}, {4, 4}).weights.empty());
}

} // namespace
} // namespace headscope
