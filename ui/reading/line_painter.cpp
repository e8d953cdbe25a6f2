// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reading/line_painter.h"

#include "core/raster/raster.h"
#include "ui/heatmap/axis_labels.h"
#include "ui/heatmap/readout.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <map>

namespace headscope::ui {

namespace {

constexpr double kFaintest = 0.05; ///< opacity of the weakest line that is drawn
constexpr int kMeasured = 2000;    ///< labels that set the width of a column

bool beginsText(const Axis& axis, std::int64_t index) {
    const int text = axis.entries[static_cast<std::size_t>(index)].text;
    if (text < 0) return false;
    for (std::int64_t i = index - 1; i >= 0; --i)
        if (const int before = axis.entries[static_cast<std::size_t>(i)].text; before >= 0)
            return before != text;
    return false;
}

} // namespace

QRectF LineFrame::tokenRect(const LineFocus& token) const {
    const double y = top + static_cast<double>(token.token) * rowHeight - up[token.key ? 1 : 0];
    const double x = token.key ? width - kMargin - weightWidth - labelWidth - kGap : kMargin + weightWidth;
    return {x, y, labelWidth + kGap, rowHeight};
}

QLineF LineFrame::lineOf(const AttentionLine& line) const {
    const QRectF from = tokenRect({false, line.query});
    const QRectF to = tokenRect({true, line.key});
    return {QPointF(from.right() + 2.0, from.center().y()), QPointF(to.left() - 2.0, to.center().y())};
}

double lineRowHeight(const QFont& font) {
    return std::ceil(QFontMetricsF(font).height() + 4.0);
}

double lineWeightWidth(const QFont& font) {
    return std::ceil(QFontMetricsF(font).horizontalAdvance(QStringLiteral("0.0000"))) + LineFrame::kGap;
}

double lineLabelWidth(const Axis& axis, const QFont& font, double most) {
    const QFontMetricsF metrics(font);
    double widest = 24.0;
    const std::int64_t count = std::min<std::int64_t>(axis.size(), kMeasured);
    for (std::int64_t i = 0; i < count; ++i) {
        const AxisEntry& entry = axis.entries[static_cast<std::size_t>(i)];
        widest = std::max(widest, metrics.horizontalAdvance(axisLabelText(entry).left(60)));
    }
    return std::ceil(std::min(widest, most)) + 2.0;
}

double lineStrength(float weight, const DisplayRange& range, float rowMaximum) {
    return colorIndex(weight, range, rowMaximum) / 255.0;
}

QColor lineColor(const QColor& color, double strength) {
    QColor ink = color;
    ink.setAlphaF(static_cast<float>(kFaintest + (1.0 - kFaintest) * strength));
    return ink;
}

void paintLine(QPainter& painter, const QLineF& line, const QColor& color, double strength) {
    painter.setPen(QPen(lineColor(color, strength), 1.75, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(line);
}

void paintLineColumn(QPainter& painter, const LineFrame& frame, const LineColumn& column,
                     const HeatmapTheme& theme) {
    const QFontMetricsF metrics(painter.font());
    for (std::int64_t i = column.rows.begin; i < column.rows.end; ++i) {
        const QRectF rect = frame.tokenRect({column.key, i});
        const bool isChosen = column.chosen == i;
        if (i > column.rows.begin && beginsText(column.axis, i))
            painter.fillRect(QRectF(rect.left(), std::round(rect.top()), rect.width(), 1.0), theme.muted);
        if (isChosen || column.pointed == i) {
            painter.setPen(QPen(isChosen ? theme.accent : theme.muted, isChosen ? 2.0 : 1.0));
            painter.setBrush(isChosen ? QBrush(theme.selection) : QBrush(theme.panel));
            painter.drawRoundedRect(rect.adjusted(0.5, 1.5, -0.5, -1.5), 4.0, 4.0);
        }
        const AxisEntry& entry = column.axis.entries[static_cast<std::size_t>(i)];
        const QString label =
            metrics.elidedText(axisLabelText(entry).left(200), Qt::ElideRight, frame.labelWidth - 2.0);
        painter.setPen(entry.special ? theme.muted : theme.text);
        // Beside the lines in either direction of writing.
        painter.drawText(rect.adjusted(3.0, 0.0, -3.0, 0.0),
                         int(Qt::AlignAbsolute | Qt::AlignVCenter) |
                             int(column.key ? Qt::AlignLeft : Qt::AlignRight),
                         label);
    }
}

void paintColumnNames(QPainter& painter, const LineFrame& frame, const QString& reads, const QString& isRead,
                      const HeatmapTheme& theme) {
    painter.setPen(theme.muted);
    const QFontMetricsF metrics(painter.font());
    const double half = 0.5 * frame.width - LineFrame::kGap;
    const double left = frame.tokenRect({false, 0}).right() - 3.0;
    const double right = frame.tokenRect({true, 0}).left() + 3.0;
    const double readsFrom = std::max(LineFrame::kMargin, left - metrics.horizontalAdvance(reads));
    const double room = frame.width - LineFrame::kMargin;
    const double isReadFrom =
        std::max(half + 2.0 * LineFrame::kGap, std::min(right, room - metrics.horizontalAdvance(isRead)));
    const QRectF line(0.0, frame.top - frame.rowHeight - 5.0, frame.width, frame.rowHeight);
    const auto say = [&](double from, double to, const QString& words) {
        painter.drawText(QRectF(from, line.top(), to - from, line.height()),
                         int(Qt::AlignAbsolute | Qt::AlignLeft | Qt::AlignVCenter),
                         metrics.elidedText(words, Qt::ElideRight, to - from));
    };
    say(readsFrom, half, reads);
    say(isReadFrom, room, isRead);
}

void paintLineWeights(QPainter& painter, const LineFrame& frame, const LinePicks& picks, bool atKeys,
                      const std::vector<QColor>& ink) {
    std::map<std::int64_t, const AttentionLine*> best;
    for (const AttentionLine& line : picks.lines) // ascending: the last is the largest
        best[atKeys ? line.key : line.query] = &line;
    for (const auto& [token, line] : best) {
        const QRectF rect = frame.tokenRect({atKeys, token});
        const QRectF room =
            atKeys ? QRectF(rect.right(), rect.top(), frame.weightWidth, rect.height())
                   : QRectF(LineFrame::kMargin, rect.top(), frame.weightWidth - 2.0, rect.height());
        painter.setPen(ink[line->slot]);
        painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, weightInCell(line->weight));
    }
}

} // namespace headscope::ui
