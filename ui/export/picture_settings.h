// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/raster/colormap.h"
#include "core/raster/display_range.h"

#include <optional>
#include <string>
#include <string_view>

/// How an exported picture is to look, in plain types: the command line fills this without knowing Qt.
namespace headscope::ui {

enum class PictureFormat { Png, Svg, Pdf };

inline std::optional<PictureFormat> pictureFormatOf(std::string_view extension) {
    if (extension == "png") return PictureFormat::Png;
    if (extension == "svg") return PictureFormat::Svg;
    if (extension == "pdf") return PictureFormat::Pdf;
    return std::nullopt;
}

struct PictureSettings {
    DisplayRange range;
    Colormap colormap = Colormap::Viridis;
    bool dark = false;
    std::optional<double> widthMm; ///< nullopt: what suits the picture
    std::optional<int> dpi;        ///< of a PNG
    std::optional<double> fontSizePt;
    std::optional<std::string> title; ///< nullopt: the head's name; empty: none. UTF-8, as the labels
    std::optional<std::string> xLabel;
    std::optional<std::string> yLabel;
    bool values = false;
};

} // namespace headscope::ui
