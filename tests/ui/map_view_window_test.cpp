// SPDX-License-Identifier: GPL-3.0-or-later
// The window shows maps as its view says: heads combined, tokens by words or left out.
#include "tests/ui/compare_support.h"
#include "tests/ui/print_qt.h"
#include "ui/export/export_dialog.h"
#include "ui/heatmap/token_strip.h"
#include "ui/panels/map_card.h"
#include "ui/panels/status_strip.h"
#include "ui/panels/token_card.h"
#include "ui/panels/weight_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>

namespace headscope::ui::test {
namespace {

class MapViewWindow : public CompareWindow {
  protected:
    void begin(const QString& text = words(6)) const {
        ViewState state;
        state.model.path = kFakeFolder;
        state.text = text;
        window->start(state);
        ASSERT_TRUE(settled());
    }
    void choose(const char* id) const {
        trigger(id);
        ASSERT_TRUE(settled());
    }
    HeatmapView* map() const { return window->map().view(); }
    QString title() const { return window->map().title(); }
    bool checked(const char* id) const {
        return window->actions().action(QString::fromLatin1(id))->isChecked();
    }
    /// What hovering a cell says.
    float shownAt(std::int64_t row, std::int64_t column) const {
        QTest::mouseMove(map(), QPoint(1, 1)); // so that the next place is another one
        QApplication::processEvents();
        float weight = -1.0F;
        const auto seen = QObject::connect(map(), &HeatmapView::cellHovered,
                                           [&weight](qint64, qint64, float value) { weight = value; });
        QTest::mouseMove(map(), map()->cellRect(row, column).center().toPoint());
        QApplication::processEvents();
        QObject::disconnect(seen);
        return weight;
    }
};

TEST_F(MapViewWindow, BeginsWithOneHeadByItself) {
    begin();
    EXPECT_EQ(title(), QStringLiteral("Head 0.0"));
    EXPECT_TRUE(checked("view.heads_one"));
    EXPECT_FALSE(checked("view.words"));
    EXPECT_EQ(fake.views, 0) << "nothing is made of a head itself";
    EXPECT_EQ(window->map().viewButton()->menu()->actions().size(), 11)
        << "four, a line, four, a line, the margins";
}

TEST_F(MapViewWindow, TheMeanOfALayerIsShownNamedAndUndone) {
    begin();
    choose("view.heads_mean");
    EXPECT_EQ(title(), QStringLiteral("Mean of heads 0.0, 0.1, 0.2"));
    EXPECT_TRUE(checked("view.heads_mean"));
    EXPECT_FALSE(checked("view.heads_one"));
    // Heads 0, 1 and 2 of layer 0 put 0.5 more on tokens 0, 1 and 2: a third of it is left of each.
    EXPECT_NEAR(shownAt(3, 1), 0.5 / 6 + 0.5 / 3, 1e-6);
    EXPECT_NEAR(shownAt(3, 4), 0.5 / 6, 1e-6);
    choose("head.layer_down");
    EXPECT_EQ(title(), QStringLiteral("Mean of heads 1.0, 1.1, 1.2"));
    choose("edit.undo");
    choose("edit.undo");
    EXPECT_EQ(title(), QStringLiteral("Head 0.0"));
    EXPECT_TRUE(checked("view.heads_one"));
    EXPECT_NEAR(shownAt(3, 1), 0.5 / 6, 1e-6);
    const int made = fake.views;
    choose("view.heads_max");
    EXPECT_EQ(fake.views, made + 1);
    EXPECT_NEAR(shownAt(3, 1), 0.5 / 6 + 0.5, 1e-6);
}

TEST_F(MapViewWindow, WordsAndTokensKeepOneSelection) {
    begin(QStringLiteral("w0 don't w1"));
    const std::int64_t tokens = map()->extent().rows;
    ASSERT_EQ(tokens, 3);
    // Two texts would be two words; here each token is one, so the map keeps its size and its cells.
    choose("view.words");
    EXPECT_EQ(map()->extent().rows, 3);
    click(map(), 2, 1);
    EXPECT_EQ(state().query, 2);
    EXPECT_EQ(state().key, 1);
    EXPECT_EQ(map()->selectedQuery(), 2);
    choose("view.words");
    EXPECT_EQ(map()->selectedQuery(), 2);
    EXPECT_EQ(map()->selectedKey(), 1);
}

TEST_F(MapViewWindow, TheFirstKeyCanBeMasked) {
    begin();
    EXPECT_NEAR(shownAt(2, 0), 0.5 / 6 + 0.5, 1e-6);
    choose("view.hide_first");
    EXPECT_EQ(shownAt(2, 0), 0.0F);
    EXPECT_NEAR(shownAt(2, 1), 0.5 / 6, 1e-6) << "the others keep their weights";
    choose("view.hide_first");
    EXPECT_NEAR(shownAt(2, 0), 0.5 / 6 + 0.5, 1e-6);
}

TEST_F(MapViewWindow, ARolloutLeavesValuesOut) {
    begin();
    choose("view.heads_rollout");
    EXPECT_EQ(title(), QStringLiteral("Rollout to layer 0"));
    // Half of the mean map and half of the identity.
    EXPECT_NEAR(shownAt(3, 3), 0.5 * (0.5 / 6) + 0.5, 1e-6);
    choose("view.value_weighted");
    EXPECT_TRUE(checked("view.heads_one")) << "not both";
    choose("view.heads_rollout");
    EXPECT_FALSE(checked("view.value_weighted"));
}

TEST_F(MapViewWindow, SaysWhyThereIsNoMap) {
    begin();
    choose("view.value_weighted"); // the fake model's maps have no values
    EXPECT_EQ(map()->state(), HeatmapView::State::Empty);
    EXPECT_EQ(title(), QStringLiteral("Map"));
    choose("view.value_weighted");
    EXPECT_EQ(map()->state(), HeatmapView::State::Ready);
    fake.failViews = true;
    choose("view.heads_mean");
    EXPECT_EQ(map()->state(), HeatmapView::State::Empty);
    EXPECT_EQ(window->controller().viewing().now().reason,
              QStringLiteral("map: it cannot be made. Choose another."));
    fake.failViews = false;
    choose("view.heads_max");
    EXPECT_EQ(map()->state(), HeatmapView::State::Ready);
}

TEST_F(MapViewWindow, MakingIsSaidAndCanBeCancelled) {
    begin();
    fake.holdViews = true;
    trigger("view.heads_mean");
    EXPECT_TRUE(waitFor([this] { return map()->state() == HeatmapView::State::Loading; }));
    EXPECT_EQ(title(), QStringLiteral("Mean of heads 0.0, 0.1, 0.2")) << "what will be there";
    EXPECT_TRUE(enabled("text.cancel"));
    trigger("text.cancel");
    EXPECT_EQ(map()->state(), HeatmapView::State::Empty);
    fake.holdViews = false;
    choose("view.heads_max");
    EXPECT_EQ(map()->state(), HeatmapView::State::Ready);
    EXPECT_EQ(title(), QStringLiteral("Largest of heads 0.0, 0.1, 0.2"));
}

TEST_F(MapViewWindow, StripAndClipboardFollowWhatIsShown) {
    begin();
    click(map(), 3, 1);
    choose("view.heads_mean");
    trigger("edit.copy_weight");
    const QString copied = QApplication::clipboard()->text();
    EXPECT_TRUE(
        copied.startsWith(QStringLiteral("Mean of heads 0.0, 0.1, 0.2: “w3” (3) reads “w1” (1): 0.25")))
        << copied.toStdString();
}

TEST_F(MapViewWindow, MarginsAreSwitchedUndoneSavedAndSaid) {
    begin();
    const QRectF without = map()->mapRect();
    trigger("view.margins");
    EXPECT_TRUE(state().margins);
    EXPECT_TRUE(checked("view.margins"));
    EXPECT_TRUE(viewStateFromJson(toJson(state()), QStringLiteral("x")).margins);
    EXPECT_LT(map()->mapRect().height(), without.height());
    // Head 0.0: half on token 0, and a twelfth on each of the six.
    EXPECT_TRUE(waitFor([this] {
        QTest::mouseMove(map(), QPoint(1, 1));
        QTest::mouseMove(map(), QPoint(map()->cellRect(0, 0).center().x(), map()->mapRect().bottom() + 12));
        QApplication::processEvents();
        return window->status().currentMessage().contains(QStringLiteral("gets 0.58333"));
    })) << window->status().currentMessage().toStdString();
    trigger("edit.undo");
    EXPECT_FALSE(checked("view.margins"));
    EXPECT_EQ(map()->mapRect(), without);
}

TEST_F(MapViewWindow, TheStepsOfAWeightSayThatTheMapShowsSomethingElse) {
    begin();
    click(map(), 3, 1);
    trigger("view.tab_weight");
    EXPECT_FALSE(window->weightPanel().message().contains(QStringLiteral("something else")));
    const QString weight = window->weightPanel().number();
    choose("view.heads_mean");
    EXPECT_TRUE(window->weightPanel().message().startsWith(QStringLiteral(
        "The map shows something else: Mean of heads 0.0, 0.1, 0.2. The numbers here are those of head 0.0")))
        << window->weightPanel().message().toStdString();
    EXPECT_EQ(window->weightPanel().number(), weight);
}

TEST_F(MapViewWindow, ATextThatRunsAgainKeepsItsView) {
    begin();
    choose("view.heads_mean");
    setText(words(9));
    EXPECT_EQ(title(), QStringLiteral("Mean of heads 0.0, 0.1, 0.2"));
    EXPECT_EQ(map()->extent().rows, 9);
}

} // namespace
} // namespace headscope::ui::test
