// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/heatmap/heat_support.h"
#include "tests/ui/print_qt.h"
#include "ui/heatmap/linked_views.h"

#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

std::shared_ptr<const HeadMap> evenMap(std::int64_t size) {
    return std::make_shared<StoredMap>(
        Extent{size, size}, std::vector<float>(static_cast<std::size_t>(size * size), 1.0F / float(size)));
}

/// Three views, the last of a shorter text.
class Linked : public testing::Test {
  protected:
    HeatmapView views[3];
    LinkedViews links;

    void SetUp() override {
        for (int i = 0; i < 3; ++i) {
            const std::int64_t size = i == 2 ? 5 : 8;
            const auto axis = mixedAxis(size);
            views[i].resize(400, 360 + 40 * i);
            views[i].setMap(evenMap(size), axis, axis, {0.2F, 0.1F, 0.2F});
            views[i].show();
            links.add(&views[i]);
            links.setGroup(&views[i], i == 2 ? 1 : 0);
        }
    }
    void moveTo(int view, std::int64_t query, std::int64_t key) {
        moveMouse(views[view], views[view].cellRect(query, key).center());
    }
    void click(int view, std::int64_t query, std::int64_t key) {
        QTest::mouseClick(&views[view], Qt::LeftButton, {},
                          views[view].cellRect(query, key).center().toPoint());
    }
};

TEST_F(Linked, AClickChoosesTheCellInAllOfTheGroup) {
    QSignalSpy chosen(&links, &LinkedViews::cellChosen);
    click(0, 6, 2);
    ASSERT_EQ(chosen.size(), 1);
    EXPECT_EQ(chosen[0], (QVariantList{0, 6LL, 2LL}));
    EXPECT_EQ(views[1].selectedQuery(), 6);
    EXPECT_EQ(views[1].selectedKey(), 2);
    EXPECT_FALSE(views[2].selectedQuery().has_value());
    QTest::keyClick(&views[1], Qt::Key_Right);
    EXPECT_EQ(views[0].selectedKey(), 3);
    EXPECT_EQ(chosen.size(), 2);
}

TEST_F(Linked, TheCellUnderTheCursorIsPointedAtEverywhere) {
    moveTo(0, 3, 4);
    ASSERT_EQ(views[0].pointedCell(), HeatmapView::Cell(3, 4));
    EXPECT_EQ(views[1].pointedCell(), HeatmapView::Cell(3, 4));
    EXPECT_FALSE(views[2].pointedCell().has_value());
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(&views[0], &leave);
    EXPECT_FALSE(views[1].pointedCell().has_value());
}

TEST_F(Linked, ZoomAndPanAreShared) {
    QSignalSpy moved(&links, &LinkedViews::viewportMoved);
    views[0].zoomIn();
    views[0].zoomIn();
    EXPECT_FALSE(views[1].mapViewport().isFit());
    EXPECT_TRUE(views[2].mapViewport().isFit());
    EXPECT_EQ(moved.size(), 2);
    // What the first shows, the others show at least.
    const MapViewport first = views[0].mapViewport();
    const MapViewport second = views[1].mapViewport();
    EXPECT_LE(second.left, first.left + 1e-6);
    EXPECT_GE(second.left + second.width, first.left + first.width - 1e-6);
    views[1].fit();
    EXPECT_TRUE(views[0].mapViewport().isFit());
}

TEST_F(Linked, WhoJoinsTakesOverWhatTheOthersShow) {
    click(0, 6, 2);
    views[0].zoomIn();
    links.setGroup(&views[1], LinkedViews::kAlone);
    click(1, 1, 1);
    EXPECT_EQ(views[0].selectedQuery(), 6);
    links.setGroup(&views[1], 0);
    EXPECT_EQ(views[1].selectedQuery(), 6);
    EXPECT_FALSE(views[1].mapViewport().isFit());
}

TEST_F(Linked, APointOutsideTheMapIsNone) {
    views[2].pointAt(HeatmapView::Cell(7, 7));
    EXPECT_FALSE(views[2].pointedCell().has_value());
    views[2].pointAt(HeatmapView::Cell(4, 4));
    EXPECT_EQ(views[2].pointedCell(), HeatmapView::Cell(4, 4));
}

TEST_F(Linked, RevealShowsTheCellAndSaysSo) {
    for (int i = 0; i < 6; ++i) views[0].zoomIn();
    QSignalSpy moved(&links, &LinkedViews::viewportMoved);
    views[0].reveal({7, 7});
    EXPECT_EQ(moved.size(), 1);
    EXPECT_TRUE(views[0].mapRect().adjusted(-1, -1, 1, 1).contains(views[0].cellRect(7, 7)));
    views[0].reveal({7, 7});
    EXPECT_EQ(moved.size(), 1) << "it is shown already";
}

TEST_F(Linked, AReadoutOfItsOwnIsSaidOfTheChosenCell) {
    views[0].setReadout([](const HeatmapView::Cell& cell) {
        return std::array<QString, 3>{QStringLiteral("cell %1").arg(cell.first), QStringLiteral("+0.5"), {}};
    });
    click(0, 6, 2);
    EXPECT_EQ(views[0].accessibleDescription(), QStringLiteral("cell 6 +0.5"));
    views[0].setReadout({});
    EXPECT_TRUE(views[0].accessibleDescription().contains(QStringLiteral("reads")));
}

} // namespace
} // namespace headscope::ui
