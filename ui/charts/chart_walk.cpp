// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_walk.h"

#include <Qt>

#include <algorithm>
#include <tuple>

namespace headscope::ui {

namespace {

/// The neighbour in height among the items of a group; of equal ones the order decides.
std::size_t vertical(const ChartPlot& plot, std::size_t from, bool up) {
    const auto rank = [&](std::size_t item) { return std::tuple(plot.items[item].value.y(), item); };
    std::optional<std::size_t> best;
    bool alone = true;
    for (std::size_t i = 0; i < plot.items.size(); ++i) {
        if (i == from || plot.items[i].group != plot.items[from].group) continue;
        alone = false;
        if (up ? rank(i) < rank(from) : rank(from) < rank(i)) continue;
        if (!best || (up ? rank(i) < rank(*best) : rank(*best) < rank(i))) best = i;
    }
    if (!alone) return best.value_or(from);
    if (up) return from > 0 ? from - 1 : from;
    return std::min(from + 1, plot.items.size() - 1);
}

} // namespace

std::optional<std::size_t> walkChart(const ChartPlot& plot, std::optional<std::size_t> from, int key) {
    if (plot.items.empty()) return std::nullopt;
    const std::size_t last = plot.items.size() - 1;
    switch (key) {
    case Qt::Key_Home:
        return 0;
    case Qt::Key_End:
        return last;
    case Qt::Key_Left:
        return !from || *from == 0 ? 0 : *from - 1;
    case Qt::Key_Right:
        return from ? std::min(*from + 1, last) : 0;
    case Qt::Key_Up:
    case Qt::Key_Down:
        return from ? vertical(plot, *from, key == Qt::Key_Up) : 0;
    default:
        return std::nullopt;
    }
}

} // namespace headscope::ui
