// SPDX-License-Identifier: GPL-3.0-or-later
#include "heat_support.h"
#include "ui/heatmap/overview_grid.h"
#include "ui/heatmap/thumbnail_image.h"

#include <QPainter>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

HeadRef refOf(int layer, int head) {
    return {AttentionKind::Self, LayerIndex(layer), HeadIndex(head)};
}

Thumbnail diagonalThumbnail(std::int64_t side) {
    Thumbnail thumbnail{{side, side}, {}, {}};
    thumbnail.weights.resize(static_cast<std::size_t>(side * side));
    thumbnail.visible.assign(thumbnail.weights.size(), 1);
    for (std::int64_t i = 0; i < side; ++i) thumbnail.weights[static_cast<std::size_t>(i * side + i)] = 1.0F;
    return thumbnail;
}

class OverviewGridTest : public testing::Test {
  protected:
    OverviewGridTest() {
        grid.resize(420, 240);
        grid.setGrid(6, 12);
        grid.show();
    }

    QImage picture() { return grid.viewport()->grab().toImage().convertToFormat(QImage::Format_RGB32); }
    QPoint middleOf(int layer, int head) const {
        return grid.cellRect(LayerIndex(layer), HeadIndex(head)).center().toPoint();
    }

    OverviewGrid grid;
};

TEST(ThumbnailImage, AThinDiagonalStaysAtEverySize) {
    for (const int side : {18, 25, 47, 95, 96, 97, 200}) {
        const QImage image =
            thumbnailImage(diagonalThumbnail(96), {side, side}, {RangeMode::Fixed, 0.0F, 1.0F},
                           Colormap::Grey, HeatmapTheme::lightTheme());
        ASSERT_EQ(image.size(), QSize(side, side));
        for (int i = 0; i < side; ++i) EXPECT_EQ(image.pixel(i, i), 0xffffffffU) << i << " of " << side;
    }
    EXPECT_TRUE(thumbnailImage({}, {8, 8}, {}, Colormap::Grey, HeatmapTheme::lightTheme()).isNull());
}

TEST_F(OverviewGridTest, CellsShowTheirThumbnailsAndTheRestIsSkeleton) {
    grid.setDisplay({RangeMode::Fixed, 0.0F, 1.0F}, Colormap::Grey);
    grid.setCell(LayerIndex(2), HeadIndex(5), {{1, 1}, {1.0F}, {1}}, {}, {});
    const QImage image = picture();
    EXPECT_EQ(pixelAt(image, middleOf(2, 5)), 0xffffffffU);
    EXPECT_EQ(QColor(pixelAt(image, middleOf(2, 6))), HeatmapTheme::lightTheme().skeleton);
    grid.clearCells();
    EXPECT_EQ(QColor(pixelAt(picture(), middleOf(2, 5))), HeatmapTheme::lightTheme().skeleton);
}

TEST_F(OverviewGridTest, AutoRangeIsEachHeadsOwn) {
    grid.setCell(LayerIndex(0), HeadIndex(0), {{1, 1}, {0.2F}, {1}}, {0.2F, 0.01F, 0.2F}, {});
    grid.setCell(LayerIndex(0), HeadIndex(1), {{1, 1}, {0.2F}, {1}}, {0.8F, 0.01F, 0.8F}, {});
    const QImage image = picture();
    EXPECT_EQ(pixelAt(image, middleOf(0, 0)), colorsOf(Colormap::Viridis)[255]);
    EXPECT_EQ(pixelAt(image, middleOf(0, 1)), colorsOf(Colormap::Viridis)[64]);
}

TEST_F(OverviewGridTest, ClickActivatesTheHead) {
    QSignalSpy activated(&grid, &OverviewGrid::headActivated);
    QTest::mouseClick(grid.viewport(), Qt::LeftButton, {}, middleOf(5, 11));
    ASSERT_EQ(activated.size(), 1);
    EXPECT_EQ(activated[0][0].value<HeadRef>(), refOf(5, 11));
    EXPECT_EQ(grid.selected(), refOf(5, 11));
    QTest::mouseClick(grid.viewport(), Qt::LeftButton, {}, QPoint(2, 2)); // on the numbers
    EXPECT_EQ(activated.size(), 1);
}

TEST_F(OverviewGridTest, ArrowsMoveTheSelectionAndStopAtTheEdges) {
    QSignalSpy activated(&grid, &OverviewGrid::headActivated);
    QTest::keyClick(&grid, Qt::Key_Down); // nothing selected yet: the first head
    EXPECT_EQ(grid.selected(), refOf(0, 0));
    QTest::keyClick(&grid, Qt::Key_Down);
    QTest::keyClick(&grid, Qt::Key_Right);
    EXPECT_EQ(grid.selected(), refOf(1, 1));
    QTest::keyClick(&grid, Qt::Key_End);
    QTest::keyClick(&grid, Qt::Key_Right);
    EXPECT_EQ(grid.selected(), refOf(1, 11));
    QTest::keyClick(&grid, Qt::Key_PageDown);
    QTest::keyClick(&grid, Qt::Key_Down);
    EXPECT_EQ(grid.selected(), refOf(5, 11));
    EXPECT_EQ(activated.size(), 5);
}

TEST_F(OverviewGridTest, HoverTellsTheHeadOnce) {
    QSignalSpy hovered(&grid, &OverviewGrid::headHovered);
    QSignalSpy left(&grid, &OverviewGrid::hoverLeft);
    moveMouse(*grid.viewport(), middleOf(3, 4));
    moveMouse(*grid.viewport(), middleOf(3, 4) + QPoint(1, 1));
    ASSERT_EQ(hovered.size(), 1);
    EXPECT_EQ(hovered[0][0].value<HeadRef>(), refOf(3, 4));
    moveMouse(*grid.viewport(), QPointF(1, 1));
    EXPECT_EQ(left.size(), 1);
}

TEST_F(OverviewGridTest, WordsOfAHead) {
    grid.setCell(LayerIndex(1), HeadIndex(11), diagonalThumbnail(4), {},
                 {{Label::Sink, QStringLiteral("sink on [CLS], alpha 0.77")}});
    EXPECT_EQ(grid.describe(refOf(1, 11)), "Head 1.11: sink on [CLS], alpha 0.77");
    EXPECT_EQ(grid.describe(refOf(0, 0)), "Head 0.0: not computed yet");
    grid.setCell(LayerIndex(0), HeadIndex(0), diagonalThumbnail(4), {}, {});
    EXPECT_EQ(grid.describe(refOf(0, 0)), "Head 0.0");
}

TEST_F(OverviewGridTest, FlagsDifferByFormAndNotOnlyByColour) {
    // The badges' corners in grey levels of their own colour: each pair differs in many pixels once colours
    // are removed.
    std::vector<QImage> forms;
    for (const Label label : {Label::Uniform, Label::Sink, Label::Stuck}) {
        QImage image(24, 24, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        paintBadgeShape(painter, label, QRectF(2, 2, 20, 20), Qt::black);
        painter.end();
        forms.push_back(image);
    }
    for (std::size_t i = 0; i < forms.size(); ++i)
        for (std::size_t j = i + 1; j < forms.size(); ++j) {
            int differing = 0;
            for (int y = 0; y < 24; ++y)
                for (int x = 0; x < 24; ++x)
                    differing +=
                        std::abs(qRed(forms[i].pixel(x, y)) - qRed(forms[j].pixel(x, y))) > 128 ? 1 : 0;
            EXPECT_GT(differing, 60) << i << " and " << j;
        }
    grid.setDisplay({RangeMode::Fixed, 0.0F, 1.0F}, Colormap::Grey);
    grid.setCell(LayerIndex(0), HeadIndex(0), {{1, 1}, {1.0F}, {1}}, {}, {{Label::Stuck, {}}});
    const QPointF corner = grid.cellRect(LayerIndex(0), HeadIndex(0)).topRight() + QPointF(-2, 2);
    EXPECT_NE(pixelAt(picture(), corner), 0xffffffffU);
}

TEST_F(OverviewGridTest, ScrollsWhenCellsWouldBecomeTooSmall) {
    EXPECT_EQ(grid.verticalScrollBar()->maximum(), 0);
    grid.setGrid(48, 40);
    EXPECT_GE(grid.cellRect(LayerIndex(0), HeadIndex(0)).width(), 16.0);
    EXPECT_GT(grid.verticalScrollBar()->maximum(), 0);
    EXPECT_GT(grid.horizontalScrollBar()->maximum(), 0);
    grid.setSelected(refOf(47, 39)); // scrolls there
    EXPECT_TRUE(QRectF(grid.viewport()->rect()).contains(grid.cellRect(LayerIndex(47), HeadIndex(39))));
    EXPECT_EQ(grid.headAt(middleOf(47, 39)), refOf(47, 39));
    grid.setCell(LayerIndex(47), HeadIndex(39), diagonalThumbnail(8), {}, {});
    picture();
}

TEST_F(OverviewGridTest, EmptyGridTakesEventsQuietly) {
    grid.setGrid(0, 0);
    QSignalSpy activated(&grid, &OverviewGrid::headActivated);
    QTest::keyClick(&grid, Qt::Key_Down);
    QTest::mouseClick(grid.viewport(), Qt::LeftButton, {}, QPoint(100, 100));
    EXPECT_EQ(activated.size(), 0);
    picture();
    EXPECT_EQ(grid.headAt({100, 100}), std::nullopt);
}

} // namespace
} // namespace headscope::ui
