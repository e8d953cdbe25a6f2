// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/icons.h"

#include "core/base/check.h"
#include "ui/theme.h"

#include <QFile>
#include <QPainter>
#include <QSvgRenderer>

namespace headscope::ui {

QPixmap iconPixmap(const QString& name, const QColor& color, int size, double devicePixelRatio) {
    QFile file(QStringLiteral(":/icons/") + name + QStringLiteral(".svg"));
    HS_CHECK(file.open(QIODevice::ReadOnly));
    QByteArray svg = file.readAll();
    svg.replace("currentColor", color.name().toLatin1());
    QSvgRenderer renderer(svg);
    QPixmap pixmap(qRound(size * devicePixelRatio), qRound(size * devicePixelRatio));
    pixmap.fill(Qt::transparent);
    {
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setOpacity(color.alphaF());
        renderer.render(&painter);
    }
    pixmap.setDevicePixelRatio(devicePixelRatio);
    return pixmap;
}

QIcon icon(const QString& name, const QColor& color) {
    QIcon result;
    // Clearly fainter than the rest: a flat button has nothing else to say that it is off.
    QColor off = Theme::instance().colors().muted;
    off.setAlphaF(0.45F);
    for (const double ratio : {1.0, 2.0}) {
        for (const int size : {16, 20}) {
            result.addPixmap(iconPixmap(name, color, size, ratio), QIcon::Normal);
            result.addPixmap(iconPixmap(name, off, size, ratio), QIcon::Disabled);
        }
    }
    return result;
}

QIcon icon(const QString& name) {
    return icon(name, Theme::instance().colors().text);
}

} // namespace headscope::ui
