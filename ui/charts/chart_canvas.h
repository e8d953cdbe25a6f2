// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_layout.h"
#include "ui/theme.h"

#include <memory>

class QPainter;

namespace headscope::ui {

QColor inkColor(ChartInk ink, const ThemeColors& colors);

/// A plot with its layout, ready to be painted: grid and lines by Qt Charts, items and texts on top.
class ChartCanvas {
  public:
    ChartCanvas(const ChartPlot& plot, const ChartLayout& layout, const ThemeColors& colors);
    ~ChartCanvas();

    /// Into (0, 0, size of the layout). `sharp`: straight lines on whole pixels, for screens.
    void paint(QPainter& painter, bool sharp) const;
    /// Where Qt Charts puts a value: the same place as the layout does.
    QPointF chartPosition(QPointF value) const;

  private:
    void addAxes();
    void addLine(const ChartLine& line);
    void paintItem(QPainter& painter, const ChartItem& item, bool sharp) const;
    void paintLinesOver(QPainter& painter, bool sharp) const; ///< bars would hide what Qt Charts paints
    void paintTexts(QPainter& painter) const;

    struct Private;
    const ChartPlot& m_plot;
    const ChartLayout& m_layout;
    const ThemeColors& m_colors;
    std::unique_ptr<Private> m_d;
};

/// The ring around an item that is chosen or looked at.
void paintChartRing(QPainter& painter, const ChartItem& item, const QRectF& box, const QColor& color);

} // namespace headscope::ui
