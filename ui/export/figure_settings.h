// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/picture_settings.h"
#include "ui/heatmap/figure_painter.h"

namespace headscope::ui {

/// The figure of plain settings: the one place that window and command line go through. Width and density
/// that are not given keep those of FigureOptions.
FigureOptions figureOptionsOf(const PictureSettings& settings);

/// Null and empty differ: null is the default words, empty is none.
QString wordsOf(const std::optional<std::string>& text);

} // namespace headscope::ui
