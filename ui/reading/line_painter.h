// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/axis.h"
#include "ui/heatmap/heatmap_theme.h"
#include "ui/reading/line_picks.h"

#include <QColor>
#include <QFont>
#include <QLineF>
#include <QRectF>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

class QPainter;

/// Draws tokens in two columns with lines between them: for the window and for pictures.
namespace headscope::ui {

/// Where the tokens stand, the queries at the left, the keys at the right.
struct LineFrame {
    static constexpr double kGap = 6.0; ///< between labels and lines
    static constexpr double kMargin = 4.0;

    double width = 0.0; ///< of everything
    double top = 0.0;   ///< of the first rows; what names the columns stands above
    double rowHeight = 0.0;
    double labelWidth = 0.0;
    double weightWidth = 0.0;   ///< outside each column, for weights
    std::array<double, 2> up{}; ///< how far the queries and the keys are moved up

    QRectF tokenRect(const LineFocus& token) const;
    /// From the edge of the query to the edge of the key.
    QLineF lineOf(const AttentionLine& line) const;
};

/// Height of a row and width of a weight in letters of this font.
double lineRowHeight(const QFont& font);
double lineWeightWidth(const QFont& font);
/// Width that the labels of an axis take, at most `most`. Of a long text the first ones tell.
double lineLabelWidth(const Axis& axis, const QFont& font, double most);

/// One column of tokens.
struct LineColumn {
    bool key = false;
    const Axis& axis;
    Span rows;                           ///< drawn
    std::optional<std::int64_t> chosen;  ///< outlined
    std::optional<std::int64_t> pointed; ///< outlined more quietly
};

/// The colour of a line of a strength from 0 to 1.
QColor lineColor(const QColor& color, double strength);

/// They use the painter's font.
void paintLine(QPainter& painter, const QLineF& line, const QColor& color, double strength);
/// Where another text begins, a hairline parts it from the one before.
void paintLineColumn(QPainter& painter, const LineFrame& frame, const LineColumn& column,
                     const HeatmapTheme& theme);
/// Each stands over the edge of its column that faces the lines, and reaches outwards.
void paintColumnNames(QPainter& painter, const LineFrame& frame, const QString& reads, const QString& isRead,
                      const HeatmapTheme& theme);
/// The weights of the one token whose lines alone are drawn, beside the tokens at their other ends; of
/// several heads the largest. `ink`: of each head.
void paintLineWeights(QPainter& painter, const LineFrame& frame, const LinePicks& picks, bool atKeys,
                      const std::vector<QColor>& ink);

/// How strong a line is, 0 to 1. `rowMaximum`: the largest weight of its row, for a scale per row; `range` is
/// resolved.
double lineStrength(float weight, const DisplayRange& range, float rowMaximum);

} // namespace headscope::ui
