// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/find_heads.h"
#include "ui/bridge/failure.h"

#include <QObject>

#include <functional>
#include <memory>

namespace headscope::ui {

class JobLane;
class Mailbox;

/// Finds heads by one cell on a lane of its own: it reads maps that are there and calls no torch operator.
/// The latest question wins; what still comes of an older one is dropped.
class HeadFinder final : public QObject {
    Q_OBJECT

  public:
    using AnalysisPtr = std::shared_ptr<const Analysis>;
    using Function = std::function<FoundHeads(const Analysis&, const CellQuestion&, const CancelToken&)>;

    /// `find`: null is the core's; tests put slow or failing ones here.
    explicit HeadFinder(Function find = {}, QObject* parent = nullptr);
    /// Cancels and waits for the lane.
    ~HeadFinder() override;

    void find(const AnalysisPtr& analysis, const CellQuestion& cell);
    void cancel(); ///< nothing is said
    bool isBusy() const { return m_busy; }

  Q_SIGNALS:
    void found(const std::shared_ptr<const headscope::FoundHeads>& heads);
    void failed(const headscope::ui::Failure& failure);

  protected:
    void customEvent(QEvent* event) override;

  private:
    Function m_find;
    quint64 m_run = 0; // read and written on the thread of this object only
    bool m_busy = false;
    CancelToken m_cancel;
    std::unique_ptr<Mailbox> m_mailbox;
    std::unique_ptr<JobLane> m_lane; // last: its thread ends before anything it uses goes
};

} // namespace headscope::ui
