// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/raster/margins.h"

#include <QObject>
#include <QThreadPool>

#include <memory>

namespace headscope::ui {

/// Makes the margins of one map at a time, off the GUI thread: they read every cell.
class MarginLoader final : public QObject {
    Q_OBJECT
  public:
    explicit MarginLoader(QObject* parent = nullptr);
    ~MarginLoader() override;

    /// Null: nothing is wanted. What was begun for another map is cancelled.
    void setMap(std::shared_ptr<const HeadMap> map);
    /// Of the map that is wanted; null until they are there.
    const std::shared_ptr<const MapMargins>& margins() const { return m_margins; }

    bool isIdle() const { return !m_busy; }

  Q_SIGNALS:
    void ready(); ///< margins() are there, or could not be made

  private:
    std::shared_ptr<const HeadMap> m_map;
    std::shared_ptr<const MapMargins> m_margins;
    CancelToken m_cancel;
    bool m_busy = false;
    QThreadPool m_pool;
};

} // namespace headscope::ui
