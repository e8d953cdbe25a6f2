// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/map_geometry.h"

#include <gtest/gtest.h>
#include <limits>
#include <set>

namespace headscope::ui {
namespace {

MapGeometry geometryOf(Extent extent, const QRectF& area, double ratio = 1.0) {
    MapGeometry geometry;
    geometry.setMap(extent);
    geometry.setArea(area, ratio);
    return geometry;
}

TEST(MapGeometry, FitUsesWholePixelsAndSquareCells) {
    const MapGeometry geometry = geometryOf({32, 32}, {50, 60, 490, 500});
    EXPECT_EQ(geometry.cellSize(), 15.0); // 490 / 32 = 15.3
    EXPECT_EQ(geometry.mapRect().size(), QSizeF(480, 480));
    EXPECT_EQ(geometry.mapRect().top(), 60.0);
    EXPECT_EQ(geometry.mapRect().center().x(), 295.0); // in the middle of the area
    EXPECT_EQ(geometry.cellRect(2, 3).size(), QSizeF(15, 15));
    EXPECT_TRUE(geometry.viewport().isFit());
    // Device pixels count: 15.3 px are 30.6 device pixels at ratio 2.
    EXPECT_EQ(geometryOf({32, 32}, {50, 60, 490, 500}, 2.0).cellSize(), 15.0);
    EXPECT_EQ(geometryOf({32, 32}, {50, 60, 500, 500}, 2.0).cellSize(), 15.5);
}

TEST(MapGeometry, FitFillsTheAreaWhereWholePixelsWouldLeaveMuchOfIt) {
    // 400 / 82 = 4.88: cells of 4 pixels would leave 72 of the 400.
    const MapGeometry geometry = geometryOf({82, 82}, {0, 0, 400, 400});
    EXPECT_EQ(geometry.mapRect().size(), QSizeF(400, 400));
    for (std::int64_t column = 0; column < 82; ++column) {
        const std::int64_t width = geometry.columnEdge(column + 1) - geometry.columnEdge(column);
        EXPECT_TRUE(width == 4 || width == 5) << "column " << column;
    }
    EXPECT_EQ(geometry.columnEdge(82), 400);
}

TEST(MapGeometry, CellsOfARectangularMapAreSquareToo) {
    const MapGeometry geometry = geometryOf({5, 50}, {0, 0, 500, 500});
    EXPECT_EQ(geometry.mapRect(), QRectF(0, 0, 500, 50));
}

TEST(MapGeometry, ZoomKeepsTheCellUnderTheCursor) {
    for (const double ratio : {1.0, 1.5, 2.0})
        for (const QPointF anchor : {QPointF(200, 300), QPointF(333.3, 111.7), QPointF(480, 480)}) {
            MapGeometry geometry = geometryOf({512, 512}, {40, 30, 512, 512}, ratio);
            std::int64_t row = 0;
            std::int64_t column = 0;
            ASSERT_TRUE(geometry.cellAt(anchor, row, column));
            for (int step = 0; step < 20; ++step) {
                geometry.zoom(1.25, anchor);
                std::int64_t rowAfter = 0;
                std::int64_t columnAfter = 0;
                ASSERT_TRUE(geometry.cellAt(anchor, rowAfter, columnAfter));
                EXPECT_EQ(row, rowAfter) << "step " << step;
                EXPECT_EQ(column, columnAfter) << "step " << step;
            }
        }
}

TEST(MapGeometry, ZoomingOutEndsAtFitAndZoomingInAtTheLargestCell) {
    MapGeometry geometry = geometryOf({64, 64}, {0, 0, 400, 400});
    for (int i = 0; i < 60; ++i) geometry.zoom(1.5, {100, 100});
    EXPECT_EQ(geometry.cellSize(), MapGeometry::kLargestCell);
    for (int i = 0; i < 60; ++i) geometry.zoom(0.7, {10, 390});
    EXPECT_TRUE(geometry.isFit());
    EXPECT_EQ(geometry.mapRect().size(), QSizeF(384, 384));
}

TEST(MapGeometry, PanStopsAtTheEdges) {
    MapGeometry geometry = geometryOf({100, 100}, {0, 0, 400, 400});
    geometry.setViewport({10, 20, 40, 40});
    EXPECT_EQ(geometry.cellSize(), 10.0);
    geometry.pan({30, -20});
    EXPECT_EQ(geometry.viewport(), (MapViewport{7, 22, 40, 40}));
    geometry.pan({1e6, 1e6});
    EXPECT_EQ(geometry.viewport(), (MapViewport{0, 0, 40, 40}));
    geometry.pan({-1e6, -1e6});
    EXPECT_EQ(geometry.viewport(), (MapViewport{60, 60, 40, 40}));
}

TEST(MapGeometry, ViewportReadsBackAndSurvivesNonsense) {
    MapGeometry geometry = geometryOf({100, 300}, {0, 0, 400, 200});
    for (const MapViewport viewport :
         {MapViewport{10, 20, 40, 20}, {0, 0, 100, 50}, {250.5, 30.25, 40, 20}}) {
        geometry.setViewport(viewport);
        EXPECT_EQ(geometry.viewport(), viewport);
        const MapViewport copy = geometry.viewport();
        geometry.setViewport(copy);
        EXPECT_EQ(geometry.viewport(), copy);
    }
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const MapViewport viewport :
         {MapViewport{nan, 0, 10, 10}, {0, 0, -1, 4}, {0, 0, nan, 4}, {1e300, 0, 1e300, 1e300}}) {
        geometry.setViewport(viewport);
        EXPECT_LE(geometry.left() + geometry.visibleCells().width(), 300.0 + 1e-9);
        EXPECT_GE(geometry.left(), 0.0);
    }
}

TEST(MapGeometry, AViewportSetBeforeThereIsAnAreaWaitsForIt) {
    MapGeometry geometry;
    geometry.setViewport({10, 20, 40, 40});
    EXPECT_EQ(geometry.viewport(), (MapViewport{10, 20, 40, 40}));
    geometry.setMap({100, 100});
    geometry.setArea({0, 0, 400, 400}, 1.0);
    EXPECT_EQ(geometry.viewport(), (MapViewport{10, 20, 40, 40}));
}

TEST(MapGeometry, ShowsAPartInTheMiddleAsLargeAsTheAreaAllows) {
    MapGeometry geometry = geometryOf({100, 100}, {0, 0, 500, 250});
    geometry.show({40, 50}, {20, 30});
    EXPECT_EQ(geometry.cellSize(), 25.0); // 250 / 10 rows
    EXPECT_EQ(geometry.viewport(), (MapViewport{15.0, 40.0, 20.0, 10.0}));
    geometry.show({0, 2}, {98, 100});
    EXPECT_EQ(geometry.viewport(), (MapViewport{96.0, 0.0, 4.0, 2.0})) << "the edge of the map is the end";
    geometry.show({5, 6}, {7, 8});
    EXPECT_EQ(geometry.cellSize(), MapGeometry::kLargestCell);
}

TEST(MapGeometry, RevealMovesTheLeast) {
    MapGeometry geometry = geometryOf({100, 100}, {0, 0, 400, 400});
    geometry.setViewport({10, 10, 40, 40});
    geometry.reveal(20, 20);
    EXPECT_EQ(geometry.viewport(), (MapViewport{10, 10, 40, 40}));
    geometry.reveal(60, 5);
    EXPECT_EQ(geometry.viewport(), (MapViewport{5, 21, 40, 40}));
}

TEST(MapGeometry, EveryCellOfTheLevelHasAPixel) {
    // Sizes with remainders, on areas from a stamp to a screen: what has no pixel would have vanished.
    for (const std::int64_t tokens : {1, 2, 7, 33, 255, 256, 257, 511, 700, 1025, 4097})
        for (const double side : {20.0, 101.0, 333.0, 640.5, 900.0})
            for (const double ratio : {1.0, 1.25, 2.0}) {
                const MapGeometry geometry = geometryOf({tokens, tokens}, {0, 0, side, side}, ratio);
                const QSize size = geometry.pixelSize();
                std::set<std::int64_t> seen;
                for (int x = 0; x < size.width(); ++x) seen.insert(geometry.columnAt(x) >> geometry.level());
                EXPECT_EQ(static_cast<std::int64_t>(seen.size()), ((tokens - 1) >> geometry.level()) + 1)
                    << tokens << " tokens on " << side << " at " << ratio;
                EXPECT_LE(size.width(), static_cast<int>(side * ratio) + 1);
            }
}

TEST(MapGeometry, EdgesAgreeWithThePixels) {
    MapGeometry geometry = geometryOf({64, 64}, {0, 0, 400, 400}, 1.5);
    geometry.setViewport({3.3, 7.7, 21.9, 21.9});
    for (std::int64_t column = 4; column < 24; ++column) {
        EXPECT_EQ(geometry.columnAt(geometry.columnEdge(column)), column);
        EXPECT_EQ(geometry.columnAt(geometry.columnEdge(column) - 1), column - 1);
        EXPECT_EQ(geometry.rowAt(geometry.rowEdge(column + 5)), column + 5);
    }
}

TEST(MapGeometry, VisibleTilesAreThoseInSightTheMiddleFirst) {
    MapGeometry geometry = geometryOf({2048, 2048}, {0, 0, 512, 512});
    EXPECT_EQ(geometry.level(), 2);
    EXPECT_EQ(geometry.visibleTiles().size(), 4U);
    geometry.setViewport({500, 0, 512, 512});
    EXPECT_EQ(geometry.level(), 0);
    const auto tiles = geometry.visibleTiles();
    EXPECT_EQ(tiles.size(), 6U); // columns 500 to 1011 touch tiles 1, 2, 3; rows 0 to 511 tiles 0, 1
    EXPECT_EQ(tiles.front().column, 2);
    EXPECT_TRUE(MapGeometry().visibleTiles().empty());
}

} // namespace
} // namespace headscope::ui
