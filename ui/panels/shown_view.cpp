// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shown_view.h"

#include "ui/heatmap/readout.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace headscope::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(ShownView)
};

} // namespace

ShownAs shownAs(const ViewedAxes& axes, const MapView& view) {
    ShownAs as;
    if (view.valueWeighted)
        as.number = Words::tr("weight × norm of the value");
    else if (view.heads == HeadsShown::Rollout)
        as.number = Words::tr("share by rollout: values and MLPs left out");
    as.hasEvenWeight = !view.valueWeighted && !view.words && !view.hideSpecial && !view.hideFirst;
    as.words = view.words;
    as.queries = axes.queries.positions;
    as.keys = axes.keys.positions;
    return as;
}

ShownAs shownAs(const ViewedMap& shown, const MapView& view) {
    return shownAs(shown.axes, view);
}

HeatmapView::Readout viewReadout(std::shared_ptr<const HeadMap> map, std::shared_ptr<const ViewedAxes> axes,
                                 const MapView& view) {
    const QString own = shownAs(*axes, view).number;
    const QString what = !own.isEmpty()                      ? own
                         : view.heads == HeadsShown::Mean    ? Words::tr("mean weight of the layer")
                         : view.heads == HeadsShown::Largest ? Words::tr("largest weight of the layer")
                         : view.words                        ? Words::tr("weight from word to word")
                                                             : Words::tr("weight");
    return [map = std::move(map), axes = std::move(axes),
            what](const HeatmapView::Cell& cell) -> std::array<QString, 3> {
        const AxisEntry& query = axes->queries.axis->entries[static_cast<std::size_t>(cell.first)];
        const AxisEntry& key = axes->keys.axis->entries[static_cast<std::size_t>(cell.second)];
        std::vector<Span> spans;
        map->visibleSpans(cell.first, spans);
        const bool seen = std::any_of(spans.begin(), spans.end(),
                                      [&cell](const Span& span) { return span.contains(cell.second); });
        if (!seen)
            return {Words::tr("%1, %2: hidden").arg(tokenInSentence(query), tokenInSentence(key)), {}, {}};
        return {readsSentence(query, key), weightText(map->cell(cell.first, cell.second)), what};
    };
}

std::int64_t clickedToken(const ViewedAxis& axis, std::int64_t index,
                          const std::optional<std::int64_t>& chosen) {
    const Span& tokens = axis.tokens[static_cast<std::size_t>(index)];
    return chosen && tokens.contains(*chosen) ? *chosen : tokens.begin;
}

} // namespace headscope::ui
