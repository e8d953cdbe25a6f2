// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/charts/chart_support.h"
#include "ui/charts/class_chart.h"
#include "ui/charts/offset_chart.h"
#include "ui/charts/texts_chart.h"

#include <QSignalSpy>

#include <gtest/gtest.h>

namespace headscope::ui::test {
namespace {

std::vector<OffsetBar> causalBars() {
    std::vector<OffsetBar> bars{{-127, -65, 0.10, 0.20}};
    for (std::int64_t offset = -64; offset <= 64; ++offset)
        bars.push_back({offset, offset,
                        offset == -1 ? 0.6
                        : offset < 0 ? 0.002
                                     : 0.0,
                        offset <= 0 ? 0.01 : 0.0});
    bars.push_back({65, 127, 0.0, 0.0});
    return bars;
}

TEST(OffsetChart, BarsStandAtTheirOffsetAndAreAsHighAsTheirWeight) {
    OffsetChart chart;
    chart.resize(520, 260);
    chart.setBars(causalBars());
    const ChartLayout layout(chart.plot(), chart.size(), {});
    const auto& items = chart.plot().items;
    // What a causal head cannot reach is left out beyond a few offsets.
    ASSERT_EQ(items.size(), 1U + 64U + 1U + 4U);
    EXPECT_EQ(items[64].value, QPointF(-1.0, 0.6));
    EXPECT_EQ(items[65].value, QPointF(0.0, 0.0));
    const QRectF previous = layout.itemBox(items[64], 0.0);
    EXPECT_NEAR(previous.bottom(), layout.area().bottom(), 1e-9);
    EXPECT_NEAR(previous.height() / layout.area().height(), 0.6 / chart.plot().y.high, 1e-9);
    const QImage image = imageOf(chart);
    EXPECT_LE(distanceTo(image.pixel(previous.center().toPoint()), lightColors().accent), 4);
    EXPECT_GT(distanceTo(image.pixel(previous.center().toPoint() - QPoint(8, 0)), lightColors().accent), 40);
}

TEST(OffsetChart, SummedOffsetsStandApartInAnotherInkAndAreSaidToBeSummed) {
    OffsetChart chart;
    chart.setBars(causalBars());
    const ChartItem& far = chart.plot().items.front();
    EXPECT_EQ(far.ink, ChartInk::Quiet);
    EXPECT_LT(far.high, -64.5 - 1.0); // a gap
    EXPECT_EQ(
        far.tip,
        QStringLiteral("Offsets \u2212127 to \u221265 together\n0.1000 of the weight\neven weights: 0.2000"));
    EXPECT_FALSE(chart.plot().note.isEmpty());
    EXPECT_EQ(chart.plot().lines.size(), 2U); // even weights: of the bin, and of the single ones
    EXPECT_EQ(chart.plot().lines[0].points.front().y(), 0.20);
}

TEST(OffsetChart, EvenWeightsAreDrawnOverTheBars) {
    OffsetChart chart;
    chart.resize(520, 260);
    chart.setBars({{-2, -2, 0.5, 0.25}, {-1, -1, 0.5, 0.25}, {0, 0, 0.0, 0.25}, {1, 1, 0.0, 0.25}});
    const QImage image = imageOf(chart);
    const ChartLayout layout(chart.plot(), QSizeF(520, 260), {});
    for (const ChartItem& item : chart.plot().items) {
        const QPointF place = layout.map({item.value.x(), 0.25});
        int nearest = 255;
        for (const int up : {-1, 0, 1})
            nearest = std::min(
                nearest, distanceTo(image.pixel(place.toPoint() + QPoint(0, up)), lightColors().warning));
        EXPECT_LE(nearest, 8) << item.value.x();
    }
}

TEST(OffsetChart, TipsNameTheDirection) {
    OffsetChart chart;
    chart.setBars({{-2, -2, 0.25}, {-1, -1, 0.25}, {0, 0, 0.25}, {1, 1, 0.25}});
    const auto& items = chart.plot().items;
    EXPECT_EQ(items[0].tip, QStringLiteral("Offset \u22122: 2 tokens before\n0.2500 of the weight"));
    EXPECT_EQ(items[1].tip, QStringLiteral("Offset \u22121: 1 token before\n0.2500 of the weight"));
    EXPECT_EQ(items[2].tip, QStringLiteral("Offset 0: the token itself\n0.2500 of the weight"));
    EXPECT_EQ(items[3].tip, QStringLiteral("Offset +1: 1 token after\n0.2500 of the weight"));
    EXPECT_TRUE(chart.plot().note.isEmpty());
    EXPECT_TRUE(chart.plot().lines.empty()); // even weights are not known
}

TEST(OffsetChart, AnywhereOverABarHitsIt) {
    OffsetChart chart;
    chart.resize(520, 260);
    chart.setBars(causalBars());
    const QPointF low = chart.positionOf(std::size_t{20}); // 0.002: less than a pixel high
    const auto hit = chart.itemAt(low - QPointF(0, 100));
    ASSERT_TRUE(hit);
    EXPECT_EQ(*hit, 20U);
}

TEST(OffsetChart, EmptyStateSaysWhy) {
    OffsetChart chart;
    EXPECT_EQ(chart.plot().empty, QStringLiteral("Choose a head to see how far it looks"));
    chart.setBars({}, QStringLiteral("Cross-attention has no offsets"));
    EXPECT_TRUE(chart.isEmpty());
    EXPECT_EQ(chart.accessibleDescription(), QStringLiteral("Cross-attention has no offsets"));
}

TEST(ClassChart, BarsReachTheirWeightAndChanceIsMarked) {
    ClassChart chart;
    chart.resize(360, 220);
    chart.setBars({{TokenClass::Start, 0.8, 0.1}, {TokenClass::Content, 0.2, 0.7}});
    const ChartLayout layout(chart.plot(), chart.size(), {});
    const auto& items = chart.plot().items;
    const QRectF start = layout.itemBox(items[0], 0.0);
    const QRectF words = layout.itemBox(items[1], 0.0);
    EXPECT_NEAR(start.width(), 4.0 * words.width(), 1e-6);
    EXPECT_LT(start.bottom(), words.top());
    EXPECT_EQ(items[0].label, QStringLiteral("0.80"));
    EXPECT_EQ(items[1].reference, 0.7);
    EXPECT_EQ(items[0].tip, QStringLiteral("start token: 0.8000 of the weight\neven weights: 0.1000"));
    const QImage image = imageOf(chart);
    EXPECT_LE(distanceTo(image.pixel(QPointF(start.right() - 3, start.center().y()).toPoint()),
                         lightColors().accent),
              4);
    EXPECT_GT(distanceTo(image.pixel(QPointF(start.right() + 3, start.center().y()).toPoint()),
                         lightColors().accent),
              40);
}

TEST(ClassChart, TheStrokeOfEvenWeightsStandsAtItsShare) {
    ClassChart chart;
    chart.resize(360, 220);
    chart.setBars({{TokenClass::Start, 0.8, 0.1}, {TokenClass::Content, 0.2, 0.7}});
    const QImage image = imageOf(chart);
    const ChartLayout layout(chart.plot(), QSizeF(360, 220), {});
    for (const ChartItem& item : chart.plot().items) {
        const int y = static_cast<int>(layout.map(item.value).y());
        std::vector<int> columns;
        for (int x = 0; x < image.width(); ++x)
            if (distanceTo(image.pixel(x, y), lightColors().warning) < 12) columns.push_back(x);
        ASSERT_EQ(columns.size(), 2U);
        EXPECT_NEAR(layout.map({*item.reference, 0.0}).x(), columns[1], 1.0);
    }
}

TEST(ClassChart, ASmallShareIsNotWrittenAsNone) {
    ClassChart chart;
    chart.setBars({{TokenClass::Start, 0.0004}, {TokenClass::Separator, 0.0}, {TokenClass::Content, 0.996}});
    EXPECT_EQ(chart.plot().items[0].label, QStringLiteral("<0.01"));
    EXPECT_EQ(chart.plot().items[1].label, QStringLiteral("0.00"));
    EXPECT_EQ(chart.plot().items[2].label, QStringLiteral("1.00"));
}

TEST(ClassChart, AClassThatNoRowSeesHasNoBar) {
    ClassChart chart;
    chart.resize(360, 220);
    chart.setBars({{TokenClass::Start, 0.0, 0.1}, {TokenClass::Newline, std::nullopt}});
    const auto& items = chart.plot().items;
    EXPECT_TRUE(items[0].drawn);
    EXPECT_EQ(items[0].label, QStringLiteral("0.00")); // measured, and nothing
    EXPECT_FALSE(items[1].drawn);
    EXPECT_EQ(items[1].label, QStringLiteral("none to read"));
    EXPECT_EQ(items[1].tip, QStringLiteral("line breaks: no row sees one"));
    EXPECT_FALSE(items[1].reference);
}

TextDots sinkOnThree() {
    TextDots dots;
    dots.label = Label::Sink;
    dots.measure = QStringLiteral("Weight on the top key");
    dots.threshold = 0.3;
    dots.mean = 0.45;
    dots.texts = {1, 2};
    dots.dots = {{QStringLiteral("prose"), 0.7, true},
                 {QStringLiteral("code"), 0.2, false, true},
                 {QStringLiteral("list"), std::nullopt}};
    return dots;
}

TEST(TextsChart, ADotForEveryTextWhereItsScoreBelongs) {
    TextsChart chart;
    chart.resize(420, 240);
    chart.setDots(sinkOnThree());
    const ChartLayout layout(chart.plot(), chart.size(), {});
    const double threshold = layout.map({0.3, 0.0}).x();
    EXPECT_GT(chart.positionOf(std::size_t{0}).x(), threshold);
    EXPECT_LT(chart.positionOf(std::size_t{1}).x(), threshold);
    EXPECT_NEAR(chart.positionOf(std::size_t{0}).x() - threshold,
                4.0 * (threshold - chart.positionOf(std::size_t{1}).x()), 1e-6);
    EXPECT_LT(chart.positionOf(std::size_t{0}).y(), chart.positionOf(std::size_t{1}).y());
    const QImage image = imageOf(chart);
    EXPECT_LE(distanceTo(image.pixel(chart.positionOf(std::size_t{0}).toPoint()), lightColors().accent), 4);
    // Hollow: the panel shows through.
    EXPECT_LE(distanceTo(image.pixel(chart.positionOf(std::size_t{1}).toPoint()), lightColors().panel), 4);
}

TEST(TextsChart, SaysHowOftenAndHowSure) {
    TextsChart chart;
    TextDots dots = sinkOnThree();
    chart.setDots(dots);
    // Wilson, 1 of 2: 9.45 %.
    EXPECT_EQ(chart.plot().caption,
              QStringLiteral("Sink fires on 1 of the 2 texts that could test it; mean score 0.45. With 95 % "
                             "confidence it fires on at least 9 % of such texts."));
    EXPECT_EQ(chart.accessibleDescription(), chart.plot().caption);
    dots.texts = {12, 12}; // Wilson: 75.75 %
    chart.setDots(dots);
    EXPECT_TRUE(chart.plot().caption.contains(QStringLiteral("at least 76 % of such texts")))
        << chart.plot().caption.toStdString();
    EXPECT_TRUE(chart.plot().caption.startsWith(QStringLiteral("Sink fires on all of the 12 texts")))
        << chart.plot().caption.toStdString();
    dots.texts = {0, 1};
    chart.setDots(dots);
    EXPECT_EQ(chart.plot().caption,
              QStringLiteral("Sink fires on none of the 1 text that could test it; mean score 0.45."));
    dots.texts = {0, 0};
    chart.setDots(dots);
    EXPECT_EQ(chart.plot().caption, QStringLiteral("Sink: no text could test it."));
}

TEST(TextsChart, ATextThatCouldNotTestHasWordsAndNoDot) {
    TextsChart chart;
    chart.setDots(sinkOnThree());
    const auto& items = chart.plot().items;
    EXPECT_FALSE(items[2].drawn);
    EXPECT_EQ(items[2].label, QStringLiteral("not tested"));
    EXPECT_EQ(items[2].tip, QStringLiteral("list: not tested"));
    EXPECT_EQ(items[0].tip, QStringLiteral("prose: fires\nscore 0.7000 (needs at least 0.30)"));
    EXPECT_EQ(items[1].tip,
              QStringLiteral(
                  "code: does not fire\nscore 0.2000 (needs at least 0.30)\nspeaks most against the label"));
}

TEST(TextsChart, AClickChoosesTheText) {
    TextsChart chart;
    chart.resize(420, 240);
    chart.setDots(sinkOnThree());
    chart.show();
    QSignalSpy texts(&chart, &Chart::textActivated);
    QSignalSpy heads(&chart, &Chart::headActivated);
    QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.positionOf(std::size_t{1}).toPoint());
    ASSERT_EQ(texts.size(), 1);
    EXPECT_EQ(texts[0][0].value<std::size_t>(), 1U);
    QTest::keyClick(&chart, Qt::Key_Down);
    QTest::keyClick(&chart, Qt::Key_Space);
    ASSERT_EQ(texts.size(), 2);
    EXPECT_EQ(texts[1][0].value<std::size_t>(), 2U);
    EXPECT_TRUE(heads.isEmpty());
}

} // namespace
} // namespace headscope::ui::test
