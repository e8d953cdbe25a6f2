// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart.h"

#include <optional>
#include <vector>

namespace headscope::ui {

/// One head of a chart over layers.
struct HeadPoint {
    HeadRef head;
    std::optional<double> value;               ///< none: not tested, and then no point is drawn
    Label label = Label::InsufficientEvidence; ///< colours the point; InsufficientEvidence: no flag
    QString note = {};                         ///< a line more in the tooltip
};

/// A point for every head, its layer across. A click chooses the head.
class HeadsChart : public Chart {
    Q_OBJECT

  public:
    void setSelected(const HeadRef& head);
    using Chart::positionOf;
    QPointF positionOf(const HeadRef& head) const; ///< (-1, -1): no such point
    std::size_t pointCount() const { return plot().items.size(); }

  protected:
    explicit HeadsChart(QWidget* parent) : Chart(parent) {}

    /// Across: the layers. `tip`: "%1 nats below uniform", of the value.
    ChartPlot plotOf(const std::vector<HeadPoint>& points, const QString& tip) const;
    void showPlot(ChartPlot plot); ///< with the ring of the selected head

  private:
    std::optional<std::size_t> find(const HeadRef& head) const;
    std::optional<HeadRef> m_selected;
};

} // namespace headscope::ui
