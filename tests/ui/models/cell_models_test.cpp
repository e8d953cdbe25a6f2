// SPDX-License-Identifier: GPL-3.0-or-later
// Models about one cell: tokens that fit what was typed, and heads by their weight.
#include "tests/ui/print_qt.h"
#include "tests/ui/ui_support.h"
#include "ui/models/found_heads_table.h"
#include "ui/models/token_matches.h"

#include <QAbstractItemModelTester>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::shared_ptr<const Axis> axisOf(const std::vector<std::string>& labels) {
    auto axis = std::make_shared<Axis>();
    for (const std::string& label : labels) {
        AxisEntry entry;
        entry.label = label;
        axis->entries.push_back(entry);
    }
    return axis;
}

class TokenMatchesTest : public testing::Test {
  protected:
    TokenMatches matches;

    void SetUp() override {
        matches.setTokens(axisOf({"[CLS]", "It", "was", "with", "##it", "␣it", "items", "2", "it"}));
    }
    std::vector<std::int64_t> fitting(const char* words) {
        matches.setWords(QString::fromUtf8(words));
        std::vector<std::int64_t> positions;
        for (int row = 0; row < matches.rowCount(); ++row) positions.push_back(matches.positionAt(row));
        return positions;
    }
};

TEST_F(TokenMatchesTest, KeepsTheRulesOfItemModels) {
    const QAbstractItemModelTester tester(&matches, QAbstractItemModelTester::FailureReportingMode::Fatal);
    matches.setWords(QStringLiteral("it"));
    matches.setTokens(nullptr);
    EXPECT_EQ(matches.rowCount(), 0);
    matches.setTokens(axisOf({"it"}));
    EXPECT_EQ(matches.rowCount(), 1);
}

TEST_F(TokenMatchesTest, WordsFindWhatIsThenWhatBeginsThenWhatContainsThem) {
    EXPECT_THAT(fitting("it"), ElementsAre(1, 4, 5, 8, 6, 3)) << "marks and case do not count";
    EXPECT_THAT(fitting(" WITH "), ElementsAre(3));
    EXPECT_THAT(fitting("cls"), ElementsAre(0));
    EXPECT_THAT(fitting("nowhere"), IsEmpty());
}

TEST_F(TokenMatchesTest, ANumberIsAPositionFirst) {
    EXPECT_THAT(fitting("2"), ElementsAre(2, 7)) << "position 2, then the token that is written 2";
    EXPECT_THAT(fitting("8"), ElementsAre(8));
    EXPECT_THAT(fitting("9"), IsEmpty()) << "one beyond the last";
    EXPECT_THAT(fitting("-1"), IsEmpty());
}

TEST_F(TokenMatchesTest, NothingTypedIsEveryTokenOrNone) {
    EXPECT_EQ(fitting("").size(), 9U);
    matches.setEmptyIsNone(true);
    EXPECT_THAT(fitting(""), IsEmpty());
    EXPECT_THAT(fitting("was"), ElementsAre(2));
}

TEST_F(TokenMatchesTest, ALineSaysPositionAndLabel) {
    fitting("was");
    EXPECT_EQ(matches.index(0).data().toString(), QStringLiteral("2  was"));
    EXPECT_EQ(matches.index(0).data(Qt::EditRole).toString(), QStringLiteral("was (2)"));
    EXPECT_EQ(matches.index(0).data(TokenMatches::PositionRole).toInt(), 2);
    EXPECT_EQ(matches.rowOf(2), 0);
    EXPECT_FALSE(matches.rowOf(3).has_value());
}

/// The fake's heads on four tokens: 0.125 on every key, 0.5 more on key (layer + head) mod 4.
class FoundHeadsTest : public testing::Test {
  protected:
    std::shared_ptr<Analysis> analysis = std::make_shared<Analysis>();
    FoundHeadsTable table;
    FoundHeadsOrder order{table};

    void SetUp() override {
        analysis->text = test::fakeTokens(std::string("a b c d"));
        for (int layer = 0; layer < 2; ++layer) {
            auto result = std::make_shared<LayerResult>();
            result->layer = LayerIndex(layer);
            result->mask.queries = result->mask.keys = 4;
            for (int head = 0; head < 3; ++head) result->heads.push_back(test::fakeHead(layer, head, 4));
            analysis->layers.push_back(result);
        }
        find(2);
    }
    void find(std::int64_t key) {
        table.setFound(
            std::make_shared<const FoundHeads>(findHeads(*analysis, {AttentionKind::Self, 0, key}, {})),
            analysis);
    }
    std::vector<std::string> column(const QAbstractItemModel& model, int column) const {
        std::vector<std::string> words;
        for (int row = 0; row < model.rowCount(); ++row)
            words.push_back(model.index(row, column).data().toString().toStdString());
        return words;
    }
};

TEST_F(FoundHeadsTest, KeepsTheRulesOfItemModels) {
    const QAbstractItemModelTester ofTable(&table, QAbstractItemModelTester::FailureReportingMode::Fatal);
    const QAbstractItemModelTester ofOrder(&order, QAbstractItemModelTester::FailureReportingMode::Fatal);
    order.sort(FoundHeadsTable::Weight, Qt::DescendingOrder);
    table.setFound(nullptr, nullptr);
    EXPECT_EQ(order.rowCount(), 0);
    find(1);
    EXPECT_EQ(order.rowCount(), 6);
}

TEST_F(FoundHeadsTest, TheLargestWeightStandsFirstWithTheEvenWeightBesideIt) {
    EXPECT_THAT(column(table, FoundHeadsTable::Head), ElementsAre("0.2", "1.1", "0.0", "0.1", "1.0", "1.2"));
    EXPECT_THAT(column(table, FoundHeadsTable::Weight),
                ElementsAre("0.6250", "0.6250", "0.1250", "0.1250", "0.1250", "0.1250"));
    EXPECT_THAT(column(table, FoundHeadsTable::TimesEven),
                ElementsAre("2.50", "2.50", "0.50", "0.50", "0.50", "0.50"));
    EXPECT_THAT(column(table, FoundHeadsTable::OnText), ElementsAre("–", "Sink", "–", "–", "–", "–"));
    EXPECT_EQ(table.index(1, FoundHeadsTable::OnText).data(FoundHeadsTable::LabelRole).toInt(),
              static_cast<int>(Label::Sink));
    EXPECT_FALSE(table.index(0, FoundHeadsTable::OnText).data(FoundHeadsTable::LabelRole).isValid());
    EXPECT_THAT(table.index(2, 0).data(Qt::ToolTipRole).toString().toStdString(),
                testing::AllOf(HasSubstr("Head 0.0: 0.125, even weights would give 1/4 = 0.2500"),
                               HasSubstr("Keys of the row with a larger weight: 1")));
    EXPECT_EQ(table.rowOf({AttentionKind::Self, LayerIndex(1), HeadIndex(1)}), 1);
}

TEST_F(FoundHeadsTest, SortsByHeadAndKeepsEqualOnesInOrder) {
    order.sort(FoundHeadsTable::Head, Qt::AscendingOrder);
    EXPECT_THAT(column(order, FoundHeadsTable::Head), ElementsAre("0.0", "0.1", "0.2", "1.0", "1.1", "1.2"));
    order.sort(FoundHeadsTable::Head, Qt::DescendingOrder);
    EXPECT_EQ(column(order, FoundHeadsTable::Head).front(), "1.2");
    order.sort(FoundHeadsTable::OnText, Qt::AscendingOrder);
    EXPECT_EQ(column(order, FoundHeadsTable::Head).front(), "1.1") << "what says nothing comes last";
    order.sort(FoundHeadsTable::Weight, Qt::DescendingOrder);
    EXPECT_THAT(column(order, FoundHeadsTable::Head), ElementsAre("0.2", "1.1", "0.0", "0.1", "1.0", "1.2"));
}

} // namespace
} // namespace headscope::ui
