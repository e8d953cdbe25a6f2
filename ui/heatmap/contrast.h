// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace headscope::ui {

/// Relative luminance and contrast ratio (1 to 21) of opaque colours, as WCAG 2 defines them.
double luminance(const QColor& color);
double contrastRatio(const QColor& a, const QColor& b);

/// Black or white, whichever stands out more on `back`: at least 4.58:1.
QColor readableOn(const QColor& back);

} // namespace headscope::ui
