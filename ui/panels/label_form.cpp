// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/label_form.h"

#include "ui/heatmap/head_badges.h"

#include <QPainter>
#include <QPainterPath>

namespace headscope::ui {
namespace {

/// An arrow across a box of 8 by 8.
QPainterPath arrow(bool left) {
    QPainterPath path;
    const double tip = left ? 0.5 : 7.5;
    const double wing = left ? 3.5 : 4.5;
    path.moveTo(left ? 7.5 : 0.5, 4.0);
    path.lineTo(tip, 4.0);
    path.moveTo(wing, 1.0);
    path.lineTo(tip, 4.0);
    path.lineTo(wing, 7.0);
    return path;
}

/// Lines in a box of 8 by 8.
QPainterPath linesOf(Label label) {
    QPainterPath path;
    switch (label) {
    case Label::PreviousToken:
        return arrow(true);
    case Label::NextToken:
        return arrow(false);
    case Label::Self:
        path.addEllipse(QPointF(4, 4), 2.8, 2.8);
        break;
    case Label::FixedOffset: // from one place to another, always as far
        path.moveTo(0.6, 1.5);
        path.lineTo(0.6, 6.5);
        path.moveTo(7.4, 1.5);
        path.lineTo(7.4, 6.5);
        path.moveTo(0.6, 4);
        path.lineTo(7.4, 4);
        break;
    case Label::Local: // a narrow band
        path.moveTo(0.5, 2.5);
        path.lineTo(5.5, 7.5);
        path.moveTo(2.5, 0.5);
        path.lineTo(7.5, 5.5);
        break;
    case Label::Delimiter: // a comma
        path.moveTo(4.8, 3.5);
        path.quadTo(5, 6, 3, 7.5);
        break;
    case Label::DuplicateToken: // two of the same
        path.addRect(QRectF(0.5, 2.5, 2.8, 2.8));
        path.addRect(QRectF(4.7, 2.5, 2.8, 2.8));
        break;
    case Label::Induction: // back, then one on
        path.moveTo(7.2, 6.8);
        path.cubicTo(7.2, 0, 0.8, 0, 0.8, 4.2);
        path.moveTo(0.8, 6.6);
        path.lineTo(4.2, 6.6);
        break;
    case Label::Block:
        path.addRect(QRectF(0.8, 0.8, 6.4, 6.4));
        break;
    case Label::Broad: // even, and less so
        path.moveTo(0.5, 2.5);
        path.lineTo(7.5, 2.5);
        path.moveTo(0.5, 5.5);
        path.lineTo(7.5, 5.5);
        break;
    case Label::Broadcast: // a column
        path.moveTo(4, 0.5);
        path.lineTo(4, 7.5);
        path.moveTo(1.2, 2.5);
        path.lineTo(4, 0.5);
        path.lineTo(6.8, 2.5);
        break;
    case Label::ActiveDormant: // half awake
        path.addEllipse(QPointF(4, 4), 3.0, 3.0);
        path.moveTo(4, 1);
        path.lineTo(4, 7);
        break;
    case Label::Inactive:
        path.addEllipse(QPointF(4, 4), 3.2, 3.2);
        path.moveTo(1.8, 6.2);
        path.lineTo(6.2, 1.8);
        break;
    case Label::Redundant:
        path.addEllipse(QPointF(2.9, 4), 2.3, 2.3);
        path.addEllipse(QPointF(5.1, 4), 2.3, 2.3);
        break;
    default:
        break;
    }
    return path;
}

} // namespace

bool hasForm(Label label) {
    return isFlag(label) || !linesOf(label).isEmpty();
}

void paintLabelForm(QPainter& painter, Label label, const QRectF& box, const QColor& color) {
    if (isFlag(label)) {
        paintBadgeShape(painter, label, box, color);
        return;
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(box.topLeft());
    painter.scale(box.width() / 8.0, box.height() / 8.0);
    painter.setPen(QPen(color, 1.2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(linesOf(label));
    painter.restore();
}

} // namespace headscope::ui
