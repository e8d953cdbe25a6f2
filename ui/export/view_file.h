// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/analysis/map_view.h"
#include "core/raster/colormap.h"
#include "core/raster/display_range.h"
#include "ui/reading/line_picks.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

/// What a session file of the window says to the command line, in plain types.
namespace headscope::ui {

/// A head with what it was made from.
struct ViewedHead {
    std::filesystem::path model; ///< empty: none was open
    OpenRules opening;
    TextInput input; ///< an empty text: there was none
    HeadRef head;
    MapView view = {};
};

enum class ShownForm { Map, Text, Lines };

struct ViewFile {
    ViewedHead shown;
    DisplayRange range;
    Colormap colormap = Colormap::Viridis;
    Pooling pooling = Pooling::Max;
    bool margins = false; ///< beside the map
    ShownForm form = ShownForm::Map;
    LinesShown lines;
    std::optional<std::int64_t> query; ///< the chosen tokens
    std::optional<std::int64_t> key;
    bool readBy = false; ///< who reads the key, not what the query reads
    std::vector<ViewedHead> pins;
    std::size_t chosenPin = 0;
};

/// Needs no QApplication. Throws Error naming the file: what sessionFromJson() refuses, unreadable.
ViewFile readViewFile(const std::filesystem::path& file);

} // namespace headscope::ui
