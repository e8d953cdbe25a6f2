// SPDX-License-Identifier: GPL-3.0-or-later
// One cell in the window: the tabs of the right dock, heads found by their weight, and going to a token.
#include "tests/ui/print_qt.h"
#include "tests/ui/ui_support.h"
#include "ui/cell_panels.h"
#include "ui/heatmap/heatmap_view.h"
#include "ui/main_window.h"
#include "ui/models/found_heads_table.h"
#include "ui/models/token_matches.h"
#include "ui/panels/find_panel.h"
#include "ui/panels/found_heads_view.h"
#include "ui/panels/inspector.h"
#include "ui/panels/inspector_tabs.h"
#include "ui/panels/layer_panel.h"
#include "ui/panels/map_card.h"
#include "ui/panels/token_bar.h"
#include "ui/panels/token_picker.h"
#include "ui/panels/weight_panel.h"

#include <QAction>
#include <QApplication>
#include <QCompleter>
#include <QDockWidget>
#include <QLineEdit>
#include <QListView>
#include <QSettings>
#include <QTest>
#include <QToolButton>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

using test::FakeEngine;
using test::waitFor;
using testing::ElementsAre;
using testing::HasSubstr;

/// A window over the fake engine: on n tokens every head has 0.5 / n on all keys, and 0.5 more on key
/// (layer + head) mod n.
class CellWindow : public testing::Test {
  protected:
    FakeEngine fake;
    std::unique_ptr<MainWindow> window;

    void SetUp() override {
        QSettings().clear();
        window = std::make_unique<MainWindow>(WindowSetup{fake.engine(), false, {}});
        window->resize(1280, 800);
        window->show();
        window->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
    }
    void start(const char* text) {
        ViewState state;
        state.model.path = QStringLiteral("/models/fake");
        state.text = QString::fromUtf8(text);
        window->start(state);
        ASSERT_TRUE(waitFor([this] { return window->controller().isSettled(); }));
    }
    const ViewState& state() const { return window->store().state(); }
    void choose(std::optional<std::int64_t> query, std::optional<std::int64_t> key) {
        window->store().change(QStringLiteral("cell"), MergeGroup::None, [&](ViewState& state) {
            state.query = query;
            state.key = key;
        });
    }
    void trigger(const char* id) { window->actions().action(QString::fromLatin1(id))->trigger(); }
    FindPanel& find() { return window->findPanel(); }
    TokenBar& bar() { return *window->map().tokenBar(); }
    bool searched() {
        return waitFor([this] { return !window->controller().lane().isFinding(); });
    }
    std::vector<std::string> listed() {
        const QAbstractItemModel& model = *find().list()->model();
        std::vector<std::string> heads;
        for (int row = 0; row < model.rowCount(); ++row)
            heads.push_back(model.index(row, 0).data().toString().toStdString());
        return heads;
    }
    std::string findWords() { return find().words().toStdString(); }
};

TEST_F(CellWindow, TheTabsAreChosenWithTheKeyboard) {
    start("one two three four");
    EXPECT_EQ(window->side().current(), InspectorTab::Head);
    EXPECT_TRUE(window->inspector().isVisible());
    QTest::keyClick(window.get(), Qt::Key_2, Qt::AltModifier);
    EXPECT_EQ(window->side().current(), InspectorTab::Weight);
    EXPECT_TRUE(window->weightPanel().isVisible());
    EXPECT_FALSE(window->inspector().isVisible());
    QTest::keyClick(window.get(), Qt::Key_3, Qt::AltModifier);
    EXPECT_TRUE(find().isVisible());
    EXPECT_TRUE(window->actions().action(QStringLiteral("view.tab_find"))->isChecked());
    QTest::keyClick(window.get(), Qt::Key_1, Qt::AltModifier);
    EXPECT_TRUE(window->inspector().isVisible());
}

TEST_F(CellWindow, AClickOnATabChoosesItAndTabReachesIt) {
    start("one two three four");
    QToolButton* weight = nullptr;
    for (QToolButton* button : window->side().findChildren<QToolButton*>())
        if (button->defaultAction() == window->actions().action(QStringLiteral("view.tab_weight")))
            weight = button;
    ASSERT_NE(weight, nullptr);
    EXPECT_EQ(weight->focusPolicy(), Qt::TabFocus);
    QTest::mouseClick(weight, Qt::LeftButton);
    EXPECT_EQ(window->side().current(), InspectorTab::Weight);
    EXPECT_TRUE(weight->isChecked());
}

TEST_F(CellWindow, ATabBringsAHiddenDockBack) {
    start("one two three four");
    trigger("view.inspector");
    EXPECT_FALSE(window->side().isVisible());
    trigger("view.tab_find");
    EXPECT_TRUE(find().isVisible());
}

TEST_F(CellWindow, WithoutARunTheTabsSaySo) {
    trigger("view.tab_find");
    EXPECT_THAT(findWords(), HasSubstr("There is no run of this text yet. No model open."));
    EXPECT_FALSE(find().query()->isEnabled());
    trigger("view.tab_weight");
    EXPECT_THAT(window->weightPanel().message().toStdString(), HasSubstr("There is no run of this text yet"));
}

TEST_F(CellWindow, TheListFollowsTheCellOfTheMap) {
    start("one two three four");
    trigger("view.tab_find");
    EXPECT_THAT(findWords(), HasSubstr("Choose a query and a key"));
    EXPECT_TRUE(find().list()->isHidden());
    choose(1, 2);
    ASSERT_TRUE(searched());
    EXPECT_EQ(find().query()->text(), QStringLiteral("two (1)"));
    EXPECT_EQ(find().key()->text(), QStringLiteral("three (2)"));
    EXPECT_THAT(listed(), ElementsAre("0.2", "1.1", "0.0", "0.1", "1.0", "1.2"));
    EXPECT_THAT(findWords(), HasSubstr("6 heads by their weight where “two” reads “three”"));
    choose(0, 3);
    ASSERT_TRUE(searched());
    EXPECT_EQ(listed().front(), "1.2");
    choose(std::nullopt, 3);
    EXPECT_THAT(findWords(), HasSubstr("Choose a query and a key"));
    EXPECT_TRUE(find().list()->isHidden());
}

TEST_F(CellWindow, AnotherTextIsSearchedAnew) {
    start("one two three four");
    trigger("view.tab_find");
    choose(1, 2);
    ASSERT_TRUE(searched());
    start("one two three"); // (layer + head) mod 3
    choose(1, 2);
    ASSERT_TRUE(searched());
    EXPECT_THAT(listed(), ElementsAre("0.2", "1.1", "0.0", "0.1", "1.0", "1.2"));
    EXPECT_EQ(find().table()->headAt(0).keys, 3);
}

TEST_F(CellWindow, EnterOpensAHeadWithTheCellChosen) {
    start("one two three four");
    trigger("view.tab_find");
    choose(1, 2);
    ASSERT_TRUE(searched());
    FoundHeadsView* list = find().list();
    list->setFocus();
    list->setCurrentIndex(list->model()->index(0, 0));
    QTest::keyClick(list, Qt::Key_Down);
    EXPECT_EQ(state().layer, 0) << "an arrow only marks";
    QTest::keyClick(list, Qt::Key_Return);
    EXPECT_EQ(state().layer, 1);
    EXPECT_EQ(state().head, 1);
    EXPECT_EQ(window->map().view()->selectedQuery(), 1);
    EXPECT_EQ(window->map().view()->selectedKey(), 2);
    EXPECT_TRUE(list->hasFocus()) << "one goes on to the next";
    EXPECT_THAT(listed(), testing::SizeIs(6));
}

TEST_F(CellWindow, AClickOpensAHeadFromAnyPage) {
    start("one two three four");
    trigger("view.tab_find");
    choose(1, 2);
    ASSERT_TRUE(searched());
    trigger("view.diagnose");
    FoundHeadsView* list = find().list();
    const QModelIndex second = list->model()->index(1, 0);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(second).center());
    EXPECT_EQ(state().layer, 1);
    EXPECT_EQ(state().head, 1);
    EXPECT_EQ(state().page, CentrePage::Explore);
}

TEST_F(CellWindow, APickerTakesAWordOrAPosition) {
    start("one two three four two");
    trigger("head.find_by_weight");
    EXPECT_TRUE(find().query()->hasFocus());
    QTest::keyClicks(find().query(), QStringLiteral("thr"));
    QTest::keyClick(find().query(), Qt::Key_Return);
    EXPECT_EQ(state().query, 2);
    find().key()->setFocus();
    find().key()->selectAll();
    QTest::keyClicks(find().key(), QStringLiteral("4"));
    QTest::keyClick(find().key(), Qt::Key_Return);
    EXPECT_EQ(state().key, 4);
    EXPECT_EQ(window->map().view()->selectedQuery(), 2);
    EXPECT_EQ(window->map().view()->selectedKey(), 4);
    ASSERT_TRUE(searched());
    EXPECT_THAT(listed(), testing::SizeIs(6));
}

TEST_F(CellWindow, EscapeInAPickerPutsBackWhatWasChosen) {
    start("one two three four two");
    trigger("view.tab_find");
    choose(1, 2);
    find().key()->setFocus();
    find().key()->selectAll();
    QTest::keyClicks(find().key(), QStringLiteral("nothing like it"));
    QTest::keyClick(find().key(), Qt::Key_Return);
    EXPECT_EQ(state().key, 2) << "no token fits";
    QTest::keyClick(find().key(), Qt::Key_Escape);
    EXPECT_EQ(find().key()->text(), QStringLiteral("three (2)"));
}

TEST_F(CellWindow, TheListOfAPickerShowsAllTokensUntilOneTypes) {
    start("one two three four two");
    trigger("view.tab_find");
    find().query()->setFocus();
    QTest::keyClick(find().query(), Qt::Key_Down);
    EXPECT_TRUE(find().query()->list()->popup()->isVisible());
    EXPECT_EQ(find().query()->matches()->rowCount(), 5);
    find().query()->list()->popup()->hide();
    QTest::keyClicks(find().query(), QStringLiteral("two"));
    EXPECT_EQ(find().query()->matches()->rowCount(), 2);
    find().query()->list()->popup()->hide();
}

TEST_F(CellWindow, TheListOfAPickerIsWalkedWithTheArrows) {
    start("one two three four two");
    trigger("view.tab_find");
    find().query()->setFocus();
    QTest::keyClicks(find().query(), QStringLiteral("two"));
    QAbstractItemView* list = find().query()->list()->popup();
    ASSERT_TRUE(list->isVisible());
    QTest::keyClick(list, Qt::Key_Down);
    QTest::keyClick(list, Qt::Key_Down);
    QTest::keyClick(list, Qt::Key_Return);
    EXPECT_EQ(state().query, 4) << "the second one";
    EXPECT_FALSE(list->isVisible());
    EXPECT_EQ(find().query()->text(), QStringLiteral("two (4)"));
    QTest::keyClicks(find().query(), QStringLiteral("thr"));
    ASSERT_TRUE(list->isVisible());
    QTest::keyClick(list, Qt::Key_Return);
    EXPECT_EQ(state().query, 2) << "none is marked: the first";
    QTest::keyClicks(find().query(), QStringLiteral("on"));
    QTest::keyClick(list, Qt::Key_Escape);
    EXPECT_FALSE(list->isVisible());
    EXPECT_EQ(find().query()->text(), QStringLiteral("three (2)"));
    EXPECT_EQ(state().query, 2);
}

TEST_F(CellWindow, TheWeightTabShowsTheChosenCell) {
    start("one two three four");
    trigger("view.tab_weight");
    EXPECT_THAT(window->weightPanel().message().toStdString(), HasSubstr("Choose a cell of the map"));
    choose(1, 0);
    EXPECT_EQ(window->weightPanel().number(), QStringLiteral("0.6250"));
    EXPECT_THAT(window->weightPanel().title().toStdString(), HasSubstr("“two” reads “one”"));
    trigger("head.next");
    EXPECT_EQ(window->weightPanel().number(), QStringLiteral("0.1250")) << "head 0.1 favours key 1";
}

TEST_F(CellWindow, TheLayerTabOfImportedMapsSaysWhatIsMissing) {
    trigger("view.tab_layer");
    EXPECT_THAT(window->layerPanel().lines().join(QString()).toStdString(),
                HasSubstr("There is no run of this text yet"));
    start("one two three four");
    EXPECT_THAT(window->layerPanel().lines().join(QString()).toStdString(),
                HasSubstr("the file holds weights only"));
}

TEST_F(CellWindow, GoingToATokenSelectsItsRowAndWalksOn) {
    start("one two three four two");
    QTest::keyClick(window.get(), Qt::Key_F, Qt::ControlModifier);
    ASSERT_TRUE(bar().isVisible());
    EXPECT_TRUE(bar().edit()->hasFocus());
    QTest::keyClicks(bar().edit(), QStringLiteral("two"));
    EXPECT_EQ(state().query, 1);
    EXPECT_FALSE(state().key.has_value());
    EXPECT_EQ(bar().words(), QStringLiteral("1 of 2"));
    QTest::keyClick(bar().edit(), Qt::Key_Return);
    EXPECT_EQ(state().query, 4);
    EXPECT_EQ(bar().words(), QStringLiteral("2 of 2"));
    QTest::keyClick(bar().edit(), Qt::Key_Return);
    EXPECT_EQ(state().query, 1) << "round again";
    QTest::keyClick(bar().edit(), Qt::Key_Return, Qt::ShiftModifier);
    EXPECT_EQ(state().query, 4);
    QTest::mouseClick(bar().columns(), Qt::LeftButton);
    EXPECT_EQ(state().key, 4) << "the same match as a column";
    EXPECT_EQ(state().query, 4) << "the row stays";
    QTest::keyClick(bar().edit(), Qt::Key_Escape);
    EXPECT_FALSE(bar().isVisible());
    EXPECT_TRUE(window->map().view()->hasFocus());
}

TEST_F(CellWindow, WhatIsNotInTheTextIsSaid) {
    start("one two three four two");
    trigger("head.go_to_token");
    QTest::keyClicks(bar().edit(), QStringLiteral("xyz"));
    EXPECT_EQ(bar().words(), QStringLiteral("not in the text"));
    EXPECT_FALSE(bar().next()->isEnabled());
    EXPECT_FALSE(bar().list()->isVisible());
    EXPECT_FALSE(state().query.has_value());
    QTest::keyClick(bar().edit(), Qt::Key_Return);
    EXPECT_FALSE(state().query.has_value());
}

TEST_F(CellWindow, AMatchIsChosenFromTheLineBelow) {
    start("one two three four two");
    trigger("head.go_to_token");
    QTest::keyClicks(bar().edit(), QStringLiteral("two"));
    QListView* list = bar().list();
    ASSERT_TRUE(list->isVisible());
    const QRect second = list->visualRect(list->model()->index(1, 0));
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, second.center());
    EXPECT_EQ(state().query, 4);
}

TEST_F(CellWindow, TheMapMovesToAHiddenToken) {
    QStringList words;
    for (int i = 0; i < 40; ++i) words << QStringLiteral("w%1").arg(i);
    start(words.join(QLatin1Char(' ')).toUtf8().constData());
    MapViewport corner;
    corner.width = corner.height = 8.0;
    HeatmapView* view = window->map().view();
    view->setMapViewport(corner);
    window->store().change(QStringLiteral("zoom"), MergeGroup::None,
                           [view](ViewState& state) { state.viewport = view->mapViewport(); });
    ASSERT_LT(view->mapViewport().top + view->mapViewport().height, 30.0);
    trigger("head.go_to_token");
    QTest::keyClicks(bar().edit(), QStringLiteral("w35"));
    EXPECT_EQ(state().query, 35);
    const MapViewport moved = view->mapViewport();
    EXPECT_LE(moved.top, 35.0);
    EXPECT_GE(moved.top + moved.height, 36.0);
    EXPECT_EQ(moved.left, 0.0) << "only along the rows";
}

TEST_F(CellWindow, OnTheDiagnosePageTheKeyFindsHeads) {
    start("one two three four");
    trigger("view.diagnose");
    trigger("head.go_to_token");
    EXPECT_EQ(state().page, CentrePage::Diagnose);
    EXPECT_FALSE(bar().isVisible());
    trigger("view.compare");
    trigger("head.go_to_token");
    EXPECT_EQ(state().page, CentrePage::Explore);
    EXPECT_TRUE(bar().isVisible());
}

} // namespace
} // namespace headscope::ui
