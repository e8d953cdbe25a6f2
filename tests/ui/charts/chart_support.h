// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_canvas.h"
#include "ui/charts/heads_chart.h"

#include <QImage>
#include <QPainter>
#include <QTest>
#include <QWidget>

#include <cmath>

namespace headscope::ui::test {

inline HeadRef headAt(int layer, int head) {
    return {AttentionKind::Self, LayerIndex(layer), HeadIndex(head)};
}

/// What the widget shows, on the panel's colour.
inline QImage imageOf(QWidget& widget) {
    QImage image(widget.size(), QImage::Format_RGB32);
    image.fill(Theme::instance().colors().panel);
    QPainter painter(&image);
    widget.render(&painter, QPoint(), QRegion(), QWidget::DrawChildren);
    return image;
}

/// How far a pixel is from a colour, the largest of its channels.
inline int distanceTo(QRgb pixel, const QColor& color) {
    return std::max({std::abs(qRed(pixel) - color.red()), std::abs(qGreen(pixel) - color.green()),
                     std::abs(qBlue(pixel) - color.blue())});
}

/// A colour as it looks over the panel.
inline QColor overPanel(const QColor& color) {
    const QColor& back = Theme::instance().colors().panel;
    const auto mix = [&](int over, int under) {
        return static_cast<int>(std::lround(over * color.alphaF() + under * (1.0 - color.alphaF())));
    };
    return {mix(color.red(), back.red()), mix(color.green(), back.green()), mix(color.blue(), back.blue())};
}

inline int pixelsOf(const QImage& image, const QColor& color, int tolerance = 6) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (distanceTo(image.pixel(x, y), color) <= tolerance) ++count;
    return count;
}

/// Theme of a test; the light one again afterwards.
class WithTheme {
  public:
    explicit WithTheme(ThemeChoice choice) { Theme::instance().setChoice(choice); }
    ~WithTheme() { Theme::instance().setChoice(ThemeChoice::Light); }
    WithTheme(const WithTheme&) = delete;
    WithTheme& operator=(const WithTheme&) = delete;
};

} // namespace headscope::ui::test
