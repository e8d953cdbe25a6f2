// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/tile_cache.h"

#include <bit>
#include <utility>

namespace headscope::ui {

std::size_t TileKeyHash::operator()(const TileKey& key) const noexcept {
    std::uint64_t hash = 0xcbf29ce484222325U; // FNV-1a over whole fields
    const auto mix = [&hash](std::uint64_t value) { hash = (hash ^ value) * 0x100000001b3U; };
    mix(key.map);
    mix(static_cast<std::uint64_t>(key.address.level));
    mix(static_cast<std::uint64_t>(key.address.row));
    mix(static_cast<std::uint64_t>(key.address.column));
    mix(static_cast<std::uint64_t>(key.style.range.mode));
    // Adding 0 makes the two zeros one, as == sees them.
    mix(std::bit_cast<std::uint32_t>(key.style.range.low + 0.0F));
    mix(std::bit_cast<std::uint32_t>(key.style.range.high + 0.0F));
    mix(static_cast<std::uint64_t>(key.style.pooling));
    mix(static_cast<std::uint64_t>(key.style.colormap));
    mix(key.style.colors.masked);
    return static_cast<std::size_t>(hash ^ hash >> 32);
}

std::uint64_t MapIdentities::of(const std::shared_ptr<const HeadMap>& map) {
    if (!map) return 0;
    std::erase_if(m_known, [](const Known& known) { return known.map.expired(); });
    for (const Known& known : m_known)
        if (!known.map.owner_before(map) && !map.owner_before(known.map) && known.map.lock() == map)
            return known.number;
    m_known.push_back({map, ++m_last});
    return m_last;
}

std::size_t TileCache::bytesOf(const PixelTile& tile) {
    return tile.pixels.size() * sizeof(Rgb) + sizeof(Entry) + 64;
}

std::shared_ptr<const PixelTile> TileCache::find(const TileKey& key) {
    const auto place = m_places.find(key);
    if (place == m_places.end()) return nullptr;
    m_entries.splice(m_entries.begin(), m_entries, place->second);
    return place->second->tile;
}

void TileCache::insert(const TileKey& key, std::shared_ptr<const PixelTile> tile) {
    if (const auto place = m_places.find(key); place != m_places.end()) {
        m_bytes -= bytesOf(*place->second->tile);
        m_entries.erase(place->second);
        m_places.erase(place);
    }
    m_bytes += bytesOf(*tile);
    m_entries.push_front({key, std::move(tile)});
    m_places[key] = m_entries.begin();
    // The newest stays even when it alone is above the limit: it is on screen.
    while (m_bytes > m_limit && m_entries.size() > 1) {
        m_bytes -= bytesOf(*m_entries.back().tile);
        m_places.erase(m_entries.back().key);
        m_entries.pop_back();
    }
}

} // namespace headscope::ui
