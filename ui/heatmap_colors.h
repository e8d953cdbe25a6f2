// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/heatmap/heatmap_theme.h"
#include "ui/theme.h"

namespace headscope::ui {

/// The theme's colours in the shape that ui/heatmap takes.
inline HeatmapTheme heatmapColors(const ThemeColors& c) {
    HeatmapTheme theme = c.dark ? HeatmapTheme::darkTheme() : HeatmapTheme::lightTheme();
    theme.window = c.window;
    theme.panel = c.panel;
    theme.hairline = c.hairline;
    theme.text = c.text;
    theme.muted = c.muted;
    theme.accent = c.accent;
    theme.info = c.info;
    theme.infoBack = c.infoBack;
    theme.warning = c.warning;
    theme.warningBack = c.warningBack;
    theme.alarm = c.alarm;
    theme.alarmBack = c.alarmBack;
    theme.selection = c.selection;
    return theme;
}

} // namespace headscope::ui
