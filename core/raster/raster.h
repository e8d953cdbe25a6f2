// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "core/base/matrix_view.h"
#include "core/base/page_vector.h"
#include "core/maps/head_map.h"
#include "core/maps/row_accumulator.h"
#include "core/raster/colormap.h"
#include "core/raster/display_range.h"

#include <cstdint>
#include <vector>

namespace headscope {

/// Colours of cells that carry no weight by rule. Same in every view.
struct CellColors {
    Rgb masked = 0xff2a2f37; ///< a key the query cannot see

    friend bool operator==(const CellColors&, const CellColors&) = default;
};

/// All that decides how weights look. Auto must be resolved before (resolve in display_range.h).
struct RasterStyle {
    DisplayRange range;
    Pooling pooling = Pooling::Max;
    Colormap colormap = Colormap::Viridis;
    CellColors colors;

    friend bool operator==(const RasterStyle&, const RasterStyle&) = default;
};

/// Weight -> index 0..255 on the colour scale: 256 equal bins from the lower to the upper end, clipped at
/// both; NaN gives 0. `rowMaximum` is used by PerRow only.
std::uint8_t colorIndex(float weight, const DisplayRange& range, float rowMaximum);

/// Weights -> pixels, one pixel per cell, row-major 0xffRRGGBB. `rowMaxima` [weights.rows] is needed for
/// PerRow. NaN becomes the masked colour. Pure.
void colorize(MatrixView<const float> weights, const RasterStyle& style, const float* rowMaxima,
              MatrixView<Rgb> pixels);

/// One square tile of a map at one pyramid level: level L pools 2^L x 2^L weights to a cell; tiles have
/// kTileCells cells.
struct TileAddress {
    int level = 0;
    std::int64_t row = 0;    ///< tile row
    std::int64_t column = 0; ///< tile column

    friend auto operator<=>(const TileAddress&, const TileAddress&) = default;
};
inline constexpr std::int64_t kTileCells = 256;

/// Number of pyramid levels of a map: the last one fits into a single tile.
int pyramidLevels(Extent extent);
/// The level whose cells are 1 to 2 device pixels at `pixelsPerWeight` (level 0 for 1 and above). Below the
/// last level of pyramidLevels it goes on to the one where the map is a single cell, so that nothing vanishes
/// at any size.
int levelFor(double pixelsPerWeight, Extent extent);
/// Rows and columns of weights the tile covers, clipped to the map.
Span tileRows(const TileAddress& tile, Extent extent);
Span tileColumns(const TileAddress& tile, Extent extent);
/// Cells of a tile (clipped at the map's edge).
Extent tileCells(const TileAddress& tile, Extent extent);

struct PixelTile {
    Extent cells;
    std::vector<Rgb> pixels; ///< row-major; empty when cancelled
};

/// HeadMap -> pixels of one tile: pooled at its level, masked cells (nothing visible under them) in their own
/// colour. Polls `cancel` between bands of about a million weights.
PixelTile renderTile(const HeadMap& map, const TileAddress& tile, const RasterStyle& style,
                     const CancelToken& cancel = {});

/// Any part of a map pooled to at most `limit` cells in each direction (one pixel a cell), for pictures of a
/// given size.
PixelTile renderRegion(const HeadMap& map, Span rows, Span columns, Extent limit, const RasterStyle& style);

/// A whole map pooled to at most `limit` x `limit`, kept as weights so that it can be recoloured. Cell (a, b)
/// covers rows [a*R/cells.rows, (a+1)*R/cells.rows), columns likewise, as HeadMap::pooled.
struct Thumbnail {
    Extent cells;
    PageVector<float> weights;        ///< max-pooled, row-major
    PageVector<std::uint8_t> visible; ///< 1 where any covered weight is visible
};

/// Gathers the thumbnails of all heads of a layer in the forward pass.
class ThumbnailAccumulator final : public RowAccumulator {
  public:
    static constexpr std::int64_t kLimit = 96;
    ThumbnailAccumulator(int heads, const MaskRule& mask, std::int64_t limit = kLimit);
    void observe(const RowBlock& block) override;
    /// Valid once, after all rows of the head were seen.
    Thumbnail take(HeadIndex head);

  private:
    Extent m_extent;
    Extent m_cells;
    PageVector<std::uint8_t> m_visible; ///< [cells], the same for all heads
    std::vector<std::vector<float>>
        m_columnMax;                          ///< [heads][columns]: maxima over the rows of the open cell row
    std::vector<PageVector<float>> m_weights; ///< [heads][cells]
};

/// Thumbnail -> pixels, one per cell.
std::vector<Rgb> colorizeThumbnail(const Thumbnail& thumbnail, const DisplayRange& resolved, Colormap map,
                                   const CellColors& colors = {});
/// Max-pooled again to at most `limit`, so that a view with few pixels loses no thin line.
Thumbnail shrunk(const Thumbnail& thumbnail, Extent limit);
/// The thumbnail of a map that came from no forward pass.
Thumbnail thumbnailOf(const HeadMap& map, std::int64_t limit);

} // namespace headscope
