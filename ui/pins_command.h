// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pin_runner.h"

#include <QUndoCommand>

#include <memory>
#include <vector>

namespace headscope::ui {

/// Another list of pinned heads, or another of them that is compared. It keeps no run alive: a head whose run
/// is gone by the time it comes back is run again, as one of a session is.
class PinsCommand final : public QUndoCommand {
  public:
    /// `after` is there already.
    PinsCommand(const QString& label, PinRunner& runner, const PinSet& before, const PinSet& after);
    void undo() override { bring(m_before); }
    void redo() override;

  private:
    struct Kept {
        PinnedHead pin; ///< without its analysis
        std::weak_ptr<const Analysis> analysis;
    };
    struct KeptSet {
        std::vector<Kept> pins;
        std::size_t chosen = 0;
    };
    static KeptSet keep(const PinSet& set);
    void bring(const KeptSet& set);

    PinRunner& m_runner;
    KeptSet m_before;
    KeptSet m_after;
    bool m_isFirst = true;
};

} // namespace headscope::ui
