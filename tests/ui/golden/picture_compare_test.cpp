// SPDX-License-Identifier: GPL-3.0-or-later
// The comparison itself: what it forgives, and what it must not.
#include "tests/ui/golden/picture_compare.h"

#include <QPainter>

#include <gtest/gtest.h>

namespace headscope::ui::test {
namespace {

/// A box, a line and a few words in strokes on white; what is drawn can be moved or left out.
struct Drawing {
    QPointF box{20, 20};
    QPointF words{60, 70};
    bool hasWords = true;
    QColor color{Qt::darkBlue};
};

QImage drawn(const Drawing& what, int ratio = 1) {
    QImage image(160 * ratio, 100 * ratio, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(ratio, ratio);
    painter.fillRect(QRectF(what.box, QSizeF(30, 12)), what.color);
    painter.setPen(QPen(Qt::gray, 1.0));
    painter.drawLine(QPointF(0, 50.5), QPointF(160, 50.5));
    painter.setPen(QPen(Qt::black, 1.2));
    for (int i = 0; what.hasWords && i < 5; ++i)
        painter.drawLine(what.words + QPointF(4 * i, 0), what.words + QPointF(4 * i, 7));
    return image;
}

bool alike(const Drawing& other, int ratio = 1) {
    const Likeness likeness = likenessAt(ratio);
    return differenceOf(drawn({}, ratio), drawn(other, ratio), likeness).isAlike(likeness);
}

TEST(PictureCompare, ForgivesSmoothingAndAPixelAside) {
    for (const int ratio : {1, 2}) {
        EXPECT_TRUE(alike({}, ratio));
        EXPECT_TRUE(alike({.words = {60, 70.4}}, ratio)) << "other smoothing";
        EXPECT_TRUE(alike({.words = {61, 70}}, ratio));
        EXPECT_TRUE(alike({.box = {20, 21}}, ratio));
        EXPECT_TRUE(alike({.color = QColor(20, 20, 150)}, ratio));
    }
}

TEST(PictureCompare, FailsOnWhatIsMovedMissingOrOfAnotherColour) {
    for (const int ratio : {1, 2}) {
        EXPECT_FALSE(alike({.hasWords = false}, ratio)) << "a missing word";
        EXPECT_FALSE(alike({.words = {60, 73}}, ratio)) << "a word three pixels lower";
        EXPECT_FALSE(alike({.box = {23, 20}}, ratio)) << "a box three pixels aside";
        EXPECT_FALSE(alike({.color = QColor(120, 0, 128)}, ratio)) << "another colour";
    }
    // Both ways: what is too much fails like what is missing.
    const Likeness likeness = likenessAt(1);
    EXPECT_FALSE(differenceOf(drawn({.hasWords = false}), drawn({}), likeness).isAlike(likeness));
}

TEST(PictureCompare, SaysWhere) {
    const PictureDifference difference = differenceOf(drawn({}), drawn({.hasWords = false}), likenessAt(1));
    const QRect square(difference.at, QSize(12, 12));
    EXPECT_TRUE(square.intersects(QRect(60, 70, 18, 8))) << difference.at.x() << ' ' << difference.at.y();
    EXPECT_EQ(difference.picture.pixel(60, 73), qRgb(220, 0, 0));
    EXPECT_GT(qGreen(difference.picture.pixel(30, 25)), 199) << "the box is alike";
}

} // namespace
} // namespace headscope::ui::test
