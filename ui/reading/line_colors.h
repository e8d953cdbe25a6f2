// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/heatmap/heatmap_theme.h"

#include <QColor>

#include <array>

namespace headscope::ui {

/// As many heads can be told apart by colour; more at once are not drawn.
inline constexpr std::size_t kLineColors = 6;

/// Colours of heads side by side, the first one the accent. On the panel of the theme they have a contrast of
/// at least 3:1, and any two of them differ plainly for readers with protanopia, deuteranopia and tritanopia
/// too (a test computes both).
const std::array<QColor, kLineColors>& lineColors(const HeatmapTheme& theme);

} // namespace headscope::ui
