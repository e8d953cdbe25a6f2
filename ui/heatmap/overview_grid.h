// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/attention_kind.h"
#include "core/raster/colormap.h"
#include "core/raster/display_range.h"
#include "core/raster/raster.h"
#include "ui/heatmap/head_badges.h"
#include "ui/heatmap/heatmap_theme.h"

#include <QAbstractScrollArea>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace headscope::ui {

/// All heads of a model: layers down, heads across, each cell a true thumbnail with the badges of its flags.
/// Layers and heads count from 0. Cells without a thumbnail are skeletons.
class OverviewGrid : public QAbstractScrollArea {
    Q_OBJECT
  public:
    explicit OverviewGrid(QWidget* parent = nullptr);
    ~OverviewGrid() override;

    /// Empties all cells. 0 layers or heads gives the empty state.
    void setGrid(int layers, int heads, AttentionKind kind = AttentionKind::Self);
    void setCell(LayerIndex layer, HeadIndex head, const Thumbnail& thumbnail,
                 const RangeStatistics& statistics, const std::vector<HeadBadge>& badges);
    /// Back to skeletons, the selection stays.
    void clearCells();
    /// Heads that the user wrote a note on, with it; all others have none.
    void setNotes(const std::vector<std::pair<HeadRef, QString>>& notes);
    void setSelected(const std::optional<HeadRef>& head);
    std::optional<HeadRef> selected() const;
    void setDisplay(const DisplayRange& range, Colormap colormap);
    void setTheme(const HeatmapTheme& theme);
    void setEmptyText(const QString& text);

    int layers() const;
    int heads() const;
    /// Cell of a head in viewport coordinates.
    QRectF cellRect(LayerIndex layer, HeadIndex head) const;
    std::optional<HeadRef> headAt(const QPointF& viewportPosition) const;
    /// "Head 1.11: sink on [CLS], alpha 0.77"
    QString describe(const HeadRef& head) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  Q_SIGNALS:
    /// Clicked, or reached with the arrow keys; it is selected already.
    void headActivated(const headscope::HeadRef& head);
    void headHovered(const headscope::HeadRef& head);
    void hoverLeft();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;

  private:
    struct Private;
    std::unique_ptr<Private> m_d;
};

} // namespace headscope::ui
