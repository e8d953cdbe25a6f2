// SPDX-License-Identifier: GPL-3.0-or-later
#include "reading_support.h"
#include "tests/ui/print_qt.h"
#include "tests/ui/ui_support.h"
#include "ui/main_window.h"
#include "ui/panels/map_card.h"
#include "ui/panels/segments.h"
#include "ui/panels/token_card.h"
#include "ui/reading/head_swatches.h"
#include "ui/reading/line_view.h"
#include "ui/reading/text_view.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QSettings>
#include <QTest>
#include <QToolButton>

#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

class FormWindow : public testing::Test {
  protected:
    test::FakeEngine fake;
    std::unique_ptr<MainWindow> window;

    void SetUp() override {
        QSettings().clear();
        window = std::make_unique<MainWindow>(WindowSetup{fake.engine(), false, {}});
        window->resize(1280, 800);
        window->show();
        ViewState state;
        state.model.path = QStringLiteral("/models/fake");
        state.text = QStringLiteral("one two three four");
        state.range = kWhole;
        window->start(state);
        ASSERT_TRUE(test::waitFor([this] { return window->controller().isSettled(); }));
    }
    QAction* action(const char* id) { return window->actions().action(QString::fromLatin1(id)); }
    const ViewState& state() { return window->store().state(); }
    MapCard& map() { return window->map(); }
};

TEST_F(FormWindow, TheFormIsChosenUndoneAndSaved) {
    EXPECT_EQ(state().form, HeadForm::Map);
    EXPECT_TRUE(window->tokens().isVisible());
    action("view.form_text")->trigger();
    EXPECT_EQ(state().form, HeadForm::Text);
    EXPECT_TRUE(map().text()->isVisible());
    EXPECT_FALSE(window->tokens().isVisible()) << "the text is shown once";
    EXPECT_FALSE(action("view.zoom_in")->isEnabled());
    EXPECT_TRUE(action("view.form_text")->isChecked());
    const auto buttons = map().forms()->findChildren<QToolButton*>();
    ASSERT_EQ(buttons.size(), 3);
    buttons[2]->click();
    EXPECT_EQ(state().form, HeadForm::Lines);
    EXPECT_TRUE(map().lines()->isVisible());
    EXPECT_EQ(viewStateFromJson(toJson(state()), QStringLiteral("x")).form, HeadForm::Lines);
    action("edit.undo")->trigger();
    EXPECT_EQ(state().form, HeadForm::Text);
    EXPECT_TRUE(buttons[1]->isChecked());
    action("edit.undo")->trigger();
    EXPECT_EQ(state().form, HeadForm::Map);
    EXPECT_TRUE(window->tokens().isVisible());
    EXPECT_TRUE(action("view.zoom_in")->isEnabled());
    action("edit.redo")->trigger();
    EXPECT_EQ(state().form, HeadForm::Text);
}

TEST_F(FormWindow, TheTextFollowsHeadAndSelection) {
    action("view.form_text")->trigger();
    TextCanvas& canvas = *map().text()->canvas();
    pressMouse(*canvas.viewport(), canvas.rectsOf({TextSide::Queries, 2}).front().rect.center());
    EXPECT_EQ(state().query, 2);
    EXPECT_FALSE(state().readBy);
    // Head 0.0 puts half on token 0 and an eighth on each of the four.
    EXPECT_EQ(map().text()->sentence().toStdString(), "most: “one” 0.6250 · even weight 0.2500");
    window->store().change({}, MergeGroup::Head, [](ViewState& s) { s.head = 1; });
    EXPECT_EQ(map().text()->sentence().toStdString(), "most: “two” 0.6250 · even weight 0.2500");
    const auto buttons = map().text()->findChildren<QToolButton*>();
    buttons[1]->click();
    EXPECT_TRUE(state().readBy);
    EXPECT_EQ(state().key, 2) << "the token that was followed stays";
    pressMouse(*canvas.viewport(), canvas.rectsOf({TextSide::Queries, 2}).front().rect.center());
    EXPECT_FALSE(state().key) << "a second click lets go";
}

TEST_F(FormWindow, LinesOfferTheHeadsOfTheLayer) {
    action("view.form_lines")->trigger();
    EXPECT_EQ(map().lines()->headsOn(), std::vector<int>{0});
    EXPECT_EQ(map().lines()->canvas()->picks().candidates, 16);
    window->store().change({}, MergeGroup::Head, [](ViewState& s) {
        s.layer = 1;
        s.head = 2;
    });
    EXPECT_EQ(map().lines()->headsOn(), std::vector<int>{2});
    LineCanvas& canvas = *map().lines()->canvas();
    pressMouse(*canvas.viewport(), canvas.tokenRect({true, 3}).center());
    EXPECT_EQ(state().key, 3);
    EXPECT_TRUE(state().readBy);
    for (const AttentionLine& line : canvas.picks().lines) EXPECT_EQ(line.key, 3);
}

TEST_F(FormWindow, WhichLinesAreDrawnIsUndoneAndSaved) {
    action("view.form_lines")->trigger();
    LineView& lines = *map().lines();
    lines.swatches()->swatches()[1]->click();
    Q_EMIT lines.ruleBox()->activated(3); // from 0.01 up
    const LinesShown both{{0, 0.01F}, std::vector<int>{0, 1}};
    EXPECT_EQ(state().lines, both);
    EXPECT_EQ(viewStateFromJson(toJson(state()), QStringLiteral("x")).lines, both);
    action("edit.undo")->trigger();
    EXPECT_EQ(lines.canvas()->rule(), LineRule());
    EXPECT_EQ(lines.ruleBox()->currentIndex(), 1);
    EXPECT_EQ(lines.headsOn(), (std::vector<int>{0, 1}));
    action("edit.undo")->trigger();
    EXPECT_EQ(lines.headsOn(), std::vector<int>{0});
    action("edit.redo")->trigger();
    action("edit.redo")->trigger();
    EXPECT_EQ(lines.shown(), both);
    // Another head begins by itself, and the way back brings the others again.
    action("head.layer_down")->trigger();
    EXPECT_EQ(lines.headsOn(), std::vector<int>{0});
    EXPECT_EQ(state().lines.heads, std::nullopt);
    EXPECT_EQ(state().lines.rule, both.rule);
    action("edit.undo")->trigger();
    EXPECT_EQ(lines.shown(), both);
}

TEST_F(FormWindow, TheKeyOfTheMapGoesToTheForm) {
    action("view.form_text")->trigger();
    action("head.focus_map")->trigger();
    EXPECT_EQ(QApplication::focusWidget(), map().text()->canvas());
    action("view.form_lines")->trigger();
    EXPECT_EQ(QApplication::focusWidget(), map().lines()->canvas()) << "the keyboard goes along";
}

TEST_F(FormWindow, AnotherTextIsShownInTheFormToo) {
    action("view.form_text")->trigger();
    window->store().change({}, MergeGroup::None, [](ViewState& s) { s.text = QStringLiteral("alpha beta"); });
    window->controller().run();
    ASSERT_TRUE(test::waitFor([this] { return window->controller().isSettled(); }));
    EXPECT_TRUE(map().text()->canvas()->plainText().contains(QStringLiteral("alpha")));
    EXPECT_FALSE(map().text()->canvas()->plainText().contains(QStringLiteral("three")));
}

TEST_F(FormWindow, ANarrowCardKeepsEverything) {
    window->resize(960, 640);
    QCoreApplication::processEvents();
    for (QToolButton* button : map().forms()->findChildren<QToolButton*>())
        EXPECT_GE(button->width(), button->sizeHint().width());
}

} // namespace
} // namespace headscope::ui
