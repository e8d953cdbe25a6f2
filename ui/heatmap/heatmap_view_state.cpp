// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/axis_labels.h"
#include "ui/heatmap/heatmap_view_p.h"
#include "ui/heatmap/readout.h"

#include <QFontInfo>
#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui {

namespace {

constexpr double kMargin = 4.0;
constexpr double kLegendGap = 12.0;
constexpr double kLabelPixels = 11.0; ///< beside text of 13
constexpr double kTextPixels = 13.0;
constexpr double kValueCell = 44.0; ///< from this size on weights are printed into cells

} // namespace

void HeatmapView::Private::layOut() {
    labelFont = q.font();
    labelFont.setPixelSize(
        std::max(7, qRound(QFontInfo(labelFont).pixelSize() * kLabelPixels / kTextPixels)));
    const QFontMetricsF metrics(labelFont);
    const QRectF inside = QRectF(q.rect()).adjusted(kMargin, kMargin, -kMargin, -kMargin);
    const double caption = metrics.height() + 6.0;
    labelExtent = 0.0;
    topExtent = caption;
    if (queries)
        labelExtent =
            axisLabelExtent(*queries, AxisSide::Left, metrics, std::min(150.0, 0.28 * inside.width()));
    if (keys)
        topExtent += axisLabelExtent(*keys, AxisSide::Top, metrics, std::min(120.0, 0.28 * inside.height()));
    const double legendWide = legendWidth(legend, labelFont);
    const double strip = marginsShown ? kMarginStrip + kMarginGap : 0.0;
    const QRectF area(inside.left() + labelExtent, inside.top() + topExtent,
                      std::max(16.0, inside.width() - labelExtent - kLegendGap - legendWide - strip),
                      std::max(16.0, inside.height() - topExtent - strip));
    geometry.setArea(area, q.devicePixelRatioF());
    const QRectF drawn = geometry.mapRect();
    placeMargins();
    legendRect = QRectF(drawn.right() + strip + kLegendGap, drawn.top(), legendWide,
                        std::max(drawn.height(), std::min(area.height(), 12.0 * metrics.height())));
}

void HeatmapView::Private::refreshStandIn() {
    standIn = {theme.skeleton.rgb(), {}, {}};
    if (!preview) return;
    standIn.cells = preview->cells;
    standIn.pixels = colorizeThumbnail(*preview, legend.resolved(), legend.colormap, {theme.masked});
}

TileKey HeatmapView::Private::keyOf(const TileAddress& address) const {
    return {mapNumber, address, {legend.resolved(), pooling, legend.colormap, {theme.masked}}};
}

void HeatmapView::Private::refreshTiles() {
    std::vector<TileKey> wanted;
    if (map)
        for (const TileAddress& address : geometry.visibleTiles()) wanted.push_back(keyOf(address));
    loader.request(map, wanted);
}

void HeatmapView::Private::refreshValues() {
    values.clear();
    if (!map || !valuesShown || geometry.isEmpty() || geometry.cellSize() < kValueCell) return;
    const QSize size = geometry.pixelSize();
    valueRows = {geometry.rowAt(0), geometry.rowAt(size.height() - 1) + 1};
    valueColumns = {geometry.columnAt(0), geometry.columnAt(size.width() - 1) + 1};
    values.resize(static_cast<std::size_t>(valueRows.size() * valueColumns.size()));
    map->tile(valueRows, valueColumns, {values.data(), valueRows.size(), valueColumns.size()});
}

void HeatmapView::Private::viewportMoved(bool byUser) {
    // The legend stands beside the drawn map, whose right edge moves while zooming.
    placeMargins();
    legendRect.moveLeft((marginsShown ? rowStrip.right() : geometry.mapRect().right()) + kLegendGap);
    refreshTiles();
    refreshValues();
    frameStale = true;
    q.update();
    if (byUser) Q_EMIT q.viewportChanged(geometry.viewport());
}

std::optional<HeatmapView::Private::Pointed> HeatmapView::Private::point(std::int64_t query,
                                                                         std::int64_t key) const {
    if (!map) return std::nullopt;
    Pointed pointed{query, key, map->cell(query, key), false, {}};
    std::vector<Span> spans;
    map->visibleSpans(query, spans);
    pointed.masked =
        std::none_of(spans.begin(), spans.end(), [key](Span span) { return span.contains(key); });
    if (readout) {
        pointed.words = readout({query, key});
        return pointed;
    }
    const AxisEntry& reader = queries->entries[static_cast<std::size_t>(query)];
    const AxisEntry& read = keys->entries[static_cast<std::size_t>(key)];
    pointed.words = {pointed.masked ? maskedSentence(reader, read) : readsSentence(reader, read),
                     pointed.masked ? QString() : weightText(pointed.weight),
                     HeatmapView::tr("query %1, key %2").arg(query).arg(key)};
    return pointed;
}

void HeatmapView::Private::hover(const std::optional<QPointF>& position) {
    std::optional<Pointed> now;
    std::int64_t query = 0;
    std::int64_t key = 0;
    if (map && position && geometry.cellAt(*position, query, key)) {
        if (hovered && hovered->query == query && hovered->key == key) return;
        now = point(query, key);
    }
    if (!show(std::move(now))) return;
    if (hovered)
        Q_EMIT q.cellHovered(hovered->query, hovered->key, hovered->weight);
    else
        Q_EMIT q.hoverLeft();
}

bool HeatmapView::Private::show(std::optional<Pointed> now) {
    if (now == hovered) return false;
    hovered = std::move(now);
    q.update();
    return true;
}

void HeatmapView::Private::refreshSelected() {
    selected.reset();
    if (selectedQuery && selectedKey) selected = point(*selectedQuery, *selectedKey);
    refreshAccessibleText();
}

void HeatmapView::Private::refreshAccessibleText() {
    if (!map)
        q.setAccessibleDescription(loading ? loadingText : emptyText);
    else if (box)
        q.setAccessibleDescription(boxSentence());
    else if (selected)
        q.setAccessibleDescription(selected->words[0] % QLatin1Char(' ') % selected->words[1]);
    else
        q.setAccessibleDescription(
            HeatmapView::tr(
                "%1 queries by %2 keys. The arrow keys move the crosshair, with Shift they mark a part.")
                .arg(geometry.extent().rows)
                .arg(geometry.extent().columns));
}

void HeatmapView::Private::select(std::int64_t query, std::int64_t key) {
    selectedQuery = query;
    selectedKey = key;
    refreshSelected();
    q.update();
}

void HeatmapView::Private::moveSelection(std::int64_t byQueries, std::int64_t byKeys) {
    const Extent extent = geometry.extent();
    // The first stroke only shows where the crosshair is.
    const bool first = !selectedQuery || !selectedKey;
    const std::int64_t query = std::clamp<std::int64_t>(
        selectedQuery.value_or(geometry.rowAt(0)) + (first ? 0 : byQueries), 0, extent.rows - 1);
    const std::int64_t key = std::clamp<std::int64_t>(
        selectedKey.value_or(geometry.columnAt(0)) + (first ? 0 : byKeys), 0, extent.columns - 1);
    select(query, key);
    const MapViewport before = geometry.viewport();
    geometry.reveal(query, key);
    if (before != geometry.viewport()) viewportMoved(true);
    if (marginsShown && marginLoader.margins())
        pointAtMargin(HeatmapView::tr("%1; %2").arg(rowSentence(query), columnSentence(key)));
    Q_EMIT q.selectionMoved(query, key);
}

} // namespace headscope::ui
