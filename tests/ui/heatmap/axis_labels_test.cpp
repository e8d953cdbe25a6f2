// SPDX-License-Identifier: GPL-3.0-or-later
#include "heat_support.h"
#include "ui/heatmap/axis_labels.h"

#include <QImage>
#include <QPainter>
#include <QSet>

#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

QFont fontOf(int pixels) {
    QFont font = QApplication::font();
    font.setPixelSize(pixels);
    return font;
}

/// Corners moved inwards a little, so that touching is no overlap.
bool overlap(const QPolygonF& a, const QPolygonF& b) {
    const auto shrunk = [](const QPolygonF& polygon) {
        QPointF middle;
        for (int i = 0; i < 4; ++i) middle += polygon[i] / 4.0;
        QPolygonF result;
        for (int i = 0; i < 4; ++i) result << middle + (polygon[i] - middle) * 0.97;
        return result;
    };
    return shrunk(a).intersects(shrunk(b));
}

void expectNoOverlap(const AxisLabelLayout& layout, const QFontMetricsF& metrics) {
    for (std::size_t i = 0; i < layout.labels.size(); ++i)
        for (std::size_t j = i + 1; j < layout.labels.size() && j < i + 4; ++j)
            EXPECT_FALSE(overlap(axisLabelOutline(layout, layout.labels[i], metrics),
                                 axisLabelOutline(layout, layout.labels[j], metrics)))
                << layout.labels[i].index << " and " << layout.labels[j].index;
}

TEST(AxisLabels, NeverOverlapNeverLeaveTheirRoomAndStayNearTheirEntry) {
    for (const int pixels : {11, 80})
        for (const std::int64_t size : {1, 2, 11, 32, 64, 128, 512, 4096})
            for (const AxisSide side : {AxisSide::Left, AxisSide::Top})
                for (const double length : {120.0, 480.0, 4000.0}) {
                    SCOPED_TRACE(testing::Message()
                                 << size << " entries on " << length << " at " << pixels << " px");
                    const auto axis = mixedAxis(size);
                    const QFontMetricsF metrics(fontOf(pixels));
                    AxisLabelRequest request;
                    request.axis = axis.get();
                    request.side = side;
                    request.unitsPerEntry = length / static_cast<double>(size);
                    request.length = length;
                    request.maxExtent = 9.0 * pixels;
                    request.roomBeyond = 3.0 * pixels;
                    request.always = {size / 2, size / 2 + 1, 0};
                    const AxisLabelLayout layout = layoutAxisLabels(request, metrics);
                    ASSERT_FALSE(layout.labels.empty());
                    expectNoOverlap(layout, metrics);
                    EXPECT_LE(layout.extent, request.maxExtent + 1.0);
                    EXPECT_LE(layout.overhang, std::max(request.roomBeyond, 0.0) + 1.0);
                    for (const AxisLabel& label : layout.labels) {
                        const double middle =
                            (static_cast<double>(label.index) + 0.5) * request.unitsPerEntry;
                        EXPECT_NEAR(label.center, middle, label.emphasised ? 2.0 * metrics.height() : 1e-6);
                    }
                }
}

TEST(AxisLabels, AllAreShownWhereTheyFitAndThinnedEvenlyWhereNot) {
    const auto axis = mixedAxis(100);
    const QFontMetricsF metrics(fontOf(11));
    AxisLabelRequest request;
    request.axis = axis.get();
    request.unitsPerEntry = 20.0;
    request.length = 2000.0;
    EXPECT_EQ(layoutAxisLabels(request, metrics).labels.size(), 100U);
    request.unitsPerEntry = 5.0;
    request.length = 500.0;
    const AxisLabelLayout thin = layoutAxisLabels(request, metrics);
    ASSERT_GE(thin.labels.size(), 3U);
    const std::int64_t step = thin.labels[1].index - thin.labels[0].index;
    EXPECT_GE(step, 2);
    for (std::size_t i = 0; i < thin.labels.size(); ++i)
        EXPECT_EQ(thin.labels[i].index, static_cast<std::int64_t>(i) * step);
    // The same entries keep their labels when the view moves.
    request.first = 1.0;
    for (const AxisLabel& label : layoutAxisLabels(request, metrics).labels) EXPECT_EQ(label.index % step, 0);
}

TEST(AxisLabels, HoveredAndSelectedAreAlwaysShownAndDisplaceNeighbours) {
    const auto axis = mixedAxis(512);
    const QFontMetricsF metrics(fontOf(11));
    for (const AxisSide side : {AxisSide::Left, AxisSide::Top}) {
        AxisLabelRequest request;
        request.axis = axis.get();
        request.side = side;
        request.unitsPerEntry = 0.9;
        request.length = 512 * 0.9;
        for (const std::vector<std::int64_t>& always :
             {std::vector<std::int64_t>{0}, {511}, {200, 201}, {201, 200}, {511, 510}, {0, 1}, {77, 300}}) {
            request.always = always;
            const AxisLabelLayout layout = layoutAxisLabels(request, metrics);
            expectNoOverlap(layout, metrics);
            for (const std::int64_t index : always) {
                const auto found =
                    std::find_if(layout.labels.begin(), layout.labels.end(),
                                 [index](const AxisLabel& label) { return label.index == index; });
                ASSERT_NE(found, layout.labels.end()) << index;
                EXPECT_TRUE(found->emphasised);
            }
        }
        request.first = 100.0;
        request.always = {5}; // out of sight
        for (const AxisLabel& label : layoutAxisLabels(request, metrics).labels) EXPECT_NE(label.index, 5);
    }
}

TEST(AxisLabels, TheTopAxisIsHorizontalWhenItFitsAndSlantedWhenNot) {
    const auto axis = axisOf({"one", "two", "three"});
    const QFontMetricsF metrics(fontOf(11));
    AxisLabelRequest request;
    request.axis = axis.get();
    request.side = AxisSide::Top;
    request.unitsPerEntry = 100.0;
    request.length = 300.0;
    EXPECT_EQ(layoutAxisLabels(request, metrics).angle, 0.0);
    request.unitsPerEntry = 20.0;
    request.length = 60.0;
    EXPECT_EQ(layoutAxisLabels(request, metrics).angle, 60.0);
    EXPECT_EQ(layoutAxisLabels(request, metrics).labels.size(), 3U);
}

TEST(AxisLabels, LongLabelsAreElidedToTheirRoom) {
    const auto axis = axisOf({std::string(300, 'w'), "short"});
    const QFontMetricsF metrics(fontOf(11));
    AxisLabelRequest request;
    request.axis = axis.get();
    request.unitsPerEntry = 20.0;
    request.length = 40.0;
    request.maxExtent = 80.0;
    const AxisLabelLayout layout = layoutAxisLabels(request, metrics);
    ASSERT_EQ(layout.labels.size(), 2U);
    EXPECT_TRUE(layout.labels[0].text.endsWith(QChar(u'…')));
    EXPECT_LE(layout.labels[0].width, 80.0);
    EXPECT_EQ(layout.labels[1].text, "short");
    EXPECT_EQ(axisLabelExtent(*axis, AxisSide::Left, metrics, 80.0), 80.0);
    EXPECT_LT(axisLabelExtent(*axisOf({"a"}), AxisSide::Left, metrics, 80.0), 30.0);
    // The extent asked for suffices: nothing is elided in it.
    const auto exact = axisOf({"tok4095", "tok1"});
    request.axis = exact.get();
    for (const AxisSide side : {AxisSide::Left, AxisSide::Top}) {
        request.side = side;
        request.maxExtent = axisLabelExtent(*exact, side, metrics, 500.0);
        for (const AxisLabel& label : layoutAxisLabels(request, metrics).labels)
            EXPECT_FALSE(label.text.contains(QChar(u'…')));
    }
}

TEST(AxisLabels, ControlCharactersBecomeVisibleMarks) {
    AxisEntry entry;
    entry.label = "a\nb\t\x7f";
    EXPECT_EQ(axisLabelText(entry), QStringLiteral("a\u240ab\u2409\u2421"));
    entry.label = "line\xe2\x80\xa8two";
    EXPECT_EQ(axisLabelText(entry), QStringLiteral("line\u2424two"));
    entry.label = "";
    EXPECT_TRUE(axisLabelText(entry).isEmpty());
}

TEST(AxisLabels, AnEmptyAxisAndAnEmptyPartGiveNoLabels) {
    const QFontMetricsF metrics(fontOf(11));
    AxisLabelRequest request;
    const auto none = axisOf({});
    request.axis = none.get();
    request.length = 100.0;
    EXPECT_TRUE(layoutAxisLabels(request, metrics).labels.empty());
    const auto some = axisOf({"a", "b"});
    request.axis = some.get();
    request.length = 0.0;
    EXPECT_TRUE(layoutAxisLabels(request, metrics).labels.empty());
    request.length = 100.0;
    request.first = 50.0;
    EXPECT_TRUE(layoutAxisLabels(request, metrics).labels.empty());
}

TEST(AxisLabels, PaintsInsideTheOutlines) {
    // Ink beyond the outline (with room for overshoot and accents) would be ink that could meet a neighbour.
    const auto axis = axisOf({"Mixed", "glyphs", "[SEP]"});
    const QFont font = fontOf(20);
    const QFontMetricsF metrics(font);
    for (const AxisSide side : {AxisSide::Left, AxisSide::Top}) {
        AxisLabelRequest request;
        request.axis = axis.get();
        request.side = side;
        request.unitsPerEntry = 40.0;
        request.length = 120.0;
        const AxisLabelLayout layout = layoutAxisLabels(request, metrics);
        QImage image(400, 400, QImage::Format_RGB32);
        image.fill(Qt::white);
        {
            QPainter painter(&image);
            painter.translate(200.0, 200.0);
            paintAxisLabels(painter, layout, font, {Qt::black, Qt::red});
            painter.setPen(Qt::NoPen);
            painter.setBrush(Qt::white);
            int ink = 0;
            for (int y = 0; y < 400; ++y)
                for (int x = 0; x < 400; ++x) ink += image.pixelColor(x, y).lightness() < 128 ? 1 : 0;
            EXPECT_GT(ink, 200);
            for (const AxisLabel& label : layout.labels) {
                QPolygonF outline = axisLabelOutline(layout, label, metrics);
                painter.setPen(QPen(Qt::white, 6.0));
                painter.drawPolygon(outline);
            }
        }
        for (int y = 0; y < 400; ++y)
            for (int x = 0; x < 400; ++x)
                ASSERT_GT(image.pixelColor(x, y).lightness(), 200) << x << ", " << y;
    }
}

} // namespace
} // namespace headscope::ui
