// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/class_chart.h"

#include "ui/format.h"

#include <algorithm>
#include <utility>

namespace headscope::ui {

namespace {

constexpr double kHalfBar = 0.30;

QString classText(TokenClass tokenClass) {
    switch (tokenClass) {
    case TokenClass::Start:
        return ClassChart::tr("start token");
    case TokenClass::Separator:
        return ClassChart::tr("separators");
    case TokenClass::Punctuation:
        return ClassChart::tr("punctuation");
    case TokenClass::Newline:
        return ClassChart::tr("line breaks");
    case TokenClass::Padding:
        return ClassChart::tr("padding");
    case TokenClass::Content:
        break;
    }
    return ClassChart::tr("words");
}

/// Two decimals, and never 0.00 for what is not 0.
QString shareText(double share) {
    return share > 0.0 && share < 0.005 ? QStringLiteral("<0.01") : QString::number(share, 'f', 2);
}

QString tipOf(const ClassBar& bar) {
    const QString name = classText(bar.tokenClass);
    if (!bar.mass) return ClassChart::tr("%1: no row sees one").arg(name);
    QString tip = ClassChart::tr("%1: %2 of the weight").arg(name, numberText(*bar.mass, 4));
    if (bar.chance) tip += u'\n' + ClassChart::tr("even weights: %1").arg(numberText(*bar.chance, 4));
    return tip;
}

ChartItem itemOf(const ClassBar& bar, double row) {
    ChartItem item;
    item.shape = ChartItem::Shape::BarRight;
    item.low = row - kHalfBar;
    item.high = row + kHalfBar;
    item.group = static_cast<int>(-row);
    item.tip = tipOf(bar);
    item.value = {bar.mass.value_or(0.0), row};
    item.drawn = bar.mass.has_value();
    item.ink = bar.tokenClass == TokenClass::Content ? ChartInk::Quiet : ChartInk::Accent;
    item.label = bar.mass ? shareText(*bar.mass) : ClassChart::tr("none to read");
    if (bar.mass) item.reference = bar.chance;
    return item;
}

} // namespace

ClassChart::ClassChart(QWidget* parent) : Chart(parent) {
    setBars({});
}

void ClassChart::setBars(const std::vector<ClassBar>& bars, const QString& why) {
    ChartPlot plot;
    plot.title = tr("What it reads, weight by kind of token");
    plot.empty = why.isEmpty() ? tr("Choose a head to see what kinds of token it reads") : why;
    double top = 0.0;
    double row = 0.0;
    for (const ClassBar& bar : bars) {
        plot.items.push_back(itemOf(bar, row));
        plot.y.named.push_back({row, classText(bar.tokenClass)});
        top = std::max({top, bar.mass.value_or(0.0), bar.mass ? bar.chance.value_or(0.0) : 0.0});
        row -= 1.0;
    }
    plot.x.high = std::max(top, 0.01) * 1.04;
    const bool compares = std::any_of(plot.items.begin(), plot.items.end(),
                                      [](const ChartItem& item) { return item.reference.has_value(); });
    plot.x.title = compares ? tr("share of the weight; stroke: even weights") : tr("share of the weight");
    plot.y.kind = ChartAxis::Ticks::Named;
    plot.y.low = row + 0.5;
    plot.y.high = 0.5;
    setPlot(std::move(plot));
}

} // namespace headscope::ui
