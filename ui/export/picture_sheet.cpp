// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/picture_sheet.h"

#include <QPainter>

namespace headscope::ui {

void PictureSheet::begin(QPainter& painter) const {
    painter.save();
    painter.scale(scale, scale);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing |
                           QPainter::LosslessImageRendering);
    if (!options.transparent)
        painter.fillRect(QRectF(0.0, 0.0, width, height).adjusted(0, 0, 2, 2), options.theme.panel);
}

Picture PictureSheet::blank() const {
    Picture picture;
    picture.size = QSizeF(width, height) * scale;
    picture.title = title;
    picture.background = options.transparent ? QColor(Qt::transparent) : options.theme.panel;
    return picture;
}

QString scaleEndText(float weight) {
    return QString::number(static_cast<double>(weight), 'g', 3);
}

} // namespace headscope::ui
