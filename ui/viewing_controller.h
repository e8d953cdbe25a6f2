// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/inference_lane.h"
#include "ui/viewing.h"

#include <QObject>

namespace headscope::ui {

/// Keeps what was asked for and what was made of it. The latest request wins; one that is asked for again is
/// not made again.
class ViewingController final : public QObject {
    Q_OBJECT

  public:
    explicit ViewingController(InferenceLane& lane, QObject* parent = nullptr);

    /// Without an analysis, or with a plain view: nothing is made.
    void setWanted(const ViewRequest& request);
    void cancel();
    void again(); ///< after a cancel or a failure

    bool isBusy() const { return m_lane.isViewing(); }
    const Viewing& now() const { return m_now; }

  Q_SIGNALS:
    void changed();

  private:
    InferenceLane& m_lane;
    Viewing m_now;
};

} // namespace headscope::ui
