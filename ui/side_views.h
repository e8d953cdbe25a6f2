// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/inference_lane.h"
#include "ui/viewing.h"

#include <QObject>

#include <vector>

namespace headscope::ui {

/// What views make of the heads that stand beside the current one: one map after another, each kept as long
/// as it is wanted.
class SideViews final : public QObject {
    Q_OBJECT

  public:
    explicit SideViews(InferenceLane& lane, QObject* parent = nullptr);

    /// In the order in which they are made; plain ones need nothing. Without `make` only what is there is
    /// kept.
    void setWanted(const std::vector<ViewRequest>& requests, bool make);
    void cancel(); ///< what is being made and what waits behind it
    void again();  ///< all that was cancelled or failed

    bool isBusy() const { return m_lane.isViewingBeside(); }
    Viewing find(const ViewRequest& request) const; ///< Plain for what is not wanted

  Q_SIGNALS:
    void changed();

  private:
    void next();
    void end(Viewing::Stage stage, std::shared_ptr<const ViewedMap> made, const QString& reason);

    InferenceLane& m_lane;
    std::vector<Viewing> m_views;
    ViewRequest m_making; ///< without an analysis: none
    bool m_make = false;
};

} // namespace headscope::ui
