// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/axis.h"

#include <QColor>
#include <QFont>
#include <QFontMetricsF>
#include <QPolygonF>
#include <QString>

#include <cstdint>
#include <vector>

class QPainter;

namespace headscope::ui {

/// Where the labels stand: left of the rows (queries) or above the columns (keys).
enum class AxisSide { Left, Top };

/// What is to be labelled. Positions run along the axis in the painter's units (pixels in a widget, points in
/// a figure); 0 is where the map's drawn part begins.
struct AxisLabelRequest {
    const Axis* axis = nullptr;
    AxisSide side = AxisSide::Left;
    double first = 0.0;         ///< entry (fractional) at position 0
    double unitsPerEntry = 1.0; ///< > 0
    double length = 0.0;        ///< drawn part along the axis
    double maxExtent = 120.0;   ///< room across the axis; longer labels are elided
    double roomBeyond = 1e9;    ///< room after the end of the axis for slanted labels
    std::vector<std::int64_t>
        always{}; ///< entries shown whatever the room (hovered, selected); neighbours give way
};

struct AxisLabel {
    std::int64_t index = 0; ///< entry of the axis
    QString text;           ///< elided
    double center = 0.0;    ///< position along the axis
    double width = 0.0;     ///< of the text, before rotation
    bool emphasised = false;
};

/// Labels that do not overlap, in ascending order of entries.
struct AxisLabelLayout {
    AxisSide side = AxisSide::Left;
    double angle = 0.0;    ///< degrees counter-clockwise: 0 or 60 (top axis only)
    double extent = 0.0;   ///< room across the axis the labels take
    double overhang = 0.0; ///< room beyond the end of the axis that slanted labels take
    std::vector<AxisLabel> labels;
};

/// What a person reads for an entry, safe to draw on one line: control characters as visible marks.
QString axisLabelText(const AxisEntry& entry);

/// Room across the axis that the labels of the whole axis ask for (on top: when slanted), at most
/// `maxExtent`; the same wherever one pans.
double axisLabelExtent(const Axis& axis, AxisSide side, const QFontMetricsF& metrics, double maxExtent);

AxisLabelLayout layoutAxisLabels(const AxisLabelRequest& request, const QFontMetricsF& metrics);

/// Outline of one label, for tests and hit testing (a slanted rectangle on a slanted axis). The origin is the
/// corner of the drawn map (top left); labels stand at negative coordinates.
QPolygonF axisLabelOutline(const AxisLabelLayout& layout, const AxisLabel& label,
                           const QFontMetricsF& metrics);

struct AxisLabelColors {
    QColor text;
    QColor emphasis; ///< hovered and selected entries
};

/// Draws on any painter (widget, image, PDF, SVG) whose origin is the drawn map's top left corner. `font` is
/// the one whose metrics made the layout.
void paintAxisLabels(QPainter& painter, const AxisLabelLayout& layout, const QFont& font,
                     const AxisLabelColors& colors);

} // namespace headscope::ui
