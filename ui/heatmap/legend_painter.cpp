// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/legend_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::ui {

namespace {

struct Legend {
    Q_DECLARE_TR_FUNCTIONS(Legend)
};

QString numberText(double value) {
    if (value != 0.0 && std::abs(value) < 0.001) return QString::number(value, 'g', 2);
    QString text = QString::number(value, 'f', 3);
    while (text.endsWith(QLatin1Char('0'))) text.chop(1);
    if (text.endsWith(QLatin1Char('.'))) text.chop(1);
    return text;
}

/// 1, 2 or 5 times a power of ten, so that at most `parts` of them make `length`.
double roundStep(double length, double parts) {
    const double raw = length / parts;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= raw * (1.0 - 1e-9)) return factor * power;
    return 10.0 * power;
}

/// The highest colour on top; one pixel a colour, stretched by the painter.
QImage barImage(Colormap colormap) {
    const auto& colors = colorsOf(colormap);
    QImage image(1, 256, QImage::Format_RGB32);
    for (int y = 0; y < 256; ++y)
        *reinterpret_cast<QRgb*>(image.scanLine(y)) = colors[static_cast<std::size_t>(255 - y)];
    return image;
}

QString maximumText(const LegendModel& model) {
    return Legend::tr("max %1").arg(numberText(static_cast<double>(model.statistics.maximum)));
}

} // namespace

QString legendTitle(const LegendModel& model) {
    if (model.colormap == Colormap::Diverging) return Legend::tr("a less b");
    switch (model.chosen.mode) {
    case RangeMode::Auto:
        return Legend::tr("auto");
    case RangeMode::Fixed:
        return Legend::tr("fixed");
    case RangeMode::PerRow:
        return Legend::tr("per row");
    case RangeMode::Log:
        return Legend::tr("log");
    }
    return {};
}

QString legendSentence(const LegendModel& model) {
    const DisplayRange range = model.resolved();
    const QString high = numberText(static_cast<double>(range.high));
    if (model.colormap == Colormap::Diverging)
        return Legend::tr("Weight of a less weight of b, -%1 to %1: the middle colour is no difference.")
            .arg(high);
    QString text;
    switch (model.chosen.mode) {
    case RangeMode::Auto:
        text = model.manyHeads
                   ? Legend::tr("Automatic range: each head from 0 to its own end.")
                   : Legend::tr(
                         "Automatic range, 0 to %1: the 95th percentile of the row maxima without the first "
                         "key, and at least four times the even weight.")
                         .arg(high);
        break;
    case RangeMode::Fixed:
        text = Legend::tr("Fixed range, %1 to %2.").arg(numberText(static_cast<double>(range.low)), high);
        break;
    case RangeMode::PerRow:
        text = Legend::tr("Each row from 0 to its own largest weight.");
        break;
    case RangeMode::Log:
        text = Legend::tr("Logarithmic, 0.0001 to 1.");
        break;
    }
    if (model.clipped())
        text += QLatin1Char(' ') + Legend::tr("Weights above the end have its colour; the largest is %1.")
                                       .arg(numberText(static_cast<double>(model.statistics.maximum)));
    return text;
}

std::vector<LegendTick> legendTicks(const LegendModel& model, double spacing) {
    if (model.chosen.mode == RangeMode::PerRow)
        return {{0.0, QStringLiteral("0")}, {1.0, Legend::tr("row max")}};
    if (model.chosen.mode == RangeMode::Auto && model.manyHeads)
        return {{0.0, QStringLiteral("0")}, {1.0, Legend::tr("end")}};
    if (model.chosen.mode == RangeMode::Log)
        return {{0.0, QStringLiteral("1e-4")},
                {0.25, QStringLiteral("0.001")},
                {0.5, QStringLiteral("0.01")},
                {0.75, QStringLiteral("0.1")},
                {1.0, QStringLiteral("1")}};
    const DisplayRange range = model.resolved();
    const auto low = static_cast<double>(range.low);
    const double length = static_cast<double>(range.high) - low;
    std::vector<LegendTick> ticks = {{0.0, numberText(low)}};
    const double step = roundStep(length, std::max(1.0, std::min(6.0, 1.0 / spacing)));
    for (double value = std::ceil(low / step) * step; value < low + length; value += step) {
        const double position = (value - low) / length;
        if (position >= spacing && position <= 1.0 - spacing)
            ticks.push_back({position, numberText(std::abs(value) < 1e-9 * step ? 0.0 : value)});
    }
    ticks.push_back({1.0, numberText(low + length)});
    return ticks;
}

double legendWidth(const LegendModel& model, const QFont& font) {
    const QFontMetricsF metrics(font);
    const double em = metrics.height();
    double numbers = 0.0;
    for (const LegendTick& tick : legendTicks(model, 0.15))
        numbers = std::max(numbers, metrics.horizontalAdvance(tick.text));
    // The same room whether clipped or not: the map beside it keeps its size from head to head.
    double width = 0.75 * em + 0.55 * em + std::max(numbers, metrics.horizontalAdvance(numberText(0.888)));
    if (!model.manyHeads) width = std::max(width, metrics.horizontalAdvance(Legend::tr("max %1").arg(0.888)));
    width = std::max(width, metrics.horizontalAdvance(legendTitle(model)));
    if (model.masked) width = std::max(width, 1.3 * em + metrics.horizontalAdvance(Legend::tr("masked")));
    return std::ceil(width);
}

void paintLegend(QPainter& painter, const QRectF& rect, const LegendModel& model, const QFont& font,
                 const HeatmapTheme& theme) {
    const QFontMetricsF metrics(font);
    const double em = metrics.height();
    const double barWidth = 0.75 * em;
    painter.save();
    painter.setFont(font);
    painter.setPen(theme.muted);
    painter.drawText(QPointF(rect.left(), rect.top() + metrics.ascent()), legendTitle(model));

    // Clipped: a line that says the largest weight, and an arrow head.
    const double capHeight = model.clipped() ? 0.75 * em : 0.0;
    const double top = rect.top() + 1.45 * em + (model.clipped() ? 1.1 * em + capHeight : 0.0);
    const double foot = model.masked ? 1.9 * em : 0.5 * em;
    const QRectF bar(rect.left(), top, barWidth, std::clamp(rect.bottom() - foot - top, em, 18.0 * em));
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(bar, barImage(model.colormap));

    const double textLeft = bar.right() + 0.45 * em;
    const double middle = 0.5 * metrics.capHeight();
    if (model.clipped()) {
        // An arrow head beyond the end of the bar: the usual sign that the scale goes on.
        const std::array<QPointF, 3> arrow = {bar.topLeft() - QPointF(0.0, 1.5),
                                              bar.topRight() - QPointF(0.0, 1.5),
                                              QPointF(bar.center().x(), bar.top() - capHeight)};
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.muted, 0.06 * em));
        painter.setBrush(QColor::fromRgb(colorsOf(model.colormap).back()));
        painter.drawPolygon(arrow.data(), 3);
        painter.setPen(theme.muted);
        painter.drawText(QPointF(rect.left(), rect.top() + 1.1 * em + metrics.ascent()), maximumText(model));
    }
    painter.setPen(theme.text);
    for (const LegendTick& tick : legendTicks(model, 1.15 * em / bar.height())) {
        if (tick.position > 0.0 && tick.position < 1.0 && bar.height() < 4.0 * em) continue;
        const double y = bar.bottom() - tick.position * bar.height();
        painter.fillRect(QRectF(bar.right(), y - 0.03 * em, 0.22 * em, 0.06 * em), theme.muted);
        painter.drawText(QPointF(textLeft, y + middle), tick.text);
    }
    if (model.masked) {
        const QRectF swatch(rect.left(), bar.bottom() + 0.95 * em, barWidth, barWidth);
        painter.fillRect(swatch, QColor::fromRgb(*model.masked));
        painter.setPen(theme.muted);
        painter.drawText(QPointF(textLeft, swatch.center().y() + middle), Legend::tr("masked"));
    }
    painter.restore();
}

} // namespace headscope::ui
