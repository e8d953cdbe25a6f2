// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/charts/chart_support.h"
#include "ui/charts/distance_chart.h"
#include "ui/charts/entropy_chart.h"
#include "ui/charts/sink_chart.h"

#include <QLineEdit>
#include <QSignalSpy>
#include <QToolTip>

#include <gtest/gtest.h>
#include <limits>

namespace headscope::ui::test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::vector<HeadPoint> fourLayers() {
    std::vector<HeadPoint> points;
    for (int layer = 0; layer < 4; ++layer)
        for (int head = 0; head < 3; ++head)
            points.push_back({headAt(layer, head), 0.4 * layer + 0.3 * head});
    return points;
}

TEST(HeadsChart, PointsStandOverTheirLayerAtTheHeightOfTheirValue) {
    EntropyChart chart;
    chart.resize(420, 260);
    chart.setPoints(fourLayers());
    const QPointF base = chart.positionOf(headAt(0, 1));
    const QPointF next = chart.positionOf(headAt(1, 1));
    EXPECT_NEAR(chart.positionOf(headAt(3, 1)).x() - base.x(), 3.0 * (next.x() - base.x()), 1e-6);
    EXPECT_LT(chart.positionOf(headAt(0, 0)).x(), base.x());
    EXPECT_GT(chart.positionOf(headAt(0, 2)).x(), base.x());
    EXPECT_LT(chart.positionOf(headAt(0, 2)).x(), chart.positionOf(headAt(1, 0)).x());
    // 0.3, 0.7, 1.1, 1.5: equal steps up.
    EXPECT_NEAR(base.y() - chart.positionOf(headAt(3, 1)).y(), 3.0 * (base.y() - next.y()), 1e-6);
    EXPECT_GT(base.y(), next.y());
    EXPECT_EQ(chart.positionOf(headAt(9, 9)), QPointF(-1, -1));

    const QImage image = imageOf(chart);
    const QColor ink = overPanel(inkColor(ChartInk::Quiet, lightColors()));
    for (const HeadPoint& point : fourLayers()) {
        const QPoint place = chart.positionOf(point.head).toPoint();
        EXPECT_LE(distanceTo(image.pixel(place), ink), 12) << headText(point.head);
    }
}

TEST(SinkChart, APointAtTheThresholdLiesOnItsLine) {
    SinkChart chart;
    chart.resize(420, 300);
    chart.setPoints({{headAt(0, 0), SinkChart::kSink},
                     {headAt(0, 1), SinkChart::kStuck},
                     {headAt(1, 0), 0.0},
                     {headAt(1, 1), 1.0}});
    const QImage image = imageOf(chart);
    const auto rowOf = [&](const QColor& ink) {
        // Where the plot ends nothing but the lines is drawn.
        std::vector<int> rows;
        const int right = static_cast<int>(chart.positionOf(headAt(1, 1)).x()) + 20;
        for (int y = 0; y < image.height(); ++y) {
            int pixels = 0;
            for (int x = right; x < right + 24; ++x)
                if (distanceTo(image.pixel(x, y), ink) < 24) ++pixels;
            if (pixels >= 8) rows.push_back(y);
        }
        return rows;
    };
    const std::vector<int> sink = rowOf(lightColors().accent);
    ASSERT_EQ(sink.size(), 1U);
    EXPECT_NEAR(chart.positionOf(headAt(0, 0)).y(), sink[0] + 0.5, 1.0);
    const std::vector<int> stuck = rowOf(lightColors().alarm);
    ASSERT_EQ(stuck.size(), 1U);
    EXPECT_NEAR(chart.positionOf(headAt(0, 1)).y(), stuck[0] + 0.5, 1.0);
}

TEST(HeadsChart, LinesOfTheGridStandAtTheirNumbers) {
    EntropyChart chart;
    chart.resize(420, 260);
    chart.setPoints(fourLayers());
    const QImage image = imageOf(chart);
    const ChartLayout layout(chart.plot(), QSizeF(420, 260), {});
    const QRectF area = layout.area();
    std::vector<int> rows;
    for (int y = 0; y < image.height(); ++y) {
        int pixels = 0;
        for (int x = static_cast<int>(area.left()); x < static_cast<int>(area.right()); ++x)
            if (distanceTo(image.pixel(x, y), lightColors().hairline) < 6) ++pixels;
        if (pixels > 0.8 * area.width()) rows.push_back(y);
    }
    std::vector<double> wanted;
    for (double at = 0.0; at <= chart.plot().y.high; at += layout.yStep())
        wanted.insert(wanted.begin(), layout.map({0.0, at}).y());
    ASSERT_EQ(rows.size(), wanted.size());
    ASSERT_GE(rows.size(), 3U);
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_NEAR(rows[i] + 0.5, wanted[i], 1.0);
}

TEST(SinkChart, NamesItsThresholds) {
    SinkChart chart;
    chart.resize(420, 300);
    chart.setPoints(fourLayers());
    QStringList words;
    const ChartLayout layout(chart.plot(), chart.size(), {});
    for (const ChartText& text : layout.texts()) words << text.text;
    EXPECT_TRUE(words.contains(QStringLiteral("sink 0.30"))) << words.join(u'|').toStdString();
    EXPECT_TRUE(words.contains(QStringLiteral("stuck 0.90"))) << words.join(u'|').toStdString();
}

TEST(SinkChart, ThresholdsAreThoseOfTheDiagnosis) {
    HeadMetrics metrics;
    metrics.keys = 64;
    metrics.rows = 57;
    metrics.column = ColumnMetrics();
    const Verdict verdict = judge(metrics);
    ASSERT_NE(verdict.find(Label::Sink), nullptr);
    EXPECT_EQ(verdict.find(Label::Sink)->measures.front().threshold, SinkChart::kSink);
    ASSERT_NE(verdict.find(Label::Stuck), nullptr);
    EXPECT_EQ(verdict.find(Label::Stuck)->measures.front().threshold, SinkChart::kStuck);
}

TEST(HeadsChart, WhatWasNotTestedIsNoPointAndIsCounted) {
    EntropyChart chart;
    chart.resize(420, 260);
    chart.setPoints({{headAt(0, 0), 1.5}, {headAt(0, 1), std::nullopt}, {headAt(2, 1), kNaN}});
    EXPECT_EQ(chart.pointCount(), 1U);
    EXPECT_EQ(chart.positionOf(headAt(0, 1)), QPointF(-1, -1));
    EXPECT_EQ(chart.plot().note, QStringLiteral("2 heads could not be tested and are not drawn"));
    // Its layer keeps its place.
    EXPECT_EQ(chart.plot().x.high, 2.5);
    chart.setPoints({{headAt(0, 0), std::nullopt}});
    EXPECT_TRUE(chart.isEmpty());
    EXPECT_EQ(chart.plot().empty, QStringLiteral("No head could be tested"));
    EXPECT_EQ(chart.accessibleDescription(), QStringLiteral("No head could be tested"));
}

TEST(HeadsChart, TipsSayTheExactNumbers) {
    EntropyChart entropy;
    entropy.setPoints({{headAt(1, 11), 2.8034, Label::Sink}, {headAt(0, 0), 0.00002}});
    EXPECT_EQ(entropy.plot().items[1].tip, QStringLiteral("Head 1.11: Sink\n2.803 nats below uniform"));
    EXPECT_EQ(entropy.plot().items[0].tip, QStringLiteral("Head 0.0\n2e-05 nats below uniform"));
    SinkChart sink;
    sink.setPoints({{headAt(2, 3), 0.7712, Label::Sink, QStringLiteral("the learned sink")}});
    EXPECT_EQ(sink.plot().items[0].tip,
              QStringLiteral("Head 2.3: Sink\n0.771 of the weight on its top key\nthe learned sink"));
    DistanceChart distance;
    distance.setPoints({{{headAt(0, 4), 7.25, Label::PreviousToken}, 33.123}});
    EXPECT_EQ(distance.plot().items[0].tip,
              QStringLiteral(
                  "Head 0.4: Previous token\nlooks 7.250 tokens far on average\neven weights: 33.1 tokens"));
}

TEST(HeadsChart, FlagsDifferByFormToo) {
    SinkChart chart;
    chart.setPoints({{headAt(0, 0), 0.5, Label::Sink},
                     {headAt(0, 1), 0.1, Label::Uniform},
                     {headAt(0, 2), 0.95, Label::Stuck},
                     {headAt(0, 3), 0.2, Label::Induction}});
    const auto& items = chart.plot().items;
    EXPECT_EQ(items[0].form, Label::Sink);
    EXPECT_EQ(items[1].form, Label::Uniform);
    EXPECT_EQ(items[2].form, Label::Stuck);
    EXPECT_EQ(items[3].form, Label::InsufficientEvidence);
}

TEST(DistanceChart, EvenWeightsAreALineForEachRunOfLayers) {
    DistanceChart chart;
    chart.resize(420, 260);
    chart.setPoints({{{headAt(0, 0), 5.0}, 20.0},
                     {{headAt(1, 0), 6.0}, 20.0},
                     {{headAt(2, 0), 2.0}, 4.0},
                     {{headAt(3, 0), 2.0}, std::nullopt},
                     {{headAt(4, 0), 2.0}, 4.0}});
    const auto& lines = chart.plot().lines;
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[0].points, (std::vector<QPointF>{{-0.5, 20.0}, {1.5, 20.0}}));
    EXPECT_EQ(lines[1].points, (std::vector<QPointF>{{1.5, 4.0}, {2.5, 4.0}}));
    EXPECT_EQ(lines[2].points, (std::vector<QPointF>{{3.5, 4.0}, {4.5, 4.0}}));
    EXPECT_GT(chart.plot().y.high, 20.0); // though no head looks as far
}

TEST(HeadsChart, AClickChoosesTheHead) {
    EntropyChart chart;
    chart.resize(320, 200);
    chart.setPoints(fourLayers());
    chart.show();
    QSignalSpy spy(&chart, &Chart::headActivated);
    const HeadRef wanted = headAt(2, 1);
    QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.positionOf(wanted).toPoint());
    ASSERT_EQ(spy.size(), 1);
    EXPECT_EQ(spy[0][0].value<HeadRef>(), wanted);
    QTest::mouseClick(&chart, Qt::LeftButton, {}, QPoint(1, 1));
    EXPECT_EQ(spy.size(), 1);
}

TEST(HeadsChart, HoveringSaysTheNumberAndAMissSaysNothing) {
    EntropyChart chart;
    chart.resize(320, 200);
    chart.setPoints(fourLayers());
    chart.show();
    QTest::mouseMove(&chart, chart.positionOf(headAt(2, 1)).toPoint());
    EXPECT_TRUE(QToolTip::text().contains(QStringLiteral("Head 2.1<br>1.100 nats below uniform")))
        << QToolTip::text().toStdString();
    EXPECT_EQ(chart.cursor().shape(), Qt::PointingHandCursor);
    QTest::mouseMove(&chart, QPoint(2, 2));
    EXPECT_EQ(chart.cursor().shape(), Qt::ArrowCursor);
}

TEST(HeadsChart, ArrowsWalkAndEnterOpens) {
    EntropyChart chart;
    chart.resize(320, 200);
    chart.setPoints(fourLayers());
    chart.show();
    chart.setFocus(Qt::TabFocusReason);
    QSignalSpy spy(&chart, &Chart::headActivated);
    QTest::keyClick(&chart, Qt::Key_Home);
    QTest::keyClick(&chart, Qt::Key_Right);
    EXPECT_EQ(chart.current(), 1U);
    QTest::keyClick(&chart, Qt::Key_Up); // 0.3 -> 0.6 of the same layer
    EXPECT_EQ(chart.current(), 2U);
    QTest::keyClick(&chart, Qt::Key_Up); // nothing higher
    EXPECT_EQ(chart.current(), 2U);
    QTest::keyClick(&chart, Qt::Key_Down);
    EXPECT_EQ(chart.current(), 1U);
    QTest::keyClick(&chart, Qt::Key_End);
    EXPECT_EQ(chart.current(), 11U);
    QTest::keyClick(&chart, Qt::Key_Right);
    EXPECT_EQ(chart.current(), 11U);
    EXPECT_EQ(chart.accessibleDescription(), chart.plot().items[11].tip);
    QTest::keyClick(&chart, Qt::Key_Return);
    ASSERT_EQ(spy.size(), 1);
    EXPECT_EQ(spy[0][0].value<HeadRef>(), headAt(3, 2));
}

TEST(HeadsChart, FocusByTabStartsAtTheChosenHead) {
    QWidget window;
    QLineEdit before(&window); // has the focus first
    EntropyChart chart(&window);
    chart.resize(320, 200);
    chart.setPoints(fourLayers());
    chart.setSelected(headAt(1, 2));
    window.show();
    window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
    before.setFocus();
    QTest::keyClick(&before, Qt::Key_Tab);
    EXPECT_TRUE(chart.hasFocus());
    EXPECT_EQ(chart.current(), 5U);
}

TEST(HeadsChart, TheChosenHeadKeepsItsRingWhenPointsChange) {
    EntropyChart chart;
    chart.resize(320, 200);
    chart.setSelected(headAt(1, 2));
    chart.setPoints(fourLayers());
    const QImage with = imageOf(chart);
    EXPECT_GT(pixelsOf(with, lightColors().text, 40), 8);
    chart.setSelected(headAt(9, 9)); // not here
    EXPECT_EQ(pixelsOf(imageOf(chart), lightColors().text, 40), 0);
}

TEST(HeadsChart, EmptyStateSaysWhatWillStandHere) {
    EntropyChart chart;
    chart.resize(320, 200);
    EXPECT_TRUE(chart.isEmpty());
    EXPECT_EQ(chart.plot().empty, QStringLiteral("A point for every head, after a run"));
    EXPECT_EQ(chart.accessibleName(), QStringLiteral("Entropy by layer, nats below uniform"));
    EXPECT_GT(pixelsOf(imageOf(chart), lightColors().muted, 60), 40);
    QTest::keyClick(&chart, Qt::Key_Right);
    EXPECT_FALSE(chart.current());
}

} // namespace
} // namespace headscope::ui::test
