// SPDX-License-Identifier: GPL-3.0-or-later
#include "heat_support.h"
#include "ui/heatmap/token_flow.h"
#include "ui/heatmap/token_strip.h"

#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

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

TEST(TokenFlow, SpansOutsideTheTextDoNoHarm) {
    auto axis = std::make_shared<Axis>();
    axis->texts = {"ab"};
    axis->entries = {entryOf("x", 0, 99), entryOf("y", -5, 1), entryOf("z", 50, 60)};
    axis->entries.back().text = 7;
    const auto tokens = makeFlowTokens(*axis, QFontMetricsF(QApplication::font()));
    EXPECT_EQ(tokens[0].text, "ab");
    EXPECT_EQ(tokens[1].text, "y");
    EXPECT_EQ(tokens[2].text, "z");
}

TEST(TokenFlow, LinesWrapWithoutOverlap) {
    const QFontMetricsF metrics(QApplication::font());
    auto tokens = makeFlowTokens(*mixedAxis(80), metrics);
    for (const bool rightToLeft : {false, true}) {
        const double height = flow(tokens, 300.0, metrics, rightToLeft);
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
