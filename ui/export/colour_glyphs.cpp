// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/colour_glyphs.h"

#include <QPainter>
#include <QTextItem>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

GlyphImage glyphImage(const QPointF& at, const QTextItem& item) {
    constexpr double kDots = 8.0;   // fonts hold their pictures about ten times as large as letters are
    constexpr double kMargin = 2.0; // glyphs may reach over their box
    const double width = item.width() + 2.0 * kMargin;
    const double height = item.ascent() + item.descent() + 2.0 * kMargin;
    QImage image(std::max(1, static_cast<int>(std::ceil(width * kDots))),
                 std::max(1, static_cast<int>(std::ceil(height * kDots))), QImage::Format_ARGB32);
    image.fill(Qt::transparent);
    {
        QPainter painter(&image);
        painter.scale(kDots, kDots);
        painter.drawTextItem(QPointF(kMargin, kMargin + item.ascent()), item);
    }
    const QPointF corner = at - QPointF(kMargin, kMargin + item.ascent());
    return {image, QRectF(corner, QSizeF(image.width() / kDots, image.height() / kDots))};
}

} // namespace headscope::ui
