// SPDX-License-Identifier: GPL-3.0-or-later
#include "reading_support.h"
#include "tests/ui/print_qt.h"
#include "ui/heatmap/contrast.h"
#include "ui/reading/head_swatches.h"
#include "ui/reading/line_colors.h"
#include "ui/reading/line_view.h"

#include <QComboBox>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <gtest/gtest.h>
#include <tuple>

namespace headscope::ui {
namespace {

LineHead headOf(int head, std::shared_ptr<const HeadMap> map) {
    return {head, std::move(map), {}};
}

using Place = std::tuple<std::size_t, std::int64_t, std::int64_t>;

TEST(PickLines, AreTheStrongestOfTheWindow) {
    const std::vector<LineHead> heads{headOf(0, storedMap(40, 50, 5)), headOf(1, storedMap(40, 50, 6))};
    const Span queries{3, 17};
    const Span keys{20, 33};
    std::vector<std::pair<float, Place>> all; // by hand, one cell after the other
    for (std::size_t slot = 0; slot < 2; ++slot)
        for (std::int64_t i = queries.begin; i < queries.end; ++i)
            for (std::int64_t j = keys.begin; j < keys.end; ++j)
                if (const float weight = heads[slot].map->cell(i, j); weight > 0.0F)
                    all.push_back({-weight, {slot, i, j}});
    std::sort(all.begin(), all.end());
    for (const std::int64_t count : {1, 7, 100, 100000}) {
        const LinePicks picks = pickLines(heads, queries, keys, {count, 0.0F}, {});
        EXPECT_EQ(picks.candidates, static_cast<std::int64_t>(all.size()));
        const std::size_t expected = std::min<std::size_t>(static_cast<std::size_t>(count), all.size());
        ASSERT_EQ(picks.lines.size(), expected);
        for (std::size_t i = 0; i < expected; ++i) {
            const AttentionLine& line = picks.lines[expected - 1 - i];
            EXPECT_EQ(Place(line.slot, line.query, line.key), all[i].second) << i;
            EXPECT_EQ(-line.weight, all[i].first);
        }
    }
    const auto strong =
        std::count_if(all.begin(), all.end(), [](const auto& one) { return -one.first >= 0.9F; });
    const LinePicks picks = pickLines(heads, queries, keys, {0, 0.9F}, {});
    EXPECT_EQ(static_cast<std::int64_t>(picks.lines.size()), strong);
    EXPECT_EQ(picks.leftOut(), static_cast<std::int64_t>(all.size()) - strong);
}

TEST(PickLines, OfOneTokenAndNoMoreThanCanBeSeen) {
    const std::vector<LineHead> heads{headOf(0, patternMap(100, 100))};
    const LinePicks row = pickLines(heads, {0, 100}, {0, 30}, {500, 0.0F}, LineFocus{false, 4});
    EXPECT_EQ(row.lines.size(), 30U);
    for (const AttentionLine& line : row.lines) EXPECT_EQ(line.query, 4);
    const LinePicks column = pickLines(heads, {0, 20}, {0, 100}, {500, 0.0F}, LineFocus{true, 99});
    EXPECT_EQ(column.lines.size(), 20U);
    EXPECT_TRUE(pickLines(heads, {0, 20}, {0, 20}, {500, 0.0F}, LineFocus{true, 99}).lines.empty())
        << "not in the window";
    EXPECT_EQ(pickLines(heads, {0, 100}, {0, 100}, {0, 0.0F}, {}).lines.size(), 3000U);
    EXPECT_EQ(pickLines(heads, {0, 100}, {0, 100}, {99999, 0.0F}, {}).leftOut(), 7000);
}

TEST(PickLines, LeavesOutWhatIsNoWeight) {
    const auto map = std::make_shared<StoredMap>(Extent{1, 4}, std::vector<float>{0.0F, NAN, 0.5F, 0.5F});
    const std::vector<LineHead> heads{headOf(0, map)};
    const LinePicks picks = pickLines(heads, {0, 1}, {0, 4}, {1, 0.0F}, {});
    EXPECT_EQ(picks.candidates, 2);
    ASSERT_EQ(picks.lines.size(), 1U);
    EXPECT_EQ(picks.lines[0].key, 2) << "the earlier of equals";
}

struct Shown {
    std::shared_ptr<const Axis> axis;
    std::vector<LineHead> layer;
    LineView view;

    explicit Shown(int words = 6, int heads = 8) {
        std::string text;
        for (int i = 0; i < words; ++i) text.append("word ");
        axis = wordsOf({text});
        for (int i = 0; i < heads; ++i)
            layer.push_back(headOf(i, storedMap(axis->size(), axis->size(), static_cast<unsigned>(i) + 1)));
        view.resize(700, 420);
        view.setMap(layer[2].map, axis, axis, {});
        view.setLayer(layer);
        view.setRange(kWhole);
        view.show();
        QCoreApplication::processEvents();
    }
    LineCanvas& canvas() { return *view.canvas(); }
    QWidget& port() { return *canvas().viewport(); }
    void hover(const LineFocus& token) { moveMouse(port(), canvas().tokenRect(token).center()); }
    void choose(int rule) {
        view.ruleBox()->setCurrentIndex(rule);
        Q_EMIT view.ruleBox()->activated(rule);
    }
    std::vector<float> weights() {
        std::vector<float> all;
        for (const AttentionLine& line : canvas().picks().lines) all.push_back(line.weight);
        return all;
    }
};

TEST(LineView, BeginsWithTheChosenHeadAlone) {
    Shown shown;
    EXPECT_EQ(shown.view.headsOn(), std::vector<int>{2});
    ASSERT_EQ(shown.view.swatches()->swatches().size(), 8U);
    for (const HeadSwatch* swatch : shown.view.swatches()->swatches())
        EXPECT_EQ(swatch->isChecked(), swatch->head() == 2);
    std::int64_t some = 0; // of 8 x 8
    for (std::int64_t i = 0; i < 8; ++i)
        for (std::int64_t j = 0; j < 8; ++j) some += shown.layer[2].map->cell(i, j) > 0.0F ? 1 : 0;
    EXPECT_EQ(shown.canvas().picks().candidates, some);
    for (const AttentionLine& line : shown.canvas().picks().lines)
        EXPECT_EQ(line.weight, shown.layer[2].map->cell(line.query, line.key));
}

TEST(LineView, OtherHeadsAreSwitchedOnAndOffEachInItsColour) {
    Shown shown;
    const auto& swatches = shown.view.swatches()->swatches();
    swatches[5]->click();
    EXPECT_EQ(shown.view.headsOn(), (std::vector<int>{2, 5}));
    EXPECT_EQ(swatches[2]->color(), lineColors(HeatmapTheme::lightTheme())[0]);
    EXPECT_EQ(swatches[5]->color(), lineColors(HeatmapTheme::lightTheme())[1]);
    bool both[2] = {false, false};
    for (const AttentionLine& line : shown.canvas().picks().lines) both[line.slot] = true;
    EXPECT_TRUE(both[0] && both[1]);
    swatches[2]->click();
    EXPECT_EQ(shown.view.headsOn(), std::vector<int>{5});
    EXPECT_EQ(swatches[5]->color(), lineColors(HeatmapTheme::lightTheme())[1]) << "it keeps its colour";
    for (const int head : {0, 1, 2, 3, 4}) swatches[static_cast<std::size_t>(head)]->click();
    EXPECT_EQ(shown.view.headsOn().size(), kLineColors);
    swatches[7]->click();
    EXPECT_EQ(shown.view.headsOn().size(), kLineColors);
    EXPECT_FALSE(swatches[7]->isChecked());
    EXPECT_TRUE(shown.view.sentence().startsWith(QStringLiteral("No more than 6 heads at once")))
        << shown.view.sentence().toStdString();
}

TEST(LineView, WhatIsShownComesBack) {
    Shown shown;
    QSignalSpy chosen(&shown.view, &LineView::shownChosen);
    EXPECT_EQ(shown.view.shown(), LinesShown());
    shown.view.swatches()->swatches()[5]->click();
    shown.view.swatches()->swatches()[2]->click();
    const LinesShown other{{100, 0.0F}, std::vector<int>{LinesShown::kNoHead, 5}};
    ASSERT_EQ(chosen.size(), 2);
    EXPECT_EQ(chosen[1][0].value<LinesShown>(), other);
    shown.choose(5); // from 0.1 up
    ASSERT_EQ(chosen.size(), 3);
    EXPECT_EQ(shown.canvas().rule(), (LineRule{0, 0.1F}));

    shown.view.setShown({});
    EXPECT_EQ(shown.view.headsOn(), std::vector<int>{2});
    EXPECT_EQ(shown.view.ruleBox()->currentText(), QStringLiteral("100 strongest"));
    shown.view.setShown(other);
    EXPECT_EQ(shown.view.headsOn(), std::vector<int>{5});
    EXPECT_EQ(shown.view.colorsOn(), std::vector<std::size_t>{1}) << "in the colour it had";
    shown.view.setShown({{100, 0.0F}, std::vector<int>{}});
    EXPECT_TRUE(shown.view.headsOn().empty());
    EXPECT_EQ(chosen.size(), 3) << "nobody chose";
}

TEST(LineView, ARuleFromElsewhereIsAnEntryOfItsOwn) {
    Shown shown;
    shown.view.setShown({{42, 0.0F}, std::nullopt});
    EXPECT_EQ(shown.view.ruleBox()->currentText(), QStringLiteral("42 strongest"));
    EXPECT_EQ(shown.canvas().rule(), (LineRule{42, 0.0F}));
    EXPECT_EQ(shown.view.ruleBox()->count(), 8);
    shown.view.setShown({{0, 0.25F}, std::nullopt});
    EXPECT_EQ(shown.view.ruleBox()->currentText(), QStringLiteral("From 0.25 up"));
    EXPECT_EQ(shown.view.ruleBox()->count(), 8);
    shown.choose(0);
    EXPECT_EQ(shown.view.ruleBox()->count(), 7) << "it goes when another is chosen";
    EXPECT_EQ(shown.canvas().rule(), (LineRule{30, 0.0F}));
}

TEST(LineView, HeadsThatTheLayerDoesNotHaveArePassedOver) {
    Shown shown;
    shown.view.setShown({{100, 0.0F}, std::vector<int>{9, 4}});
    EXPECT_EQ(shown.view.headsOn(), std::vector<int>{4});
    shown.view.setShown({{100, 0.0F}, std::vector<int>{9}});
    EXPECT_EQ(shown.view.headsOn(), std::vector<int>{2}) << "none of them: the map itself";
    // While no layer is there, what was asked for is kept for it.
    shown.view.setLayer({});
    shown.view.setShown({{100, 0.0F}, std::vector<int>{1, 4}});
    EXPECT_EQ(shown.view.shown().heads, (std::vector<int>{1, 4}));
}

TEST(LineView, AMapOfNoLayerStandsAlone) {
    Shown shown;
    shown.view.setMap(patternMap(8, 8), shown.axis, shown.axis, {});
    shown.view.setLayer(shown.layer);
    EXPECT_TRUE(shown.view.swatches()->swatches().empty());
    EXPECT_EQ(shown.canvas().picks().candidates, 64);
}

TEST(LineView, SaysHowManyAreLeftOut) {
    Shown shown;
    const LinePicks& picks = shown.canvas().picks();
    EXPECT_EQ(static_cast<std::int64_t>(picks.lines.size()), picks.candidates) << "100 are room for 64";
    EXPECT_EQ(shown.view.sentence(), QStringLiteral("all %1 weights in sight drawn").arg(picks.candidates));
    const std::int64_t all = picks.candidates;
    shown.choose(0);
    ASSERT_EQ(shown.canvas().picks().lines.size(), 30U);
    EXPECT_EQ(shown.view.sentence(), QStringLiteral("30 weights drawn, from %1 up; %2 weaker ones left out")
                                         .arg(double(shown.canvas().picks().lines.front().weight), 0, 'f', 4)
                                         .arg(all - 30));
    shown.choose(6);
    for (const float weight : shown.weights()) EXPECT_GE(weight, 0.3F);
}

TEST(LineView, HoveringATokenLeavesItsLinesAlone) {
    Shown shown;
    QSignalSpy hovered(&shown.view, &LineView::tokenHovered);
    QSignalSpy left(&shown.view, &LineView::hoverLeft);
    shown.hover({false, 3});
    ASSERT_EQ(hovered.size(), 1);
    for (const AttentionLine& line : shown.canvas().picks().lines) EXPECT_EQ(line.query, 3);
    EXPECT_TRUE(shown.view.sentence().startsWith(QStringLiteral("“word” reads most ")));
    shown.hover({true, 5});
    for (const AttentionLine& line : shown.canvas().picks().lines) EXPECT_EQ(line.key, 5);
    QEvent event(QEvent::Leave);
    QCoreApplication::sendEvent(&shown.port(), &event);
    EXPECT_EQ(left.size(), 1);
    EXPECT_GT(shown.canvas().picks().lines.size(), 40U);
    shown.view.setSelection(1, 4, false);
    for (const AttentionLine& line : shown.canvas().picks().lines) EXPECT_EQ(line.query, 1);
    shown.view.setSelection(1, 4, true);
    for (const AttentionLine& line : shown.canvas().picks().lines) EXPECT_EQ(line.key, 4);
}

TEST(LineView, LinesAreDrawnWhereTheyBelongAsStrongAsTheScaleSays) {
    const auto axis = wordsOf({"one two"}); // four tokens
    std::vector<float> weights(16, 0.0F);
    weights[1 * 4 + 3] = 1.0F;
    weights[2 * 4 + 0] = 0.5F;
    LineView view;
    view.resize(600, 400);
    view.setRange(kWhole);
    view.setMap(std::make_shared<StoredMap>(Extent{4, 4}, weights), axis, axis, {});
    view.show();
    QCoreApplication::processEvents();
    LineCanvas& canvas = *view.canvas();
    ASSERT_EQ(canvas.picks().lines.size(), 2U);
    const AttentionLine& strong = canvas.picks().lines[1];
    EXPECT_EQ(strong.query, 1);
    EXPECT_EQ(strong.key, 3);
    EXPECT_EQ(canvas.strength(strong), 1.0);
    EXPECT_NEAR(canvas.strength(canvas.picks().lines[0]), 0.5, 0.003);
    const QLineF line = canvas.lineOf(strong);
    EXPECT_EQ(line.p1().y(), canvas.tokenRect({false, 1}).center().y());
    EXPECT_EQ(line.p2().y(), canvas.tokenRect({true, 3}).center().y());
    const QImage image = canvas.viewport()->grab().toImage();
    const auto darkest = [&](const QPointF& at) { // across the line
        int least = 255;
        for (int dy = -2; dy <= 2; ++dy) least = std::min(least, qRed(pixelAt(image, at + QPointF(0.0, dy))));
        return least;
    };
    EXPECT_NEAR(darkest(line.pointAt(0.75)), 0x2f, 12) << "the accent, whole";
    const int half = darkest(canvas.lineOf(canvas.picks().lines[0]).pointAt(0.75));
    EXPECT_GT(half, 120);
    EXPECT_LT(half, 190);
}

TEST(LineView, ClicksAndKeysChoose) {
    Shown shown;
    QSignalSpy queries(&shown.view, &LineView::queryClicked);
    QSignalSpy keys(&shown.view, &LineView::keyClicked);
    pressMouse(shown.port(), shown.canvas().tokenRect({false, 2}).center());
    pressMouse(shown.port(), shown.canvas().tokenRect({true, 6}).center());
    ASSERT_EQ(queries.size(), 1);
    EXPECT_EQ(queries[0][0].toLongLong(), 2);
    ASSERT_EQ(keys.size(), 1);
    EXPECT_EQ(keys[0][0].toLongLong(), 6);
    QTest::keyClick(&shown.canvas(), Qt::Key_Down);
    QTest::keyClick(&shown.canvas(), Qt::Key_Left);
    QTest::keyClick(&shown.canvas(), Qt::Key_Home);
    ASSERT_EQ(keys.size(), 2);
    EXPECT_EQ(keys[1][0].toLongLong(), 7);
    ASSERT_EQ(queries.size(), 3);
    EXPECT_EQ(queries[1][0].toLongLong(), 7);
    EXPECT_EQ(queries[2][0].toLongLong(), 0);
}

TEST(LineView, OfALongTextOnlyTheWindowIsRead) {
    std::string words;
    for (int i = 0; i < 8190; ++i) words.append("word ");
    const auto axis = wordsOf({words});
    const auto map = std::make_shared<CountingMap>(axis->size());
    LineView view;
    view.resize(700, 500);
    view.show();
    QCoreApplication::processEvents();
    view.setMap(map, axis, axis, {});
    LineCanvas& canvas = *view.canvas();
    const Span top = canvas.shownQueries();
    EXPECT_EQ(top.begin, 0);
    const std::int64_t tall = top.end - top.begin;
    ASSERT_GT(tall, 5);
    ASSERT_LT(tall, 60);
    EXPECT_EQ(canvas.picks().candidates, tall * tall);
    EXPECT_TRUE(view.sentence().contains(QStringLiteral("in sight")));
    const std::int64_t before = map->cells;
    canvas.verticalScrollBar()->setValue(canvas.verticalScrollBar()->maximum());
    EXPECT_EQ(canvas.shownQueries().end, 8192);
    EXPECT_EQ(canvas.shownKeys().end, 8192);
    EXPECT_LE(map->cells - before, (tall + 2) * (tall + 2));
    view.setSelection(4000, std::nullopt, false);
    EXPECT_LE(canvas.shownQueries().begin, 4000) << "what is chosen is brought into sight";
    EXPECT_GT(canvas.shownQueries().end, 4000);
    for (const AttentionLine& line : canvas.picks().lines) EXPECT_EQ(line.query, 4000);
    canvas.verticalScrollBar()->setValue(0);
    EXPECT_FALSE(canvas.focus()) << "scrolled away: those in sight have their lines again";
    EXPECT_EQ(canvas.picks().candidates, tall * tall);
    for (const AttentionLine& line : canvas.picks().lines)
        EXPECT_EQ(line.weight, patternWeight(line.query, line.key));
}

TEST(LineView, SaysHowMuchIsOutOfSight) {
    std::string words;
    for (int i = 0; i < 298; ++i) words.append("word ");
    const auto axis = wordsOf({words});
    std::vector<float> weights(300 * 300, 0.0F);
    for (std::size_t i = 0; i < 300; ++i) {
        weights[i * 300] = 0.75F;
        weights[i * 300 + i] += 0.25F;
    }
    LineView view;
    view.resize(700, 400);
    view.show();
    QCoreApplication::processEvents();
    view.setMap(std::make_shared<StoredMap>(Extent{300, 300}, weights), axis, axis, {});
    view.setSelection(200, std::nullopt, false);
    EXPECT_TRUE(view.sentence().startsWith(QStringLiteral(
        "in sight “word” reads most “word”: 0.2500 · 75 % of what it reads is out of sight · ")))
        << view.sentence().toStdString();
    view.setSelection(200, 200, true); // 0.25 from itself, nothing else
    EXPECT_TRUE(view.sentence().contains(QStringLiteral(" · 0 % of what reads it is out of sight")))
        << view.sentence().toStdString();
}

TEST(LineView, TheShorterTextScrollsInProportion) {
    std::string words;
    for (int i = 0; i < 200; ++i) words.append("word ");
    const auto queries = wordsOf({words});
    const auto keys = wordsOf({"one two"});
    LineView view;
    view.resize(700, 400);
    view.show();
    view.setMap(patternMap(queries->size(), keys->size()), queries, keys, {});
    LineCanvas& canvas = *view.canvas();
    canvas.verticalScrollBar()->setValue(canvas.verticalScrollBar()->maximum());
    EXPECT_EQ(canvas.shownQueries().end, 202);
    EXPECT_EQ(canvas.shownKeys().begin, 0);
    EXPECT_EQ(canvas.shownKeys().end, 4) << "all of it has room";
}

using Vec = std::array<double, 3>;

Vec linearOf(const QColor& color) {
    const auto one = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return {one(color.redF()), one(color.greenF()), one(color.blueF())};
}

/// CIELAB (D65) of linear sRGB.
Vec labOf(const Vec& c) {
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116.0; };
    const double x = f((0.4124 * c[0] + 0.3576 * c[1] + 0.1805 * c[2]) / 0.9505);
    const double y = f(0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]);
    const double z = f((0.0193 * c[0] + 0.1192 * c[1] + 0.9505 * c[2]) / 1.089);
    return {116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)};
}

TEST(LineColors, AreToldApartByColourBlindReaders) {
    // Normal sight, then protanopia, deuteranopia, tritanopia: Machado, Oliveira, Fernandes 2009.
    const std::array<std::array<Vec, 3>, 4> sights{{
        {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
        {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
        {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
        {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}},
    }};
    for (const HeatmapTheme& theme : {HeatmapTheme::lightTheme(), HeatmapTheme::darkTheme()}) {
        const auto& colors = lineColors(theme);
        EXPECT_EQ(colors[0], theme.accent);
        for (std::size_t a = 0; a < colors.size(); ++a) {
            EXPECT_GE(contrastRatio(colors[a], theme.panel), 3.0) << a;
            for (std::size_t b = 0; b < a; ++b)
                for (const auto& sight : sights) {
                    const auto seen = [&](const QColor& color) {
                        const Vec c = linearOf(color);
                        Vec out{};
                        for (std::size_t i = 0; i < 3; ++i)
                            out[i] = std::clamp(sight[i][0] * c[0] + sight[i][1] * c[1] + sight[i][2] * c[2],
                                                0.0, 1.0);
                        return labOf(out);
                    };
                    const Vec one = seen(colors[a]);
                    const Vec other = seen(colors[b]);
                    EXPECT_GT(std::hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]), 20.0)
                        << a << " and " << b;
                }
        }
    }
}

} // namespace
} // namespace headscope::ui
