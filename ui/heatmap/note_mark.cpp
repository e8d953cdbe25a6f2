// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/note_mark.h"

#include <QPainter>
#include <QPainterPath>

namespace headscope::ui {

void paintNoteMark(QPainter& painter, const QRectF& box, const QColor& fore, const QColor& back) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(box.topLeft());
    painter.scale(box.width() / 10.0, box.height() / 10.0);
    QPainterPath sheet;
    sheet.moveTo(1.0, 1.0);
    sheet.lineTo(6.5, 1.0);
    sheet.lineTo(9.0, 3.5);
    sheet.lineTo(9.0, 9.0);
    sheet.lineTo(1.0, 9.0);
    sheet.closeSubpath();
    painter.setPen(QPen(back, 2.0, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.setBrush(fore);
    painter.drawPath(sheet);
    painter.fillPath(sheet, fore);
    painter.setPen(QPen(back, 1.2));
    painter.drawLine(QPointF(3.0, 4.6), QPointF(7.0, 4.6));
    painter.drawLine(QPointF(3.0, 6.8), QPointF(6.0, 6.8));
    painter.restore();
}

} // namespace headscope::ui
