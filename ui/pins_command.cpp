// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pins_command.h"

#include <utility>

namespace headscope::ui {

PinsCommand::PinsCommand(const QString& label, PinRunner& runner, const PinSet& before, const PinSet& after)
    : QUndoCommand(label), m_runner(runner), m_before(keep(before)), m_after(keep(after)) {}

void PinsCommand::redo() {
    if (!std::exchange(m_isFirst, false)) bring(m_after);
}

PinsCommand::KeptSet PinsCommand::keep(const PinSet& set) {
    KeptSet kept{{}, set.chosen};
    for (const PinnedHead& pin : set.pins) {
        kept.pins.push_back({pin, pin.side.analysis});
        kept.pins.back().pin.side.analysis.reset();
    }
    return kept;
}

void PinsCommand::bring(const KeptSet& set) {
    PinSet pins{{}, set.chosen};
    for (const Kept& kept : set.pins) {
        pins.pins.push_back(kept.pin);
        PinnedHead& pin = pins.pins.back();
        pin.side.analysis = kept.analysis.lock();
        if (!pin.side.analysis && pin.run != PinRun::Failed) pin.run = PinRun::Waiting;
    }
    m_runner.comparing().setPinSet(std::move(pins));
    m_runner.expect();
    m_runner.begin();
}

} // namespace headscope::ui
