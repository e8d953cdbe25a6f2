// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/raster/colormap.h"
#include "core/raster/display_range.h"
#include "ui/heatmap/heatmap_theme.h"
#include "ui/reading/reading_layout.h"
#include "ui/reading/weight_reader.h"

#include <QFont>
#include <QPen>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <vector>

class QPainter;

/// Draws a text that is laid out, with a colour behind every token: for the window and for pictures.
namespace headscope::ui {

/// The texts that read and that are read. Where both are one text, it is shown once, as Queries.
enum class TextSide { Queries, Keys };

/// How the tokens of a side look; one entry a token, or none at all.
struct TextShades {
    std::vector<std::optional<Rgb>> backs; ///< behind the token; none: as the panel
    std::vector<std::uint8_t> quiet;       ///< 1: muted letters (what cannot be seen)

    QColor backOf(std::int64_t token, const HeatmapTheme& theme) const;
    QColor lettersOf(std::int64_t token, const HeatmapTheme& theme) const;
};

/// The colours of a row or a column. `range` is resolved.
TextShades shadesOf(const WeightLine& line, const DisplayRange& range, Colormap colormap);
/// The largest weight of a row or a column; 0 of an empty one.
float largestOf(const WeightLine& line);

/// Letters that can be read on `back`: the theme's own where they can.
QColor lettersOn(const QColor& back, const HeatmapTheme& theme);

/// What stands over each block of a side; `crossing`: the other side is another text.
QStringList readingHeadings(int blocks, bool crossing, TextSide side);

struct ReadingLook {
    const HeatmapTheme& theme;
    QFont font;         ///< of the text
    double width = 0.0; ///< of the lines
    double top = 0.0;   ///< what is in [top, bottom) is drawn
    double bottom = 0.0;
};

void paintReading(QPainter& painter, const ReadingLayout& layout, const TextShades& shades,
                  const ReadingLook& look);
void paintTokenOutline(QPainter& painter, const ReadingLayout& layout, std::int64_t token, const QPen& pen);

} // namespace headscope::ui
