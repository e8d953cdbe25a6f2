// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/compare_support.h"
#include "tests/ui/heatmap/heat_support.h"
#include "tests/ui/print_qt.h"
#include "ui/panels/compare_numbers.h"
#include "ui/panels/plain_table.h"
#include "ui/panels/status_strip.h"

#include <QCheckBox>
#include <QPushButton>

namespace headscope::ui::test {
namespace {

TEST_F(CompareWindow, WithoutAPinItSaysWhatToDoAndTheButtonDoesIt) {
    start();
    EXPECT_TRUE(page().isVisible());
    EXPECT_TRUE(page().pinButton()->isVisible());
    EXPECT_EQ(page().pinButton()->text(), QStringLiteral("Pin head 0.0"));
    EXPECT_FALSE(page().difference()->isVisible());
    EXPECT_EQ(page().currentPanel()->title(), QStringLiteral("Head 0.0"));
    EXPECT_TRUE(page().isSimilarShown()) << "a list to begin with";
    EXPECT_EQ(fake.compares, 0);
    page().pinButton()->click();
    EXPECT_EQ(now().stage, ComparingStage::Same);
    EXPECT_TRUE(page().difference()->reason().startsWith(QStringLiteral("This is the pinned head itself")));
    EXPECT_FALSE(page().pinButton()->isVisible());
    EXPECT_TRUE(page().isSimilarShown());
    trigger("head.next");
    ASSERT_TRUE(settled());
    EXPECT_FALSE(page().isSimilarShown()) << "numbers, now that there is something to measure";
}

TEST_F(CompareWindow, TwoHeadsAreComparedWithTheNumbersOfTheCore) {
    pinAndMove();
    const HeadComparison expected = compareHeads(now().pins[0].side, now().current, 10, {});
    EXPECT_EQ(now().comparison->sides[0].head, head(0, 0));
    EXPECT_EQ(now().comparison->sides[1].head, head(0, 1));
    EXPECT_EQ(now().comparison->numbers.divergence, expected.numbers.divergence);
    const QString said = page().numbers()->words();
    EXPECT_TRUE(said.contains(
        QStringLiteral("Jensen–Shannon divergence: %1 nats").arg(expected.numbers.divergence, 0, 'f', 4)))
        << said.toStdString();
    EXPECT_TRUE(
        said.contains(QStringLiteral("Total variation: %1").arg(expected.numbers.totalVariation, 0, 'f', 4)));
    EXPECT_TRUE(
        said.contains(QStringLiteral("Correlation %1").arg(*expected.numbers.correlation, 0, 'f', 3)));
    EXPECT_TRUE(said.contains(QStringLiteral("20 of 20 rows count"))) << said.toStdString();
    ASSERT_EQ(page().numbers()->rows()->rowCount(), static_cast<int>(expected.numbers.farthest.size()));
    EXPECT_EQ(page().panel(0)->letter(), QStringLiteral("a"));
    EXPECT_EQ(page().currentPanel()->letter(), QStringLiteral("b"));
    EXPECT_TRUE(page().panel(0)->origin().contains(QStringLiteral("fake")));
    EXPECT_TRUE(page().panel(0)->origin().contains(QStringLiteral("w0 w1")));
    EXPECT_EQ(page().difference()->reason(), QString());
    EXPECT_TRUE(page().difference()->view()->isVisible());
    EXPECT_EQ(page().linkText(), QStringLiteral("All maps move together"));
}

TEST_F(CompareWindow, NothingIsMeasuredForAPageThatIsNotShown) {
    start(20, CentrePage::Explore);
    trigger("head.pin");
    EXPECT_TRUE(window->status().currentMessage().contains(QStringLiteral("Ctrl+3")));
    trigger("head.next");
    ASSERT_TRUE(settled());
    EXPECT_EQ(fake.compares + fake.similars, 0);
    trigger("view.compare");
    ASSERT_TRUE(settled());
    EXPECT_EQ(fake.compares, 1);
    EXPECT_NE(now().comparison, nullptr);
    trigger("view.explore");
    trigger("view.compare");
    ASSERT_TRUE(settled());
    EXPECT_EQ(fake.compares, 1) << "what is known is not measured again";
}

TEST_F(CompareWindow, CursorAndZoomAreOneAndPartOfTheView) {
    pinAndMove();
    click(view(0), 7, 3);
    EXPECT_EQ(state().query, 7);
    EXPECT_EQ(state().key, 3);
    for (HeatmapView* one : {currentView(), differenceView()}) {
        EXPECT_EQ(one->selectedQuery(), 7);
        EXPECT_EQ(one->selectedKey(), 3);
    }
    moveMouse(*differenceView(), differenceView()->cellRect(5, 2).center());
    EXPECT_EQ(view(0)->pointedCell(), HeatmapView::Cell(5, 2));
    EXPECT_EQ(currentView()->pointedCell(), HeatmapView::Cell(5, 2));
    turnWheel(*currentView(), currentView()->cellRect(5, 2).center(), 3);
    EXPECT_FALSE(state().viewport.isFit());
    EXPECT_FALSE(view(0)->mapViewport().isFit());
    EXPECT_FALSE(differenceView()->mapViewport().isFit());
    QTest::qWait(kMergeMs + 80); // a step of its own
    trigger("view.fit");
    EXPECT_TRUE(state().viewport.isFit());
    EXPECT_TRUE(view(0)->mapViewport().isFit());
    trigger("edit.undo");
    EXPECT_FALSE(view(0)->mapViewport().isFit());
    trigger("edit.undo");
    trigger("edit.undo");
    EXPECT_FALSE(view(0)->selectedQuery().has_value());
}

TEST_F(CompareWindow, TheDifferenceSaysBothWeights) {
    pinAndMove();
    // Row 4: head 0.0 rests on key 0, head 0.1 on key 1; 20 keys share the other half.
    click(differenceView(), 4, 1);
    EXPECT_EQ(differenceView()->accessibleDescription(), QStringLiteral("“w4” reads “w1” −0.5000"));
    click(differenceView(), 4, 0);
    EXPECT_EQ(differenceView()->accessibleDescription(), QStringLiteral("“w4” reads “w0” +0.5000"));
    click(differenceView(), 4, 5);
    EXPECT_EQ(differenceView()->accessibleDescription(), QStringLiteral("“w4” reads “w5” 0.0000"));
}

TEST_F(CompareWindow, ARowThatDiffersGoesThereInEveryMap) {
    pinAndMove();
    for (int i = 0; i < 12; ++i) currentView()->zoomIn();
    const MapComparison::Row row = now().comparison->numbers.farthest.back();
    PlainTable* rows = page().numbers()->rows();
    const int line = rows->rowCount() - 1;
    rows->setCurrentCell(line, 0);
    Q_EMIT rows->lineChosen(line);
    EXPECT_EQ(state().query, row.row);
    EXPECT_EQ(state().key, row.key);
    for (HeatmapView* one : {view(0), currentView(), differenceView()}) {
        EXPECT_EQ(one->selectedQuery(), row.row);
        EXPECT_TRUE(one->mapRect().adjusted(-1, -1, 1, 1).contains(one->cellRect(row.row, row.key).center()));
    }
}

TEST_F(CompareWindow, TheRowsAreReachedWithTheKeyboard) {
    pinAndMove();
    PlainTable* rows = page().numbers()->rows();
    rows->setFocus(Qt::TabFocusReason);
    QTest::keyClick(rows, Qt::Key_Down);
    EXPECT_EQ(state().query, now().comparison->numbers.farthest[1].row);
}

TEST_F(CompareWindow, OneScaleForAllUnlessAskedForOwn) {
    pinAndMove();
    EXPECT_EQ(page().currentPanel()->mark(), QString());
    page().ownScales()->click();
    EXPECT_TRUE(state().ownScales);
    EXPECT_EQ(page().panel(0)->mark(), QStringLiteral("own scale"));
    EXPECT_EQ(page().currentPanel()->mark(), QStringLiteral("own scale"));
    trigger("edit.undo");
    EXPECT_FALSE(page().ownScales()->isChecked());
    EXPECT_EQ(page().currentPanel()->mark(), QString());
    trigger("view.range_full");
    EXPECT_FALSE(page().ownScales()->isEnabled()) << "0 to 1 is one scale by itself";
}

TEST_F(CompareWindow, UpToThreePinsOfWhichOneIsSubtracted) {
    pinAndMove();
    trigger("head.pin");
    trigger("head.next");
    trigger("head.pin");
    EXPECT_EQ(now().pins.size(), 3U);
    trigger("head.layer_down");
    ASSERT_TRUE(settled());
    trigger("head.pin");
    EXPECT_EQ(now().pins.size(), 3U);
    EXPECT_TRUE(window->status().currentMessage().startsWith(QStringLiteral("3 heads are pinned")));
    EXPECT_EQ(now().comparison->sides[0].head, head(0, 0));
    press(2, "choose");
    ASSERT_TRUE(settled());
    EXPECT_EQ(now().comparison->sides[0].head, head(0, 2));
    EXPECT_EQ(now().comparison->sides[1].head, head(1, 2));
    EXPECT_EQ(page().panel(0)->letter(), QString());
    EXPECT_EQ(page().panel(2)->letter(), QStringLiteral("a"));
    for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(page().panel(i)->isVisible());
    press(0, "remove");
    ASSERT_TRUE(settled());
    EXPECT_EQ(now().chosen, 1U);
    EXPECT_EQ(now().comparison->sides[0].head, head(0, 2)) << "the chosen one stays chosen";
    EXPECT_FALSE(page().panel(2)->isVisible());
    trigger("head.unpin_all");
    EXPECT_TRUE(now().pins.empty());
    EXPECT_FALSE(enabled("head.unpin_all"));
    EXPECT_TRUE(page().pinButton()->isVisible());
}

TEST_F(CompareWindow, AMessageGivesWayToTheNextRun) {
    start();
    trigger("head.pin");
    EXPECT_EQ(window->status().currentMessage(), QStringLiteral("Pinned head 0.0"));
    setText(words(19));
    EXPECT_EQ(window->status().currentMessage(), QString()) << "it would lie over the words of the run";
}

TEST_F(CompareWindow, TheSameHeadIsNotPinnedTwice) {
    start();
    trigger("head.pin");
    trigger("head.pin");
    EXPECT_EQ(now().pins.size(), 1U);
    EXPECT_EQ(window->status().currentMessage(), QStringLiteral("Head 0.0 is pinned already"));
}

TEST_F(CompareWindow, APinIsReplacedAndSwapped) {
    pinAndMove();
    press(0, "swap");
    ASSERT_TRUE(settled());
    EXPECT_EQ(state().headRef(), head(0, 0));
    EXPECT_EQ(now().pins[0].side.head, head(0, 1));
    EXPECT_EQ(fake.runs, 1) << "the text is the same";
    EXPECT_EQ(now().comparison->sides[0].head, head(0, 1));
    trigger("head.layer_down");
    press(0, "replace");
    ASSERT_TRUE(settled());
    EXPECT_EQ(now().pins[0].side.head, head(1, 0));
    EXPECT_EQ(now().stage, ComparingStage::Same);
}

TEST_F(CompareWindow, OneHeadOverTwoTextsInThreeSteps) {
    start();
    trigger("head.pin");
    setText(words(19) + QStringLiteral(" other"));
    ASSERT_TRUE(waitFor([this] { return now().comparison != nullptr; }));
    EXPECT_NE(now().pins[0].side.analysis, now().current.analysis);
    EXPECT_TRUE(page().difference()->note().startsWith(QStringLiteral("The texts differ")))
        << page().difference()->note().toStdString();
    EXPECT_TRUE(page().currentPanel()->origin().contains(QStringLiteral("other")));
    EXPECT_FALSE(page().panel(0)->origin().contains(QStringLiteral("other")));
    // And back to the pinned text, whose run takes the other one's place.
    press(0, "swap");
    ASSERT_TRUE(waitFor([this] { return settled() && state().text == words(20) && fake.runs == 3; }));
    ASSERT_TRUE(settled());
    EXPECT_TRUE(now().pins[0].side.analysis->input.text.ends_with("other"));
    EXPECT_EQ(window->controller().shown().analysis->input.text, words(20).toStdString());
}

TEST_F(CompareWindow, TextsOfOtherLengthsStandEachByItself) {
    pinAndMove();
    click(currentView(), 6, 3);
    setText(words(12));
    ASSERT_TRUE(waitFor([this] { return now().comparison != nullptr; }));
    EXPECT_TRUE(page().difference()->reason().contains(QStringLiteral("20 tokens and 12 tokens")))
        << page().difference()->reason().toStdString();
    EXPECT_EQ(page().linkText(),
              QStringLiteral("The maps have 20 tokens and 12 tokens: only those of one size move together"));
    EXPECT_EQ(page().numbers()->words(), QString());
    click(currentView(), 9, 9);
    EXPECT_EQ(state().query, 9);
    EXPECT_NE(view(0)->selectedQuery(), 9);
    click(view(0), 15, 1);
    EXPECT_EQ(view(0)->selectedQuery(), 15);
    EXPECT_EQ(state().query, 9) << "a row that the current text does not have";
}

TEST_F(CompareWindow, TheSameHeadOfTwoModels) {
    start();
    trigger("head.pin");
    window->controller().openModel({QStringLiteral("/models/tuned"), DeviceChoice::Cpu});
    ASSERT_TRUE(waitFor([this] { return window->controller().isSettled() && now().comparison != nullptr; }));
    EXPECT_EQ(now().comparison->sides[0].analysis->model->name, "fake");
    EXPECT_EQ(now().comparison->sides[1].analysis->model->name, "tuned");
    EXPECT_EQ(now().comparison->numbers.divergence, 0.0);
    press(0, "swap"); // opens the first model again
    ASSERT_TRUE(waitFor([this] { return fake.opens == 3 && window->controller().isSettled(); }));
    EXPECT_EQ(state().model.path, kFakeFolder);
    EXPECT_EQ(now().pins[0].side.analysis->model->name, "tuned");
}

} // namespace
} // namespace headscope::ui::test
