// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/thumbnail_image.h"

#include <cstdint>
#include <vector>

namespace headscope::ui {

QImage stretchedImage(const Rgb* pixels, Extent cells, const QSize& size) {
    QImage image(size, QImage::Format_RGB32);
    // Pixel centres decide; (2 x + 1) / (2 width) of the way across.
    const auto cellUnder = [](std::int64_t pixel, std::int64_t count, std::int64_t length) {
        return (2 * pixel + 1) * count / (2 * length);
    };
    for (int y = 0; y < size.height(); ++y) {
        const Rgb* from = pixels + cellUnder(y, cells.rows, size.height()) * cells.columns;
        auto* line = reinterpret_cast<Rgb*>(image.scanLine(y));
        for (int x = 0; x < size.width(); ++x) line[x] = from[cellUnder(x, cells.columns, size.width())];
    }
    return image;
}

QImage thumbnailImage(const Thumbnail& thumbnail, const QSize& size, const DisplayRange& resolved,
                      Colormap colormap, const HeatmapTheme& theme) {
    if (size.isEmpty() || thumbnail.cells.rows <= 0 || thumbnail.cells.columns <= 0) return {};
    const Thumbnail small = shrunk(thumbnail, {size.height(), size.width()});
    const std::vector<Rgb> pixels = colorizeThumbnail(small, resolved, colormap, {theme.masked});
    return stretchedImage(pixels.data(), small.cells, size);
}

} // namespace headscope::ui
