// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "ui/heatmap/tile_cache.h"

#include <QObject>
#include <QThreadPool>

#include <memory>
#include <unordered_map>
#include <vector>

namespace headscope::ui {

/// Renders tiles on threads of its own (one fewer than cores, at least one; no LibTorch operator runs there)
/// and keeps them. Its interface belongs to the thread it lives in.
class TileLoader : public QObject {
    Q_OBJECT
  public:
    explicit TileLoader(QObject* parent = nullptr);
    /// Cancels what runs and waits for it: a band of rows at most.
    ~TileLoader() override;

    /// Makes `wanted` the visible set, the most urgent first. Cached tiles are left alone, missing ones are
    /// rendered, running jobs that are not in the set are cancelled and their results dropped.
    void request(const std::shared_ptr<const HeadMap>& map, const std::vector<TileKey>& wanted);
    std::shared_ptr<const PixelTile> find(const TileKey& key) { return m_cache.find(key); }
    bool isIdle() const { return m_running.empty(); }

  Q_SIGNALS:
    void tileReady();

  private:
    void start(const std::shared_ptr<const HeadMap>& map, const TileKey& key);
    void finish(const TileKey& key, const CancelToken& cancel, std::shared_ptr<const PixelTile> tile);

    TileCache m_cache;
    std::unordered_map<TileKey, CancelToken, TileKeyHash> m_running;
    QThreadPool m_pool;
};

} // namespace headscope::ui
