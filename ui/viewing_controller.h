// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/inference_lane.h"

#include <QObject>
#include <QString>

#include <memory>

namespace headscope::ui {

/// What the map card shows when that is no plain head.
struct Viewing {
    enum class Stage {
        Plain, ///< a head itself, or nothing
        Making,
        Cancelled,
        Failed,
        Made
    };

    Stage stage = Stage::Plain;
    ViewRequest request;
    std::shared_ptr<const ViewedMap> made;
    QString reason; ///< why it failed
};

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
