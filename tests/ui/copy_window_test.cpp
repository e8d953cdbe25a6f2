// SPDX-License-Identifier: GPL-3.0-or-later
// What the window puts on the clipboard.
#include "tests/ui/compare_support.h"
#include "tests/ui/print_qt.h"
#include "ui/panels/map_card.h"
#include "ui/reading/head_swatches.h"
#include "ui/reading/line_view.h"

#include <QApplication>
#include <QClipboard>
#include <QImage>

namespace headscope::ui::test {
namespace {

class CopyWindow : public CompareWindow {
  protected:
    void begin(int tokens) const {
        QApplication::clipboard()->clear();
        start(tokens, CentrePage::Explore);
    }
    static QString text() { return QApplication::clipboard()->text(); }
    static QImage image() { return QApplication::clipboard()->image(); }
    bool copied(const char* id) const {
        QApplication::clipboard()->clear();
        trigger(id);
        return waitFor([] { return !text().isEmpty() || !image().isNull(); });
    }
};

TEST_F(CopyWindow, NothingWithoutAnAnalysis) {
    for (const char* id : {"edit.copy_picture", "edit.copy_table", "edit.copy_caption"})
        EXPECT_FALSE(enabled(id)) << id;
}

TEST_F(CopyWindow, TheTableHasTokensAndWeights) {
    begin(3);
    ASSERT_TRUE(copied("edit.copy_table"));
    const QStringList lines = text().split(u'\n', Qt::SkipEmptyParts);
    ASSERT_EQ(lines.size(), 4);
    EXPECT_EQ(lines[0], QStringLiteral("\tw0\tw1\tw2"));
    // Head 0 of the fake model puts 0.5 more on token 0 than on the others.
    const QStringList row = lines[2].split(u'\t');
    ASSERT_EQ(row.size(), 4);
    EXPECT_EQ(row[0], QStringLiteral("w1"));
    EXPECT_NEAR(row[1].toDouble(), 0.5 / 3 + 0.5, 1e-6);
    EXPECT_NEAR(row[2].toDouble(), 0.5 / 3, 1e-6);
    EXPECT_EQ(row[2].toFloat(), window->controller().shown().find(head(0, 0))->map->cell(1, 1)) << "exactly";
}

TEST_F(CopyWindow, TheTableFollowsTheView) {
    begin(3);
    trigger("view.hide_first");
    ASSERT_TRUE(settled());
    ASSERT_TRUE(copied("edit.copy_table"));
    const QStringList row = text().split(u'\n')[2].split(u'\t');
    EXPECT_EQ(row[1], QString()) << "masked cells are empty";
    EXPECT_NEAR(row[2].toDouble(), 0.5 / 3, 1e-6);
}

TEST_F(CopyWindow, TheCaptionIsOfWhatIsShown) {
    begin(3);
    trigger("view.heads_mean");
    ASSERT_TRUE(settled());
    ASSERT_TRUE(copied("edit.copy_caption"));
    EXPECT_TRUE(text().contains(QStringLiteral("(mean over the 3 heads of layer 0) of")))
        << text().toStdString();
    EXPECT_TRUE(text().contains(QStringLiteral("“w0 w1 w2” (3 tokens)"))) << text().toStdString();
}

TEST_F(CopyWindow, ThePictureHasTwiceTheDotsAndThePartInSight) {
    begin(40);
    ASSERT_TRUE(copied("edit.copy_picture"));
    const QImage whole = image();
    const double width = window->map().view()->width();
    EXPECT_NEAR(whole.width(), 2.0 * width, 3.0);
    window->map().view()->setMapViewport({0.0, 0.0, 4.0, 4.0});
    ASSERT_TRUE(copied("edit.copy_picture"));
    EXPECT_NE(image(), whole);
}

TEST_F(CopyWindow, TheFormsOfTheTextAreCopiedAsTheyAre) {
    begin(6);
    trigger("view.form_lines");
    ASSERT_TRUE(copied("edit.copy_picture"));
    EXPECT_FALSE(image().isNull());
    EXPECT_EQ(image().width() % 2, 0);
}

TEST_F(CopyWindow, LinesAreCopiedWithTheHeadsAndTheTokenThatAreOn) {
    begin(6);
    trigger("view.form_lines");
    window->map().lines()->swatches()->swatches()[2]->click();
    ASSERT_TRUE(copied("edit.copy_caption"));
    EXPECT_TRUE(text().startsWith(QStringLiteral("Attention weights of heads 0.0, 0.2 of ")))
        << text().toStdString();
    EXPECT_TRUE(text().contains(QStringLiteral("All 72 weights above 0 are drawn.")))
        << "2 x 6 x 6: " << text().toStdString();
    window->store().change({}, MergeGroup::None, [](ViewState& s) { s.query = 4; });
    ASSERT_TRUE(copied("edit.copy_caption"));
    EXPECT_TRUE(text().contains(QStringLiteral("Only those from “w4” (token 4) are drawn. All 12 weights")))
        << text().toStdString();
    ASSERT_TRUE(copied("edit.copy_table"));
    EXPECT_EQ(text().split(u'\n', Qt::SkipEmptyParts).size(), 7) << "all of the map, as a table";
    for (const int head : {0, 2}) window->map().lines()->swatches()->swatches()[head]->click();
    ASSERT_TRUE(copied("edit.copy_picture"));
    EXPECT_FALSE(image().isNull()) << "no head is on: as it is on screen";
}

TEST_F(CopyWindow, ThePageOfComparisonsGivesTheComparison) {
    pinAndMove();
    ASSERT_TRUE(copied("edit.copy_caption"));
    EXPECT_TRUE(text().contains(QStringLiteral("(a) head 0.0 of"))) << text().toStdString();
    EXPECT_TRUE(text().contains(QStringLiteral("(b) head 0.1 of"))) << text().toStdString();
}

} // namespace
} // namespace headscope::ui::test
