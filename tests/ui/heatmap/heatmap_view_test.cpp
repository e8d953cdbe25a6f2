// SPDX-License-Identifier: GPL-3.0-or-later
#include "heatmap_fixture.h"

#include <QDir>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

using HeatmapViewTest = HeatmapFixture;

TEST_F(HeatmapViewTest, EveryCellHasTheColourOfItsWeight) {
    view.setDisplay({RangeMode::Fixed, 0.0F, 1.0F}, Colormap::Magma, Pooling::Max);
    const QImage image = finished();
    for (std::int64_t i = 0; i < 32; ++i)
        for (std::int64_t j = 0; j < 32; ++j) {
            const Rgb expected =
                colorsOf(Colormap::Magma)[colorIndex(map->cell(i, j), {RangeMode::Fixed, 0, 1}, 0)];
            ASSERT_EQ(pixelAt(image, middleOf(i, j)), expected) << i << ", " << j;
        }
}

TEST_F(HeatmapViewTest, HoverTellsTheExactWeight) {
    QSignalSpy hovered(&view, &HeatmapView::cellHovered);
    QSignalSpy left(&view, &HeatmapView::hoverLeft);
    moveMouse(view, middleOf(20, 9));
    ASSERT_EQ(hovered.size(), 1);
    EXPECT_EQ(hovered[0][0].toLongLong(), 20);
    EXPECT_EQ(hovered[0][1].toLongLong(), 9);
    EXPECT_EQ(hovered[0][2].toFloat(), map->cell(20, 9));
    moveMouse(view, middleOf(20, 9) + QPointF(2, 2));
    EXPECT_EQ(hovered.size(), 1); // the same cell is not told twice
    moveMouse(view, middleOf(31, 31));
    EXPECT_EQ(hovered.size(), 2);
    moveMouse(view, QPointF(3, 3));
    EXPECT_EQ(left.size(), 1);
}

TEST_F(HeatmapViewTest, CornersOfTheMapBelongToTheCornerCells) {
    QSignalSpy hovered(&view, &HeatmapView::cellHovered);
    moveMouse(view, view.mapRect().topLeft() + QPointF(0.5, 0.5));
    moveMouse(view, view.mapRect().bottomRight() - QPointF(0.5, 0.5));
    ASSERT_EQ(hovered.size(), 2);
    EXPECT_EQ(hovered[0][0].toLongLong(), 0);
    EXPECT_EQ(hovered[0][1].toLongLong(), 0);
    EXPECT_EQ(hovered[1][0].toLongLong(), 31);
    EXPECT_EQ(hovered[1][1].toLongLong(), 31);
}

TEST_F(HeatmapViewTest, ClickTellsTheCellAndSelectsIt) {
    QSignalSpy clicked(&view, &HeatmapView::cellClicked);
    QTest::mouseClick(&view, Qt::LeftButton, {}, middleOf(4, 17).toPoint());
    ASSERT_EQ(clicked.size(), 1);
    EXPECT_EQ(clicked[0][0].toLongLong(), 4);
    EXPECT_EQ(clicked[0][1].toLongLong(), 17);
    EXPECT_EQ(view.selectedQuery(), 4);
    EXPECT_EQ(view.selectedKey(), 17);
    QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(2, 2)); // beside the map
    EXPECT_EQ(clicked.size(), 1);
    QTest::mouseClick(&view, Qt::RightButton, {}, middleOf(5, 5).toPoint());
    EXPECT_EQ(clicked.size(), 1);
}

TEST_F(HeatmapViewTest, WheelZoomsToTheCursor) {
    show(512, 512);
    QSignalSpy changed(&view, &HeatmapView::viewportChanged);
    QSignalSpy hovered(&view, &HeatmapView::cellHovered);
    // Which cell it is depends on the size that the fonts leave for the map: two cells may share a pixel
    // here.
    const QPointF cursor = middleOf(300, 123);
    moveMouse(view, cursor);
    ASSERT_EQ(hovered.size(), 1);
    const auto query = hovered[0][0].toLongLong();
    const auto key = hovered[0][1].toLongLong();
    EXPECT_NEAR(static_cast<double>(query), 300.0, 2.0);
    EXPECT_NEAR(static_cast<double>(key), 123.0, 2.0);
    for (int i = 0; i < 12; ++i) turnWheel(view, cursor, 1);
    EXPECT_EQ(changed.size(), 12);
    EXPECT_GT(view.cellSize(), 8.0);
    EXPECT_TRUE(view.cellRect(query, key).contains(cursor));
    EXPECT_EQ(hovered.size(), 1); // still the same cell
    for (int i = 0; i < 30; ++i) turnWheel(view, cursor, -1);
    EXPECT_TRUE(view.mapViewport().isFit());
    const int before = static_cast<int>(changed.size());
    turnWheel(view, QPointF(2, 2), 1); // not over the map
    EXPECT_EQ(changed.size(), before);
}

TEST_F(HeatmapViewTest, DragPansAndIsNoClick) {
    show(512, 512);
    view.setMapViewport({100, 100, 50, 50});
    QSignalSpy clicked(&view, &HeatmapView::cellClicked);
    QSignalSpy changed(&view, &HeatmapView::viewportChanged);
    const QPointF start = view.mapRect().center();
    const QRectF before = view.cellRect(120, 120);
    pressMouse(view, start);
    moveMouse(view, start + QPointF(20, 10), Qt::LeftButton);
    moveMouse(view, start + QPointF(40, 30), Qt::LeftButton);
    releaseMouse(view, start + QPointF(40, 30));
    EXPECT_EQ(clicked.size(), 0);
    EXPECT_EQ(changed.size(), 2);
    const QPointF moved = view.cellRect(120, 120).topLeft() - before.topLeft();
    EXPECT_NEAR(moved.x(), 40.0, 1.0);
    EXPECT_NEAR(moved.y(), 30.0, 1.0);
    // A tremble below the drag distance stays a click.
    pressMouse(view, start);
    moveMouse(view, start + QPointF(1, 1), Qt::LeftButton);
    releaseMouse(view, start + QPointF(1, 1));
    EXPECT_EQ(clicked.size(), 1);
}

TEST_F(HeatmapViewTest, DoubleClickFits) {
    view.setMapViewport({3, 3, 10, 10});
    EXPECT_FALSE(view.mapViewport().isFit());
    QTest::mouseDClick(&view, Qt::LeftButton, {}, view.mapRect().center().toPoint());
    EXPECT_TRUE(view.mapViewport().isFit());
}

TEST_F(HeatmapViewTest, ArrowsMoveTheCrosshairAndKeepItInSight) {
    show(200, 200);
    QSignalSpy moved(&view, &HeatmapView::selectionMoved);
    view.setSelection(10, 10);
    QTest::keyClick(&view, Qt::Key_Right);
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Left);
    EXPECT_EQ(view.selectedQuery(), 12);
    EXPECT_EQ(view.selectedKey(), 10);
    EXPECT_EQ(moved.size(), 4);
    QTest::keyClick(&view, Qt::Key_End);
    EXPECT_EQ(view.selectedKey(), 199);
    QTest::keyClick(&view, Qt::Key_Home);
    QTest::keyClick(&view, Qt::Key_Left); // stays at the edge
    EXPECT_EQ(view.selectedKey(), 0);
    view.setMapViewport({50, 50, 20, 20});
    QTest::keyClick(&view, Qt::Key_Up);
    EXPECT_TRUE(view.mapRect().adjusted(-1, -1, 1, 1).contains(view.cellRect(11, 0)));
}

TEST_F(HeatmapViewTest, KeysZoom) {
    const double fitted = view.cellSize();
    QTest::keyClick(&view, Qt::Key_Plus);
    QTest::keyClick(&view, Qt::Key_Plus);
    EXPECT_GT(view.cellSize(), 1.4 * fitted);
    QTest::keyClick(&view, Qt::Key_Minus);
    EXPECT_NEAR(view.cellSize(), 1.25 * fitted, 1e-6);
    QTest::keyClick(&view, Qt::Key_0);
    EXPECT_TRUE(view.mapViewport().isFit());
    show(4096, 4096);
    QTest::keyClick(&view, Qt::Key_1);
    EXPECT_NEAR(view.cellSize() * view.devicePixelRatioF(), 1.0, 1e-9);
}

TEST_F(HeatmapViewTest, ViewportsSetByCodeReadBackAndAreNotAnnounced) {
    show(512, 512);
    QSignalSpy changed(&view, &HeatmapView::viewportChanged);
    view.setMapViewport({10, 20, 60, 60});
    EXPECT_EQ(changed.size(), 0);
    const MapViewport shown = view.mapViewport();
    EXPECT_NEAR(shown.left, 10.0, 1e-9);
    EXPECT_NEAR(shown.top, 20.0, 1e-9);
    EXPECT_GE(shown.width, 60.0 - 1e-9);
    // The same extent keeps it, another fits anew.
    show(512, 512);
    EXPECT_EQ(view.mapViewport(), shown);
    show(30, 30);
    EXPECT_TRUE(view.mapViewport().isFit());
}

TEST_F(HeatmapViewTest, SelectionOutsideTheMapIsDropped) {
    view.setSelection(99, 3);
    EXPECT_EQ(view.selectedQuery(), std::nullopt);
    EXPECT_EQ(view.selectedKey(), 3);
    view.setSelection(-1, -5);
    EXPECT_EQ(view.selectedKey(), std::nullopt);
    view.setSelection(3, 3);
    EXPECT_TRUE(view.accessibleDescription().contains(QStringLiteral("reads")))
        << qPrintable(view.accessibleDescription());
    show(2, 2);
    EXPECT_EQ(view.selectedQuery(), std::nullopt);
}

TEST_F(HeatmapViewTest, StatesWithoutAMap) {
    view.setMap(nullptr, nullptr, nullptr, {});
    EXPECT_EQ(view.state(), HeatmapView::State::Empty);
    const QImage empty = view.grab().toImage();
    view.setLoading(QStringLiteral("Layer 1 of 6"));
    EXPECT_EQ(view.state(), HeatmapView::State::Loading);
    EXPECT_EQ(view.accessibleDescription(), "Layer 1 of 6");
    EXPECT_NE(view.grab().toImage(), empty);
    // Events meet nothing.
    QSignalSpy hovered(&view, &HeatmapView::cellHovered);
    moveMouse(view, {300, 300});
    turnWheel(view, {300, 300}, 1);
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(300, 300));
    EXPECT_EQ(hovered.size(), 0);
    show(8, 8);
    EXPECT_EQ(view.state(), HeatmapView::State::Ready);
}

TEST_F(HeatmapViewTest, PaintingNeverCallsTheMap) {
    const auto counting = std::make_shared<CausalMap>(64);
    view.setMap(counting, mixedAxis(64), mixedAxis(64), statisticsOf(*counting));
    view.setMapViewport({0, 0, 8, 8}); // values are printed
    view.setSelection(3, 2);
    finished();
    const int calls = counting->calls();
    for (int i = 0; i < 5; ++i) view.grab();
    EXPECT_EQ(counting->calls(), calls);
}

TEST_F(HeatmapViewTest, MaskedCellsHaveTheirOwnColour) {
    const auto causal = std::make_shared<CausalMap>(16);
    view.setMap(causal, mixedAxis(16), mixedAxis(16), statisticsOf(*causal));
    for (const HeatmapTheme& theme : {HeatmapTheme::lightTheme(), HeatmapTheme::darkTheme()}) {
        view.setTheme(theme);
        const QImage image = finished();
        EXPECT_EQ(pixelAt(image, view.cellRect(2, 9).topLeft() + QPointF(4, 4)), theme.masked);
        EXPECT_EQ(pixelAt(image, view.cellRect(9, 2).topLeft() + QPointF(4, 4)),
                  colorsOf(Colormap::Viridis)[0]);
    }
}

TEST_F(HeatmapViewTest, ThePreviewStandsInUntilTheTilesCome) {
    const auto slow = std::make_shared<CausalMap>(64, std::chrono::milliseconds(300));
    view.setMap(slow, mixedAxis(64), mixedAxis(64), {0.5F, 0.03F, 0.5F});
    view.setPreview({{1, 1}, {0.5F}, {1}});
    const QImage early = view.grab().toImage();
    EXPECT_FALSE(view.isComplete());
    EXPECT_EQ(pixelAt(early, view.cellRect(40, 5).center()), colorsOf(Colormap::Viridis)[255]);
    QSignalSpy completed(&view, &HeatmapView::completed);
    const QImage late = finished();
    EXPECT_EQ(pixelAt(late, view.cellRect(40, 5).center()), colorsOf(Colormap::Viridis)[0]);
    EXPECT_TRUE(completed.size() == 1 || completed.wait(2000));
}

TEST_F(HeatmapViewTest, ClosingWhileTilesAreRenderedIsClean) {
    for (int i = 0; i < 5; ++i) {
        auto other = std::make_unique<HeatmapView>();
        other->resize(500, 500);
        const auto slow = std::make_shared<CausalMap>(2048, std::chrono::milliseconds(10));
        other->setMap(slow, mixedAxis(2048), mixedAxis(2048), {});
        other->show();
        other->grab();
        other.reset();
    }
    QCoreApplication::processEvents();
}

TEST_F(HeatmapViewTest, NothingIsCutAtAnyLengthInAnyScript) {
    for (const std::int64_t tokens : {1, 2, 11, 32, 64, 128, 512, 4096}) {
        const auto causal = std::make_shared<CausalMap>(tokens);
        view.setMap(causal, mixedAxis(tokens), mixedAxis(tokens), {0.5F, 0.1F, 0.9F});
        view.setSelection(tokens - 1, 0);
        const QImage image = finished();
        // The panel's colour all around: nothing is cut off at the widget's edge.
        for (int x = 2; x < image.width() - 2; ++x) {
            ASSERT_EQ(image.pixelColor(x, 1), HeatmapTheme::lightTheme().panel) << tokens << " at " << x;
            ASSERT_EQ(image.pixelColor(x, image.height() - 2), HeatmapTheme::lightTheme().panel) << tokens;
        }
        for (int y = 2; y < image.height() - 2; ++y) {
            ASSERT_EQ(image.pixelColor(1, y), HeatmapTheme::lightTheme().panel) << tokens << " at " << y;
            ASSERT_EQ(image.pixelColor(image.width() - 2, y), HeatmapTheme::lightTheme().panel) << tokens;
        }
    }
}

TEST_F(HeatmapViewTest, GoldenMap) {
    const auto causal = std::make_shared<CausalMap>(8);
    std::vector<float> weights(64);
    for (std::size_t i = 0; i < 64; ++i) weights[i] = static_cast<float>(i) / 64.0F;
    const auto ramp = std::make_shared<StoredMap>(Extent{8, 8}, weights);
    view.setValuesShown(false); // text depends on the machine's fonts
    view.resize(330, 260);
    view.setDisplay({RangeMode::Fixed, 0.0F, 0.5F}, Colormap::Viridis, Pooling::Max);
    const QDir folder(QStringLiteral(HEADSCOPE_TEST_DATA "/golden_images"));
    const auto compare = [&](const QString& name) {
        const double ratio = view.devicePixelRatioF();
        const QRectF drawn = view.mapRect();
        const QImage image = finished()
                                 .copy(QRectF(drawn.topLeft() * ratio, drawn.size() * ratio).toRect())
                                 .convertToFormat(QImage::Format_RGB32);
        // Labels decide how large cells are; the golden picture has 10 pixels a cell.
        const QImage cells = image.scaled(80, 80, Qt::IgnoreAspectRatio, Qt::FastTransformation);
        const QString path = folder.filePath(name);
        if (qEnvironmentVariableIsSet("HEADSCOPE_UPDATE_GOLDEN")) {
            ASSERT_TRUE(cells.save(path));
        }
        const QImage golden(path);
        ASSERT_FALSE(golden.isNull()) << qPrintable(path);
        int differing = 0;
        for (int i = 0; i < 8; ++i)
            for (int j = 0; j < 8; ++j)
                if (imageDistance(cells.copy(j * 10 + 4, i * 10 + 4, 3, 3),
                                  golden.copy(j * 10 + 4, i * 10 + 4, 3, 3)) > 3)
                    ++differing;
        EXPECT_EQ(differing, 0) << qPrintable(name);
    };
    view.setMap(ramp, mixedAxis(8), mixedAxis(8), statisticsOf(*ramp));
    compare(QStringLiteral("ramp_viridis.png"));
    view.setMap(causal, mixedAxis(8), mixedAxis(8), statisticsOf(*causal));
    compare(QStringLiteral("causal_viridis.png"));
    view.setTheme(HeatmapTheme::darkTheme());
    view.setDisplay({RangeMode::PerRow}, Colormap::Magma, Pooling::Max);
    compare(QStringLiteral("causal_magma_dark.png"));
}

} // namespace
} // namespace headscope::ui
