// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/charts/chart_support.h"
#include "ui/charts/class_chart.h"
#include "ui/charts/distance_chart.h"
#include "ui/charts/offset_chart.h"
#include "ui/charts/sink_chart.h"
#include "ui/charts/texts_chart.h"

#include <QFontMetricsF>

#include <gtest/gtest.h>

namespace headscope::ui::test {
namespace {

ChartPlot twoByTwo() {
    ChartPlot plot;
    plot.x = {.low = 0.0, .high = 10.0, .kind = ChartAxis::Ticks::Numbers, .named = {}, .title = {}};
    plot.y = {.low = -1.0, .high = 3.0, .kind = ChartAxis::Ticks::Numbers, .named = {}, .title = {}};
    ChartItem item;
    item.value = {5.0, 1.0};
    plot.items = {item};
    return plot;
}

TEST(ChartLayout, RoundNumbersDivideAnAxis) {
    EXPECT_DOUBLE_EQ(niceStep(0.3), 0.5);
    EXPECT_DOUBLE_EQ(niceStep(0.2), 0.2);
    EXPECT_DOUBLE_EQ(niceStep(7.0), 10.0);
    EXPECT_DOUBLE_EQ(niceStep(1.01), 2.0);
    EXPECT_EQ(tickText(0.6, 0.2), QStringLiteral("0.6"));
    EXPECT_EQ(tickText(0.05, 0.05), QStringLiteral("0.05"));
    EXPECT_EQ(tickText(40.0, 20.0), QStringLiteral("40"));
    EXPECT_EQ(tickText(-1.0, 0.5), QStringLiteral("\u22121.0"));
    EXPECT_EQ(tickText(-1e-17, 0.5), QStringLiteral("0.0"));
}

TEST(ChartLayout, AValueIsWhereItBelongsAndWhereQtChartsPutsIt) {
    const ChartPlot plot = twoByTwo();
    const ChartLayout layout(plot, {400, 300}, {});
    const QRectF area = layout.area();
    EXPECT_EQ(layout.map({0, -1}), area.bottomLeft());
    EXPECT_EQ(layout.map({10, 3}), area.topRight());
    EXPECT_NEAR(layout.map({5, 1}).x(), area.center().x(), 1e-9);
    EXPECT_NEAR(layout.map({5, 1}).y(), area.center().y(), 1e-9);
    const ChartCanvas canvas(plot, layout, lightColors());
    for (const QPointF value : {QPointF(0, -1), QPointF(10, 3), QPointF(2.5, 0), QPointF(9, 2.75)}) {
        const QPointF away = canvas.chartPosition(value) - layout.map(value);
        EXPECT_LT(std::hypot(away.x(), away.y()), 1e-6) << value.x() << ' ' << value.y();
    }
}

/// The ink of a text, inside its box.
QRectF inkOf(const ChartText& text) {
    return QFontMetricsF(chartFont(text.role)).boundingRect(text.box, text.alignment, text.text);
}

void expectTextsApart(const ChartPlot& plot, const QSizeF& size, const ChartLayoutOptions& options) {
    const ChartLayout layout(plot, size, options);
    std::vector<QRectF> boxes;
    QStringList words;
    for (const ChartText& text : layout.texts()) {
        boxes.push_back(inkOf(text));
        words << text.text;
        EXPECT_GE(boxes.back().left(), -1.0) << text.text.toStdString();
        EXPECT_LE(boxes.back().right(), size.width() + 1.0)
            << text.text.toStdString() << " at " << size.width();
    }
    for (std::size_t a = 0; a < boxes.size(); ++a)
        for (std::size_t b = a + 1; b < boxes.size(); ++b) {
            const QRectF shared = boxes[a].intersected(boxes[b]);
            // Line heights hold some air above and below the letters.
            EXPECT_FALSE(shared.width() > 0.5 && shared.height() > 2.5)
                << words[static_cast<int>(a)].toStdString() << " and "
                << words[static_cast<int>(b)].toStdString() << " at " << size.width() << " x "
                << size.height();
        }
}

/// All charts, each with more than has room.
std::vector<ChartPlot> crowdedPlots() {
    std::vector<HeadPoint> heads;
    std::vector<DistancePoint> distances;
    for (int layer = 0; layer < 96; ++layer)
        for (int head = 0; head < 8; ++head) {
            heads.push_back({headAt(layer, head), 0.01 * layer});
            distances.push_back({{headAt(layer, head), 100.0 * layer}, 4000.0});
        }
    SinkChart sink;
    sink.setPoints(heads);
    DistanceChart distance;
    distance.setPoints(distances);
    std::vector<OffsetBar> offsets;
    for (std::int64_t far : {4096, 2048, 1024, 512, 256, 128})
        offsets.push_back({-far, -far / 2 - 1, 0.01, 0.02});
    for (std::int64_t near = -64; near <= 64; ++near) offsets.push_back({near, near, 0.005, 0.004});
    for (std::int64_t far : {128, 256, 512, 1024, 2048, 4096})
        offsets.push_back({far / 2 + 1, far, 0.01, 0.02});
    OffsetChart offset;
    offset.setBars(offsets);
    ClassChart classes;
    classes.setBars({{TokenClass::Start, 0.7, 0.01},
                     {TokenClass::Separator, std::nullopt, std::nullopt},
                     {TokenClass::Punctuation, 0.1, 0.05},
                     {TokenClass::Newline, 0.0, 0.0},
                     {TokenClass::Content, 0.2, 0.9}});
    TextDots dots;
    dots.label = Label::Sink;
    dots.threshold = 0.3;
    dots.measure = QStringLiteral("Weight on the top key");
    dots.texts = {150, 200};
    for (int i = 0; i < 200; ++i)
        dots.dots.push_back(
            {QStringLiteral("line %1 of a file with a name that is long").arg(i), 0.004 * i, i > 50});
    TextsChart texts;
    texts.setDots(dots);
    return {sink.plot(), distance.plot(), offset.plot(), classes.plot(), texts.plot()};
}

TEST(ChartLayout, NoTwoTextsTouchAtAnySize) {
    for (const ChartPlot& plot : crowdedPlots())
        for (const double width : {180.0, 233.0, 280.0, 361.0, 520.0, 900.0})
            for (const double height : {190.0, 260.0, 480.0}) {
                expectTextsApart(plot, {width, height}, {.title = false, .compact = true});
                expectTextsApart(plot, {width, height}, {.title = false, .compact = false});
                expectTextsApart(plot, {width, height}, {.title = true, .compact = false});
            }
}

TEST(ChartLayout, AnAxisAlwaysHasALabel) {
    for (const ChartPlot& plot : crowdedPlots())
        for (const double width : {180.0, 520.0}) {
            const ChartLayout layout(plot, {width, 200.0}, {.title = false, .compact = true});
            int below = 0;
            int beside = 0;
            for (const ChartText& text : layout.texts()) {
                if (text.box.top() >= layout.area().bottom()) ++below;
                if (text.box.right() <= layout.area().left()) ++beside;
            }
            EXPECT_GE(below, 2) << plot.title.toStdString();
            EXPECT_GE(beside, 1) << plot.title.toStdString();
        }
}

} // namespace
} // namespace headscope::ui::test
