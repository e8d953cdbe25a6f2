// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QRectF>

class QPainter;

namespace headscope::ui {

/// The sign of a head with a note: a small sheet with a line of text, in `fore` on `back`, filling `box`.
void paintNoteMark(QPainter& painter, const QRectF& box, const QColor& fore, const QColor& back);

} // namespace headscope::ui
