// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/labels.h"
#include "core/maps/attention_kind.h"

#include <QPointF>
#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::ui {

/// Roles of colour; the theme knows the colours.
enum class ChartInk { Quiet, Faint, Accent, Info, Warning, Alarm };

struct ChartTick {
    double at = 0.0;
    QString text;
};

/// One direction of a plot.
struct ChartAxis {
    enum class Ticks {
        Numbers, ///< round numbers, as many as there is room for
        Counts,  ///< whole numbers: layers
        Named    ///< those given; of two that would touch, the one that stands first
    };
    double low = 0.0;
    double high = 1.0;
    Ticks kind = Ticks::Numbers;
    std::vector<ChartTick> named;
    QString title;
};

/// Something with a value: what hovering, arrows and Enter go to.
struct ChartItem {
    enum class Shape {
        Point,
        BarUp,   ///< from 0 up to value.y(), `low`..`high` wide
        BarRight ///< from 0 right to value.x(), `low`..`high` tall
    };
    Shape shape = Shape::Point;
    QPointF value; ///< of a bar the middle of its end
    double low = 0.0;
    double high = 0.0;
    ChartInk ink = ChartInk::Quiet;
    Label form = Label::InsufficientEvidence; ///< of a point: the flag's form, else a dot
    bool hollow = false;                      ///< a point drawn as a ring
    bool stem = false;                        ///< a point with a thin line from the left to it
    bool drawn = true; ///< false: nothing was measured; `label` says so at the place of the value
    int group = 0;     ///< up and down arrows stay within it: a layer
    QString label;     ///< of a bar: its number, in a column at the right; of what is not drawn: the words
    std::optional<double> reference; ///< of a bar to the right: a stroke across it, for comparison
    QString tip;                     ///< exact numbers, lines
    std::optional<HeadRef> head;
    std::optional<std::size_t> text; ///< index of a text
};

/// A line for comparison: a threshold, an even head.
struct ChartLine {
    std::vector<QPointF> points;
    ChartInk ink = ChartInk::Quiet;
    bool dashed = false;
    QString label; ///< at its end, moved aside where it would cover another
};

/// All that a chart shows, without sizes, fonts and colours.
struct ChartPlot {
    QString title;   ///< of pictures, and for screen readers
    QString caption; ///< the finding in words, above
    QString note;    ///< below: what is not drawn, and why
    QString empty;   ///< said instead of a plot without items
    ChartAxis x;
    ChartAxis y;
    double pointSize = 6.0;
    std::vector<ChartItem> items;
    std::vector<ChartLine> lines;
};

} // namespace headscope::ui
