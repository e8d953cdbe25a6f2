// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/raster/raster.h"
#include "ui/heatmap/heatmap_theme.h"

#include <QImage>
#include <QSize>

namespace headscope::ui {

/// A thumbnail at exactly `size` device pixels: max-pooled where it has more cells than pixels, square-edged
/// where it has fewer. Never scaled by a painter, so that a thin diagonal or a single column stays.
QImage thumbnailImage(const Thumbnail& thumbnail, const QSize& size, const DisplayRange& resolved,
                      Colormap colormap, const HeatmapTheme& theme);

/// Pixels of cells -> an image of `size`, each pixel with the colour of the cell under its centre.
QImage stretchedImage(const Rgb* pixels, Extent cells, const QSize& size);

} // namespace headscope::ui
