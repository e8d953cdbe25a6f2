// SPDX-License-Identifier: GPL-3.0-or-later
// A part of the map that is marked to be zoomed to, and the margins beside it.
#include "heatmap_fixture.h"
#include "tests/ui/print_qt.h"

#include <QSignalSpy>
#include <QTest>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

class HeatmapParts : public HeatmapFixture {
  protected:
    void pressShift(const QPointF& at) {
        QTest::mousePress(&view, Qt::LeftButton, Qt::ShiftModifier, at.toPoint());
    }
    void drag(const QPointF& to) { moveMouse(view, to, Qt::LeftButton); }
    /// Ten rows and ten columns from (11, 13) on, in the middle of what is shown.
    void expectPartShown() const {
        const MapViewport shown = view.mapViewport();
        EXPECT_NEAR(std::min(shown.width, shown.height), 10.0, 1e-6);
        EXPECT_NEAR(shown.top + 0.5 * shown.height, 16.0, 1e-6);
        EXPECT_NEAR(shown.left + 0.5 * shown.width, 18.0, 1e-6);
    }
};

TEST_F(HeatmapParts, ShiftAndDragZoomToTheCellsThatWereMarked) {
    QSignalSpy clicked(&view, &HeatmapView::cellClicked);
    QSignalSpy changed(&view, &HeatmapView::viewportChanged);
    pressShift(middleOf(20, 22));
    drag(middleOf(15, 18));
    drag(middleOf(11, 13)); // backwards is the same
    ASSERT_TRUE(view.markedPart());
    EXPECT_EQ(*view.markedPart(), (HeatmapView::Part{{11, 21}, {13, 23}}));
    EXPECT_EQ(changed.size(), 0) << "nothing moves while it is marked";
    releaseMouse(view, middleOf(11, 13));
    EXPECT_FALSE(view.markedPart());
    EXPECT_EQ(changed.size(), 1);
    EXPECT_EQ(clicked.size(), 0);
    expectPartShown();
}

TEST_F(HeatmapParts, WhatIsNotMarkedGoesBack) {
    const QImage before = finished();
    pressShift(middleOf(11, 13));
    drag(middleOf(20, 22));
    const QImage image = finished();
    EXPECT_EQ(pixelAt(image, middleOf(15, 16)), pixelAt(before, middleOf(15, 16)));
    EXPECT_NE(pixelAt(image, middleOf(3, 3)), pixelAt(before, middleOf(3, 3)));
    EXPECT_NE(pixelAt(image, middleOf(15, 3)), pixelAt(before, middleOf(15, 3)));
}

TEST_F(HeatmapParts, EscapeKeepsThePartAsItIs) {
    QSignalSpy clicked(&view, &HeatmapView::cellClicked);
    QSignalSpy changed(&view, &HeatmapView::viewportChanged);
    pressShift(middleOf(11, 13));
    drag(middleOf(20, 22));
    QTest::keyClick(&view, Qt::Key_Escape);
    EXPECT_FALSE(view.markedPart());
    drag(middleOf(25, 25));
    releaseMouse(view, middleOf(25, 25));
    EXPECT_EQ(changed.size(), 0);
    EXPECT_EQ(clicked.size(), 0);
    EXPECT_TRUE(view.mapViewport().isFit());
}

TEST_F(HeatmapParts, TheEdgesOfTheMapEndThePart) {
    pressShift(middleOf(28, 4));
    drag(view.mapRect().bottomLeft() + QPointF(-300.0, 300.0));
    EXPECT_EQ(*view.markedPart(), (HeatmapView::Part{{28, 32}, {0, 5}}));
    QTest::keyClick(&view, Qt::Key_Escape);
    pressShift(view.mapRect().topLeft() - QPointF(20.0, 20.0)); // beside the map: it is dragged
    drag(middleOf(20, 22));
    EXPECT_FALSE(view.markedPart());
}

TEST_F(HeatmapParts, TheKeyboardDoesTheSame) {
    QSignalSpy changed(&view, &HeatmapView::viewportChanged);
    view.setSelection(11, 13);
    for (int i = 0; i < 9; ++i) QTest::keyClick(&view, Qt::Key_Right, Qt::ShiftModifier);
    QTest::keyClick(&view, Qt::Key_PageDown, Qt::ShiftModifier);
    QTest::keyClick(&view, Qt::Key_Up, Qt::ShiftModifier);
    EXPECT_EQ(*view.markedPart(), (HeatmapView::Part{{11, 21}, {13, 23}}));
    EXPECT_TRUE(view.accessibleDescription().startsWith(QStringLiteral("Queries 11–20, keys 13–22:")))
        << view.accessibleDescription().toStdString();
    EXPECT_EQ(view.selectedQuery(), 11) << "the crosshair stays";
    QTest::keyClick(&view, Qt::Key_Return);
    EXPECT_FALSE(view.markedPart());
    EXPECT_EQ(changed.size(), 1);
    expectPartShown();
}

TEST_F(HeatmapParts, AnArrowWithoutShiftOrAnotherMapLetsGo) {
    view.setSelection(11, 13);
    QTest::keyClick(&view, Qt::Key_Right, Qt::ShiftModifier);
    ASSERT_TRUE(view.markedPart());
    QTest::keyClick(&view, Qt::Key_Right);
    EXPECT_FALSE(view.markedPart());
    EXPECT_EQ(view.selectedKey(), 14);
    QTest::keyClick(&view, Qt::Key_Down, Qt::ShiftModifier);
    ASSERT_TRUE(view.markedPart());
    show(storedMap(32, 32, 4));
    EXPECT_FALSE(view.markedPart());
}

TEST_F(HeatmapParts, AllOfTheMapFits) {
    view.setMapViewport({2.0, 2.0, 10.0, 10.0});
    view.setSelection(0, 0);
    for (int i = 0; i < 4; ++i)
        for (const Qt::Key key : {Qt::Key_PageDown, Qt::Key_Right})
            QTest::keyClick(&view, key, Qt::ShiftModifier);
    for (int i = 0; i < 28; ++i) QTest::keyClick(&view, Qt::Key_Right, Qt::ShiftModifier);
    EXPECT_EQ(*view.markedPart(), (HeatmapView::Part{{0, 32}, {0, 32}}));
    QTest::keyClick(&view, Qt::Key_Enter);
    EXPECT_TRUE(view.mapViewport().isFit());
}

/// Row 0 reads evenly, row 1 one key, the others two.
std::shared_ptr<const HeadMap> knownMap() {
    return std::make_shared<StoredMap>(
        Extent{4, 4}, std::vector<float>{0.25F, 0.25F, 0.25F, 0.25F, 1.0F, 0.0F, 0.0F, 0.0F, //
                                         0.5F, 0.5F, 0.0F, 0.0F, 0.5F, 0.0F, 0.5F, 0.0F});
}

TEST_F(HeatmapParts, MarginsTakeTheirRoomOnlyWhereTheyAreOn) {
    const QRectF without = view.mapRect();
    view.setMarginsShown(true);
    EXPECT_LT(view.mapRect().height(), without.height());
    view.setMarginsShown(false);
    EXPECT_EQ(view.mapRect(), without);
}

TEST_F(HeatmapParts, AMarginIsAsLongAsItsNumber) {
    show(knownMap());
    view.setMarginsShown(true);
    const QImage image = finished();
    const QRgb ground = HeatmapTheme::lightTheme().skeleton.rgb();
    const QRectF area = view.mapRect();
    const auto rowLength = [&](std::int64_t row) {
        int length = 0;
        while (length < 30 && pixelAt(image, {area.right() + 6.5 + length, middleOf(row, 0).y()}) != ground)
            ++length;
        return length;
    };
    EXPECT_EQ(rowLength(0), 30) << "evenly over all four: ln 4 of ln 4";
    EXPECT_EQ(rowLength(1), 0);
    EXPECT_NEAR(rowLength(2), 15, 1) << "evenly over two: half";
    EXPECT_NEAR(rowLength(3), 15, 1);
    const auto columnLength = [&](std::int64_t column) {
        int length = 0;
        while (length < 30 &&
               pixelAt(image, {middleOf(0, column).x(), area.bottom() + 6.5 + length}) != ground)
            ++length;
        return length;
    };
    // Means 0.5625, 0.1875, 0.1875, 0.0625: the first is the end.
    EXPECT_EQ(columnLength(0), 30);
    EXPECT_NEAR(columnLength(1), 10, 1);
    EXPECT_NEAR(columnLength(2), 10, 1);
    EXPECT_NEAR(columnLength(3), 30.0 / 9.0, 1.5);
}

TEST_F(HeatmapParts, AMarginSaysItsNumberExactly) {
    show(knownMap());
    view.setMarginsShown(true);
    finished();
    QSignalSpy pointed(&view, &HeatmapView::marginPointed);
    const QRectF area = view.mapRect();
    moveMouse(view, {area.right() + 10.0, middleOf(2, 0).y()});
    ASSERT_EQ(pointed.size(), 1);
    const QString row = pointed[0][0].toString();
    EXPECT_TRUE(
        row.contains(QStringLiteral("spreads over 4 keys that it may see: 0.6931472 nats, as if it read "
                                    "2.0 of them evenly")))
        << row.toStdString();
    moveMouse(view, {middleOf(0, 1).x(), area.bottom() + 10.0});
    ASSERT_EQ(pointed.size(), 2);
    const QString column = pointed[1][0].toString();
    EXPECT_TRUE(column.contains(QStringLiteral("gets 0.1875 on average over the 4 rows that may see it")))
        << column.toStdString();
    moveMouse(view, middleOf(1, 1));
    ASSERT_EQ(pointed.size(), 3);
    EXPECT_EQ(pointed[2][0].toString(), QString());
    view.setSelection(1, 1);
    QTest::keyClick(&view, Qt::Key_Left);
    ASSERT_EQ(pointed.size(), 4) << "the keyboard hears them too";
    EXPECT_TRUE(pointed[3][0].toString().contains(QStringLiteral("0 nats")))
        << pointed[3][0].toString().toStdString();
    EXPECT_TRUE(pointed[3][0].toString().contains(QStringLiteral("gets 0.5625")))
        << pointed[3][0].toString().toStdString();
}

TEST_F(HeatmapParts, OfALargeMapTheLargestOfADotIsSeenAndPaintingReadsNothing) {
    constexpr std::int64_t kTokens = 2000;
    std::vector<float> weights(kTokens * kTokens, 0.0F);
    for (std::int64_t i = 0; i < kTokens; ++i) weights[static_cast<std::size_t>(i * kTokens + 1234)] = 1.0F;
    show(std::make_shared<StoredMap>(Extent{kTokens, kTokens}, weights));
    view.setMarginsShown(true);
    const QImage image = finished();
    int dots = 0; // of the one column
    const QRectF area = view.mapRect();
    for (double x = area.left() + 0.5; x < area.right() - 1.0; x += 1.0)
        if (pixelAt(image, {x, area.bottom() + 20.0}) != HeatmapTheme::lightTheme().skeleton.rgb()) {
            ++dots;
            EXPECT_NEAR((x - area.left()) / area.width() * kTokens, 1234.0, 5.0) << "cells a dot";
        }
    EXPECT_GE(dots, 1) << "it is a third of a dot wide";
    EXPECT_LE(dots, 2);
    const auto counted = std::make_shared<CausalMap>(300);
    show(counted);
    finished();
    const int calls = counted->calls();
    for (int i = 0; i < 5; ++i) view.grab();
    EXPECT_EQ(counted->calls(), calls);
}

} // namespace
} // namespace headscope::ui
