// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/raster/raster.h"

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

namespace headscope::ui {

/// Everything that decides the pixels of a tile.
struct TileKey {
    std::uint64_t map = 0; ///< from MapIdentities
    TileAddress address;
    RasterStyle style;

    friend bool operator==(const TileKey&, const TileKey&) = default;
};

struct TileKeyHash {
    std::size_t operator()(const TileKey& key) const noexcept;
};

/// Numbers maps by the object they are, so that a new map at an old address is another map.
class MapIdentities {
  public:
    /// The same number for the same living map; 0 for none.
    std::uint64_t of(const std::shared_ptr<const HeadMap>& map);

  private:
    struct Known {
        std::weak_ptr<const HeadMap> map;
        std::uint64_t number = 0;
    };
    std::vector<Known> m_known;
    std::uint64_t m_last = 0;
};

/// Rendered tiles, the least recently used dropped first once they take more than the limit. One thread only.
class TileCache {
  public:
    explicit TileCache(std::size_t limitBytes) : m_limit(limitBytes) {}

    /// nullptr when it is not there; otherwise it becomes the most recently used.
    std::shared_ptr<const PixelTile> find(const TileKey& key);
    void insert(const TileKey& key, std::shared_ptr<const PixelTile> tile);
    std::size_t bytes() const { return m_bytes; }
    std::size_t size() const { return m_places.size(); }

  private:
    struct Entry {
        TileKey key;
        std::shared_ptr<const PixelTile> tile;
    };
    static std::size_t bytesOf(const PixelTile& tile);

    std::size_t m_limit;
    std::size_t m_bytes = 0;
    std::list<Entry> m_entries; ///< most recently used first
    std::unordered_map<TileKey, std::list<Entry>::iterator, TileKeyHash> m_places;
};

} // namespace headscope::ui
