// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/raster/raster.h"
#include "masked_map.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace headscope {
namespace {

constexpr Rgb kMasked = 0xff123456;
constexpr DisplayRange kUnit{RangeMode::Fixed, 0.0F, 1.0F};

RasterStyle greyStyle(Pooling pooling = Pooling::Max, DisplayRange range = kUnit) {
    return {range, pooling, Colormap::Grey, {kMasked}};
}

Rgb grey(float weight) {
    const Rgb level = colorIndex(weight, kUnit, 0);
    return 0xff000000U | level << 16 | level << 8 | level;
}

StoredMap diagonal(std::int64_t tokens) {
    std::vector<float> weights(static_cast<std::size_t>(tokens * tokens));
    for (std::int64_t i = 0; i < tokens; ++i) weights[static_cast<std::size_t>(i * tokens + i)] = 1.0F;
    return {{tokens, tokens}, weights};
}

std::vector<float> randomWeights(std::int64_t count) {
    std::mt19937 generator(7);
    std::vector<float> weights(static_cast<std::size_t>(count));
    for (float& weight : weights) weight = static_cast<float>(generator() % 1000) / 1000.0F;
    return weights;
}

TEST(Pyramid, LevelsAndSpans) {
    EXPECT_EQ(pyramidLevels({0, 0}), 1);
    EXPECT_EQ(pyramidLevels({1, 1}), 1);
    EXPECT_EQ(pyramidLevels({256, 256}), 1);
    EXPECT_EQ(pyramidLevels({257, 3}), 2);
    EXPECT_EQ(pyramidLevels({3, 512}), 2);
    EXPECT_EQ(pyramidLevels({513, 513}), 3);
    EXPECT_EQ(pyramidLevels({8192, 8192}), 6);

    const Extent extent{600, 300};
    EXPECT_EQ(tileRows({0, 2, 0}, extent), (Span{512, 600}));
    EXPECT_EQ(tileColumns({0, 0, 1}, extent), (Span{256, 300}));
    EXPECT_EQ(tileCells({0, 2, 1}, extent), (Extent{88, 44}));
    EXPECT_EQ(tileRows({1, 1, 0}, extent), (Span{512, 600}));
    EXPECT_EQ(tileCells({1, 1, 0}, extent), (Extent{44, 150}));
    EXPECT_EQ(tileCells({3, 0, 0}, extent), (Extent{75, 38})); // 300 / 8 = 37.5: the last cell is smaller
    EXPECT_EQ(tileCells({0, 9, 9}, extent), (Extent{0, 0}));
}

TEST(Pyramid, LevelGivesCellsOfOneToTwoPixels) {
    const Extent extent{4096, 4096};
    EXPECT_EQ(levelFor(20.0, extent), 0);
    EXPECT_EQ(levelFor(1.0, extent), 0);
    EXPECT_EQ(levelFor(0.99, extent), 1);
    EXPECT_EQ(levelFor(0.5, extent), 1);
    EXPECT_EQ(levelFor(0.49, extent), 2);
    EXPECT_EQ(levelFor(0.2, extent), 3);
    EXPECT_EQ(levelFor(1e-9, extent), 12); // the whole map is one cell
    EXPECT_EQ(levelFor(0.0, extent), 12);
    EXPECT_EQ(levelFor(0.1, {1, 1}), 0);
}

TEST(RenderTile, LevelZeroIsTheWeightsThemselves) {
    const StoredMap map({2, 3}, {0.0F, 0.25F, 0.5F, 0.75F, 1.0F, 0.125F});
    const PixelTile tile = renderTile(map, {0, 0, 0}, greyStyle());
    EXPECT_EQ(tile.cells, (Extent{2, 3}));
    EXPECT_EQ(tile.pixels,
              (std::vector<Rgb>{0xff000000, 0xff404040, 0xff808080, 0xffc0c0c0, 0xffffffff, 0xff202020}));
}

TEST(RenderTile, PoolsTwoByTwoAndTheRestAtTheEdge) {
    // 3 x 5 at level 1: 2 x 3 cells, the last row and column cover one weight.
    const StoredMap map({3, 5}, {0.1F, 0.2F, 0.3F, 0.4F, 0.5F, //
                                 0.6F, 0.0F, 0.0F, 0.2F, 0.9F, //
                                 0.7F, 0.8F, 0.1F, 0.1F, 0.3F});
    const PixelTile most = renderTile(map, {1, 0, 0}, greyStyle());
    EXPECT_EQ(most.cells, (Extent{2, 3}));
    EXPECT_EQ(most.pixels,
              (std::vector<Rgb>{grey(0.6F), grey(0.4F), grey(0.9F), grey(0.8F), grey(0.1F), grey(0.3F)}));
    const PixelTile mean = renderTile(map, {1, 0, 0}, greyStyle(Pooling::Mean));
    EXPECT_EQ(mean.pixels, (std::vector<Rgb>{grey(0.225F), grey(0.225F), grey(0.7F), grey(0.75F), grey(0.1F),
                                             grey(0.3F)}));
}

TEST(RenderTile, SignedMapsPoolByMagnitude) {
    const StoredMap map({2, 2}, {-0.9F, 0.2F, 0.1F, 0.3F});
    const DisplayRange range{RangeMode::Fixed, -1.0F, 1.0F};
    EXPECT_EQ(renderTile(map, {1, 0, 0}, greyStyle(Pooling::MaxAbs, range)).pixels,
              (std::vector<Rgb>{0xff000000U | colorIndex(-0.9F, range, 0) * 0x010101U}));
    EXPECT_EQ(renderTile(map, {0, 0, 0}, greyStyle(Pooling::MaxAbs, range)).pixels.front(),
              0xff000000U | colorIndex(-0.9F, range, 0) * 0x010101U);
}

TEST(RenderTile, MaskedCellsHaveTheirOwnColourWhereNothingIsVisible) {
    const MaskedMap map(causalMask(4), {1.0F, 0.0F, 0.0F, 0.0F, //
                                        0.5F, 0.5F, 0.0F, 0.0F, //
                                        0.5F, 0.0F, 0.5F, 0.0F, //
                                        0.0F, 0.0F, 0.0F, 1.0F});
    const Rgb m = kMasked;
    EXPECT_EQ(renderTile(map, {0, 0, 0}, greyStyle()).pixels,
              (std::vector<Rgb>{grey(1.0F), m, m, m, grey(0.5F), grey(0.5F), m, m, //
                                grey(0.5F), grey(0.0F), grey(0.5F), m, grey(0.0F), grey(0.0F), grey(0.0F),
                                grey(1.0F)}));
    // Pooled: only the upper right cell covers nothing visible.
    EXPECT_EQ(renderTile(map, {1, 0, 0}, greyStyle()).pixels,
              (std::vector<Rgb>{grey(1.0F), m, grey(0.5F), grey(1.0F)}));
}

TEST(RenderTile, ARowThatSeesNothingIsMasked) {
    MaskRule mask = causalMask(2);
    mask.keyAllowed = {0, 1};
    const MaskedMap map(mask, {0.0F, 0.0F, 0.0F, 1.0F});
    EXPECT_EQ(renderTile(map, {0, 0, 0}, greyStyle()).pixels,
              (std::vector<Rgb>{kMasked, kMasked, kMasked, grey(1.0F)}));
}

TEST(RenderTile, PerRowUsesTheWholeRowNotTheTile) {
    // 1 x 512: the largest weight of the row lies in the second tile.
    std::vector<float> weights(512, 0.25F);
    weights[400] = 0.5F;
    const StoredMap map({1, 512}, weights);
    const RasterStyle style = greyStyle(Pooling::Max, {RangeMode::PerRow});
    EXPECT_EQ(renderTile(map, {0, 0, 0}, style).pixels, std::vector<Rgb>(256, 0xff808080));
    const PixelTile pooled = renderTile(map, {1, 0, 0}, style);
    EXPECT_EQ(pooled.cells, (Extent{1, 256}));
    EXPECT_EQ(pooled.pixels[0], 0xff808080U);
    EXPECT_EQ(pooled.pixels[200], 0xffffffffU);
}

TEST(RenderTile, AThinDiagonalAndASingleColumnNeverVanish) {
    constexpr std::int64_t tokens = 1200;
    const StoredMap thin = diagonal(tokens);
    std::vector<float> weights(static_cast<std::size_t>(tokens * tokens));
    for (std::int64_t i = 0; i < tokens; ++i) weights[static_cast<std::size_t>(i * tokens + 777)] = 1.0F;
    const StoredMap column({tokens, tokens}, weights);
    for (int level = 0; level < 12; ++level)
        for (std::int64_t t = 0; (t * kTileCells) << level < tokens; ++t) {
            const PixelTile onDiagonal = renderTile(thin, {level, t, t}, greyStyle());
            for (std::int64_t i = 0; i < onDiagonal.cells.rows; ++i)
                ASSERT_EQ(onDiagonal.pixels[static_cast<std::size_t>(i * onDiagonal.cells.columns + i)],
                          0xffffffffU)
                    << "level " << level << " cell " << i;
            const std::int64_t cell = 777 >> level;
            const PixelTile onColumn = renderTile(column, {level, t, cell / kTileCells}, greyStyle());
            for (std::int64_t i = 0; i < onColumn.cells.rows; ++i)
                ASSERT_EQ(
                    onColumn.pixels[static_cast<std::size_t>(i * onColumn.cells.columns + cell % kTileCells)],
                    0xffffffffU)
                    << "level " << level << " cell " << i;
        }
}

TEST(RenderTile, TilesOfALevelFitTogetherToThePooledMap) {
    // 700 x 530 at level 1 crosses tile borders with a remainder on both axes.
    const Extent extent{701, 531};
    const std::vector<float> weights = randomWeights(extent.rows * extent.columns);
    const StoredMap map(extent, weights);
    const auto at = [&](std::int64_t i, std::int64_t j) {
        return i < extent.rows && j < extent.columns
                   ? weights[static_cast<std::size_t>(i * extent.columns + j)]
                   : 0.0F;
    };
    for (std::int64_t tileRow = 0; tileRow < 2; ++tileRow)
        for (std::int64_t tileColumn = 0; tileColumn < 2; ++tileColumn) {
            const PixelTile tile = renderTile(map, {1, tileRow, tileColumn}, greyStyle());
            for (std::int64_t i = 0; i < tile.cells.rows; ++i)
                for (std::int64_t j = 0; j < tile.cells.columns; ++j) {
                    const std::int64_t r = 2 * (tileRow * kTileCells + i);
                    const std::int64_t c = 2 * (tileColumn * kTileCells + j);
                    const float best = std::max({at(r, c), at(r + 1, c), at(r, c + 1), at(r + 1, c + 1)});
                    ASSERT_EQ(tile.pixels[static_cast<std::size_t>(i * tile.cells.columns + j)], grey(best))
                        << i << ", " << j;
                }
        }
}

TEST(RenderTile, OutsideTheMapIsEmptyAndCancelledWorkStops) {
    const StoredMap map = diagonal(4);
    EXPECT_EQ(renderTile(map, {0, 1, 0}, greyStyle()).cells, (Extent{0, 0}));
    EXPECT_TRUE(renderTile(StoredMap({0, 0}, {}), {0, 0, 0}, greyStyle()).pixels.empty());

    const MaskedMap counted(causalMask(64), std::vector<float>(64 * 64, 0.5F));
    CancelToken cancel;
    cancel.cancel();
    EXPECT_TRUE(renderTile(counted, {0, 0, 0}, greyStyle(), cancel).pixels.empty());
    EXPECT_EQ(counted.asked(), 0);
}

TEST(RenderRegion, PartOfAMapAtItsOwnSizeOrPooledToALimit) {
    const StoredMap map({3, 4}, {0.1F, 0.2F, 0.3F, 0.4F, //
                                 0.5F, 0.6F, 0.7F, 0.8F, //
                                 0.9F, 1.0F, 0.0F, 0.25F});
    const PixelTile whole = renderRegion(map, {1, 3}, {2, 4}, {10, 10}, greyStyle());
    EXPECT_EQ(whole.cells, (Extent{2, 2}));
    EXPECT_EQ(whole.pixels, (std::vector<Rgb>{grey(0.7F), grey(0.8F), grey(0.0F), grey(0.25F)}));
    // 3 rows into 2: the first cell covers one row, the second two.
    const PixelTile pooled = renderRegion(map, {0, 3}, {0, 4}, {2, 2}, greyStyle());
    EXPECT_EQ(pooled.pixels, (std::vector<Rgb>{grey(0.2F), grey(0.4F), grey(1.0F), grey(0.8F)}));
}

} // namespace
} // namespace headscope
