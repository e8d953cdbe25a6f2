// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/contrast.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

double luminance(const QColor& color) {
    const auto linear = [](double channel) {
        return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrastRatio(const QColor& a, const QColor& b) {
    const auto [darker, lighter] = std::minmax({luminance(a), luminance(b)});
    return (lighter + 0.05) / (darker + 0.05);
}

QColor readableOn(const QColor& back) {
    // Where (L + 0.05) / 0.05 = 1.05 / (L + 0.05).
    constexpr double kSame = 0.17913;
    return luminance(back) > kSame ? Qt::black : Qt::white;
}

} // namespace headscope::ui
