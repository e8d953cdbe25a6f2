// SPDX-License-Identifier: GPL-3.0-or-later
// The ways for which the page Compare is there, walked on small real checkpoints.
#include "tests/support/temporary_folder.h"
#include "tests/ui/encoder_decoder.h"
#include "tests/ui/print_qt.h"
#include "tests/ui/ui_support.h"
#include "ui/main_window.h"
#include "ui/panels/compare_numbers.h"
#include "ui/panels/compare_page.h"
#include "ui/panels/difference_card.h"
#include "ui/panels/error_banner.h"

#include <QAction>
#include <QSettings>
#include <QTest>

#include <cmath>
#include <gtest/gtest.h>

namespace headscope::ui::test {
namespace {

const QString kText = QStringLiteral("the cat sat on the matting.");

class CompareWalk : public testing::Test {
  protected:
    headscope::test::TemporaryFolder folder;
    std::unique_ptr<MainWindow> window;
    QString bert = QString::fromStdString(headscope::test::dataPath("models/tiny-bert").string());

    void SetUp() override {
        QSettings().clear();
        window = std::make_unique<MainWindow>(WindowSetup{Engine::real(), false, {}});
        window->resize(1440, 900);
        window->show();
    }
    void begin(const QString& model, const std::function<void(ViewState&)>& edit) const {
        ViewState state;
        state.model.path = model;
        state.text = kText;
        edit(state);
        window->start(state);
        settle();
    }
    void settle() const {
        ASSERT_TRUE(waitFor(
            [this] {
                return window->controller().isSettled() && window->controller().comparing().isSettled() &&
                       !window->controller().pinRunner().isBusy();
            },
            60000));
        ASSERT_TRUE(window->banner().sentence().isEmpty()) << window->banner().sentence().toStdString();
    }
    void trigger(const char* id) const {
        window->actions().action(QString::fromLatin1(id))->trigger();
        settle();
    }
    void change(const std::function<void(ViewState&)>& edit) const {
        window->store().change(QString(), MergeGroup::None, edit);
        settle();
    }
    const ViewState& state() const { return window->store().state(); }
    ComparePage& page() const { return window->comparePage(); }
    Comparing now() const { return window->controller().comparing().now(); }
    void focus(HeatmapView* map) const {
        window->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
        map->setFocus(Qt::TabFocusReason);
    }
    static void click(HeatmapView* view, std::int64_t query, std::int64_t key) {
        QTest::mouseClick(view, Qt::LeftButton, {}, view->cellRect(query, key).center().toPoint());
    }
};

TEST_F(CompareWalk, OneHeadOverTwoTexts) {
    begin(bert, [](ViewState& s) { s.layer = 1; });
    trigger("head.pin");                                                                  // one
    change([](ViewState& s) { s.text = QStringLiteral("the dog sat on the matting."); }); // two
    trigger("view.compare");                                                              // three
    ASSERT_NE(now().comparison, nullptr);
    EXPECT_TRUE(page().difference()->note().startsWith(QStringLiteral("The texts differ")))
        << page().difference()->note().toStdString();
    EXPECT_GT(now().comparison->numbers.divergence, 0.0);
}

TEST_F(CompareWalk, TwoHeadsOfATextAndTheMeanOfTheirLayer) {
    begin(bert, [](ViewState& s) { s.layer = 1; });
    trigger("head.pin");
    trigger("head.next");
    trigger("view.compare");
    ASSERT_NE(now().comparison, nullptr);
    focus(page().panel(0)->view());
    trigger("view.heads_mean");
    ASSERT_NE(now().comparison, nullptr);
    EXPECT_EQ(now().comparison->sides[0].view.heads, HeadsShown::Mean);
    const HeadMap& mean = *now().comparison->maps[0].map;
    double sum = 0.0;
    for (int head = 0; head < 4; ++head)
        sum += static_cast<double>(window->controller()
                                       .shown()
                                       .analysis->find({AttentionKind::Self, LayerIndex(1), HeadIndex(head)})
                                       ->map->cell(3, 2));
    EXPECT_NEAR(static_cast<double>(mean.cell(3, 2)), sum / 4.0, 1e-6);
}

/// Two models whose tokenizers differ: by words, and one cursor.
TEST_F(CompareWalk, OneHeadOfTwoModels) {
    begin(bert, [](ViewState& s) { s.page = CentrePage::Compare; });
    trigger("head.pin");
    window->controller().openModel({QStringLiteral("demo:constructed"), DeviceChoice::Cpu});
    settle();
    ASSERT_NE(now().comparison, nullptr);
    EXPECT_TRUE(now().comparison->regrouped);
    EXPECT_EQ(page().panel(0)->mark(), QStringLiteral("by words"));
    EXPECT_EQ(page().linkText(), QStringLiteral("All maps move together"));
    // "matting" is word 5 of both; the demo's token for it is 1 + 5 behind its start token.
    click(page().panel(0)->view(), 5, 1);
    EXPECT_EQ(page().currentPanel()->view()->selectedQuery(), 5);
    ASSERT_TRUE(state().query.has_value());
    const Axis& axis = window->controller().shown().analysis->queryAxis(AttentionKind::Self);
    EXPECT_EQ(axis.entries[static_cast<std::size_t>(*state().query)].start, 19)
        << "the token of the current text that begins where the word does";
}

/// Words on one side, tokens on the other, special tokens left out of one: the cursor counts tokens.
TEST_F(CompareWalk, TheCursorIsRightWhateverIsShown) {
    begin(bert, [](ViewState& s) { s.page = CentrePage::Compare; });
    trigger("head.pin");
    trigger("head.next");
    focus(page().panel(0)->view());
    trigger("view.words");
    trigger("view.hide_special");
    HeatmapView* words = page().panel(0)->view();
    HeatmapView* tokens = page().currentPanel()->view();
    ASSERT_EQ(words->extent(), (Extent{7, 7})); // the, cat, sat, on, the, matting, .
    ASSERT_EQ(tokens->extent(), (Extent{15, 15}));
    EXPECT_TRUE(page().difference()->reason().startsWith(QStringLiteral("a shows words, b tokens")))
        << page().difference()->reason().toStdString();
    click(words, 2, 1); // "sat": tokens 3 to 5; "cat": token 2
    EXPECT_EQ(state().query, 3);
    EXPECT_EQ(state().key, 2);
    EXPECT_EQ(tokens->selectedQuery(), 3);
    EXPECT_EQ(tokens->selectedKey(), 2);
    click(tokens, 5, 3);
    EXPECT_EQ(words->selectedQuery(), 2) << "the last piece of \"sat\"";
    EXPECT_EQ(words->selectedKey(), 2);
    click(tokens, 0, 3); // [CLS] is left out there
    EXPECT_EQ(words->selectedQuery(), std::nullopt);
    EXPECT_EQ(words->selectedKey(), 2);
}

TEST_F(CompareWalk, PairsOfTexts) {
    begin(bert, [](ViewState& s) {
        s.page = CentrePage::Compare;
        s.text = QStringLiteral("the cat sat");
        s.pair = QStringLiteral("on the mat");
        s.showPair = true;
    });
    trigger("head.pin");
    trigger("head.next");
    ASSERT_NE(now().comparison, nullptr);
    EXPECT_EQ(now().comparison->alignment, Alignment::Tokens);
    EXPECT_TRUE(page().currentPanel()->origin().contains(QStringLiteral("the cat sat | on the mat")));
    focus(page().panel(0)->view());
    trigger("view.hide_special");
    focus(page().currentPanel()->view());
    trigger("view.hide_special");
    ASSERT_NE(now().comparison, nullptr);
    ASSERT_NE(now().comparison->difference, nullptr) << now().comparison->note;
    // [CLS] and both [SEP] are gone; the first row shows token 1.
    const std::int64_t all = window->controller().shown().analysis->text.axis->size();
    EXPECT_EQ(page().difference()->view()->extent().rows, all - 3);
    click(page().difference()->view(), 0, 1);
    EXPECT_EQ(state().query, 1);
    EXPECT_EQ(state().key, 2);
    EXPECT_EQ(page().panel(0)->view()->selectedQuery(), 0);
}

/// Cross against cross of two targets; the encoder of one text against cross-attention cannot be subtracted.
TEST_F(CompareWalk, CrossAttentionOfTwoTargets) {
    begin(encoderDecoder(folder.path()), [](ViewState& s) {
        s.page = CentrePage::Compare;
        s.kind = AttentionKind::Cross;
        s.text = QStringLiteral("w5 w6 w7 w8 w9 w10");
        s.target = QStringLiteral("w11 w12 w13");
    });
    ASSERT_NE(now().current.analysis, nullptr);
    trigger("head.pin");
    change([](ViewState& s) { s.target = QStringLiteral("w21 w12 w14"); });
    ASSERT_NE(now().comparison, nullptr);
    EXPECT_EQ(now().comparison->sides[1].head.kind, AttentionKind::Cross);
    ASSERT_NE(now().comparison->difference, nullptr) << now().comparison->note;
    const Extent extent = now().comparison->difference->extent();
    EXPECT_EQ(extent.columns, now().current.analysis->keyAxis(AttentionKind::Cross).size());
    EXPECT_EQ(extent.rows, now().current.analysis->queryAxis(AttentionKind::Cross).size());
    EXPECT_NE(extent.rows, extent.columns);
    trigger("view.words");
    focus(page().panel(0)->view());
    trigger("view.words");
    ASSERT_NE(now().comparison, nullptr);
    EXPECT_NE(now().comparison->difference, nullptr) << now().comparison->note;
    trigger("view.words");
    focus(page().currentPanel()->view());
    trigger("view.words");
    change([](ViewState& s) { s.kind = AttentionKind::Encoder; });
    ASSERT_NE(now().comparison, nullptr);
    EXPECT_EQ(now().comparison->difference, nullptr);
    EXPECT_FALSE(page().difference()->reason().isEmpty());
    trigger("view.heads_rollout"); // of the encoder
    EXPECT_EQ(page().currentPanel()->view()->state(), HeatmapView::State::Ready);
    change([](ViewState& s) { s.kind = AttentionKind::Cross; });
    EXPECT_EQ(page().currentPanel()->view()->state(), HeatmapView::State::Empty)
        << "a rollout of cross-attention is refused";
    EXPECT_EQ(now().stage, ComparingStage::NoMap);
}

} // namespace
} // namespace headscope::ui::test
