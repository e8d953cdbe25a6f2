// SPDX-License-Identifier: GPL-3.0-or-later
#include "heat_support.h"
#include "ui/heatmap/token_flow.h"
#include "ui/heatmap/token_strip.h"

#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <numeric>
#include <string>

namespace headscope::ui {
namespace {

AxisEntry entryOf(const char* label, std::int64_t start, std::int64_t end, bool special = false) {
    AxisEntry entry;
    entry.label = label;
    entry.start = start;
    entry.end = end;
    entry.text = special ? -1 : 0;
    entry.special = special;
    return entry;
}

/// “Straße 😀 unwell.\n東京” as WordPiece cuts it.
std::shared_ptr<const Axis> sampleAxis() {
    auto axis = std::make_shared<Axis>();
    axis->texts = {"Straße 😀 unwell.\n東京"};
    axis->entries = {entryOf("[CLS]", 0, 0, true), entryOf("strasse", 0, 6),  entryOf("[UNK]", 7, 8),
                     entryOf("un", 9, 11),         entryOf("##well", 11, 15), entryOf(".", 15, 16),
                     entryOf("東", 17, 18),        entryOf("京", 18, 19),     entryOf("[SEP]", 0, 0, true)};
    return axis;
}

TEST(TokenFlow, ShowsTheTextItselfAndJoinsPieces) {
    const auto tokens = makeFlowTokens(*sampleAxis(), QFontMetricsF(QApplication::font()));
    ASSERT_EQ(tokens.size(), 9U);
    const char* texts[] = {"[CLS]", "Straße", "😀", "un", "well", ".", "東", "京", "[SEP]"};
    const bool joined[] = {false, false, false, false, true, true, false, true, false};
    for (std::size_t i = 0; i < 9; ++i) {
        EXPECT_EQ(tokens[i].text, QString::fromUtf8(texts[i]));
        EXPECT_EQ(tokens[i].joined, joined[i]) << i;
        EXPECT_EQ(tokens[i].newLine, i == 6) << i;
    }
}

TEST(TokenFlow, WithoutATextTheLabelsAreShown) {
    const auto tokens =
        makeFlowTokens(*axisOf({"[CLS]", "play", "##ing", "##"}), QFontMetricsF(QApplication::font()));
    EXPECT_EQ(tokens[1].text, "play");
    EXPECT_EQ(tokens[2].text, "ing");
    EXPECT_EQ(tokens[3].text, "##");
}

TEST(TokenFlow, WhatWouldNotShowAloneShowsItsLabel) {
    auto axis = std::make_shared<Axis>();
    axis->texts = {"م\u200cن\u05b8e\u0301\u200d!"};
    axis->entries = {entryOf("م", 0, 1),       entryOf("<U+200C>", 1, 2), entryOf("ن", 2, 3),
                     entryOf("◌\u05b8", 3, 4), entryOf("é", 4, 6),        entryOf("<U+200D>!", 6, 8)};
    const auto tokens = makeFlowTokens(*axis, QFontMetricsF(QApplication::font()));
    const char* texts[] = {"م", "<U+200C>", "ن", "◌\u05b8", "e\u0301", "\u200d!"};
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(tokens[i].text, QString::fromUtf8(texts[i]));
    for (const std::size_t i : {1U, 3U})
        EXPECT_EQ(tokens[i].direction, ReadingDirection::RightToLeft) << "as the letter before it";
}

TEST(TokenFlow, SpansOutsideTheTextDoNoHarm) {
    auto axis = std::make_shared<Axis>();
    axis->texts = {"ab"};
    axis->entries = {entryOf("x", -5, 99), entryOf("y", 120, 130), entryOf("z", 50, 60)};
    axis->entries.back().text = 7;
    const auto tokens = makeFlowTokens(*axis, QFontMetricsF(QApplication::font()));
    EXPECT_EQ(tokens[0].text, "ab");
    EXPECT_EQ(tokens[1].text, "y");
    EXPECT_EQ(tokens[2].text, "z");
}

TEST(TokenFlow, PiecesOfOneCharacterSayWhichPartTheyAre) {
    auto axis = std::make_shared<Axis>();
    axis->texts = {"文a"};
    axis->entries = {entryOf("文 1/2", 0, 1), entryOf("文 2/2", 0, 1), entryOf("a", 1, 2)};
    const auto tokens = makeFlowTokens(*axis, QFontMetricsF(QApplication::font()));
    EXPECT_EQ(tokens[0].text, QStringLiteral("文 1/2"));
    EXPECT_EQ(tokens[1].text, QStringLiteral("文 2/2"));
    EXPECT_TRUE(tokens[1].joined);
    EXPECT_EQ(tokens[2].text, QStringLiteral("a"));
    EXPECT_TRUE(tokens[2].joined);
}

TEST(TokenFlow, LinesWrapWithoutOverlap) {
    const QFontMetricsF metrics(QApplication::font());
    auto tokens = makeFlowTokens(*mixedAxis(80), metrics);
    for (const ReadingDirection direction : {ReadingDirection::LeftToRight, ReadingDirection::RightToLeft}) {
        for (FlowToken& token : tokens) token.direction = direction;
        const bool rightToLeft = direction == ReadingDirection::RightToLeft;
        const double height = flow(tokens, 300.0, metrics);
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            EXPECT_GE(tokens[i].rect.left(), 0.0);
            EXPECT_LE(tokens[i].rect.right(), 300.0);
            EXPECT_LE(tokens[i].rect.bottom(), height);
            if (i == 0) continue;
            EXPECT_FALSE(tokens[i].rect.intersects(tokens[i - 1].rect)) << i;
            const bool sameLine = tokens[i].rect.top() == tokens[i - 1].rect.top();
            EXPECT_TRUE(!sameLine || (tokens[i].rect.left() < tokens[i - 1].rect.left()) == rightToLeft) << i;
        }
    }
}

/// The order in which tokens are seen from the left, line by line.
std::string seenOrder(const std::vector<FlowToken>& tokens) {
    std::vector<std::size_t> order(tokens.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const QRectF& one = tokens[a].rect;
        const QRectF& other = tokens[b].rect;
        return one.top() != other.top() ? one.top() < other.top() : one.left() < other.left();
    });
    return fmt::format("{}", fmt::join(order, " "));
}

std::string seenOrderOf(const std::string& text, double width = 900.0) {
    auto axis = std::make_shared<Axis>();
    axis->texts = {text};
    const QList<uint> points = QString::fromStdString(text).toUcs4();
    for (qsizetype begin = 0; begin < points.size();) { // words, and spaces and line breaks with what follows
        qsizetype end = begin + 1;
        while (end < points.size() && points[end] != ' ' && points[end] != '\n' && points[end - 1] != '\n')
            ++end;
        axis->entries.push_back(entryOf("x", begin, end));
        begin = end;
    }
    const QFontMetricsF metrics(QApplication::font());
    std::vector<FlowToken> tokens = makeFlowTokens(*axis, metrics);
    flow(tokens, width, metrics);
    for (std::size_t i = 0; i < tokens.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(tokens[i].rect.intersects(tokens[j].rect)) << text;
    return seenOrder(tokens);
}

TEST(TokenFlow, WordsOfBothDirectionsStandAsTheyAreRead) {
    EXPECT_EQ(seenOrderOf("one two three"), "0 1 2");
    EXPECT_EQ(seenOrderOf("אחת שתים שלוש"), "2 1 0");
    // English within Hebrew keeps its order; so do numbers and what stands between two English words.
    EXPECT_EQ(seenOrderOf("אחת one - two שתים"), "4 1 2 3 0");
    EXPECT_EQ(seenOrderOf("אחת 12 34 שתים"), "3 1 2 0");
    EXPECT_EQ(seenOrderOf("one אחת - שתים two"), "0 3 2 1 4");
    // Between the two directions a mark goes with the paragraph.
    EXPECT_EQ(seenOrderOf("one - אחת שתים"), "0 1 3 2");
    EXPECT_EQ(seenOrderOf("... אחת two"), "2 1 0");
    EXPECT_EQ(seenOrderOf("... - !"), "0 1 2");
}

TEST(TokenFlow, EveryLineOfTheTextHasItsOwnDirection) {
    // Tokens: one, two, "\n", אחת, שתים, "\n", three, four.
    EXPECT_EQ(seenOrderOf("one two\nאחת שתים\nthree four"), "0 1 2 5 4 3 6 7");
    // A line without a letter goes on as the one before.
    EXPECT_EQ(seenOrderOf("אחת שתים\n1 - 2"), "2 1 0 5 4 3");
}

TEST(TokenFlow, WrappedRightToLeftTextBeginsAtTheRightOfEveryLine) {
    std::string text = "אחת";
    for (int i = 0; i < 30; ++i) text += " שתים";
    auto axis = std::make_shared<Axis>();
    axis->texts = {text};
    axis->entries.push_back(entryOf("x", 0, 3));
    for (int i = 0; i < 30; ++i) axis->entries.push_back(entryOf("x", 4 + 5 * i, 8 + 5 * i));
    const QFontMetricsF metrics(QApplication::font());
    std::vector<FlowToken> tokens = makeFlowTokens(*axis, metrics);
    flow(tokens, 200.0, metrics);
    for (std::size_t i = 0; i < tokens.size(); ++i)
        if (i == 0 || tokens[i].rect.top() > tokens[i - 1].rect.top()) {
            EXPECT_NEAR(tokens[i].rect.right(), 197.0, 1e-9) << i;
        }
}

class TokenStripTest : public testing::Test {
  protected:
    TokenStripTest() {
        strip.resize(500, 96);
        strip.setTokens(sampleAxis());
        TokenStripWeights weights;
        weights.mode = TokenStripWeights::Mode::Row;
        weights.token = 3;
        weights.weights = {0.5F, 0.25F, 0.0F, 0.1F, 0.05F, 0.02F, 0.03F, 0.01F, 0.04F};
        strip.setWeights(weights);
        strip.show();
    }
    QPointF middleOf(std::int64_t token) const { return strip.tokenRect(token).center(); }

    TokenStrip strip;
};

TEST_F(TokenStripTest, ClickAndHoverTellTheToken) {
    QSignalSpy clicked(&strip, &TokenStrip::tokenClicked);
    QSignalSpy hovered(&strip, &TokenStrip::tokenHovered);
    QTest::mouseClick(strip.viewport(), Qt::LeftButton, {}, middleOf(4).toPoint());
    ASSERT_EQ(clicked.size(), 1);
    EXPECT_EQ(clicked[0][0].toLongLong(), 4);
    moveMouse(*strip.viewport(), middleOf(1));
    ASSERT_EQ(hovered.size(), 1);
    EXPECT_EQ(hovered[0][0].toLongLong(), 1);
    EXPECT_EQ(hovered[0][1].toFloat(), 0.25F);
    QTest::mouseClick(strip.viewport(), Qt::LeftButton, {}, QPoint(495, 90));
    EXPECT_EQ(clicked.size(), 1);
}

TEST_F(TokenStripTest, SentencesSayWhoReadsWhom) {
    EXPECT_EQ(strip.describe(0), QStringLiteral("“un” reads [CLS] 0.5000"));
    TokenStripWeights weights;
    weights.mode = TokenStripWeights::Mode::Column;
    weights.token = 0;
    weights.weights = std::vector<float>(9, 0.00001F);
    strip.setWeights(weights);
    EXPECT_EQ(strip.describe(3), QStringLiteral("“un” reads [CLS] 1.00e-05"));
    strip.setWeights({});
    EXPECT_EQ(strip.describe(3), QStringLiteral("“un”, token 3"));
    EXPECT_TRUE(strip.describe(99).isEmpty());
}

TEST_F(TokenStripTest, IntensityFollowsTheWeight) {
    const QImage image = strip.viewport()->grab().toImage();
    const auto backOf = [&](std::int64_t token) {
        return QColor(pixelAt(image, strip.tokenRect(token).bottomLeft() + QPointF(5, -2)));
    };
    const HeatmapTheme theme = HeatmapTheme::lightTheme();
    EXPECT_EQ(backOf(0), theme.accent); // the largest weight has the full colour
    EXPECT_EQ(backOf(2), theme.panel);  // weight 0
    EXPECT_LT(backOf(1).saturation(), theme.accent.saturation());
    EXPECT_GT(backOf(1).saturation(), theme.panel.saturation());
}

TEST_F(TokenStripTest, ArrowsChooseTheNextToken) {
    QSignalSpy clicked(&strip, &TokenStrip::tokenClicked);
    QTest::keyClick(&strip, Qt::Key_Right);
    QTest::keyClick(&strip, Qt::Key_End);
    QTest::keyClick(&strip, Qt::Key_Right);
    ASSERT_EQ(clicked.size(), 2);
    EXPECT_EQ(clicked[0][0].toLongLong(), 4);
    EXPECT_EQ(clicked[1][0].toLongLong(), 8);
}

TEST_F(TokenStripTest, LongTextsScroll) {
    strip.setTokens(mixedAxis(512));
    EXPECT_GT(strip.verticalScrollBar()->maximum(), 0);
    TokenStripWeights weights;
    weights.token = 0;
    strip.setWeights(weights);
    QTest::keyClick(&strip, Qt::Key_End);
    EXPECT_TRUE(QRectF(strip.viewport()->rect()).contains(strip.tokenRect(511)));
    EXPECT_EQ(strip.tokenAt(middleOf(511)), 511);
    strip.setTokens(nullptr);
    EXPECT_EQ(strip.verticalScrollBar()->maximum(), 0);
    strip.viewport()->grab();
}

} // namespace
} // namespace headscope::ui
