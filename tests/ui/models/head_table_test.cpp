// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/print_qt.h"
#include "tests/ui/ui_support.h"
#include "ui/models/head_filter.h"
#include "ui/models/head_table.h"
#include "ui/models/label_words.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

class HeadTableTest : public testing::Test {
  protected:
    HeadTable table;
    HeadFilter filter{table};
    std::shared_ptr<const Diagnosis> diagnosis = test::fakeDiagnosis(test::fakeProbes(8));

    void SetUp() override { table.setDiagnosis(diagnosis); }

    std::string text(int row, int column) const {
        return table.index(row, column).data().toString().toStdString();
    }
    /// Heads as they stand, top down.
    std::vector<std::string> heads() const {
        std::vector<std::string> names;
        for (int row = 0; row < filter.rowCount(); ++row)
            names.push_back(headText(*filter.headAt(filter.index(row, 0))));
        return names;
    }
    std::vector<std::string> withWords(const char* words) {
        filter.setWords(QString::fromUtf8(words));
        return heads();
    }
    std::vector<std::string> withLabels(const std::set<Label>& labels) {
        filter.setLabels(labels);
        return heads();
    }
};

TEST_F(HeadTableTest, KeepsTheRulesOfItemModels) {
    const QAbstractItemModelTester ofTable(&table, QAbstractItemModelTester::FailureReportingMode::Fatal);
    const QAbstractItemModelTester ofFilter(&filter, QAbstractItemModelTester::FailureReportingMode::Fatal);
    filter.setWords(QStringLiteral("sink"));
    filter.sort(HeadTable::Below, Qt::DescendingOrder);
    table.setDiagnosis(nullptr);
    EXPECT_EQ(filter.rowCount(), 0);
    table.setDiagnosis(diagnosis);
    EXPECT_EQ(filter.rowCount(), 2);
}

TEST_F(HeadTableTest, ARowSaysWhatIsKnownOfItsHead) {
    EXPECT_EQ(table.rowCount(), 6);
    EXPECT_EQ(text(4, HeadTable::Head), "1.1");
    EXPECT_EQ(text(4, HeadTable::Primary), "Sink on probe");
    EXPECT_EQ(text(4, HeadTable::Score), "0.70");
    EXPECT_EQ(text(4, HeadTable::Texts), "8/8");
    EXPECT_EQ(text(4, HeadTable::Sure), "Confirmed");
    EXPECT_EQ(text(4, HeadTable::Also), "Local");
    EXPECT_EQ(text(4, HeadTable::Below), "4.00");
    EXPECT_EQ(text(4, HeadTable::TopKey), "0.40");
    EXPECT_EQ(text(4, HeadTable::Distance), "6.0");
    EXPECT_EQ(table.index(4, HeadTable::Primary).data(HeadTable::LabelRole).toInt(),
              static_cast<int>(Label::Sink));
}

TEST_F(HeadTableTest, WhatWasNotMeasuredIsNeverANumber) {
    EXPECT_EQ(text(2, HeadTable::Below), "–");
    EXPECT_FALSE(table.index(2, HeadTable::Below).data(HeadTable::SortRole).isValid());
    EXPECT_FALSE(table.index(2, HeadTable::Below).data(HeadTable::ShareRole).isValid());
    EXPECT_EQ(text(0, HeadTable::Previous), "–") << "a number that is not there at all";
    EXPECT_EQ(text(1, HeadTable::Primary), "Mixed");
    EXPECT_EQ(text(1, HeadTable::Score), "–");
    EXPECT_EQ(text(1, HeadTable::Texts), "–");
    EXPECT_EQ(text(3, HeadTable::Primary), "Mixed") << "a label on few texts is not the first to say";
    EXPECT_EQ(text(3, HeadTable::Also), "Sink on probe");
    EXPECT_EQ(text(5, HeadTable::Primary), "Too short to judge");
}

TEST_F(HeadTableTest, BarsEndAtOneOrAtTheLargest) {
    EXPECT_DOUBLE_EQ(table.index(4, HeadTable::TopKey).data(HeadTable::ShareRole).toDouble(), 0.4);
    EXPECT_DOUBLE_EQ(table.index(4, HeadTable::Below).data(HeadTable::ShareRole).toDouble(), 0.8) << "of 5";
    EXPECT_FALSE(table.index(4, HeadTable::Score).data(HeadTable::ShareRole).isValid());
}

TEST_F(HeadTableTest, NumbersStandRightAndWordsLeft) {
    for (int column = 0; column < HeadTable::Columns; ++column) {
        const int cell = table.index(4, column).data(Qt::TextAlignmentRole).toInt();
        EXPECT_EQ(cell, table.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt()) << column;
        EXPECT_EQ((cell & Qt::AlignRight) != 0, HeadTable::sortsDown(column)) << column;
        EXPECT_FALSE(table.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().isEmpty());
        EXPECT_FALSE(table.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
    }
}

TEST_F(HeadTableTest, TooltipsGiveTheExactNumberAndAllLabels) {
    const auto tip = [this](int column) {
        return table.index(4, column).data(Qt::ToolTipRole).toString().toStdString();
    };
    EXPECT_THAT(tip(HeadTable::Primary), testing::HasSubstr("Sink on probe: 0.70, 8 of 8 texts, confirmed\n"
                                                            "Local: 0.60, 7 of 8 texts, likely"));
    EXPECT_THAT(tip(HeadTable::TopKey), testing::HasSubstr("0.4"));
    EXPECT_THAT(tip(HeadTable::Previous), testing::HasSubstr("Not measured"));
    EXPECT_THAT(tip(HeadTable::Sure), testing::HasSubstr("four fifths"));
}

TEST_F(HeadTableTest, WhatIsMissingStandsLastBothWays) {
    filter.sort(HeadTable::Below, Qt::AscendingOrder);
    EXPECT_THAT(heads(), ElementsAre("0.0", "0.1", "1.0", "1.1", "1.2", "0.2"));
    filter.sort(HeadTable::Below, Qt::DescendingOrder);
    EXPECT_THAT(heads(), ElementsAre("1.2", "1.1", "1.0", "0.1", "0.0", "0.2"));
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        filter.sort(HeadTable::Output, order);
        EXPECT_THAT(heads(), ElementsAre("0.1", "0.0", "0.2", "1.0", "1.1", "1.2")) << order;
        filter.sort(HeadTable::Previous, order);
        EXPECT_THAT(heads(), ElementsAre("0.0", "0.1", "0.2", "1.0", "1.1", "1.2")) << "none has it";
    }
}

TEST_F(HeadTableTest, SortsEveryColumnByItsMeaning) {
    filter.sort(HeadTable::Head, Qt::DescendingOrder);
    EXPECT_THAT(heads(), ElementsAre("1.2", "1.1", "1.0", "0.2", "0.1", "0.0"));
    filter.sort(HeadTable::Score, Qt::DescendingOrder);
    EXPECT_THAT(heads(), ElementsAre("0.2", "1.1", "0.0", "0.1", "1.0", "1.2"));
    filter.sort(HeadTable::Primary, Qt::AscendingOrder);
    EXPECT_THAT(heads(), ElementsAre("0.0", "1.1", "0.2", "0.1", "1.0", "1.2")) << "uniform, sink, previous";
    filter.sort(HeadTable::Also, Qt::AscendingOrder);
    EXPECT_THAT(heads(), ElementsAre("1.1", "1.0", "0.0", "0.1", "0.2", "1.2")) << "local, sink";
}

TEST_F(HeadTableTest, WordsFindLabelsTokensAndHowSure) {
    EXPECT_THAT(withWords("sink"), ElementsAre("1.0", "1.1"));
    EXPECT_THAT(withWords("  SINK   probe "), ElementsAre("1.0", "1.1"));
    EXPECT_THAT(withWords("sink confirmed"), ElementsAre("1.1"));
    EXPECT_THAT(withWords("varies"), ElementsAre("1.0"));
    EXPECT_THAT(withWords("previous token"), ElementsAre("0.2"));
    EXPECT_THAT(withWords("nowhere"), IsEmpty());
    EXPECT_EQ(withWords("").size(), 6U);
}

TEST_F(HeadTableTest, WordsFindHeadsAndLayers) {
    EXPECT_THAT(withWords("1.1"), ElementsAre("1.1"));
    EXPECT_THAT(withWords("head 1.2"), ElementsAre("1.2"));
    EXPECT_THAT(withWords("1."), ElementsAre("1.0", "1.1", "1.2"));
    EXPECT_THAT(withWords("layer 0"), ElementsAre("0.0", "0.1", "0.2"));
    EXPECT_THAT(withWords("Head 2"), ElementsAre("0.2", "1.2"));
    EXPECT_THAT(withWords("layer 1 sink"), ElementsAre("1.0", "1.1"));
    EXPECT_THAT(withWords("layer 0 sink"), IsEmpty());
    EXPECT_THAT(withWords("1.10"), IsEmpty());
    EXPECT_THAT(withWords("layer 1 head 0"), ElementsAre("1.0"));
}

TEST_F(HeadTableTest, AHeadIsNotFoundByTheStartOfItsNumber) {
    auto wide = std::make_shared<Diagnosis>();
    for (int i : {1, 10, 11}) {
        DiagnosedHead head;
        head.ref = {AttentionKind::Self, LayerIndex(1), HeadIndex(i)};
        wide->heads.push_back(head);
    }
    table.setDiagnosis(wide);
    EXPECT_THAT(withWords("1.1"), ElementsAre("1.1"));
    EXPECT_THAT(withWords("head 1"), ElementsAre("1.1"));
}

TEST_F(HeadTableTest, LabelsFilterWithOr) {
    EXPECT_THAT(withLabels({Label::Local}), ElementsAre("1.1"));
    EXPECT_THAT(withLabels({Label::Sink, Label::Uniform}), ElementsAre("0.0", "1.0", "1.1"));
    EXPECT_THAT(withLabels({Label::Mixed}), ElementsAre("0.1", "1.0"));
    EXPECT_THAT(withLabels({Label::Induction}), IsEmpty());
    EXPECT_EQ(withLabels({}).size(), 6U);
    filter.setWords(QStringLiteral("confirmed"));
    EXPECT_THAT(withLabels({Label::Sink}), ElementsAre("1.1")) << "both must hold";
}

TEST_F(HeadTableTest, CountsLabelsWhateverTheFilter) {
    filter.setWords(QStringLiteral("nowhere"));
    EXPECT_THAT(filter.labelCounts(),
                ElementsAre(Pair(Label::Uniform, 1), Pair(Label::Sink, 2), Pair(Label::PreviousToken, 1),
                            Pair(Label::Local, 1), Pair(Label::Mixed, 2),
                            Pair(Label::InsufficientEvidence, 1)));
}

TEST_F(HeadTableTest, FindsTheRowOfAHeadWhereItIsShown) {
    const HeadRef head{AttentionKind::Self, LayerIndex(1), HeadIndex(0)};
    filter.sort(HeadTable::Head, Qt::DescendingOrder);
    EXPECT_EQ(filter.indexOf(head, HeadTable::Head).row(), 2);
    filter.setWords(QStringLiteral("uniform"));
    EXPECT_FALSE(filter.indexOf(head, HeadTable::Head).isValid());
    EXPECT_FALSE(filter.indexOf({AttentionKind::Cross, LayerIndex(0), HeadIndex(0)}, 0).isValid());
    EXPECT_EQ(filter.headAt({}), std::nullopt);
}

TEST(LabelWords, SayWhatALabelIsAbout) {
    Diagnosis diagnosis;
    const HeadRef head{AttentionKind::Self, LayerIndex(0), HeadIndex(0)};
    const auto words = [&](Label label, const char* detail) {
        HeadLabel one;
        one.label = label;
        one.detail = detail;
        return labelWords(diagnosis, head, one).toStdString();
    };
    EXPECT_EQ(words(Label::FixedOffset, "offset -47"), "Fixed offset -47");
    EXPECT_EQ(words(Label::Delimiter, "punctuation"), "Delimiter: punctuation");
    EXPECT_EQ(words(Label::Redundant, "1.3"), "Redundant with 1.3");
    EXPECT_EQ(words(Label::Sink, "learned sink"), "Sink on learned sink");
    EXPECT_EQ(words(Label::Stuck, ""), "Stuck");
    EXPECT_EQ(words(Label::Induction, ""), "Induction");
}

TEST(LabelWords, TheModelHasWhatIsSurerThanVarying) {
    HeadDiagnosis head;
    head.labels = {test::fakeLabel(Label::Sink, 3, 8, 0.4), test::fakeLabel(Label::Uniform, 8, 8, 0.1)};
    head.primary = Label::Uniform;
    EXPECT_TRUE(holdsForModel(head, Label::Uniform));
    EXPECT_FALSE(holdsForModel(head, Label::Sink)) << "it varies with the text";
    EXPECT_FALSE(holdsForModel(head, Label::Stuck));
    head.primary = Label::Sink;
    EXPECT_TRUE(holdsForModel(head, Label::Sink)) << "the first thing to say";
}

} // namespace
} // namespace headscope::ui
