// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

namespace headscope::ui {

/// :/icons/NAME.svg with its "currentColor" replaced. Unknown names CHECK: they are programmer errors.
QPixmap iconPixmap(const QString& name, const QColor& color, int size, double devicePixelRatio);
/// In `color`, and in the theme's muted colour when disabled.
QIcon icon(const QString& name, const QColor& color);
/// In the theme's text colour.
QIcon icon(const QString& name);

} // namespace headscope::ui
