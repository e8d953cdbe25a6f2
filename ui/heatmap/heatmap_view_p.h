// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/heatmap/frame_composer.h"
#include "ui/heatmap/heatmap_view.h"
#include "ui/heatmap/legend_painter.h"
#include "ui/heatmap/map_geometry.h"
#include "ui/heatmap/margin_loader.h"
#include "ui/heatmap/tile_loader.h"

#include <QFont>
#include <QImage>
#include <QPoint>
#include <QString>

#include <array>
#include <optional>
#include <vector>

class QPainter;

namespace headscope::ui {

/// State of the view. Events change it and refresh what painting needs; painting only draws.
struct HeatmapView::Private {
    explicit Private(HeatmapView& view) : q(view) {}

    /// A cell that the cursor or the arrow keys point at, read from the map when it was reached.
    struct Pointed {
        std::int64_t query = 0;
        std::int64_t key = 0;
        float weight = 0.0F;
        bool masked = false;
        std::array<QString, 3> words; ///< sentence, weight, position
        friend bool operator==(const Pointed& a, const Pointed& b) {
            return a.query == b.query && a.key == b.key;
        }
    };

    // What is shown.
    std::shared_ptr<const HeadMap> map;
    std::shared_ptr<const Axis> queries;
    std::shared_ptr<const Axis> keys;
    LegendModel legend;
    Pooling pooling = Pooling::Max;
    HeatmapTheme theme = HeatmapTheme::lightTheme();
    std::optional<std::int64_t> selectedQuery;
    std::optional<std::int64_t> selectedKey;
    std::optional<Pointed> hovered;
    std::optional<Pointed> selected; ///< when both a query and a key are selected
    std::optional<Thumbnail> preview;
    Readout readout;
    bool valuesShown = true;
    bool loading = false;
    bool keyboardFocus = false; ///< reached with Tab: only then the focus is outlined
    QString emptyText;
    QString loadingText;

    // Derived: refreshed by layOut() and refreshTiles().
    MapGeometry geometry;
    QRectF legendRect;
    QFont labelFont;
    double labelExtent = 0.0; ///< left of the map
    double topExtent = 0.0;   ///< above it
    FrameStandIn standIn;
    QImage frame;
    bool frameStale = true;
    bool complete = false;
    std::vector<float> values; ///< weights of the visible cells when they are large enough to print
    Span valueRows;
    Span valueColumns;

    MapIdentities identities;
    std::uint64_t mapNumber = 0;

    // Dragging.
    std::optional<QPointF> pressed;
    QPointF dragged;
    bool dragging = false;
    std::optional<Cell> boxFrom; ///< where a part begins that the mouse is marking

    /// A part that is marked, from one cell to another, both within.
    struct Box {
        Cell from;
        Cell to;
        Span rows() const;
        Span columns() const;
    };
    std::optional<Box> box;

    void layOut();
    void refreshStandIn();
    void refreshTiles();
    void refreshValues();
    void refreshSelected();
    void refreshAccessibleText();
    void viewportMoved(bool byUser);
    TileKey keyOf(const TileAddress& address) const;
    std::optional<Pointed> point(std::int64_t query, std::int64_t key) const;
    void hover(const std::optional<QPointF>& position);
    bool show(std::optional<Pointed> now); ///< as hovered; false: it is so already
    void moveSelection(std::int64_t queries, std::int64_t keys);
    void select(std::int64_t query, std::int64_t key);

    // heatmap_view_margins.cpp
    void placeMargins();
    void refreshMargins();
    QString rowSentence(std::int64_t row) const;
    QString columnSentence(std::int64_t column) const;
    QString marginSentence(const QPointF& position) const;
    void pointAtMargin(const QString& sentence);
    void paintMargins(QPainter& painter) const;
    void paintBars(QPainter& painter, const std::vector<float>& values, bool columns) const;

    // heatmap_view_box.cpp
    Cell nearestCell(const QPointF& position) const;
    void mark(std::optional<Box> part);
    void zoomToBox();
    void endDrag();
    bool takesBoxKey(const QKeyEvent& event);
    QString boxSentence() const;
    void paintBox(QPainter& painter) const;

    void composeIfStale();
    void paint(QPainter& painter);
    void paintMessage(QPainter& painter) const;
    void paintGrid(QPainter& painter) const;
    void paintValues(QPainter& painter) const;
    void paintCrosshair(QPainter& painter) const;
    void paintLabels(QPainter& painter) const;
    void paintCaptions(QPainter& painter) const;
    void paintCallout(QPainter& painter) const;

    // Strips beside the map.
    static constexpr double kMarginStrip = 30.0;
    static constexpr double kMarginGap = 6.0;
    bool marginsShown = false;
    QRectF rowStrip;
    QRectF columnStrip;
    std::array<double, 2> marginScale{}; ///< the ends of the rows' and of the columns' strip
    QString marginShown;                 ///< the sentence that was said last

    HeatmapView& q;
    // Last, so that their jobs end before anything they may touch.
    MarginLoader marginLoader;
    TileLoader loader;
};

} // namespace headscope::ui
