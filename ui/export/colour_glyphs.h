// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QPointF>
#include <QRectF>

class QTextItem;

namespace headscope::ui {

/// Letters that are small pictures (emoji), with several dots where the item has one.
struct GlyphImage {
    QImage image;
    QRectF target; ///< where it stands
};
GlyphImage glyphImage(const QPointF& at, const QTextItem& item);

} // namespace headscope::ui
