// SPDX-License-Identifier: GPL-3.0-or-later
#include "reading_support.h"
#include "tests/ui/print_qt.h"
#include "ui/heatmap/contrast.h"
#include "ui/reading/text_view.h"

#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

/// A view of a pattern over words, on screen.
struct Shown {
    std::shared_ptr<const Axis> axis;
    TextView view;

    explicit Shown(const std::vector<std::string>& texts, QSize size = {600, 400}) : axis(wordsOf(texts)) {
        view.resize(size);
        view.setDisplay(kWhole, Colormap::Viridis);
        view.setMap(patternMap(axis->size(), axis->size()), axis, axis, {});
        view.show();
        QCoreApplication::processEvents();
    }
    TextCanvas& canvas() { return *view.canvas(); }
    QWidget& port() { return *canvas().viewport(); }
    QRectF rect(std::int64_t token, TextSide side = TextSide::Queries) {
        return canvas().rectsOf({side, token}).front().rect;
    }
    /// Beside the letters, within the colour.
    QRgb colour(std::int64_t token, TextSide side = TextSide::Queries) {
        const QRectF own = rect(token, side);
        return pixelAt(port().grab().toImage(), QPointF(own.center().x(), own.top() + 1.5));
    }
    void hover(std::int64_t token, TextSide side = TextSide::Queries) {
        moveMouse(port(), rect(token, side).center());
    }
    void leave() {
        QEvent event(QEvent::Leave);
        QCoreApplication::sendEvent(&port(), &event);
    }
};

const QRgb kPanel = HeatmapTheme::lightTheme().panel.rgb();

TEST(TextView, ColoursTheRowOfTheChosenToken) {
    Shown shown({"one two three four"});
    EXPECT_EQ(shown.colour(2), kPanel) << "nothing is chosen";
    shown.view.setSelection(2, std::nullopt, false);
    for (std::int64_t i = 0; i < shown.axis->size(); ++i)
        EXPECT_EQ(shown.colour(i), viridisOf(double(patternWeight(2, i)))) << i;
}

TEST(TextView, ColoursTheColumnOfTheChosenToken) {
    Shown shown({"one two three four"});
    shown.view.setSelection(1, 3, true);
    for (std::int64_t i = 0; i < shown.axis->size(); ++i)
        EXPECT_EQ(shown.colour(i), viridisOf(double(patternWeight(i, 3)))) << i;
    EXPECT_EQ(shown.view.title().toStdString(), "Who reads “word”");
}

TEST(TextView, RangeAndColourMapApply) {
    Shown shown({"one two three"});
    shown.view.setSelection(0, std::nullopt, false);
    shown.view.setDisplay({RangeMode::Fixed, 0.0F, 0.5F}, Colormap::Magma);
    const double weight = double(patternWeight(0, 2)); // 6/16: above the middle of 0 to 0.5
    EXPECT_EQ(shown.colour(2), colorsOf(Colormap::Magma)[static_cast<std::size_t>(weight * 512.0)]);
    shown.view.setDisplay({RangeMode::PerRow, 0.0F, 1.0F}, Colormap::Grey);
    EXPECT_EQ(shown.colour(3), colorsOf(Colormap::Grey)[255]) << "9/16 is the largest of 0 3 6 9 1";
}

TEST(TextView, HoveringShowsAnotherRowAndLeavingReturns) {
    Shown shown({"one two three four"});
    shown.view.setSelection(2, std::nullopt, false);
    QSignalSpy hovered(&shown.view, &TextView::tokenHovered);
    QSignalSpy left(&shown.view, &TextView::hoverLeft);
    shown.hover(4);
    ASSERT_EQ(hovered.size(), 1);
    EXPECT_EQ(hovered[0][0].toLongLong(), 4);
    EXPECT_EQ(shown.colour(1), viridisOf(double(patternWeight(4, 1))));
    EXPECT_TRUE(shown.view.sentence().startsWith(QStringLiteral("“word” reads “word”: 0.2520")))
        << shown.view.sentence().toStdString() << " (7 2 + 3 4 = 26, 26 mod 11 = 4, 4/16 + 1/512)";
    shown.leave();
    EXPECT_EQ(left.size(), 1);
    EXPECT_EQ(shown.colour(1), viridisOf(double(patternWeight(2, 1))));
}

TEST(TextView, SaysTokenWeightAndEvenWeight) {
    Shown shown({"one two three"});
    shown.view.setSelection(0, std::nullopt, false);
    EXPECT_EQ(shown.view.title().toStdString(), "What [CLS] reads");
    // Five keys: 0 3 6 9 1 sixteenths.
    EXPECT_EQ(shown.view.sentence().toStdString(), "most: “word” 0.5645 · even weight 0.2000");
    shown.view.setSelection(std::nullopt, std::nullopt, false);
    EXPECT_EQ(shown.view.sentence().toStdString(), "");
}

TEST(TextView, WhatCannotBeSeenHasNoColour) {
    Shown shown({"one two three four"});
    shown.view.setMap(std::make_shared<CausalMap>(shown.axis->size()), shown.axis, shown.axis, {});
    shown.view.setSelection(2, std::nullopt, false);
    EXPECT_EQ(shown.colour(0), viridisOf(0.0));
    EXPECT_EQ(shown.colour(2), viridisOf(0.5));
    EXPECT_EQ(shown.colour(3), kPanel);
    EXPECT_TRUE(shown.view.sentence().endsWith(QStringLiteral("even weight 0.3333")));
    shown.view.setSelection(2, 2, true);
    EXPECT_EQ(shown.colour(1), kPanel);
    EXPECT_EQ(shown.colour(4), viridisOf(0.0));
}

TEST(TextView, LettersCanBeReadOnEveryColour) {
    const HeatmapTheme light = HeatmapTheme::lightTheme();
    const HeatmapTheme dark = HeatmapTheme::darkTheme();
    for (const HeatmapTheme& theme : {light, dark})
        for (const Colormap map : allColormaps())
            for (const Rgb back : colorsOf(map)) {
                const QColor behind = QColor::fromRgb(back);
                EXPECT_GE(contrastRatio(lettersOn(behind, theme), behind), 4.5);
            }
}

TEST(TextView, ClicksSayQueryOrKey) {
    Shown shown({"one two three"});
    QSignalSpy queries(&shown.view, &TextView::queryClicked);
    QSignalSpy keys(&shown.view, &TextView::keyClicked);
    pressMouse(shown.port(), shown.rect(2).center());
    ASSERT_EQ(queries.size(), 1);
    EXPECT_EQ(queries[0][0].toLongLong(), 2);
    shown.view.setSelection(2, 2, true);
    pressMouse(shown.port(), shown.rect(3).center());
    ASSERT_EQ(keys.size(), 1);
    EXPECT_EQ(keys[0][0].toLongLong(), 3);
    QSignalSpy direction(&shown.view, &TextView::directionChosen);
    for (QToolButton* button : shown.view.findChildren<QToolButton*>()) button->click();
    ASSERT_EQ(direction.size(), 2);
    EXPECT_FALSE(direction[0][0].toBool());
    EXPECT_TRUE(direction[1][0].toBool());
}

TEST(TextView, ArrowsMoveTheChosenToken) {
    Shown shown({"one two three"});
    QSignalSpy clicks(&shown.view, &TextView::queryClicked);
    // The window answers as it does to a click.
    QObject::connect(&shown.view, &TextView::queryClicked, &shown.view,
                     [&](qint64 token) { shown.view.setSelection(token, std::nullopt, false); });
    const Qt::Key keys[] = {Qt::Key_Right, Qt::Key_Right, Qt::Key_End, Qt::Key_Left, Qt::Key_Home};
    for (const Qt::Key key : keys) QTest::keyClick(&shown.canvas(), key);
    const qint64 expected[] = {0, 1, 4, 3, 0};
    ASSERT_EQ(clicks.size(), 5);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(clicks[i][0].toLongLong(), expected[i]) << i;
}

TEST(TextView, ArrowsGoAsTheEyeDoesInHebrew) {
    Shown shown({"אחת שתים שלוש"});
    shown.view.setSelection(1, std::nullopt, false);
    QSignalSpy clicks(&shown.view, &TextView::queryClicked);
    QTest::keyClick(&shown.canvas(), Qt::Key_Left);
    ASSERT_EQ(clicks.size(), 1);
    EXPECT_EQ(clicks[0][0].toLongLong(), 2) << "the second word stands left of the first";
    EXPECT_LT(shown.rect(2).left(), shown.rect(1).left());
}

TEST(TextView, BothTextsOfCrossAttentionAreShown) {
    const auto target = wordsOf({"un deux"});
    const auto source = wordsOf({"one two three"});
    TextView view;
    view.resize(600, 400);
    view.setDisplay(kWhole, Colormap::Viridis);
    view.setMap(patternMap(target->size(), source->size()), target, source, {});
    view.show();
    TextCanvas& canvas = *view.canvas();
    ASSERT_TRUE(canvas.isCrossing());
    const auto colour = [&](TextSide side, std::int64_t token) {
        const QRectF own = canvas.rectsOf({side, token}).front().rect;
        return pixelAt(canvas.viewport()->grab().toImage(), QPointF(own.center().x(), own.top() + 1.5));
    };
    view.setSelection(1, std::nullopt, false);
    for (std::int64_t i = 1; i + 1 < source->size(); ++i)
        EXPECT_EQ(colour(TextSide::Keys, i), viridisOf(double(patternWeight(1, i)))) << i;
    EXPECT_EQ(colour(TextSide::Queries, 2), kPanel);
    view.setSelection(std::nullopt, 2, true);
    EXPECT_EQ(colour(TextSide::Queries, 2), viridisOf(double(patternWeight(2, 2))));
    EXPECT_EQ(colour(TextSide::Keys, 1), kPanel);
    QSignalSpy queries(&view, &TextView::queryClicked);
    QSignalSpy keys(&view, &TextView::keyClicked);
    pressMouse(*canvas.viewport(), canvas.rectsOf({TextSide::Keys, 3}).front().rect.center());
    pressMouse(*canvas.viewport(), canvas.rectsOf({TextSide::Queries, 1}).front().rect.center());
    ASSERT_EQ(keys.size(), 1);
    EXPECT_EQ(keys[0][0].toLongLong(), 3);
    ASSERT_EQ(queries.size(), 1);
    EXPECT_EQ(queries[0][0].toLongLong(), 1);
}

TEST(TextView, ALongTextIsLaidOutOnceAndReadOffTheThread) {
    std::string words;
    for (int i = 0; i < 8190; ++i) words.append("word ");
    const auto axis = wordsOf({words});
    ASSERT_EQ(axis->size(), 8192);
    const auto map = std::make_shared<CountingMap>(8192);
    TextView view;
    view.resize(700, 500);
    view.show();
    view.setDisplay(kWhole, Colormap::Viridis);
    const int before = view.canvas()->layouts();
    view.setMap(map, axis, axis, {});
    EXPECT_EQ(view.canvas()->layouts(), before + 1);
    TextCanvas& canvas = *view.canvas();
    for (const std::int64_t token : {3, 9, 12})
        moveMouse(*canvas.viewport(), canvas.rectsOf({TextSide::Queries, token}).front().rect.center());
    EXPECT_TRUE(QTest::qWaitFor([&] { return view.isComplete(); }, 20000));
    EXPECT_EQ(view.title().toStdString(), "What “word” reads");
    EXPECT_LE(map->cells, 3 * 8192) << "a row for each token that was hovered, at most";
    const QRectF own = canvas.rectsOf({TextSide::Queries, 5}).front().rect;
    EXPECT_EQ(pixelAt(canvas.viewport()->grab().toImage(), QPointF(own.center().x(), own.top() + 1.5)),
              viridisOf(double(patternWeight(12, 5))));
    canvas.verticalScrollBar()->setValue(canvas.verticalScrollBar()->maximum());
    view.resize(700, 400); // of the same width
    QCoreApplication::processEvents();
    canvas.viewport()->grab();
    EXPECT_EQ(canvas.layouts(), before + 1);
    QTest::keyClick(&canvas, Qt::Key_PageUp);
    EXPECT_LT(canvas.verticalScrollBar()->value(), canvas.verticalScrollBar()->maximum());
}

TEST(TextView, IsReadByScreenReaders) {
    Shown shown({"one two"});
    EXPECT_FALSE(shown.canvas().accessibleName().isEmpty());
    EXPECT_EQ(shown.canvas().accessibleDescription().toStdString(), "[CLS] one two [SEP] ");
}

TEST(TextView, ShowsWhyThereIsNothing) {
    TextView view;
    view.resize(400, 300);
    view.setEmptyText(QStringLiteral("Press Run"));
    view.show();
    moveMouse(*view.canvas()->viewport(), QPointF(20.0, 20.0));
    QTest::keyClick(view.canvas(), Qt::Key_Right);
    EXPECT_EQ(view.title().toStdString(), "");
    EXPECT_FALSE(view.canvas()->viewport()->grab().toImage().isNull());
}

} // namespace
} // namespace headscope::ui
