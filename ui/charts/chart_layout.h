// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_plot.h"

#include <QFont>
#include <QRectF>
#include <QSizeF>

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::ui {

/// A text of a chart and where it stands.
struct ChartText {
    enum class Role { Title, Caption, Label };
    Role role = Role::Label;
    QRectF box;
    int alignment = 0; ///< Qt::Alignment with Qt::TextFlag
    QString text;
};

QFont chartFont(ChartText::Role role);

struct ChartLayoutOptions {
    bool title = false;   ///< the plot's title above all
    bool compact = false; ///< without titles of axes
};

/// Where everything of a plot stands at one size: no two texts of it overlap. Units are pixels at 96 dpi.
class ChartLayout {
  public:
    ChartLayout() = default;
    ChartLayout(const ChartPlot& plot, const QSizeF& size, const ChartLayoutOptions& options);

    const QSizeF& size() const { return m_size; }
    const QRectF& area() const { return m_area; } ///< what the axes' ranges span
    const std::vector<ChartText>& texts() const { return m_texts; }
    double xStep() const { return m_xStep; } ///< between the lines of a grid; 0: none
    double yStep() const { return m_yStep; }

    QPointF map(QPointF value) const;
    QRectF itemBox(const ChartItem& item, double pointSize) const; ///< what is drawn of it
    QRectF labelBox(const ChartItem& item) const;                  ///< empty without a label
    /// The item to which a position belongs: the nearest point at most 9 pixels away, or the bar in whose
    /// band it lies.
    std::optional<std::size_t> itemAt(const ChartPlot& plot, QPointF position) const;

  private:
    void placeHead(const ChartPlot& plot, const ChartLayoutOptions& options);
    void placeFoot(const ChartPlot& plot, const ChartLayoutOptions& options);
    void placeSides(const ChartPlot& plot);
    void placeXTicks(const ChartAxis& axis);
    void placeYTicks(const ChartAxis& axis);
    void placeLineLabels(const ChartPlot& plot);
    bool isFree(const QRectF& box, std::size_t since) const;

    QSizeF m_size;
    ChartAxis m_x;
    ChartAxis m_y;
    QRectF m_area;
    std::vector<ChartText> m_texts;
    double m_xStep = 0.0;
    double m_yStep = 0.0;
};

/// The smallest of 1, 2 or 5 times a power of ten that is at least `atLeast`.
double niceStep(double atLeast);
/// A multiple of a step, with as many decimals as the step needs, and a true minus.
QString tickText(double value, double step);

} // namespace headscope::ui
