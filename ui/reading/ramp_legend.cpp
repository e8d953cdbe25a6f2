// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reading/ramp_legend.h"

#include "ui/heatmap/readout.h"

#include <QPainter>

#include <cmath>

namespace headscope::ui {

namespace {

constexpr int kRamp = 96;
constexpr int kBar = 10;
constexpr int kGap = 6;

QString endText(float weight) {
    return QString::number(static_cast<double>(weight), 'g', 3);
}

} // namespace

RampLegend::RampLegend(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void RampLegend::setScale(const LegendModel& scale, float rowMaximum) {
    m_scale = scale;
    m_rowMaximum = rowMaximum;
    setToolTip(legendSentence(scale));
    setAccessibleName(tr("Colour scale from %1 to %2").arg(lowText(), highText()));
    updateGeometry();
    update();
}

void RampLegend::setTheme(const HeatmapTheme& theme) {
    m_theme = theme;
    update();
}

QString RampLegend::lowText() const {
    const DisplayRange range = m_scale.resolved();
    return endText(range.mode == RangeMode::Log      ? kLogLow
                   : range.mode == RangeMode::PerRow ? 0.0F
                                                     : range.low);
}

QString RampLegend::highText() const {
    const DisplayRange range = m_scale.resolved();
    if (range.mode == RangeMode::Log) return endText(kLogHigh);
    if (range.mode == RangeMode::PerRow) return endText(m_rowMaximum);
    // What lies above the end has its colour too.
    return m_scale.clipped() ? QString(QChar(u'≥') + QChar(u' ') + endText(range.high)) : endText(range.high);
}

QSize RampLegend::sizeHint() const {
    const QFontMetricsF metrics(font());
    const double words = metrics.horizontalAdvance(lowText()) + metrics.horizontalAdvance(highText());
    return {static_cast<int>(std::ceil(words)) + kRamp + 2 * kGap + 2,
            static_cast<int>(std::ceil(metrics.height())) + 2};
}

void RampLegend::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setPen(m_theme.muted);
    const QFontMetricsF metrics(font());
    const int low = static_cast<int>(std::ceil(metrics.horizontalAdvance(lowText())));
    painter.drawText(QRect(0, 0, low + 1, height()), Qt::AlignLeft | Qt::AlignVCenter, lowText());
    const QRect bar(low + kGap, (height() - kBar) / 2, kRamp, kBar);
    const auto& colors = colorsOf(m_scale.colormap);
    for (int x = 0; x < kRamp; ++x)
        painter.fillRect(bar.left() + x, bar.top(), 1, kBar,
                         QColor::fromRgb(colors[static_cast<std::size_t>(x * 255 / (kRamp - 1))]));
    painter.drawText(QRect(bar.right() + 1 + kGap, 0, width(), height()), Qt::AlignLeft | Qt::AlignVCenter,
                     highText());
}

} // namespace headscope::ui
