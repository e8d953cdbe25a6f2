// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figure_settings.h"

namespace headscope::ui {

QString wordsOf(const std::optional<std::string>& text) {
    if (!text) return {};
    return text->empty() ? QString(QLatin1String("")) : QString::fromStdString(*text);
}

FigureOptions figureOptionsOf(const PictureSettings& settings) {
    FigureOptions options;
    if (settings.widthMm) options.widthMm = *settings.widthMm;
    options.heightMm = settings.heightMm;
    if (settings.dpi) options.dpi = *settings.dpi;
    if (settings.fontSizePt) options.fontSizePt = *settings.fontSizePt;
    options.title = wordsOf(settings.title);
    options.xLabel = wordsOf(settings.xLabel);
    options.yLabel = wordsOf(settings.yLabel);
    options.values = settings.values;
    options.margins = settings.margins;
    options.transparent = settings.transparent;
    options.theme = settings.dark ? HeatmapTheme::darkTheme() : HeatmapTheme::lightTheme();
    options.colormap = settings.colormap;
    options.pooling = settings.pooling;
    options.range = settings.range;
    return options;
}

} // namespace headscope::ui
