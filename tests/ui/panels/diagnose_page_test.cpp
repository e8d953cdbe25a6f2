// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/print_qt.h"
#include "tests/ui/ui_support.h"
#include "ui/charts/entropy_chart.h"
#include "ui/models/head_filter.h"
#include "ui/models/head_table.h"
#include "ui/panels/charts_pane.h"
#include "ui/panels/diagnose_page.h"
#include "ui/panels/head_table_view.h"
#include "ui/panels/judging_notice.h"
#include "ui/panels/label_chips.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

HeadRef head(int layer, int number) {
    return {AttentionKind::Self, LayerIndex(layer), HeadIndex(number)};
}

class Page : public testing::Test {
  protected:
    DiagnosePage page;
    Judging judging;

    void SetUp() override {
        page.resize(900, 700);
        page.show();
    }
    void judged() {
        judging.stage = JudgingStage::Judged;
        judging.diagnosis = test::fakeDiagnosis(test::fakeProbes(8));
        judging.ownTexts = true;
        page.showJudging(judging);
    }
    QPushButton* button(const char* start) const {
        for (QPushButton* one : page.findChildren<QPushButton*>())
            if (one->isVisible() && one->text().startsWith(QString::fromUtf8(start))) return one;
        return nullptr;
    }
    LabelChip* chip(Label label) const {
        for (LabelChip* one : page.chips()->chips())
            if (one->label() == label) return one;
        return nullptr;
    }
    bool says(const char* words) const {
        for (const QLabel* one : page.findChildren<QLabel*>())
            if (one->isVisible() && one->text() == QString::fromUtf8(words)) return true;
        return false;
    }
    std::string shownHead() const {
        return page.table()->currentIndex().isValid()
                   ? headText(*page.filter()->headAt(page.table()->currentIndex()))
                   : std::string();
    }
};

TEST_F(Page, OffersToJudgeWithTheTimeItTakes) {
    judging.stage = JudgingStage::Offered;
    judging.seconds = 40.4;
    judging.ownTexts = true;
    page.showJudging(judging);
    EXPECT_FALSE(page.isTableShown());
    QPushButton* judge = button("Judge all heads");
    ASSERT_NE(judge, nullptr);
    EXPECT_EQ(judge->text(), QStringLiteral("Judge all heads (about 40 s)"));
    const QSignalSpy asked(&page, &DiagnosePage::judgeRequested);
    judge->click();
    EXPECT_EQ(asked.size(), 1);
    const QSignalSpy own(&page, &DiagnosePage::ownTextsRequested);
    ASSERT_NE(button("By my own texts"), nullptr);
    button("By my own texts")->click();
    EXPECT_EQ(own.size(), 1);
}

TEST_F(Page, SaysHowLongInWords) {
    EXPECT_EQ(judgeText(0.0), QStringLiteral("Judge all heads"));
    EXPECT_EQ(judgeText(0.3), QStringLiteral("Judge all heads (less than a second)"));
    EXPECT_EQ(judgeText(12.6), QStringLiteral("Judge all heads (about 13 s)"));
    EXPECT_EQ(judgeText(240.0), QStringLiteral("Judge all heads (about 4 min)"));
}

TEST_F(Page, EveryStageSaysWhatItIs) {
    judging.stage = JudgingStage::Waiting;
    page.showJudging(judging);
    EXPECT_TRUE(page.notice()->words().contains(QStringLiteral("once the text is analysed")));
    EXPECT_EQ(button("Judge"), nullptr);

    judging.stage = JudgingStage::NotApplicable;
    judging.reason = QStringLiteral("There is no tokenizer.");
    page.showJudging(judging);
    EXPECT_TRUE(page.notice()->words().contains(judging.reason));
    EXPECT_EQ(button("Judge"), nullptr);
    EXPECT_EQ(button("By my own texts"), nullptr);

    judging.stage = JudgingStage::Failed;
    judging.reason = QStringLiteral("line 3: it is too long.");
    page.showJudging(judging);
    EXPECT_TRUE(page.notice()->words().contains(judging.reason));
    EXPECT_NE(button("Try again"), nullptr);

    judging.stage = JudgingStage::Judging;
    judging.texts = 8;
    judging.text = 2;
    judging.share = 0.25;
    page.showJudging(judging);
    EXPECT_TRUE(page.notice()->words().startsWith(QStringLiteral("Judging all heads: text 3 of 8")));
    const QSignalSpy cancelled(&page, &DiagnosePage::cancelRequested);
    ASSERT_NE(button("Cancel"), nullptr);
    button("Cancel")->click();
    EXPECT_EQ(cancelled.size(), 1);
    judging.text = 3;
    page.showProgress(judging);
    EXPECT_TRUE(page.notice()->words().startsWith(QStringLiteral("Judging all heads: text 4 of 8")));
}

TEST_F(Page, ShowsTableChipsAndCharts) {
    judged();
    EXPECT_TRUE(page.isTableShown());
    EXPECT_EQ(page.filter()->rowCount(), 6);
    EXPECT_TRUE(page.table()->isColumnHidden(HeadTable::Kind)) << "there is one kind";
    EXPECT_EQ(page.summary(), QStringLiteral("6 heads judged by 8 texts, 32 tokens, in 1.5 s"));
    EXPECT_EQ(page.charts()->entropy()->pointCount(), 5U) << "one head has no number";
    ASSERT_NE(chip(Label::Sink), nullptr);
    EXPECT_EQ(chip(Label::Sink)->text(), QStringLiteral("Sink 2"));
    EXPECT_TRUE(says("6 heads"));
    EXPECT_TRUE(says("Not tested: Collapsed (all heads)"));
}

TEST_F(Page, ChipsAndWordsFilterAndSayHowMany) {
    judged();
    chip(Label::Sink)->click();
    EXPECT_EQ(page.filter()->rowCount(), 2);
    EXPECT_TRUE(says("2 of 6 heads"));
    QTest::keyClicks(page.search(), QStringLiteral("local"));
    EXPECT_EQ(page.filter()->rowCount(), 1);
    QTest::keyClicks(page.search(), QStringLiteral("x"));
    EXPECT_EQ(page.filter()->rowCount(), 0);
    EXPECT_FALSE(page.table()->isVisible());
    ASSERT_NE(button("Show all heads"), nullptr);
    button("Show all heads")->click();
    EXPECT_EQ(page.filter()->rowCount(), 6);
    EXPECT_TRUE(page.search()->text().isEmpty());
    EXPECT_FALSE(chip(Label::Sink)->isChecked());
    EXPECT_TRUE(page.table()->isVisible());
}

TEST_F(Page, AClickOrEnterOpensAHeadAndArrowsChooseOne) {
    judged();
    page.showHead(head(0, 1), nullptr);
    EXPECT_EQ(shownHead(), "0.1");
    QSignalSpy chosen(&page, &DiagnosePage::headChosen);
    QSignalSpy opened(&page, &DiagnosePage::headOpened);
    QTest::keyClick(page.table(), Qt::Key_Down);
    ASSERT_EQ(chosen.size(), 1);
    EXPECT_EQ(chosen[0][0].value<HeadRef>(), head(0, 2));
    QTest::keyClick(page.table(), Qt::Key_Return);
    ASSERT_EQ(opened.size(), 1);
    EXPECT_EQ(opened[0][0].value<HeadRef>(), head(0, 2));
    const QRect cell = page.table()->visualRect(page.filter()->indexOf(head(1, 1), HeadTable::Primary));
    QTest::mouseClick(page.table()->viewport(), Qt::LeftButton, {}, cell.center());
    ASSERT_EQ(opened.size(), 2);
    EXPECT_EQ(opened[1][0].value<HeadRef>(), head(1, 1));
    EXPECT_EQ(chosen.size(), 1) << "a click is one thing";
}

TEST_F(Page, SpaceAndTheHeaderSortDownWhereNumbersAre) {
    judged();
    page.showHead(head(0, 0), nullptr);
    auto* header = page.table()->horizontalHeader();
    const auto click = [&](int column) {
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          QPoint(header->sectionViewportPosition(column) + 8, header->height() / 2));
    };
    const auto first = [&] { return headText(*page.filter()->headAt(page.filter()->index(0, 0))); };
    click(HeadTable::Score);
    EXPECT_EQ(first(), "0.2");
    click(HeadTable::Score);
    EXPECT_EQ(first(), "0.0");
    click(HeadTable::Primary);
    EXPECT_EQ(first(), "0.0");
    EXPECT_EQ(header->sortIndicatorOrder(), Qt::AscendingOrder);
    page.table()->setCurrentIndex(page.filter()->indexOf(head(0, 0), HeadTable::Score));
    QTest::keyClick(page.table(), Qt::Key_Space);
    EXPECT_EQ(first(), "0.2");
    EXPECT_EQ(shownHead(), "0.0") << "the head stays";
    QTest::keyClick(page.table(), Qt::Key_Space);
    EXPECT_EQ(first(), "0.0");
}

TEST_F(Page, ShowingAHeadSaysNothing) {
    judged();
    const QSignalSpy chosen(&page, &DiagnosePage::headChosen);
    page.showHead(head(1, 2), nullptr);
    EXPECT_EQ(shownHead(), "1.2");
    page.search()->setText(QStringLiteral("uniform"));
    EXPECT_TRUE(page.table()->selectionModel()->selectedRows().isEmpty()) << "it is filtered out";
    page.search()->clear();
    EXPECT_EQ(shownHead(), "1.2");
    EXPECT_EQ(chosen.size(), 0);
}

TEST_F(Page, AnotherDiagnosisKeepsTheFilter) {
    judged();
    chip(Label::Sink)->click();
    auto next = std::make_shared<Diagnosis>(*judging.diagnosis);
    next->heads.erase(next->heads.begin() + 4);
    judging.diagnosis = next;
    judging.file = QStringLiteral("/x/mine.txt");
    page.showJudging(judging);
    EXPECT_TRUE(chip(Label::Sink)->isChecked());
    EXPECT_EQ(page.filter()->rowCount(), 1);
    EXPECT_TRUE(page.summary().contains(QStringLiteral("8 texts of mine.txt")));
    const QSignalSpy asked(&page, &DiagnosePage::judgeRequested);
    ASSERT_NE(button("By the program's texts"), nullptr);
    button("By the program's texts")->click();
    EXPECT_EQ(asked.size(), 1);
    next = std::make_shared<Diagnosis>(*next);
    next->heads.resize(2);
    judging.diagnosis = next;
    page.showJudging(judging);
    EXPECT_EQ(chip(Label::Sink), nullptr);
    EXPECT_EQ(page.filter()->rowCount(), 2) << "a label that no head has cannot filter";
}

TEST_F(Page, DroppingTheDiagnosisEmptiesIt) {
    judged();
    judging = {};
    judging.stage = JudgingStage::Offered;
    page.showJudging(judging);
    EXPECT_FALSE(page.isTableShown());
    EXPECT_EQ(page.filter()->rowCount(), 0);
    EXPECT_EQ(page.charts()->entropy()->pointCount(), 0U);
}

} // namespace
} // namespace headscope::ui
