// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/tile_loader.h"

#include <QMetaObject>
#include <QThread>

#include <algorithm>
#include <exception>
#include <unordered_set>
#include <utility>

namespace headscope::ui {

namespace {

/// Two full screens of tiles at 4K and as much again to come back to.
constexpr std::size_t kCacheBytes = std::size_t{128} << 20;

} // namespace

TileLoader::TileLoader(QObject* parent) : QObject(parent), m_cache(kCacheBytes) {
    m_pool.setMaxThreadCount(std::max(1, QThread::idealThreadCount() - 1));
    m_pool.setObjectName(QStringLiteral("raster"));
}

TileLoader::~TileLoader() {
    for (const auto& [key, cancel] : m_running) cancel.cancel();
    m_pool.clear();
    // Jobs post to this object; after the wait nothing does, and what was posted goes with the object.
    m_pool.waitForDone();
}

void TileLoader::request(const std::shared_ptr<const HeadMap>& map, const std::vector<TileKey>& wanted) {
    const std::unordered_set<TileKey, TileKeyHash> set(wanted.begin(), wanted.end());
    std::erase_if(m_running, [&](const auto& running) {
        if (set.contains(running.first)) return false;
        running.second.cancel();
        return true;
    });
    for (const TileKey& key : wanted)
        if (!m_running.contains(key) && !m_cache.find(key)) start(map, key);
}

void TileLoader::start(const std::shared_ptr<const HeadMap>& map, const TileKey& key) {
    const CancelToken cancel;
    m_running.emplace(key, cancel);
    m_pool.start([this, map, key, cancel] {
        std::shared_ptr<const PixelTile> tile;
        try {
            if (!cancel.isCancelled())
                tile = std::make_shared<const PixelTile>(renderTile(*map, key.address, key.style, cancel));
        } catch (const std::exception&) {
            tile = nullptr; // out of memory: finish() says so
        }
        if (cancel.isCancelled()) return;
        QMetaObject::invokeMethod(
            this, [this, key, cancel, tile] { finish(key, cancel, tile); }, Qt::QueuedConnection);
    });
}

void TileLoader::finish(const TileKey& key, const CancelToken& cancel,
                        std::shared_ptr<const PixelTile> tile) {
    if (cancel.isCancelled()) return;
    m_running.erase(key);
    if (!tile) return; // out of memory: the coarser picture stays until the next request
    m_cache.insert(key, std::move(tile));
    Q_EMIT tileReady();
}

} // namespace headscope::ui
