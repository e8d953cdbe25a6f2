// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/heatmap/heatmap_theme.h"
#include "ui/heatmap/legend_painter.h"

#include <QWidget>

namespace headscope::ui {

/// The colour scale as one line: its ends in weights, the colours between them, which scale it is.
class RampLegend final : public QWidget {
    Q_OBJECT
  public:
    explicit RampLegend(QWidget* parent = nullptr);

    /// `rowMaximum`: the upper end of a scale that is set row by row.
    void setScale(const LegendModel& scale, float rowMaximum);
    void setTheme(const HeatmapTheme& theme);
    QString lowText() const;
    QString highText() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    LegendModel m_scale;
    float m_rowMaximum = 0.0F;
    HeatmapTheme m_theme = HeatmapTheme::lightTheme();
};

} // namespace headscope::ui
