// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/picture.h"

#include <QFont>
#include <QString>

class QPainter;

namespace headscope::ui {

/// What pictures of a text have in common: laid out in units in which its letters have the size that they
/// have in the window, and scaled to what was asked for.
struct PictureSheet {
    FigureOptions options;
    QString title;
    QFont font;
    QFont titleFont;
    double scale = 1.0; ///< points a unit
    double width = 0.0;
    double height = 0.0;

    /// Saves the painter, takes the sheet's units, and paints what is behind all.
    void begin(QPainter& painter) const;
    /// Size, title and background; what paints it, says it and tells its facts is left to others.
    Picture blank() const;
};

/// The end of a scale, with three digits.
QString scaleEndText(float weight);

} // namespace headscope::ui
