// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/texts_chart.h"

#include "ui/format.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui {

namespace {

constexpr std::size_t kCrowd = 60; ///< from so many texts on dots are smaller

ChartInk inkOf(Label label) {
    if (label == Label::Uniform) return ChartInk::Warning;
    return label == Label::Stuck ? ChartInk::Alarm : ChartInk::Accent;
}

QString tipOf(const TextDot& dot, const TextDots& all) {
    if (!dot.score) return TextsChart::tr("%1: not tested").arg(dot.name);
    QString tip = dot.fires ? TextsChart::tr("%1: fires").arg(dot.name)
                            : TextsChart::tr("%1: does not fire").arg(dot.name);
    tip += u'\n' + TextsChart::tr("score %1").arg(numberText(*dot.score, 4));
    if (all.threshold)
        tip +=
            u' ' + (all.atMost ? TextsChart::tr("(needs at most %1)") : TextsChart::tr("(needs at least %1)"))
                       .arg(numberText(*all.threshold, 2));
    if (dot.isWorst) tip += u'\n' + TextsChart::tr("speaks most against the label");
    return tip;
}

ChartItem itemOf(std::size_t index, const TextDots& all, double nothing) {
    const TextDot& dot = all.dots[index];
    ChartItem item;
    item.value = {dot.score.value_or(nothing), -static_cast<double>(index)};
    item.group = static_cast<int>(index);
    item.text = index;
    item.tip = tipOf(dot, all);
    item.drawn = dot.score.has_value();
    if (!item.drawn) item.label = TextsChart::tr("not tested");
    item.hollow = !dot.fires;
    item.stem = all.dots.size() < kCrowd;
    item.ink = dot.fires ? inkOf(all.label) : ChartInk::Quiet;
    return item;
}

/// "Sink fires on 11 of the 12 texts that could test it; mean score 0.62. ..."
QString words(const TextDots& dots) {
    const TextCount& texts = dots.texts;
    if (texts.tested == 0) return TextsChart::tr("%1: no text could test it.").arg(labelText(dots.label));
    const QString score = numberText(dots.mean, 2);
    const QString tested = texts.tested == 1
                               ? TextsChart::tr("the 1 text that could test it")
                               : TextsChart::tr("the %1 texts that could test it").arg(texts.tested);
    if (texts.fired == 0)
        return TextsChart::tr("%1 fires on none of %2; mean score %3.")
            .arg(labelText(dots.label), tested, score);
    const QString sure = TextsChart::tr(" With 95 % confidence it fires on at least %1 % of such texts.")
                             .arg(std::lround(100.0 * texts.lowerBound()));
    if (texts.fired == texts.tested)
        return TextsChart::tr("%1 fires on %2; mean score %3.")
                   .arg(labelText(dots.label),
                        texts.tested == 1 ? tested : TextsChart::tr("all of %1").arg(tested), score) +
               sure;
    return TextsChart::tr("%1 fires on %2 of %3; mean score %4.")
               .arg(labelText(dots.label))
               .arg(texts.fired)
               .arg(tested, score) +
           sure;
}

} // namespace

TextsChart::TextsChart(QWidget* parent) : Chart(parent) {
    setDots({});
}

void TextsChart::setDots(const TextDots& dots, const QString& why) {
    ChartPlot plot;
    plot.title =
        dots.dots.empty() ? tr("Score on every text") : tr("%1 on every text").arg(labelText(dots.label));
    plot.empty = why.isEmpty() ? tr("Choose a head and a label to see every text") : why;
    if (!dots.dots.empty()) plot.caption = words(dots);
    double low = std::min(0.0, dots.threshold.value_or(0.0));
    double high = std::max(0.0, dots.threshold.value_or(0.0));
    for (const TextDot& dot : dots.dots) {
        low = std::min(low, dot.score.value_or(0.0));
        high = std::max(high, dot.score.value_or(0.0));
    }
    if (high <= low) high = low + 1.0;
    // Shares that come near 1 are shown against 1.
    const double reach = high > 0.7 && high <= 1.0 ? 1.0 : high + 0.05 * (high - low);
    for (std::size_t i = 0; i < dots.dots.size(); ++i) {
        plot.items.push_back(itemOf(i, dots, low));
        plot.y.named.push_back({-static_cast<double>(i), dots.dots[i].name});
    }
    plot.pointSize = dots.dots.size() >= kCrowd ? 5.0 : 8.0;
    plot.x.low = low;
    plot.x.high = reach;
    plot.x.title = dots.measure;
    plot.y.kind = ChartAxis::Ticks::Named;
    plot.y.low = -static_cast<double>(dots.dots.size()) + 0.4;
    plot.y.high = 0.6;
    if (dots.threshold)
        plot.lines.push_back(
            {{{*dots.threshold, plot.y.low}, {*dots.threshold, plot.y.high}},
             inkOf(dots.label),
             true,
             (dots.atMost ? tr("at most %1") : tr("at least %1")).arg(numberText(*dots.threshold, 2))});
    setPlot(std::move(plot));
}

} // namespace headscope::ui
