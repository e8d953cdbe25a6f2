// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/offset_chart.h"

#include "ui/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

namespace headscope::ui {

namespace {

constexpr std::int64_t kLeastReach = 4;
constexpr double kFarWidth = 5.0; ///< of a bin of many offsets, where a single one is 1 wide
constexpr double kFarGap = 2.0;   ///< between the single ones and the bins

struct PlacedBar {
    OffsetBar bar;
    double low = 0.0;
    double high = 0.0;
    bool isFar() const { return bar.last > bar.first; }
};

QString offsetText(std::int64_t offset) {
    if (offset == 0) return QStringLiteral("0");
    return (offset < 0 ? QChar(0x2212) : QChar(u'+')) + QString::number(std::llabs(offset));
}

/// Without the offsets beyond the farthest that has any weight, of the head or of an even one.
std::vector<OffsetBar> usedBars(const std::vector<OffsetBar>& bars) {
    const auto isUsed = [](const OffsetBar& bar) {
        return bar.mass > 0.0 || bar.even.value_or(0.0) > 0.0 ||
               (bar.first <= kLeastReach && bar.last >= -kLeastReach);
    };
    const auto first = std::find_if(bars.begin(), bars.end(), isUsed);
    const auto last = std::find_if(bars.rbegin(), bars.rend(), isUsed).base();
    return first < last ? std::vector<OffsetBar>(first, last) : std::vector<OffsetBar>();
}

/// Single offsets stand at their number; bins follow on either side.
std::vector<PlacedBar> place(const std::vector<OffsetBar>& bars) {
    std::vector<PlacedBar> placed;
    std::int64_t near = 0;
    for (const OffsetBar& bar : bars)
        if (bar.first == bar.last) near = std::max<std::int64_t>(near, std::llabs(bar.first));
    const double edge = static_cast<double>(near) + 0.5 + kFarGap;
    const auto before = std::count_if(
        bars.begin(), bars.end(), [](const OffsetBar& bar) { return bar.last > bar.first && bar.last < 0; });
    std::int64_t left = 0;
    std::int64_t right = 0;
    for (const OffsetBar& bar : bars) {
        PlacedBar one{bar, 0.0, 0.0};
        if (!one.isFar())
            one.low = static_cast<double>(bar.first) - 0.5;
        else if (bar.last < 0)
            one.low = -edge - kFarWidth * static_cast<double>(before - left++);
        else
            one.low = edge + kFarWidth * static_cast<double>(right++);
        one.high = one.low + (one.isFar() ? kFarWidth : 1.0);
        placed.push_back(one);
    }
    return placed;
}

ChartItem itemOf(const PlacedBar& placed) {
    const OffsetBar& bar = placed.bar;
    ChartItem item;
    item.shape = ChartItem::Shape::BarUp;
    // Bins stand further apart than single offsets.
    const double air = placed.isFar() ? 0.5 : 0.0;
    item.low = placed.low + air;
    item.high = placed.high - air;
    item.value = {(placed.low + placed.high) / 2.0, bar.mass};
    item.ink = placed.isFar() ? ChartInk::Quiet : ChartInk::Accent;
    if (placed.isFar())
        item.tip =
            OffsetChart::tr("Offsets %1 to %2 together").arg(offsetText(bar.first), offsetText(bar.last));
    else if (bar.first == 0)
        item.tip = OffsetChart::tr("Offset 0: the token itself");
    else
        item.tip =
            (bar.first < 0 ? OffsetChart::tr("Offset %1: %2 before") : OffsetChart::tr("Offset %1: %2 after"))
                .arg(offsetText(bar.first), tokensText(std::llabs(bar.first)));
    item.tip += u'\n' + OffsetChart::tr("%1 of the weight").arg(numberText(bar.mass, 4));
    if (bar.even) item.tip += u'\n' + OffsetChart::tr("even weights: %1").arg(numberText(*bar.even, 4));
    return item;
}

/// The more telling ones first: of two that would touch the later is left out.
std::vector<ChartTick> ticksOf(const std::vector<PlacedBar>& placed) {
    std::vector<ChartTick> ticks;
    std::int64_t near = 0;
    for (const PlacedBar& one : placed)
        if (!one.isFar()) near = std::max<std::int64_t>(near, std::llabs(one.bar.first));
    const auto add = [&](std::int64_t offset) {
        const bool there = std::any_of(placed.begin(), placed.end(), [&](const PlacedBar& one) {
            return !one.isFar() && one.bar.first == offset;
        });
        if (there) ticks.push_back({static_cast<double>(offset), offsetText(offset)});
    };
    add(0);
    if (placed.front().isFar())
        ticks.push_back({placed.front().low + 0.5, offsetText(placed.front().bar.first)});
    if (placed.back().isFar())
        ticks.push_back({placed.back().high - 0.5, offsetText(placed.back().bar.last)});
    for (const std::int64_t step : {64, 32, 16, 8, 4, 2, 1}) {
        if (8 * step < near) break;
        for (const std::int64_t sign : {-1, 1})
            for (std::int64_t offset = step; offset <= near; offset += 2 * step) add(sign * offset);
    }
    return ticks;
}

/// Steps at the height of even weights: one line for the single offsets, one for each bin.
std::vector<ChartLine> evenLines(const std::vector<PlacedBar>& placed) {
    std::vector<ChartLine> lines;
    double end = std::numeric_limits<double>::infinity();
    for (const PlacedBar& one : placed) {
        if (!one.bar.even) continue;
        if (one.isFar()) end = std::numeric_limits<double>::infinity(); // bins stand alone
        if (lines.empty() || std::abs(one.low - end) > 1e-9)
            lines.push_back({{}, ChartInk::Warning, false, {}});
        lines.back().points.emplace_back(one.low, *one.bar.even);
        lines.back().points.emplace_back(one.high, *one.bar.even);
        if (!one.isFar()) end = one.high;
    }
    return lines;
}

} // namespace

OffsetChart::OffsetChart(QWidget* parent) : Chart(parent) {
    setBars({});
}

void OffsetChart::setBars(const std::vector<OffsetBar>& bars, const QString& why) {
    ChartPlot plot;
    plot.title = tr("Where it looks, weight by offset");
    plot.empty = why.isEmpty() ? tr("Choose a head to see how far it looks") : why;
    const std::vector<PlacedBar> placed = place(usedBars(bars));
    if (!placed.empty()) {
        double top = 0.0;
        for (const PlacedBar& one : placed) {
            plot.items.push_back(itemOf(one));
            top = std::max({top, one.bar.mass, one.bar.even.value_or(0.0)});
        }
        plot.x = {.low = placed.front().low,
                  .high = placed.back().high,
                  .kind = ChartAxis::Ticks::Named,
                  .named = ticksOf(placed),
                  .title = tr("key − query, tokens")};
        plot.y.high = std::max(top, 1e-3) * 1.06;
        plot.y.title = tr("share of the weight");
        plot.lines = evenLines(placed);
        if (!plot.lines.empty()) plot.lines.back().label = tr("even weights");
        if (placed.front().isFar() || placed.back().isFar())
            plot.note = tr("Grey: farther offsets, summed in bins that double.");
    }
    setPlot(std::move(plot));
}

} // namespace headscope::ui
