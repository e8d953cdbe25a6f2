// SPDX-License-Identifier: GPL-3.0-or-later
// The page Compare: each panel shows a head or what a view makes of its layer.
#include "tests/ui/compare_support.h"
#include "tests/ui/heatmap/heat_support.h"
#include "tests/ui/print_qt.h"
#include "ui/panels/compare_numbers.h"
#include "ui/panels/similar_list.h"
#include "ui/panels/status_strip.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>

namespace headscope::ui::test {
namespace {

const QString kMeanOfLayer0 = QStringLiteral("Mean of layer 0");

class CompareViews : public CompareWindow {
  protected:
    void choose(const char* id) const {
        trigger(id);
        ASSERT_TRUE(settled());
    }
    bool checked(const char* id) const {
        return window->actions().action(QString::fromLatin1(id))->isChecked();
    }
    void focus(HeatmapView* map) const {
        window->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
        map->setFocus(Qt::TabFocusReason);
    }
    void activate(int pin) const { focus(view(pin)); }
    void activateCurrent() const { focus(currentView()); }
};

TEST_F(CompareViews, WhatIsOnScreenIsPinned) {
    start(20, CentrePage::Explore);
    choose("view.heads_mean");
    trigger("head.pin");
    EXPECT_TRUE(window->status().currentMessage().startsWith(QStringLiteral("Pinned the mean of layer 0:")))
        << window->status().currentMessage().toStdString();
    trigger("head.next");
    trigger("head.pin");
    EXPECT_EQ(window->status().currentMessage(), QStringLiteral("The mean of layer 0 is pinned already"))
        << "whichever head of the layer is chosen";
    choose("view.heads_one");
    choose("view.compare");
    EXPECT_EQ(page().panel(0)->title(), kMeanOfLayer0);
    EXPECT_EQ(page().currentPanel()->title(), QStringLiteral("Head 0.1"));
    ASSERT_NE(now().comparison, nullptr);
    EXPECT_TRUE(page().panel(0)->pills().empty()) << "flags are of single heads";
    // Each of three heads puts 0.5 on a token of its own: a third of that is left in the mean.
    click(differenceView(), 4, 1);
    EXPECT_EQ(differenceView()->accessibleDescription(), QStringLiteral("“w4” reads “w1” −0.3333"));
    EXPECT_TRUE(page().difference()->reason().isEmpty());
}

TEST_F(CompareViews, TheKeysOfTheViewActOnTheFramedPanel) {
    pinAndMove();
    activate(0);
    EXPECT_EQ(page().activePin(), now().pins[0].id);
    choose("view.heads_mean");
    EXPECT_EQ(page().panel(0)->title(), kMeanOfLayer0);
    EXPECT_TRUE(state().view.isPlain()) << "the current head is as it was";
    EXPECT_TRUE(checked("view.heads_mean"));
    activateCurrent();
    EXPECT_EQ(page().activePin(), 0U) << "the current head's";
    EXPECT_TRUE(checked("view.heads_one"));
    choose("view.heads_max");
    EXPECT_EQ(page().currentPanel()->title(), QStringLiteral("Largest of layer 0"));
    ASSERT_NE(now().comparison, nullptr);
    EXPECT_TRUE(now().comparison->divided);
    trigger("edit.undo");
    ASSERT_TRUE(settled());
    EXPECT_EQ(page().currentPanel()->title(), QStringLiteral("Head 0.1"));
    trigger("edit.undo");
    ASSERT_TRUE(settled());
    EXPECT_EQ(page().panel(0)->title(), QStringLiteral("Head 0.0"));
    trigger("edit.redo");
    ASSERT_TRUE(settled());
    EXPECT_EQ(page().panel(0)->title(), kMeanOfLayer0);
}

TEST_F(CompareViews, TheButtonOfAPanelOpensItsOwnChoices) {
    pinAndMove();
    QToolButton* button = page().panel(0)->button("view");
    ASSERT_NE(button->menu(), nullptr);
    EXPECT_EQ(button->menu()->actions().size(), 9) << "four, a line, four";
    Q_EMIT button->menu()->aboutToShow();
    EXPECT_EQ(page().activePin(), now().pins[0].id);
    Q_EMIT page().currentPanel()->button("view")->menu()->aboutToShow();
    EXPECT_EQ(page().activePin(), 0U) << "the current head's";
}

TEST_F(CompareViews, OnThePageDiagnoseNothingIsThereToBeShownOtherwise) {
    start();
    EXPECT_TRUE(enabled("view.words") && enabled("view.heads_mean"));
    trigger("view.diagnose");
    for (const char* id : {"view.heads_one", "view.heads_mean", "view.heads_max", "view.heads_rollout",
                           "view.words", "view.value_weighted", "view.hide_special", "view.hide_first"})
        EXPECT_FALSE(enabled(id)) << id;
    trigger("view.explore");
    EXPECT_TRUE(enabled("view.words"));
}

TEST_F(CompareViews, APinThatIsGoneComesBackAsItWasShown) {
    pinAndMove();
    activate(0);
    choose("view.heads_mean");
    press(0, "remove");
    trigger("head.pin");
    ASSERT_TRUE(settled());
    ASSERT_EQ(now().pins.size(), 1U);
    EXPECT_EQ(now().pins[0].side.head, head(0, 1));
    trigger("edit.undo");
    EXPECT_TRUE(now().pins.empty());
    trigger("edit.undo");
    ASSERT_EQ(now().pins.size(), 1U);
    EXPECT_EQ(now().pins[0].side.head, head(0, 0));
    EXPECT_EQ(now().pins[0].side.view.heads, HeadsShown::Mean);
    trigger("edit.undo");
    EXPECT_TRUE(now().pins[0].side.view.isPlain());
}

TEST_F(CompareViews, TheFrameStaysWithItsPin) {
    pinAndMove();
    trigger("head.pin");
    trigger("head.next");
    Q_EMIT page().panel(1)->button("view")->menu()->aboutToShow();
    const quint64 second = now().pins[1].id;
    ASSERT_EQ(page().activePin(), second);
    press(0, "remove");
    EXPECT_EQ(page().activePin(), second);
    choose("view.heads_mean");
    EXPECT_EQ(now().pins[0].side.view.heads, HeadsShown::Mean);
    EXPECT_TRUE(state().view.isPlain());
    choose("view.explore");
    trigger("head.unpin_all");
    choose("view.compare");
    EXPECT_EQ(page().activePin(), 0U);
    EXPECT_TRUE(checked("view.heads_one"));
}

TEST_F(CompareViews, SidesThatAreShownOtherwiseSayWhy) {
    pinAndMove();
    activate(0);
    choose("view.hide_first");
    EXPECT_EQ(page().difference()->reason(),
              QStringLiteral("a masks the first key, b does not: there is nothing to subtract until both are "
                             "shown alike."));
    EXPECT_EQ(view(0)->state(), HeatmapView::State::Ready);
    EXPECT_EQ(page().numbers()->words(), QString());
    activateCurrent();
    choose("view.hide_first");
    EXPECT_TRUE(page().difference()->reason().isEmpty());
    EXPECT_TRUE(page().currentPanel()->origin().startsWith(QStringLiteral("first key masked · current")));
}

TEST_F(CompareViews, ANormsFailureStandsInItsPanelAndCanBeTriedAgain) {
    pinAndMove();
    activate(0);
    choose("view.value_weighted"); // the fake model's maps have no values
    EXPECT_EQ(view(0)->state(), HeatmapView::State::Empty);
    EXPECT_TRUE(view(0)->accessibleDescription().contains(QStringLiteral("values are not known")))
        << view(0)->accessibleDescription().toStdString();
    EXPECT_EQ(now().stage, ComparingStage::NoMap);
    EXPECT_EQ(page().panel(0)->runButton()->text(), QStringLiteral("Try again"));
    EXPECT_TRUE(page().panel(0)->runButton()->isVisible());
    choose("view.value_weighted");
    EXPECT_EQ(view(0)->state(), HeatmapView::State::Ready);
    EXPECT_NE(now().comparison, nullptr);
}

TEST_F(CompareViews, MakingIsCancelledAndAskedForAgain) {
    pinAndMove();
    activate(0);
    fake.holdViews = true;
    trigger("view.heads_mean");
    ASSERT_TRUE(waitFor([this] { return fake.views == 1; }));
    EXPECT_EQ(now().stage, ComparingStage::Making);
    EXPECT_EQ(view(0)->state(), HeatmapView::State::Loading);
    EXPECT_TRUE(enabled("text.cancel"));
    trigger("text.cancel");
    EXPECT_EQ(now().stage, ComparingStage::NoMap);
    EXPECT_EQ(view(0)->state(), HeatmapView::State::Empty);
    fake.holdViews = false;
    page().panel(0)->runButton()->click();
    ASSERT_TRUE(settled());
    EXPECT_EQ(view(0)->state(), HeatmapView::State::Ready);
    EXPECT_NE(now().comparison, nullptr);
}

TEST_F(CompareViews, MapsOfPinsAreMadeWhileTheyAreLookedAtAndKept) {
    start(20, CentrePage::Explore);
    choose("view.heads_mean");
    const int made = fake.views;
    trigger("head.pin");
    choose("head.layer_down");
    EXPECT_EQ(fake.views, made + 1) << "the current one alone";
    choose("view.compare");
    EXPECT_EQ(fake.views, made + 2);
    choose("view.explore");
    choose("view.compare");
    EXPECT_EQ(fake.views, made + 2);
}

TEST_F(CompareViews, SwapTakesTheViewsAlong) {
    pinAndMove();
    activate(0);
    choose("view.heads_mean");
    press(0, "swap");
    ASSERT_TRUE(settled());
    EXPECT_EQ(state().view.heads, HeadsShown::Mean);
    EXPECT_EQ(page().currentPanel()->title(), kMeanOfLayer0);
    EXPECT_EQ(page().panel(0)->title(), QStringLiteral("Head 0.1"));
    EXPECT_NE(now().comparison, nullptr);
}

TEST_F(CompareViews, AHeadOfTheListsIsShownByItself) {
    start();
    choose("view.heads_mean");
    showSide(ComparePage::Side::Nearest);
    EXPECT_TRUE(page().similar()->words().startsWith(QStringLiteral("Most like head 0.0")));
    const HeadRef second = comparing().similar().found->others[1].head;
    Q_EMIT page().similar()->headChosen(second);
    ASSERT_TRUE(settled());
    EXPECT_EQ(state().headRef(), second);
    EXPECT_EQ(state().view.heads, HeadsShown::One);
    EXPECT_TRUE(now().pins[0].side.view.isPlain());
}

TEST_F(CompareViews, TheListSaysHowFarItIsAndIsCancelled) {
    start();
    fake.holdCompares = true;
    showSide(ComparePage::Side::Numbers);
    trigger("head.next");
    page().showSide(ComparePage::Side::Nearest);
    SimilarList* list = page().similar();
    // The fake engine says that one of four rows is done, and waits.
    ASSERT_TRUE(waitFor([list] { return list->bar()->value() == list->bar()->maximum() / 4; }));
    EXPECT_TRUE(list->bar()->isVisible());
    EXPECT_EQ(list->button()->text(), QStringLiteral("Cancel"));
    list->button()->click();
    EXPECT_FALSE(list->bar()->isVisible());
    EXPECT_TRUE(list->words().startsWith(QStringLiteral("Cancelled")));
    fake.holdCompares = false;
    list->button()->click();
    ASSERT_TRUE(settled());
    EXPECT_EQ(comparing().similar().stage, FindingSimilar::Stage::Found);
}

/// The cursor is tokens of the current text, whatever the maps show of them.
TEST_F(CompareViews, TheCursorIsOneOverWordsAndTokens) {
    start();
    setText(QStringLiteral("one two three four five six seven eight nine ten"));
    trigger("head.pin");
    choose("head.next");
    activate(0);
    choose("view.words");
    EXPECT_EQ(
        page().linkText(),
        QStringLiteral("The maps have 10 words and 10 tokens: the cursor is one, only those of one size "
                       "move together"));
    click(view(0), 7, 3);
    EXPECT_EQ(state().query, 7);
    EXPECT_EQ(state().key, 3);
    EXPECT_EQ(currentView()->selectedQuery(), 7);
    click(currentView(), 2, 5);
    EXPECT_EQ(view(0)->selectedQuery(), 2);
    EXPECT_EQ(view(0)->selectedKey(), 5);
    moveMouse(*currentView(), currentView()->cellRect(4, 6).center());
    EXPECT_EQ(view(0)->pointedCell(), HeatmapView::Cell(4, 6));
    turnWheel(*currentView(), currentView()->cellRect(5, 2).center(), 3);
    EXPECT_FALSE(currentView()->mapViewport().isFit());
    EXPECT_TRUE(view(0)->mapViewport().isFit()) << "words do not move with tokens";
}

TEST_F(CompareViews, TwoToFourPanelsFitASmallWindow) {
    start();
    window->resize(1100, 700);
    const auto* scroll = page().findChild<QScrollArea*>(QString(), Qt::FindDirectChildrenOnly);
    ASSERT_NE(scroll, nullptr);
    for (std::size_t pins = 1; pins <= 3; ++pins) {
        trigger("head.pin");
        choose("head.next");
        QApplication::processEvents();
        ASSERT_EQ(now().pins.size(), pins);
        EXPECT_EQ(scroll->verticalScrollBar()->maximum(), 0) << pins;
        const QRect room = page().rect();
        std::vector<const QWidget*> parts = {page().currentPanel(), page().difference()};
        for (std::size_t i = 0; i < pins; ++i) parts.push_back(page().panel(i));
        for (const QWidget* part : parts) {
            EXPECT_TRUE(part->isVisible());
            const QRect place(part->mapTo(&page(), QPoint(0, 0)), part->size());
            EXPECT_TRUE(room.contains(place))
                << pins << " pins: to " << place.right() << ", " << place.bottom() << " of " << room.right()
                << ", " << room.bottom();
            EXPECT_GE(place.width(), 230);
        }
    }
}

TEST_F(CompareViews, TheWeightThatIsCopiedIsTheCurrentMaps) {
    pinAndMove();
    choose("view.heads_mean");
    click(currentView(), 4, 1);
    trigger("edit.copy_weight");
    EXPECT_TRUE(QApplication::clipboard()->text().startsWith(QStringLiteral("Mean of heads 0.0, 0.1, 0.2: ")))
        << QApplication::clipboard()->text().toStdString();
}

} // namespace
} // namespace headscope::ui::test
