// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/raster/colormap.h"
#include "core/raster/display_range.h"
#include "core/raster/raster.h"
#include "ui/reading/line_picks.h" // no Qt

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// How an exported picture is to look, in plain types: the command line fills this without knowing Qt.
namespace headscope::ui {

enum class PictureFormat { Png, Svg, Pdf };

inline std::optional<PictureFormat> pictureFormatOf(std::string_view extension) {
    if (extension == "png") return PictureFormat::Png;
    if (extension == "svg") return PictureFormat::Svg;
    if (extension == "pdf") return PictureFormat::Pdf;
    return std::nullopt;
}

/// Longest side of a raster picture: Qt paints with 16-bit device coordinates.
inline constexpr int kLongestSide = 32767;

/// The token whose row (what it reads) or column (who reads it) colours a text.
struct FollowedToken {
    bool isKey = false;
    std::int64_t index = 0;
};

/// Which weights are drawn as lines between the tokens.
struct DrawnLines {
    LineRule rule;
    std::optional<FollowedToken> followed; ///< its lines alone
    std::vector<std::size_t> colors;       ///< of each head, which of the line colours; empty: in their order
};

struct PictureSettings {
    DisplayRange range;
    Colormap colormap = Colormap::Viridis;
    Pooling pooling = Pooling::Max; ///< where the map has more cells than the picture has dots
    bool dark = false;
    bool transparent = false;       ///< no background
    std::optional<double> widthMm;  ///< nullopt: what suits the picture
    std::optional<double> heightMm; ///< of the figure of one head; nullopt: what the map needs
    std::optional<int> dpi;         ///< of a PNG
    std::optional<double> fontSizePt;
    std::optional<std::string> title; ///< nullopt: the head's name; empty: none. UTF-8, as the labels
    std::optional<std::string> xLabel;
    std::optional<std::string> yLabel;
    bool values = false;
    bool margins = false; ///< strips beside the maps of heads: spread of the rows, means of the columns
};

/// What a figure is for: its size, its letters, and where given its words and colours.
struct FigurePreset {
    std::string_view name;    ///< the word of the command line
    std::string_view meaning; ///< for help, English
    double widthMm = 0.0;
    std::optional<double> heightMm = std::nullopt;
    int dpi = 300;
    double fontSizePt = 8.0;
    std::optional<Colormap> colormap = std::nullopt;
    std::optional<std::string_view> xLabel = std::nullopt;
    std::optional<std::string_view> yLabel = std::nullopt;
};

inline constexpr std::array<FigurePreset, 4> kFigurePresets = {{
    {.name = "single", .meaning = "one column of a paper, 85 mm", .widthMm = 85.0, .fontSizePt = 7.0},
    {.name = "double", .meaning = "two columns of a paper, 178 mm", .widthMm = 178.0},
    {.name = "slide",
     .meaning = "for a slide, 254 x 143 mm",
     .widthMm = 254.0,
     .heightMm = 143.0,
     .dpi = 192,
     .fontSizePt = 14.0},
    {.name = "article",
     .meaning = "the plot of the tutorials, 10 x 8 inches",
     .widthMm = 254.0,
     .heightMm = 203.2,
     .dpi = 100,
     .fontSizePt = 10.0,
     .colormap = Colormap::Viridis,
     .xLabel = "Source Sequence",
     .yLabel = "Target Sequence"},
}};

inline const FigurePreset* figurePresetOf(std::string_view name) {
    for (const FigurePreset& preset : kFigurePresets)
        if (preset.name == name) return &preset;
    return nullptr;
}

/// Settings with what the preset says; what it does not say stays.
inline PictureSettings withPreset(PictureSettings settings, const FigurePreset& preset) {
    settings.widthMm = preset.widthMm;
    settings.heightMm = preset.heightMm;
    settings.dpi = preset.dpi;
    settings.fontSizePt = preset.fontSizePt;
    if (preset.colormap) settings.colormap = *preset.colormap;
    if (preset.xLabel) settings.xLabel = std::string(*preset.xLabel);
    if (preset.yLabel) settings.yLabel = std::string(*preset.yLabel);
    return settings;
}

} // namespace headscope::ui
