// SPDX-License-Identifier: GPL-3.0-or-later
// How a weight came about, as it is shown: bars by dimension and the ladder of steps.
#include "tests/support/temporary_folder.h"
#include "tests/ui/print_qt.h"
#include "tests/ui/ui_support.h"
#include "ui/panels/product_strip.h"
#include "ui/panels/weight_panel.h"

#include <QTest>
#include <QToolButton>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Strip : public testing::Test {
  protected:
    ProductStrip strip;

    void SetUp() override {
        strip.resize(200, 112); // 48 a dimension, 100 between the margins
        strip.setVectors({1.0F, 2.0F, -1.0F, 0.5F}, {3.0F, -0.5F, -1.0F, 0.0F}, {3.0F, -1.0F, 1.0F, 0.0F});
        strip.show();
    }
    std::string words() const { return strip.words().toStdString(); }
};

TEST_F(Strip, BarsStandOnOneLineUpAndDown) {
    // 3 up and 1 down share 100 pixels: 25 a unit, the line at 6 + 75.
    EXPECT_DOUBLE_EQ(strip.barOf(0).top(), 6.0);
    EXPECT_DOUBLE_EQ(strip.barOf(0).bottom(), 81.0);
    EXPECT_DOUBLE_EQ(strip.barOf(1).top(), 81.0);
    EXPECT_DOUBLE_EQ(strip.barOf(1).bottom(), 106.0);
    EXPECT_DOUBLE_EQ(strip.barOf(2).height(), 25.0);
    EXPECT_DOUBLE_EQ(strip.barOf(3).height(), 0.0);
    EXPECT_DOUBLE_EQ(strip.barOf(2).center().x(), 124.0);
}

TEST_F(Strip, SortedTheLargestComesFirst) {
    strip.setSorted(true); // 3, 1, 0, -1
    EXPECT_DOUBLE_EQ(strip.barOf(0).center().x(), 28.0);
    EXPECT_DOUBLE_EQ(strip.barOf(2).center().x(), 76.0);
    EXPECT_DOUBLE_EQ(strip.barOf(3).center().x(), 124.0);
    EXPECT_DOUBLE_EQ(strip.barOf(1).center().x(), 172.0);
}

TEST_F(Strip, TheMousePointsAtADimension) {
    EXPECT_EQ(words(), "4 products q × k, -1.00 to 3.00");
    QTest::mouseMove(&strip, {75, 20});
    EXPECT_EQ(strip.pointed(), 1);
    EXPECT_EQ(words(), "d 1: 2.000 × -0.500 = -1.000");
    EXPECT_EQ(strip.accessibleDescription().toStdString(), words());
}

TEST_F(Strip, TheArrowKeysWalkInTheOrderShown) {
    strip.setSorted(true);
    strip.setFocus();
    QTest::keyClick(&strip, Qt::Key_Right);
    EXPECT_EQ(strip.pointed(), 0);
    QTest::keyClick(&strip, Qt::Key_Right);
    EXPECT_EQ(strip.pointed(), 2);
    QTest::keyClick(&strip, Qt::Key_End);
    EXPECT_EQ(strip.pointed(), 1);
    QTest::keyClick(&strip, Qt::Key_Right);
    EXPECT_EQ(strip.pointed(), 1) << "the last one";
    QTest::keyClick(&strip, Qt::Key_Home);
    EXPECT_EQ(strip.pointed(), 0);
}

std::shared_ptr<const Analysis> familyPass(const std::string& model) {
    TextInput input;
    input.ids = {5, 9, 7, 5, 8, 11, 6, 12};
    return analyse(
        {openModel(headscope::test::dataPath("families/" + model), {DeviceChoice::Cpu}, {}, {}), input}, {},
        {});
}

WeightedCell cellOf(const Analysis& analysis, std::size_t layer, std::int64_t query, std::int64_t key) {
    const auto& result = analysis.layers[layer];
    return {{result->kind, result->layer, HeadIndex(1)},
            result,
            std::make_shared<const Axis>(analysis.queryAxis(result->kind)),
            std::make_shared<const Axis>(analysis.keyAxis(result->kind)),
            query,
            key};
}

std::vector<std::string> namesOf(const QStringList& ladder) {
    std::vector<std::string> names;
    for (const QString& line : ladder) names.push_back(line.section(QLatin1Char('|'), 0, 0).toStdString());
    return names;
}

std::string text(double value) {
    return QString::number(value, 'f', 4).toStdString();
}

class Weights : public testing::Test {
  protected:
    WeightPanel panel;
};

TEST_F(Weights, TheLadderGoesFromTheProductToTheWeightOnTheMap) {
    const auto analysis = familyPass("bloom/plain");
    const WeightedCell cell = cellOf(*analysis, 0, 6, 2);
    panel.showCell(cell);
    EXPECT_THAT(namesOf(panel.ladder()), ElementsAre("q · k", "× scale", "+ position bias", "Score",
                                                     "− row maximum", "exp", "÷ row sum", "Weight"));
    const float weight = cell.layer->heads[1].map->cell(6, 2);
    EXPECT_THAT(panel.ladder().back().toStdString(), HasSubstr(text(static_cast<double>(weight))));
    EXPECT_EQ(panel.number().toStdString(), text(static_cast<double>(weight)));
    const float score = cell.layer->maps->score(HeadIndex(1), 6, 2);
    EXPECT_EQ(panel.ladder()[3].section(QLatin1Char('|'), 2).toStdString(), text(static_cast<double>(score)));
    EXPECT_THAT(panel.message().toStdString(), IsEmpty());
    EXPECT_FALSE(panel.strip()->isHidden());
}

TEST_F(Weights, TheLadderNamesWhatTheModelHas) {
    panel.showCell(cellOf(*familyPass("deberta/plain"), 0, 3, 2));
    EXPECT_THAT(namesOf(panel.ladder()),
                testing::IsSupersetOf({"+ content to position", "+ position to content"}));
    panel.showCell(cellOf(*familyPass("gemma2/plain"), 0, 3, 2));
    EXPECT_THAT(namesOf(panel.ladder()), testing::Contains("Soft cap"));
    panel.showCell(cellOf(*familyPass("bert/plain"), 0, 3, 2));
    EXPECT_THAT(namesOf(panel.ladder()),
                ElementsAre("q · k", "× scale", "Score", "− row maximum", "exp", "÷ row sum", "Weight"));
}

TEST_F(Weights, AMaskedCellSaysWhyAndHasNoWeight) {
    panel.showCell(cellOf(*familyPass("bloom/plain"), 0, 2, 6));
    EXPECT_EQ(panel.number().toStdString(), "masked");
    EXPECT_THAT(panel.message().toStdString(), HasSubstr("it comes after the query"));
    EXPECT_THAT(namesOf(panel.ladder()), ElementsAre("q · k", "× scale", "+ position bias", "Score"));
    EXPECT_THAT(panel.title().toStdString(), HasSubstr("cannot see"));
}

TEST_F(Weights, OfImportedMapsOnlyTheWeightIsThere) {
    auto layer = std::make_shared<LayerResult>();
    layer->mask.queries = layer->mask.keys = 4;
    layer->heads.push_back(test::fakeHead(0, 0, 4));
    const auto axis = test::fakeTokens(std::string("a b c d")).axis;
    panel.showCell({{}, layer, axis, axis, 1, 0});
    EXPECT_EQ(panel.number().toStdString(), "0.6250");
    EXPECT_THAT(panel.message().toStdString(), HasSubstr("the file holds weights only"));
    EXPECT_TRUE(panel.ladder().isEmpty());
    EXPECT_TRUE(panel.strip()->parentWidget()->isHidden());
}

TEST_F(Weights, TheOrderOfTheBarsIsChosenByButton) {
    panel.showCell(cellOf(*familyPass("bert/plain"), 0, 3, 2));
    QToolButton* bySize = nullptr;
    for (QToolButton* button : panel.findChildren<QToolButton*>())
        if (button->text() == QStringLiteral("By size")) bySize = button;
    ASSERT_NE(bySize, nullptr);
    QTest::mouseClick(bySize, Qt::LeftButton);
    EXPECT_TRUE(panel.strip()->isSorted());
    panel.showCell(cellOf(*familyPass("bert/plain"), 1, 3, 1));
    EXPECT_TRUE(panel.strip()->isSorted()) << "another cell keeps it";
}

TEST_F(Weights, WithoutACellItSaysWhatToDo) {
    panel.showCell(cellOf(*familyPass("bert/plain"), 0, 3, 2));
    panel.showNothing(QStringLiteral("Choose a cell."));
    EXPECT_TRUE(panel.ladder().isEmpty());
    EXPECT_EQ(panel.message(), QStringLiteral("Choose a cell."));
    EXPECT_TRUE(panel.number().isEmpty());
}

} // namespace
} // namespace headscope::ui
