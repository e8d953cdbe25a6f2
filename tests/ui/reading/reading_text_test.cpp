// SPDX-License-Identifier: GPL-3.0-or-later
#include "reading_support.h"
#include "ui/reading/reading_layout.h"
#include "ui/reading/reading_text.h"

#include <QPainter>

#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

/// What stands at a part, isolates left out.
std::string partText(const ReadingText& text, const TokenPart& part) {
    return text.paragraphs[static_cast<std::size_t>(part.paragraph)]
        .text.mid(part.from, part.to - part.from)
        .toStdString();
}

std::string paragraphText(const ReadingText& text, std::size_t index) {
    QString own = text.paragraphs[index].text;
    own.remove(QChar(u'\u2068'));
    own.remove(QChar(u'\u2069'));
    return own.toStdString();
}

TEST(ReadingText, IsTheTextAsItWasWritten) {
    auto axis = std::make_shared<Axis>();
    axis->texts = {"Straße  😀 unwell.\n東京"};
    axis->entries = {specialOf("[CLS]"),   spanOf("strasse", 0, 6),  spanOf("[UNK]", 8, 9),
                     spanOf("un", 10, 12), spanOf("##well", 12, 16), spanOf(".", 16, 17),
                     spanOf("東", 18, 19), spanOf("京", 19, 20),     specialOf("[SEP]")};
    const ReadingText text = makeReadingText(*axis);
    ASSERT_EQ(text.paragraphs.size(), 2U);
    EXPECT_EQ(text.blocks, 1);
    EXPECT_EQ(paragraphText(text, 0), "[CLS] Straße  😀 unwell.");
    EXPECT_EQ(paragraphText(text, 1), "東京 [SEP] ");
    const char* pieces[] = {"[CLS]", "Straße", "😀", "un", "well", ".", "東", "京", "[SEP]"};
    ASSERT_EQ(text.parts.size(), 9U);
    for (std::size_t i = 0; i < 9; ++i) {
        EXPECT_EQ(text.parts[i].token, static_cast<std::int64_t>(i));
        EXPECT_EQ(partText(text, text.parts[i]), pieces[i]);
        EXPECT_EQ(text.parts[i].mark, i == 0 || i == 8) << i;
    }
}

TEST(ReadingText, EachTextOfAPairIsABlock) {
    const ReadingText text = makeReadingText(*wordsOf({"one two", "three"}));
    ASSERT_EQ(text.paragraphs.size(), 2U);
    EXPECT_EQ(text.blocks, 2);
    EXPECT_EQ(paragraphText(text, 0), "[CLS] one two [SEP] ");
    EXPECT_EQ(paragraphText(text, 1), "three [SEP] ");
    EXPECT_EQ(text.paragraphs[1].block, 1);
}

TEST(ReadingText, BytesOfOneCharacterShareIt) {
    auto axis = std::make_shared<Axis>();
    axis->texts = {"a文b"};
    axis->entries = {spanOf("a", 0, 1), spanOf("文 1/2", 1, 2), spanOf("文 2/2", 1, 2), spanOf("b", 2, 3)};
    const ReadingText text = makeReadingText(*axis);
    ASSERT_EQ(text.parts.size(), 4U);
    EXPECT_EQ(partText(text, text.parts[1]), "文");
    EXPECT_EQ(partText(text, text.parts[2]), "文");
    EXPECT_EQ(text.parts[1].slices, 2);
    EXPECT_EQ(text.parts[2].slice, 1);
    EXPECT_EQ(text.parts[3].slices, 1);

    ReadingLayout layout;
    layout.setText(text, {}, QApplication::font());
    layout.layOut(400.0, 0.0);
    const QRectF first = layout.rectsOf(1).front().rect;
    const QRectF second = layout.rectsOf(2).front().rect;
    EXPECT_NEAR(first.right(), second.left(), 0.01);
    EXPECT_NEAR(first.width(), second.width(), 2.01) << "but for the padding at the edge of a word";
}

TEST(ReadingText, TokensThatOverlapInPartAreToldApart) {
    auto axis = std::make_shared<Axis>();
    axis->texts = {"abc"};
    axis->entries = {spanOf("ab", 0, 2), spanOf("bc", 1, 3)};
    const ReadingText text = makeReadingText(*axis);
    ASSERT_EQ(text.parts.size(), 4U);
    EXPECT_EQ(partText(text, text.parts[0]), "a");
    EXPECT_EQ(text.parts[0].token, 0);
    EXPECT_EQ(partText(text, text.parts[1]), "b");
    EXPECT_EQ(partText(text, text.parts[2]), "b");
    EXPECT_EQ(text.parts[1].slices, 2);
    EXPECT_EQ(partText(text, text.parts[3]), "c");
    EXPECT_EQ(text.parts[3].token, 1);
}

TEST(ReadingText, WhatWasCutOffIsSaid) {
    auto axis = std::make_shared<Axis>();
    axis->texts = {"zero one two three"};
    axis->entries = {spanOf("one", 5, 8), spanOf("two", 9, 12)};
    EXPECT_EQ(paragraphText(makeReadingText(*axis), 0), "… one two …");
}

TEST(ReadingText, WhatWouldNotBeSeenIsAMark) {
    auto axis = std::make_shared<Axis>();
    axis->texts = {"a\nb"};
    axis->entries = {spanOf("a", 0, 1), spanOf("\\n", 1, 2), spanOf("b", 2, 3), spanOf("empty", 3, 3),
                     spanOf("far", 70, 90)};
    const ReadingText text = makeReadingText(*axis);
    ASSERT_EQ(text.paragraphs.size(), 2U);
    EXPECT_EQ(paragraphText(text, 0), "a \\n ");
    EXPECT_EQ(paragraphText(text, 1), "b empty far ");
    for (const std::size_t i : {1U, 3U, 4U}) EXPECT_TRUE(text.parts[i].mark) << i;
}

TEST(ReadingText, WithoutATextTheLabelsFlow) {
    EXPECT_EQ(paragraphText(makeReadingText(*axisOf({"[CLS]", "play", "##ing", "x"})), 0), "[CLS] playing x");
}

TEST(ReadingText, ALongRunOfOneTokenIsCut) {
    auto axis = std::make_shared<Axis>();
    axis->texts = {std::string(1'000'000, 'x')};
    axis->entries = {spanOf("[UNK]", 0, 1'000'000)};
    const ReadingText text = makeReadingText(*axis);
    EXPECT_LT(text.paragraphs[0].text.size(), 3000);
    EXPECT_TRUE(text.paragraphs[0].text.contains(QStringLiteral("…")));
}

/// Words of `text` from the left to the right on one line.
std::string seenOrder(const std::string& words) {
    const auto axis = wordsOf({words});
    ReadingLayout layout;
    layout.setText(makeReadingText(*axis), {}, QApplication::font());
    layout.layOut(2000.0, 0.0);
    std::vector<std::pair<double, std::int64_t>> places;
    for (std::int64_t i = 1; i + 1 < axis->size(); ++i)
        places.emplace_back(layout.rectsOf(i).front().rect.left(), i);
    std::sort(places.begin(), places.end());
    std::string order;
    for (const auto& [left, token] : places) order.push_back(static_cast<char>('0' + token));
    return order;
}

TEST(ReadingLayout, WordsStandAsTheyAreRead) {
    EXPECT_EQ(seenOrder("one two three"), "123");
    EXPECT_EQ(seenOrder("אחת שתים שלוש"), "321");
    EXPECT_EQ(seenOrder("אחת one two שתים"), "4231");
    EXPECT_EQ(seenOrder("one אחת שתים two"), "1324");
}

TEST(ReadingLayout, ParagraphsFromRightToLeftBeginAtTheRight) {
    ReadingLayout layout;
    layout.setText(makeReadingText(*wordsOf({"שלום עולם"})), {}, QApplication::font());
    layout.layOut(600.0, 0.0);
    EXPECT_GT(layout.rectsOf(1).front().rect.left(), 400.0);
    EXPECT_TRUE(layout.rectsOf(1).front().rightToLeft);
}

/// Where letters stand outside the rectangles of all tokens, in pixels. The text has nothing but words.
int strayInk(const std::string& words, double width) {
    const auto axis = wordsOf({words});
    QFont font = QApplication::font();
    font.setPixelSize(16);
    font.setWordSpacing(4.0);
    ReadingLayout layout;
    layout.setText(makeReadingText(*axis), {}, font);
    QImage image(static_cast<int>(width), static_cast<int>(layout.layOut(width, 0.0)) + 4,
                 QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setFont(font);
    for (const ReadingLine& line : layout.lines())
        line.layout->lineAt(line.index).draw(&painter, line.position);
    for (const TokenRect& token : layout.rects()) // two pixels: letters lean out of what they advance
        painter.fillRect(token.rect.adjusted(-2.0, 0.0, 2.0, 0.0), Qt::white);
    painter.end();
    int ink = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) ink += qGray(image.pixel(x, y)) < 128 ? 1 : 0;
    return ink;
}

TEST(ReadingLayout, EveryLetterStandsInTheRectangleOfItsToken) {
    const std::string texts[] = {
        "The office of Straße 東京都庁 and affluent fjords",
        "مرحبــــا بكم في الحديقـة القديمة velocity وصل القطار متأخرا",
        "one שלום עולם two 123 אחת",
        "مرحبا بكم في الحديقـة القد velocity (\u200fמי שכח את המפתח בתוך\u200e) 123 quantum",
        "אחת שתים \u200e) 123 quantum and more",
        "one two \u200fאחת ) שתים three four"};
    for (const std::string& text : texts)
        for (const double width : {90.0, 140.0, 200.0, 270.0, 480.0, 520.0, 900.0})
            EXPECT_EQ(strayInk(text, width), 0) << text << " in " << width;
}

TEST(ReadingLayout, FindsTokensByPointAndByLine) {
    const auto axis = wordsOf({"one two three four five six"});
    ReadingLayout layout;
    layout.setText(makeReadingText(*axis), {}, QApplication::font());
    layout.layOut(110.0, 0.0);
    ASSERT_GT(layout.lines().size(), 1U);
    for (std::int64_t i = 0; i < axis->size(); ++i)
        EXPECT_EQ(layout.tokenAt(layout.rectsOf(i).front().rect.center()), i);
    EXPECT_FALSE(layout.tokenAt(QPointF(5.0, 5000.0)));
    const auto below = layout.tokenBeside(0, 1);
    ASSERT_TRUE(below);
    EXPECT_GT(layout.rectsOf(*below).front().rect.top(), layout.rectsOf(0).front().rect.top());
    EXPECT_FALSE(layout.tokenBeside(0, -1));
}

} // namespace
} // namespace headscope::ui
