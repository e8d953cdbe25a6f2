// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/map_view.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headscope::ui {

/// What the command line says about the window. Empty values leave what the last session or a first start
/// shows.
struct WindowOptions {
    std::filesystem::path model;     ///< or a session file; empty: the last session's
    int threads = 0;                 ///< 0: as set in the program
    OpenRules opening;               ///< of the model that is given
    std::optional<std::string> text; ///< UTF-8
    std::optional<std::string> pair;
    std::optional<HeadRef> head;
    std::vector<std::pair<LayerIndex, HeadIndex>> pins; ///< heads to pin for the page Compare
    std::optional<std::int64_t> query;                  ///< the row to choose
    std::optional<MapView> mapView;                     ///< how maps are shown
    std::optional<std::string> page;                    ///< of the centre: "explore", "diagnose", "compare"
    std::optional<std::string> form;                    ///< of the head: "map", "text", "lines"
    std::optional<std::string> theme;                   ///< "light", "dark", "system"; not remembered

    /// For scripts: once the analysis is shown (and with the page "diagnose" the diagnosis, where it comes
    /// unasked, with "compare" the comparison), or has failed, the window's picture is written here (PNG) and
    /// the program ends; the saved session is left alone.
    std::filesystem::path screenshot;
    int width = 0; ///< of the window in pixels; 0: as saved
    int height = 0;
};

/// Runs the window until it is closed; returns the exit code. Needs a display (or QT_QPA_PLATFORM=offscreen);
/// where it does not answer, a sentence is printed and the program ends with 1. LibTorch's threads are set
/// before. With a screenshot: 1 when it could not be made.
int runWindow(int argc, char** argv, const WindowOptions& options);

} // namespace headscope::ui
