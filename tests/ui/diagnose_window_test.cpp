// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/print_qt.h"
#include "tests/ui/ui_support.h"
#include "ui/charts/diagnosis_charts.h"
#include "ui/charts/entropy_chart.h"
#include "ui/heatmap/overview_grid.h"
#include "ui/log.h"
#include "ui/main_window.h"
#include "ui/models/head_filter.h"
#include "ui/panels/charts_pane.h"
#include "ui/panels/diagnose_page.h"
#include "ui/panels/error_banner.h"
#include "ui/panels/head_table_view.h"
#include "ui/panels/inspector.h"
#include "ui/panels/judging_notice.h"
#include "ui/panels/map_card.h"
#include "ui/panels/overview_card.h"
#include "ui/panels/pill.h"
#include "ui/panels/status_strip.h"

#include <QAction>
#include <QLineEdit>
#include <QSettings>
#include <QTest>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

using test::FakeEngine;
using test::waitFor;

const QString kFolder = QStringLiteral("/models/fake");

HeadRef head(int layer, int number) {
    return {AttentionKind::Self, LayerIndex(layer), HeadIndex(number)};
}

/// A window that judges the fake model.
class DiagnoseWindow : public testing::Test {
  protected:
    FakeEngine fake;
    std::unique_ptr<MainWindow> window;

    void SetUp() override {
        QSettings().clear();
        window = std::make_unique<MainWindow>(WindowSetup{fake.engine(), false, {}});
        window->resize(1280, 800);
        window->show();
    }

    void start(CentrePage page = CentrePage::Explore) const {
        ViewState state;
        state.model.path = kFolder;
        state.text = QStringLiteral("one two three four");
        state.page = page;
        window->start(state);
        ASSERT_TRUE(waitFor([this] { return window->controller().isSettled(); }));
    }
    void judgeUnasked(CentrePage page = CentrePage::Explore) {
        fake.plannedSeconds = 1.0;
        start(page);
        ASSERT_TRUE(waitFor([this] { return judging().diagnosis() != nullptr; }));
    }
    DiagnosisController& judging() const { return window->controller().diagnosis(); }
    JudgingStage stage() const { return judging().stage(); }
    bool offered() const {
        return waitFor([this] { return stage() == JudgingStage::Offered; });
    }
    void trigger(const char* id) const { window->actions().action(QString::fromLatin1(id))->trigger(); }
    bool enabled(const char* id) const {
        return window->actions().action(QString::fromLatin1(id))->isEnabled();
    }
    const ViewState& state() const { return window->store().state(); }
    DiagnosePage& page() const { return window->diagnosePage(); }
};

TEST_F(DiagnoseWindow, AShortJudgingBeginsByItselfAfterTheFirstMap) {
    judgeUnasked();
    EXPECT_EQ(fake.plans, 1);
    EXPECT_EQ(fake.texts, 3);
    EXPECT_EQ(fake.noted().front(), "run");
    EXPECT_TRUE(window->status().judgingText().isEmpty()) << "it is done";
    EXPECT_EQ(page().filter()->rowCount(), 6);
}

TEST_F(DiagnoseWindow, ALongOneIsOffered) {
    fake.plannedSeconds = 40.0;
    start(CentrePage::Diagnose);
    ASSERT_TRUE(offered());
    EXPECT_EQ(fake.begunTexts, 0);
    EXPECT_TRUE(page().isVisible());
    EXPECT_FALSE(page().isTableShown());
    trigger("head.judge");
    ASSERT_TRUE(waitFor([this] { return stage() == JudgingStage::Judged; }));
    EXPECT_TRUE(page().isTableShown());
    EXPECT_EQ(fake.plans, 1) << "the plan is known";
}

TEST_F(DiagnoseWindow, WhatAnEarlierSessionFoundIsShownAtOnceAndCanBeJudgedAgain) {
    fake.hasKept = true;
    fake.plannedSeconds = 40.0;
    start(CentrePage::Diagnose);
    ASSERT_TRUE(waitFor([this] { return stage() == JudgingStage::Judged; })) << "however long it would take";
    EXPECT_EQ(fake.begunTexts, 0) << "no text is read";
    EXPECT_EQ(page().filter()->rowCount(), 6);
    EXPECT_TRUE(page().summary().endsWith(QStringLiteral("in an earlier session")))
        << page().summary().toStdString();
    ASSERT_NE(judging().inputOf(0), nullptr) << "its texts can be opened";
    const auto kept = judging().diagnosis();
    trigger("head.judge");
    ASSERT_TRUE(waitFor([&] { return judging().diagnosis() != kept; }));
    EXPECT_EQ(fake.texts, 3);
    EXPECT_FALSE(page().summary().contains(QStringLiteral("earlier session")))
        << page().summary().toStdString();
}

TEST_F(DiagnoseWindow, TheChosenHeadsOffsetsAreThoseOfTheTextOfTheWindow) {
    judgeUnasked(CentrePage::Diagnose);
    const ChartsPane& charts = *page().charts();
    for (const int number : {0, 2}) {
        Q_EMIT page().headChosen(head(0, number));
        const std::vector<ChartItem>& bars = charts.offsets()->plot().items;
        ASSERT_EQ(
            std::count_if(bars.begin(), bars.end(), [](const ChartItem& bar) { return bar.value.y() > 0.0; }),
            2);
        EXPECT_NEAR(bars.back().value.y(), 0.5 + 0.1 * number, 1e-12);
    }
    // Another model: nothing of the one before stays.
    fake.holdRuns = true;
    window->controller().openModel({QStringLiteral("/models/other"), DeviceChoice::Cpu});
    ASSERT_TRUE(waitFor([this] { return window->controller().isRunning(); }));
    EXPECT_TRUE(charts.offsets()->isEmpty());
    fake.holdRuns = false;
    ASSERT_TRUE(waitFor([this] { return window->controller().isSettled(); }));
}

TEST_F(DiagnoseWindow, ASavedChartIsSaidAndAFailureStandsInTheBanner) {
    judgeUnasked(CentrePage::Diagnose);
    Q_EMIT page().charts()->entropy()->saved(QStringLiteral("/x/entropy.png"));
    ASSERT_FALSE(Log::instance().lines().isEmpty());
    EXPECT_TRUE(Log::instance().lines().last().endsWith(QStringLiteral("note: Saved /x/entropy.png")));
    Q_EMIT page().charts()->offsets()->saveFailed(QStringLiteral("entropy.png: the disk is full."));
    EXPECT_EQ(window->banner().sentence(), QStringLiteral("entropy.png: the disk is full."));
}

TEST_F(DiagnoseWindow, ProgressStandsBesideThatOfARun) {
    fake.holdTexts = true;
    fake.plannedSeconds = 1.0;
    start();
    ASSERT_TRUE(waitFor([this] { return !window->status().judgingText().isEmpty(); }));
    EXPECT_EQ(window->status().judgingText(), QStringLiteral("Judging the heads: text 1 of 3"));
    EXPECT_TRUE(window->status().text().startsWith(QStringLiteral("Ready"))) << "the text was analysed";
    fake.holdRuns = true;
    trigger("text.run");
    ASSERT_TRUE(waitFor([this] { return window->status().text().contains(QStringLiteral("layer 1 of 2")); }));
    EXPECT_FALSE(window->status().judgingText().isEmpty());
    fake.holdRuns = false;
    ASSERT_TRUE(waitFor([this] { return window->controller().isSettled(); }));
    fake.holdTexts = false;
    ASSERT_TRUE(waitFor([this] { return stage() == JudgingStage::Judged; }));
    EXPECT_EQ(fake.texts, 3);
}

TEST_F(DiagnoseWindow, CancelLeavesTheWindowAsItWas) {
    fake.holdTexts = true;
    fake.plannedSeconds = 1.0;
    start();
    ASSERT_TRUE(waitFor([this] { return fake.begunTexts == 1; }));
    EXPECT_TRUE(enabled("text.cancel"));
    const ViewState before = state();
    trigger("text.cancel");
    EXPECT_EQ(stage(), JudgingStage::Offered);
    EXPECT_TRUE(window->status().judgingText().isEmpty());
    EXPECT_EQ(state(), before);
    EXPECT_TRUE(window->banner().sentence().isEmpty());
    EXPECT_FALSE(enabled("text.cancel"));
    fake.holdTexts = false;
    trigger("head.judge");
    ASSERT_TRUE(waitFor([this] { return stage() == JudgingStage::Judged; })) << "it can be asked for again";
}

TEST_F(DiagnoseWindow, CancellingAnotherOneKeepsWhatIsShown) {
    judgeUnasked();
    const auto first = judging().diagnosis();
    fake.holdTexts = true;
    judging().judgeByFile(QStringLiteral("/x/mine.txt"));
    ASSERT_TRUE(waitFor([this] { return fake.begunTexts == 4; }));
    EXPECT_EQ(stage(), JudgingStage::Judged) << "the first one is shown on";
    judging().cancel();
    EXPECT_EQ(judging().diagnosis(), first);
    EXPECT_EQ(page().filter()->rowCount(), 6);
    fake.holdTexts = false;
    QTest::qWait(30);
    EXPECT_EQ(judging().diagnosis(), first);
    ASSERT_NE(judging().inputOf(0), nullptr);
    EXPECT_EQ(judging().inputOf(0)->text, "probe text number 0");
}

TEST_F(DiagnoseWindow, OwnTextsTakeThePlaceOfThePrograms) {
    judgeUnasked();
    judging().judgeByFile(QStringLiteral("/x/mine.txt"));
    ASSERT_TRUE(waitFor([this] { return judging().diagnosis()->texts.size() == 2; }));
    EXPECT_TRUE(page().summary().contains(QStringLiteral("2 texts of mine.txt")));
    judging().judge();
    ASSERT_TRUE(waitFor([this] { return judging().diagnosis()->texts.size() == 3; }));
    EXPECT_FALSE(page().summary().contains(QStringLiteral("mine.txt")));
}

TEST_F(DiagnoseWindow, AFileThatCannotBeReadIsSaidAndChangesNothing) {
    judgeUnasked();
    const auto first = judging().diagnosis();
    judging().judgeByFile(QStringLiteral("/x/broken.txt"));
    ASSERT_TRUE(waitFor([this] { return !window->banner().sentence().isEmpty(); }));
    EXPECT_TRUE(window->banner().sentence().startsWith(QStringLiteral("broken.txt: it holds no text")));
    EXPECT_EQ(judging().diagnosis(), first);
    EXPECT_EQ(stage(), JudgingStage::Judged);
}

TEST_F(DiagnoseWindow, AFailureThatNobodyAskedForStandsOnThePageAlone) {
    fake.failTexts = true;
    fake.plannedSeconds = 1.0;
    start();
    ASSERT_TRUE(waitFor([this] { return stage() == JudgingStage::Failed; }));
    EXPECT_TRUE(window->banner().sentence().isEmpty());
    EXPECT_TRUE(
        page().notice()->words().contains(QStringLiteral("probe/0: it cannot be read. Leave it out.")));
    trigger("head.judge");
    ASSERT_TRUE(waitFor([this] { return !window->banner().sentence().isEmpty(); })) << "now it was asked for";
    fake.failTexts = false;
    trigger("head.judge");
    ASSERT_TRUE(waitFor([this] { return stage() == JudgingStage::Judged; }));
}

TEST_F(DiagnoseWindow, AModelThatNoTextSuitsSaysSo) {
    fake.probes = 0;
    start(CentrePage::Diagnose);
    ASSERT_TRUE(waitFor([this] { return stage() == JudgingStage::NotApplicable; }));
    EXPECT_TRUE(page().notice()->words().contains(QStringLiteral("None of the texts")));
    EXPECT_TRUE(enabled("head.judge_by"));
}

TEST_F(DiagnoseWindow, AnotherModelDropsTheDiagnosis) {
    judgeUnasked();
    fake.plannedSeconds = 100.0;
    window->controller().openModel({QStringLiteral("/models/other"), DeviceChoice::Auto});
    ASSERT_TRUE(waitFor([this] { return window->windowTitle().startsWith(QStringLiteral("other")); }));
    EXPECT_EQ(judging().diagnosis(), nullptr);
    ASSERT_TRUE(offered());
    EXPECT_EQ(page().filter()->rowCount(), 0);
    EXPECT_EQ(fake.plans, 2);
}

TEST_F(DiagnoseWindow, AModelThatCannotBeOpenedKeepsIt) {
    judgeUnasked();
    fake.failOpens = true;
    window->controller().openModel({QStringLiteral("/models/other"), DeviceChoice::Auto});
    ASSERT_TRUE(waitFor([this] { return !window->banner().sentence().isEmpty(); }));
    EXPECT_NE(judging().diagnosis(), nullptr);
    EXPECT_EQ(fake.plans, 1);
}

TEST_F(DiagnoseWindow, PagesAreStepsThatUndo) {
    start();
    EXPECT_TRUE(window->map().isVisible());
    trigger("view.diagnose");
    EXPECT_TRUE(page().isVisible());
    EXPECT_FALSE(window->map().isVisible());
    EXPECT_TRUE(window->actions().action(QStringLiteral("view.diagnose"))->isChecked());
    trigger("view.diagnose");
    EXPECT_TRUE(window->actions().action(QStringLiteral("view.diagnose"))->isChecked());
    trigger("edit.undo");
    EXPECT_TRUE(window->map().isVisible());
    EXPECT_TRUE(window->actions().action(QStringLiteral("view.explore"))->isChecked());
    trigger("edit.redo");
    EXPECT_TRUE(page().isVisible());
    trigger("head.focus_map");
    EXPECT_TRUE(window->map().isVisible()) << "what is asked for is shown";
}

TEST_F(DiagnoseWindow, TheTableChoosesAndOpensHeads) {
    judgeUnasked(CentrePage::Diagnose);
    page().table()->setFocus();
    QTest::keyClick(page().table(), Qt::Key_Down);
    EXPECT_EQ(state().headRef(), head(0, 1));
    EXPECT_EQ(state().page, CentrePage::Diagnose);
    QTest::keyClick(page().table(), Qt::Key_Return);
    EXPECT_EQ(state().page, CentrePage::Explore);
    EXPECT_EQ(window->map().title(), QStringLiteral("Head 0.1"));
    trigger("edit.undo");
    EXPECT_EQ(state().page, CentrePage::Diagnose);
    EXPECT_EQ(state().headRef(), head(0, 1));
}

TEST_F(DiagnoseWindow, TheKeyboardGoesAlongWithWhatIsShown) {
    fake.holdTexts = true;
    start(CentrePage::Diagnose);
    ASSERT_TRUE(offered());
    EXPECT_TRUE(page().isAncestorOf(window->focusWidget()));
    trigger("head.judge");
    ASSERT_TRUE(waitFor([this] { return fake.begunTexts == 1; }));
    EXPECT_TRUE(page().isAncestorOf(window->focusWidget()));
    fake.holdTexts = false;
    ASSERT_TRUE(waitFor([this] { return stage() == JudgingStage::Judged; }));
    EXPECT_EQ(window->focusWidget(), page().table());
    page().focusFilter();
    judging().judgeByFile(QStringLiteral("/x/mine.txt"));
    ASSERT_TRUE(waitFor([this] { return judging().diagnosis()->texts.size() == 2; }));
    EXPECT_EQ(window->focusWidget(), page().search()) << "typing goes on";
    trigger("view.explore");
    EXPECT_FALSE(page().isAncestorOf(window->focusWidget()));
}

TEST_F(DiagnoseWindow, FindGoesToTheFilter) {
    judgeUnasked();
    trigger("head.find");
    EXPECT_TRUE(page().isVisible());
    EXPECT_EQ(window->focusWidget(), page().search());
}

TEST_F(DiagnoseWindow, TheGridShowsTheModelsFlagsAndTheTextsApart) {
    start();
    const OverviewGrid* grid = window->overview().grid();
    EXPECT_THAT(grid->describe(head(1, 1)).toStdString(), testing::StartsWith("Head 1.1: sink on"));
    trigger("head.judge");
    ASSERT_TRUE(waitFor([this] { return stage() == JudgingStage::Judged; }));
    EXPECT_THAT(grid->describe(head(1, 1)).toStdString(),
                testing::AllOf(testing::HasSubstr("in the model: Sink on probe: 0.70, 3 of 3 texts, likely"),
                               testing::HasSubstr("on this text: sink on")));
    EXPECT_THAT(grid->describe(head(0, 0)).toStdString(),
                testing::AllOf(testing::HasSubstr("in the model: Uniform"),
                               testing::Not(testing::HasSubstr("on this text"))));
    EXPECT_EQ(grid->describe(head(1, 0)), QStringLiteral("Head 1.0")) << "it varies with the text";
    QStringList counts;
    for (const Pill* pill : window->overview().pills()) counts << pill->text();
    EXPECT_EQ(counts, (QStringList{QStringLiteral("Sink 1"), QStringLiteral("Uniform 1"),
                                   QStringLiteral("Stuck 0")}));
}

TEST_F(DiagnoseWindow, TheWeakestTextOpensInTheTextBox) {
    judgeUnasked(CentrePage::Diagnose);
    Q_EMIT window->inspector().textOpened(2);
    EXPECT_EQ(state().text, QStringLiteral("probe text number 2"));
    EXPECT_EQ(state().page, CentrePage::Explore);
    trigger("edit.undo");
    EXPECT_EQ(state().text, QStringLiteral("one two three four"));
    Q_EMIT window->inspector().textOpened(99); // there is none
    EXPECT_EQ(state().text, QStringLiteral("one two three four"));
}

TEST_F(DiagnoseWindow, ClosesWhileItJudges) {
    fake.holdTexts = true;
    fake.plannedSeconds = 1.0;
    start();
    ASSERT_TRUE(waitFor([this] { return fake.begunTexts == 1; }));
    window->close();
    window.reset();
    EXPECT_EQ(fake.texts, 0);
}

} // namespace
} // namespace headscope::ui
