// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/heads_chart.h"

#include "ui/format.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui {

namespace {

constexpr double kSpread = 0.72; ///< share of a layer's width that its heads take
constexpr int kCrowd = 600;      ///< from so many heads on points are smaller

ChartInk inkOf(Label label) {
    switch (label) {
    case Label::Sink:
        return ChartInk::Accent;
    case Label::Uniform:
        return ChartInk::Warning;
    case Label::Stuck:
        return ChartInk::Alarm;
    default: // no flag
        break;
    }
    return ChartInk::Quiet;
}

ChartItem itemOf(const HeadPoint& point, int heads, const QString& tip) {
    ChartItem item;
    const double within = (point.head.head.value + 0.5) / heads - 0.5;
    item.value = {point.head.layer.value + kSpread * within, *point.value};
    item.ink = inkOf(point.label);
    if (isFlag(point.label)) item.form = point.label;
    item.group = static_cast<int>(point.head.layer.value);
    item.head = point.head;
    item.tip = HeadsChart::tr("Head %1").arg(fromUtf8(headText(point.head)));
    if (point.label != Label::InsufficientEvidence) item.tip += QStringLiteral(": ") + labelText(point.label);
    item.tip += u'\n' + tip.arg(numberText(*point.value));
    if (!point.note.isEmpty()) item.tip += u'\n' + point.note;
    return item;
}

} // namespace

ChartPlot HeadsChart::plotOf(const std::vector<HeadPoint>& points, const QString& tip) const {
    ChartPlot plot;
    int layers = 1;
    int heads = 1;
    int untested = 0;
    double top = 0.0;
    for (const HeadPoint& point : points) {
        layers = std::max(layers, static_cast<int>(point.head.layer.value) + 1);
        heads = std::max(heads, static_cast<int>(point.head.head.value) + 1);
        // What is no number has no place either.
        if (!point.value || !std::isfinite(*point.value))
            ++untested;
        else
            top = std::max(top, *point.value);
    }
    for (const HeadPoint& point : points)
        if (point.value && std::isfinite(*point.value)) plot.items.push_back(itemOf(point, heads, tip));
    std::stable_sort(plot.items.begin(), plot.items.end(), [](const ChartItem& a, const ChartItem& b) {
        return a.group != b.group ? a.group < b.group : a.head->head.value < b.head->head.value;
    });
    plot.x = {.low = -0.5,
              .high = layers - 0.5,
              .kind = ChartAxis::Ticks::Counts,
              .named = {},
              .title = tr("layer")};
    plot.y.high = std::max(top, 0.1) * 1.08;
    if (points.size() >= kCrowd) plot.pointSize = 4.0;
    if (untested > 0)
        plot.note = untested == 1 ? tr("1 head could not be tested and is not drawn")
                                  : tr("%1 heads could not be tested and are not drawn").arg(untested);
    plot.empty = untested > 0 ? tr("No head could be tested") : tr("A point for every head, after a run");
    return plot;
}

std::optional<std::size_t> HeadsChart::find(const HeadRef& head) const {
    const auto& items = plot().items;
    const auto at =
        std::find_if(items.begin(), items.end(), [&](const ChartItem& item) { return item.head == head; });
    if (at == items.end()) return std::nullopt;
    return static_cast<std::size_t>(at - items.begin());
}

void HeadsChart::showPlot(ChartPlot plot) {
    setPlot(std::move(plot));
    if (m_selected) mark(find(*m_selected));
}

void HeadsChart::setSelected(const HeadRef& head) {
    m_selected = head;
    mark(find(head));
}

QPointF HeadsChart::positionOf(const HeadRef& head) const {
    const auto item = find(head);
    return item ? Chart::positionOf(*item) : QPointF(-1.0, -1.0);
}

} // namespace headscope::ui
