// SPDX-License-Identifier: GPL-3.0-or-later
#include "heat_support.h"
#include "ui/heatmap/frame_composer.h"

#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

const RasterStyle kStyle{{RangeMode::Fixed, 0.0F, 1.0F}, Pooling::Max, Colormap::Grey, {0xff112233}};

MapGeometry geometryOf(Extent extent, const QRectF& area) {
    MapGeometry geometry;
    geometry.setMap(extent);
    geometry.setArea(area, 1.0);
    return geometry;
}

TileLookup rendering(const HeadMap& map, int onlyLevel = -1) {
    return [&map, onlyLevel](const TileAddress& address) -> std::shared_ptr<const PixelTile> {
        if (onlyLevel >= 0 && address.level != onlyLevel) return nullptr;
        return std::make_shared<const PixelTile>(renderTile(map, address, kStyle));
    };
}

TEST(ComposeFrame, CellsAreSquareEdged) {
    const StoredMap map({2, 2}, {0.0F, 0.5F, 0.25F, 1.0F});
    QImage frame;
    EXPECT_TRUE(composeFrame(geometryOf({2, 2}, {0, 0, 10, 10}), rendering(map), {}, frame));
    ASSERT_EQ(frame.size(), QSize(10, 10));
    EXPECT_EQ(frame.format(), QImage::Format_RGB32);
    for (int y = 0; y < 10; ++y)
        for (int x = 0; x < 10; ++x) {
            const QRgb expected =
                y < 5 ? (x < 5 ? 0xff000000 : 0xff808080) : (x < 5 ? 0xff404040 : 0xffffffff);
            ASSERT_EQ(frame.pixel(x, y), expected) << x << ", " << y;
        }
}

TEST(ComposeFrame, EqualsTheWeightsUnderThePixelsAcrossTileBorders) {
    const auto map = storedMap(600, 600);
    MapGeometry geometry = geometryOf({600, 600}, {0, 0, 333, 333});
    geometry.setViewport({200.3, 230.9, 133, 133});
    QImage frame;
    ASSERT_TRUE(composeFrame(geometry, rendering(*map), {}, frame));
    for (int y = 0; y < frame.height(); y += 3)
        for (int x = 0; x < frame.width(); x += 3) {
            const Rgb level = colorIndex(map->cell(geometry.rowAt(y), geometry.columnAt(x)), kStyle.range, 0);
            ASSERT_EQ(frame.pixel(x, y), 0xff000000U | level * 0x010101U) << x << ", " << y;
        }
}

TEST(ComposeFrame, ACoarserTileStandsInAndIsSaidToBeIncomplete) {
    const auto map = storedMap(512, 512);
    MapGeometry geometry = geometryOf({512, 512}, {0, 0, 512, 512});
    QImage frame;
    EXPECT_FALSE(composeFrame(geometry, rendering(*map, 1), {}, frame));
    const PixelTile coarse = renderTile(*map, {1, 0, 0}, kStyle);
    for (int y = 0; y < 512; y += 7)
        for (int x = 0; x < 512; x += 7)
            ASSERT_EQ(frame.pixel(x, y), coarse.pixels[static_cast<std::size_t>(y / 2 * 256 + x / 2)]);
}

TEST(ComposeFrame, ThenTheThumbnailThenTheSkeleton) {
    const auto nothing = [](const TileAddress&) { return std::shared_ptr<const PixelTile>(); };
    const MapGeometry geometry = geometryOf({8, 8}, {0, 0, 16, 16});
    QImage frame;
    FrameStandIn standIn{0xff777777, {}, {}};
    EXPECT_FALSE(composeFrame(geometry, nothing, standIn, frame));
    EXPECT_EQ(frame.pixel(3, 15), 0xff777777U);
    standIn.cells = {2, 2};
    standIn.pixels = {0xff010101, 0xff020202, 0xff030303, 0xff040404};
    EXPECT_FALSE(composeFrame(geometry, nothing, standIn, frame));
    EXPECT_EQ(frame.pixel(0, 0), 0xff010101U);
    EXPECT_EQ(frame.pixel(15, 0), 0xff020202U);
    EXPECT_EQ(frame.pixel(7, 8), 0xff030303U);
    EXPECT_EQ(frame.pixel(8, 8), 0xff040404U);
}

TEST(ComposeFrame, AThinDiagonalAndASingleColumnNeverVanishAtAnyZoom) {
    constexpr std::int64_t tokens = 701;
    const CausalMap diagonal(tokens);
    std::vector<float> weights(static_cast<std::size_t>(tokens * tokens));
    for (std::int64_t i = 0; i < tokens; ++i)
        weights[static_cast<std::size_t>(i * tokens + tokens - 1)] = 0.5F;
    const StoredMap lastColumn({tokens, tokens}, weights);
    for (const double side : {24.0, 77.0, 150.0, 351.0, 480.0, 701.0}) {
        const MapGeometry geometry = geometryOf({tokens, tokens}, {0, 0, side, side});
        QImage frame;
        ASSERT_TRUE(composeFrame(geometry, rendering(diagonal), {}, frame));
        for (int y = 0; y < frame.height(); ++y) {
            bool found = false;
            for (int x = 0; x < frame.width(); ++x) found = found || frame.pixel(x, y) == 0xff808080U;
            ASSERT_TRUE(found) << "row " << y << " of " << side;
        }
        ASSERT_TRUE(composeFrame(geometry, rendering(lastColumn), {}, frame));
        for (int y = 0; y < frame.height(); ++y)
            ASSERT_EQ(frame.pixel(frame.width() - 1, y), 0xff808080U) << "row " << y << " of " << side;
    }
}

TEST(ComposeFrame, NothingToDraw) {
    QImage frame(3, 3, QImage::Format_RGB32);
    EXPECT_TRUE(composeFrame(MapGeometry(), nullptr, {}, frame));
    EXPECT_TRUE(frame.isNull());
}

} // namespace
} // namespace headscope::ui
