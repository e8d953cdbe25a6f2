// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/inference_lane.h"
#include "ui/compare_controller.h"

#include <QObject>

#include <set>

namespace headscope::ui {

/// Runs the texts of pinned heads that a session brought, one after another, when the lane has nothing else
/// to do: those of the open model by itself, those of another model when the user asks (it may be large).
class PinRunner final : public QObject {
    Q_OBJECT

  public:
    PinRunner(InferenceLane& lane, CompareController& comparing, QObject* parent = nullptr);

    /// Which model is open, and from where.
    void setModel(const std::shared_ptr<const OpenModel>& model, const ModelChoice& choice);
    void expect() { m_unasked = true; } ///< pins were restored
    void begin();                       ///< what needs no other model; nothing after a cancel
    void run(std::size_t pin);          ///< whatever model it needs
    /// What runs and what waits behind it: they can be run one by one.
    void cancel();

    CompareController& comparing() { return m_comparing; } ///< whose pins these are
    bool isBusy() const { return m_busy; }
    double share() const { return m_share; } ///< of the run in progress, 0 to 1

  Q_SIGNALS:
    void changed(); ///< busy or not, how far

  private:
    bool wants(const PinnedHead& pin) const;
    bool isOpen(const ViewState& input) const;
    void next();
    void end(const std::shared_ptr<const Analysis>& analysis, const QString& reason);

    InferenceLane& m_lane;
    CompareController& m_comparing;
    std::shared_ptr<const OpenModel> m_model;
    ModelChoice m_choice;
    bool m_unasked = false; ///< those of the open model are run by themselves
    ViewState m_asked;      ///< what the user wants to be run
    bool m_hasAsked = false;
    ViewState m_input;                        ///< that is being run
    std::shared_ptr<const OpenModel> m_other; ///< the last model that was opened for a pin
    ViewState m_otherInput;                   ///< from where
    bool m_busy = false;
    double m_share = 0.0;
};

} // namespace headscope::ui
