// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace headscope::ui {

/// The range of an exported map: that of the screen, or one of its own.
enum class RangeChoice { AsShown, Auto, ZeroToOne, PerRow, Log };

/// What the export dialog begins with: all that does not depend on what is exported. Commands do not read it.
struct ExportDefaults {
    static constexpr int kLeastDpi = 36;
    static constexpr int kMostDpi = 2400;
    static constexpr int kLeastFont = 2;
    static constexpr int kMostFont = 72;

    bool dark = false;
    std::string preset; ///< a name of kFigurePresets; empty: none, then the two numbers hold
    RangeChoice range = RangeChoice::AsShown;
    int dpi = 300;
    int fontSizePt = 8;
    bool transparent = false;
    bool described = true; ///< caption and facts go into the file

    friend bool operator==(const ExportDefaults&, const ExportDefaults&) = default;
};

} // namespace headscope::ui
