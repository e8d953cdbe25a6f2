// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/raster/raster.h"
#include "ui/heatmap/map_geometry.h"

#include <QImage>

#include <functional>
#include <memory>

namespace headscope::ui {

/// What stands in for tiles that have not come yet.
struct FrameStandIn {
    Rgb skeleton = 0xff808080;
    Extent cells;            ///< of the thumbnail; 0 x 0: none
    std::vector<Rgb> pixels; ///< the map's thumbnail, coloured
};

/// Cached tile or nullptr.
using TileLookup = std::function<std::shared_ptr<const PixelTile>(const TileAddress&)>;

/// Fills `frame` (RGB32, resized to the drawn part) with square-edged cells: the visible tiles where they are
/// there, else the nearest coarser tile that is, else the thumbnail, else the skeleton colour. Returns true
/// when every tile was of its own level.
bool composeFrame(const MapGeometry& geometry, const TileLookup& lookup, const FrameStandIn& standIn,
                  QImage& frame);

} // namespace headscope::ui
