// SPDX-License-Identifier: GPL-3.0-or-later
#include "heat_support.h"
#include "ui/heatmap/head_badges.h"
#include "ui/heatmap/legend_painter.h"
#include "ui/heatmap/readout.h"

#include <QImage>
#include <QPainter>

#include <cmath>
#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

LegendModel modelOf(DisplayRange range, RangeStatistics statistics) {
    return {range, statistics, Colormap::Viridis, std::nullopt};
}

TEST(Legend, SaysTheModeAndMarksClipping) {
    const RangeStatistics statistics{0.42F, 0.01F, 0.93F};
    EXPECT_EQ(legendTitle(modelOf({}, statistics)), "auto");
    EXPECT_EQ(legendTitle(modelOf({RangeMode::Fixed}, statistics)), "fixed");
    EXPECT_EQ(legendTitle(modelOf({RangeMode::PerRow}, statistics)), "per row");
    EXPECT_EQ(legendTitle(modelOf({RangeMode::Log}, statistics)), "log");
    EXPECT_TRUE(modelOf({}, statistics).clipped());
    EXPECT_TRUE(legendSentence(modelOf({}, statistics)).contains("0.93"));
    EXPECT_FALSE(modelOf({RangeMode::Fixed}, statistics).clipped());
    EXPECT_FALSE(legendSentence(modelOf({RangeMode::Fixed}, statistics)).contains("above"));
}

TEST(Legend, TicksAreRoundNumbersBetweenTheEnds) {
    const auto ticks = legendTicks(modelOf({RangeMode::Fixed, 0.0F, 1.0F}, {}), 0.1);
    ASSERT_EQ(ticks.size(), 6U);
    const char* texts[] = {"0", "0.2", "0.4", "0.6", "0.8", "1"};
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        EXPECT_EQ(ticks[i].text, texts[i]);
        EXPECT_NEAR(ticks[i].position, 0.2 * static_cast<double>(i), 1e-6);
    }
    // Whatever the range: ascending, inside, apart.
    for (const float low : {0.0F, -1.0F, 0.3F})
        for (const float length : {1e-6F, 0.0123F, 0.42F, 1.0F, 37.0F})
            for (const double spacing : {0.05, 0.2, 0.9}) {
                const auto some = legendTicks(modelOf({RangeMode::Fixed, low, low + length}, {}), spacing);
                ASSERT_GE(some.size(), 2U);
                EXPECT_LE(some.size(), 9U);
                EXPECT_EQ(some.front().position, 0.0);
                EXPECT_EQ(some.back().position, 1.0);
                for (std::size_t i = 1; i < some.size(); ++i)
                    EXPECT_GE(some[i].position - some[i - 1].position, std::min(spacing, 1.0) * 0.8);
            }
}

TEST(Legend, PaintsWithinItsWidth) {
    QFont font = QApplication::font();
    font.setPixelSize(11);
    LegendModel model = modelOf({}, {0.42F, 0.01F, 0.93F});
    model.masked = 0xff808080;
    for (const double height : {60.0, 120.0, 500.0})
        for (const RangeMode mode : {RangeMode::Auto, RangeMode::Fixed, RangeMode::PerRow, RangeMode::Log}) {
            model.chosen.mode = mode;
            const double width = legendWidth(model, font);
            QImage image(200, 600, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            paintLegend(painter, QRectF(20, 20, width, height), model, font, HeatmapTheme::lightTheme());
            painter.end();
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    if (image.pixel(x, y) != 0xffffffffU) {
                        ASSERT_GE(x, 19) << height;
                        ASSERT_LE(x, 20 + width + 1) << height;
                        ASSERT_GE(y, 19) << height;
                    }
        }
}

TEST(Readout, WeightsAreNeverRoundedToNothing) {
    EXPECT_EQ(weightText(0.935F), "0.9350");
    EXPECT_EQ(weightText(0.0F), "0.0000");
    EXPECT_EQ(weightText(1.0F), "1.0000");
    EXPECT_EQ(weightText(0.00003F), "3.00e-05");
    EXPECT_EQ(weightText(-0.25F), "-0.2500");
    EXPECT_EQ(weightInCell(0.935F), QString::number(0.935F, 'f', 2));
    EXPECT_EQ(weightInCell(0.004F), "0.004");
    EXPECT_EQ(weightInCell(0.0001F), "~0");
    EXPECT_EQ(weightInCell(0.0F), "0.00");
}

TEST(Readout, Sentences) {
    AxisEntry said;
    said.label = "said";
    AxisEntry cls;
    cls.label = "[CLS]";
    cls.special = true;
    EXPECT_EQ(readsSentence(said, cls), QStringLiteral("“said” reads [CLS]"));
    EXPECT_EQ(maskedSentence(cls, said), QStringLiteral("[CLS] cannot see “said”"));
    // A token that contains a place marker is no place marker.
    AxisEntry percent;
    percent.label = "%2";
    EXPECT_EQ(readsSentence(percent, cls), QStringLiteral("“%2” reads [CLS]"));
}

Finding finding(Label label, bool fires, double score, std::optional<std::int64_t> column) {
    Finding result;
    result.label = label;
    result.fires = fires;
    result.score = score;
    result.column = column;
    return result;
}

TEST(HeadBadges, TheCornerMarkStaysSmallOnLargeCells) {
    const auto markedAlongTheTop = [](int side) {
        QImage cell(side, side, QImage::Format_RGB32);
        cell.fill(Qt::black);
        QPainter painter(&cell);
        paintCornerBadge(painter, Label::Sink, QRectF(0, 0, side, side), HeatmapTheme::lightTheme(), 14.0);
        painter.end();
        int marked = 0;
        for (int x = 0; x < side; ++x) marked += cell.pixelColor(x, 0) != QColor(Qt::black);
        return marked;
    };
    EXPECT_EQ(markedAlongTheTop(18), 9); // half of a small cell
    EXPECT_EQ(markedAlongTheTop(28), 14);
    EXPECT_EQ(markedAlongTheTop(96), 14);
}

TEST(HeadBadges, TheGravestFlagStandsForItself) {
    const auto axis = axisOf({"[CLS]", "the"});
    Verdict sink;
    sink.findings = {finding(Label::Uniform, false, 0.1, {}), finding(Label::Sink, true, 0.768, 0),
                     finding(Label::Stuck, false, 0.768, 0)};
    EXPECT_EQ(badgesOf(sink, *axis),
              (std::vector<HeadBadge>{{Label::Sink, QStringLiteral("sink on [CLS], alpha 0.77")}}));
    Verdict stuck = sink;
    stuck.findings[2] = finding(Label::Stuck, true, 0.95, 1);
    const auto badges = badgesOf(stuck, *axis);
    ASSERT_EQ(badges.size(), 1U);
    EXPECT_EQ(badges[0], (HeadBadge{Label::Stuck, QStringLiteral("stuck on the, alpha 0.95")}));
    Verdict none;
    EXPECT_TRUE(badgesOf(none, *axis).empty());
    Verdict outside;
    outside.findings = {finding(Label::Sink, true, 0.5, 77)};
    EXPECT_EQ(badgesOf(outside, *axis)[0].text, "sink on one key, alpha 0.50");
}

} // namespace
} // namespace headscope::ui
