// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/raster/colormap.h"

#include <QColor>

namespace headscope::ui {

/// The colours that the views and figures of this room draw with: a plain value, handed in by whoever owns
/// the theme.
struct HeatmapTheme {
    QColor window;
    QColor panel; ///< what maps, labels and callouts stand on
    QColor hairline;
    QColor text;
    QColor muted;
    QColor accent;
    QColor info; ///< flag: sink
    QColor infoBack;
    QColor warning; ///< flag: uniform
    QColor warningBack;
    QColor alarm; ///< flag: stuck
    QColor alarmBack;
    QColor selection;
    QColor skeleton;         ///< cells that are still being computed
    Rgb masked = 0xff2a2f37; ///< cells that carry no weight by rule
    bool dark = false;

    static HeatmapTheme lightTheme();
    static HeatmapTheme darkTheme();

    friend bool operator==(const HeatmapTheme&, const HeatmapTheme&) = default;
};

} // namespace headscope::ui
