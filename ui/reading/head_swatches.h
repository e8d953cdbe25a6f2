// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/heatmap/heatmap_theme.h"

#include <QAbstractButton>
#include <QWidget>

#include <vector>

namespace headscope::ui {

/// A small square with the number of a head, filled with its colour where it is on.
class HeadSwatch final : public QAbstractButton {
    Q_OBJECT
  public:
    HeadSwatch(int head, QWidget* parent);
    void setLook(const QColor& color, const HeatmapTheme& theme);
    int head() const { return m_head; }
    QColor color() const { return m_color; }
    QSize sizeHint() const override { return {26, 22}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    int m_head;
    QColor m_color;
    HeatmapTheme m_theme = HeatmapTheme::lightTheme();
};

/// One square for each head of a layer, in rows as wide as there is room.
class HeadSwatches final : public QWidget {
    Q_OBJECT
  public:
    explicit HeadSwatches(QWidget* parent = nullptr);

    void setHeads(const std::vector<int>& heads);
    const std::vector<HeadSwatch*>& swatches() const { return m_swatches; }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return minimumSizeHint(); }
    QSize minimumSizeHint() const override;

  Q_SIGNALS:
    void toggled(int head);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    /// Of `width`; places the squares where `place` says so.
    int arrange(int width, bool place) const;

    std::vector<HeadSwatch*> m_swatches;
};

} // namespace headscope::ui
