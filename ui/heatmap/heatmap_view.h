// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/axis.h"
#include "core/maps/head_map.h"
#include "core/raster/colormap.h"
#include "core/raster/display_range.h"
#include "core/raster/raster.h"
#include "ui/heatmap/heatmap_theme.h"
#include "ui/heatmap/map_viewport.h"

#include <QWidget>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace headscope::ui {

/// One head's map, large: tiles rendered off the GUI thread, token labels on both axes, crosshair, exact
/// hover readout, legend. Rows are queries (the token that reads), columns are keys (the token that is read).
class HeatmapView : public QWidget {
    Q_OBJECT
  public:
    enum class State { Empty, Loading, Ready };
    using Cell = std::pair<std::int64_t, std::int64_t>; ///< query, key
    /// What is said of a cell: a sentence, a number, a quiet line.
    using Readout = std::function<std::array<QString, 3>(const Cell& cell)>;

    explicit HeatmapView(QWidget* parent = nullptr);
    ~HeatmapView() override;

    /// The map with the tokens of its rows and columns. A map of the same extent keeps viewport and
    /// selection; another extent fits anew. A null map gives the empty state.
    void setMap(std::shared_ptr<const HeadMap> map, std::shared_ptr<const Axis> queryAxis,
                std::shared_ptr<const Axis> keyAxis, const RangeStatistics& statistics);
    /// Shown, stretched, until the first tiles come; optional, after setMap.
    void setPreview(const Thumbnail& thumbnail);
    void setDisplay(const DisplayRange& range, Colormap colormap, Pooling pooling);
    void setSelection(std::optional<std::int64_t> query, std::optional<std::int64_t> key);
    void setTheme(const HeatmapTheme& theme);
    /// The state without a map: "Loading" shows `text` while a pass runs. setMap ends both.
    void setEmptyText(const QString& text);
    void setLoading(const QString& text);
    /// Prints weights into cells of at least 44 px (on by default).
    void setValuesShown(bool shown);
    /// Beside each row how widely it reads (the entropy of its weights), below each column how much it gets
    /// (the mean weight); off by default. Made off the GUI thread.
    void setMarginsShown(bool shown);
    /// Says this of cells instead of who reads whom; null: the usual. For what is no weight.
    void setReadout(Readout readout);
    /// The cell under the cursor of another view of the same tokens, pointed at here too; none ends it.
    void pointAt(const std::optional<Cell>& cell);
    /// Moves the least that shows the cell whole.
    void reveal(const Cell& cell);

    State state() const;
    std::optional<std::int64_t> selectedQuery() const;
    std::optional<std::int64_t> selectedKey() const;
    std::optional<Cell> pointedCell() const; ///< under the cursor, here or in another view
    Extent extent() const;                   ///< of the map; 0 without one
    /// The part that is marked to be zoomed to: with Shift and the mouse, or Shift and the arrow keys and
    /// then Enter.
    struct Part {
        Span rows;
        Span columns;
        friend bool operator==(const Part&, const Part&) = default;
    };
    std::optional<Part> markedPart() const;

    /// The part shown, clamped to the map. A fit viewport (width 0) follows the widget's size.
    MapViewport mapViewport() const;
    void setMapViewport(const MapViewport& viewport);
    /// Device-independent pixels per cell.
    double cellSize() const;
    /// Where the map is drawn, in widget coordinates.
    QRectF mapRect() const;
    /// The rectangle of a cell in widget coordinates, whether visible or not.
    QRectF cellRect(std::int64_t query, std::int64_t key) const;
    /// True when every visible tile is drawn at its own level.
    bool isComplete() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  public Q_SLOTS:
    void zoomIn();
    void zoomOut();
    void fit();
    void oneToOne(); ///< one device pixel a cell

  Q_SIGNALS:
    void cellHovered(qint64 query, qint64 key, float weight);
    void hoverLeft();
    void cellClicked(qint64 query, qint64 key);
    /// By the user or by a slot; not by setMapViewport or setMap.
    void viewportChanged(const headscope::ui::MapViewport& viewport);
    /// The arrow keys moved the crosshair (cellClicked says so for the mouse); it is selected already.
    void selectionMoved(qint64 query, qint64 key);
    /// What the strip under the cursor, or beside the crosshair that was moved, says; empty: nothing.
    void marginPointed(const QString& sentence);
    void completed(); ///< every visible tile has come

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

  private:
    struct Private;
    std::unique_ptr<Private> m_d;
};

} // namespace headscope::ui
