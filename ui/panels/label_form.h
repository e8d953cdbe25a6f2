// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/labels.h"

#include <QColor>
#include <QRectF>

class QPainter;

namespace headscope::ui {

/// Whether a label has a form of its own beside its word.
bool hasForm(Label label);
/// The form of any label, filling `box`: the flags' as everywhere, the others' as small drawings of what the
/// head reads.
void paintLabelForm(QPainter& painter, Label label, const QRectF& box, const QColor& color);

} // namespace headscope::ui
