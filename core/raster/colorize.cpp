// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/raster/raster.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace headscope {

namespace {

constexpr float kBins = 256.0F;

/// Position on the scale in bins -> index. The first comparison also sends NaN to 0.
std::uint8_t binOf(float position) {
    if (!(position > 0.0F)) return 0;
    return position >= kBins ? 255 : static_cast<std::uint8_t>(position);
}

struct Linear {
    float low;
    float factor;
    std::uint8_t operator()(float weight) const { return binOf((weight - low) * factor); }
};

struct Logarithmic {
    std::uint8_t operator()(float weight) const {
        static const float factor = kBins / std::log(kLogHigh / kLogLow);
        return weight > kLogLow ? binOf(std::log(weight / kLogLow) * factor) : std::uint8_t{0};
    }
};

Linear linearScale(const DisplayRange& range, float rowMaximum) {
    if (range.mode == RangeMode::PerRow) return {0.0F, rowMaximum > 0.0F ? kBins / rowMaximum : 0.0F};
    return {range.low, kBins / (range.high - range.low)};
}

template <typename Scale>
void colorizeRow(const float* weights, std::int64_t count, const Scale& scale, const RasterStyle& style,
                 Rgb* out) {
    const auto& colors = colorsOf(style.colormap);
    for (std::int64_t j = 0; j < count; ++j)
        out[j] = std::isnan(weights[j]) ? style.colors.masked : colors[scale(weights[j])];
}

} // namespace

std::uint8_t colorIndex(float weight, const DisplayRange& range, float rowMaximum) {
    return range.mode == RangeMode::Log ? Logarithmic()(weight) : linearScale(range, rowMaximum)(weight);
}

void colorize(MatrixView<const float> weights, const RasterStyle& style, const float* rowMaxima,
              MatrixView<Rgb> pixels) {
    HS_CHECK(weights.extent() == pixels.extent());
    HS_CHECK(style.range.mode != RangeMode::PerRow || rowMaxima != nullptr || weights.rows == 0);
    for (std::int64_t i = 0; i < weights.rows; ++i) {
        if (style.range.mode == RangeMode::Log)
            colorizeRow(weights.row(i), weights.columns, Logarithmic(), style, pixels.row(i));
        else
            colorizeRow(weights.row(i), weights.columns,
                        linearScale(style.range, rowMaxima != nullptr ? rowMaxima[i] : 0.0F), style,
                        pixels.row(i));
    }
}

std::vector<Rgb> colorizeThumbnail(const Thumbnail& thumbnail, const DisplayRange& resolved, Colormap map,
                                   const CellColors& colors) {
    const auto [rows, columns] = thumbnail.cells;
    std::vector<Rgb> pixels(static_cast<std::size_t>(rows * columns));
    const MatrixView<const float> weights(thumbnail.weights.data(), rows, columns);
    std::vector<float> rowMaxima;
    if (resolved.mode == RangeMode::PerRow) {
        rowMaxima.resize(static_cast<std::size_t>(rows));
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < columns; ++j)
                if (weights.at(i, j) > rowMaxima[static_cast<std::size_t>(i)])
                    rowMaxima[static_cast<std::size_t>(i)] = weights.at(i, j);
    }
    colorize(weights, {resolved, Pooling::Max, map, colors}, rowMaxima.empty() ? nullptr : rowMaxima.data(),
             {pixels.data(), rows, columns});
    for (std::size_t i = 0; i < pixels.size(); ++i)
        if (thumbnail.visible[i] == 0) pixels[i] = colors.masked;
    return pixels;
}

} // namespace headscope
