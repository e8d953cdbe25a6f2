// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include "core/raster/colormap.h"
#include "core/raster/display_range.h"
#include "ui/export/export_defaults.h"
#include "ui/theme.h"

namespace headscope::ui {

/// What the settings dialog offers, as one plain value; the defaults are those of a first start.
struct Preferences {
    static constexpr int kMostRecent = 30; ///< of models, and of sessions
    static constexpr int kMostTexts = 30;
    static constexpr int kLongestJudging = 600; ///< seconds

    ThemeChoice theme = ThemeChoice::System;
    Colormap colormap = Colormap::Viridis; ///< of views that begin afresh
    DisplayRange range;                    ///< likewise
    DeviceChoice device = DeviceChoice::Auto;
    int threads = 0; ///< 0: one for each core
    bool rememberSession = true;
    bool runWhileTyping = true;
    int recentModels = 8; ///< how many are listed
    int recentSessions = 8;
    int pastTexts = kMostTexts;
    bool judgeUnasked = true;
    int judgeSeconds = 10; ///< judging that is expected to take longer waits to be asked for

    ExportDefaults exports;

    friend bool operator==(const Preferences&, const Preferences&) = default;
};

} // namespace headscope::ui
