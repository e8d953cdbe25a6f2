// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pin_runner.h"

#include "core/base/check.h"

#include <algorithm>
#include <utility>

namespace headscope::ui {

PinRunner::PinRunner(InferenceLane& lane, CompareController& comparing, QObject* parent)
    : QObject(parent), m_lane(lane), m_comparing(comparing) {
    connect(&m_lane, &InferenceLane::rerunFinished, this,
            [this](const std::shared_ptr<const Analysis>& analysis) { end(analysis, {}); });
    connect(&m_lane, &InferenceLane::rerunFailed, this, [this](const Failure& failure) {
        end(nullptr, QStringLiteral("%1 %2").arg(failure.sentence, failure.hint).trimmed());
    });
    connect(&m_lane, &InferenceLane::rerunProgressed, this, [this](double share) {
        m_share = std::clamp(share, 0.0, 1.0);
        Q_EMIT changed();
    });
}

void PinRunner::setModel(const std::shared_ptr<const OpenModel>& model, const ModelChoice& choice) {
    m_model = model;
    m_choice = choice;
}

bool PinRunner::isOpen(const ViewState& input) const {
    return m_model && input.model == m_choice;
}

bool PinRunner::wants(const PinnedHead& pin) const {
    if (pin.side.analysis) return false;
    if (m_hasAsked && pin.input.sameInput(m_asked)) return true;
    return m_unasked && pin.run == PinRun::Waiting && isOpen(pin.input);
}

void PinRunner::begin() {
    next();
}

void PinRunner::run(std::size_t pin) {
    HS_CHECK_LT(pin, m_comparing.pins().size());
    m_asked = m_comparing.pins()[pin].input;
    m_hasAsked = true;
    next();
}

void PinRunner::next() {
    if (m_busy) return;
    const auto& pins = m_comparing.pins();
    const auto found =
        std::find_if(pins.begin(), pins.end(), [this](const PinnedHead& pin) { return wants(pin); });
    if (found == pins.end()) {
        m_other.reset();
        return;
    }
    m_input = found->input;
    if (m_hasAsked && m_input.sameInput(m_asked)) m_hasAsked = false;
    m_busy = true;
    m_share = 0.0;
    InferenceLane::Rerun what{nullptr, m_input.model, m_input.textInput()};
    const bool isOther = m_other && m_otherInput.model == m_input.model;
    if (isOpen(m_input))
        what.model = m_model;
    else if (isOther)
        what.model = m_other;
    m_comparing.setRun(m_input, PinRun::Running);
    m_lane.rerun(what);
    Q_EMIT changed();
}

void PinRunner::end(const std::shared_ptr<const Analysis>& analysis, const QString& reason) {
    m_busy = false;
    if (analysis) {
        m_other = analysis->model == m_model ? nullptr : analysis->model;
        m_otherInput = m_input;
        m_comparing.fill(m_input, analysis);
    } else {
        m_comparing.setRun(m_input, PinRun::Failed, reason);
    }
    Q_EMIT changed();
    next();
}

void PinRunner::cancel() {
    m_unasked = false;
    m_hasAsked = false;
    if (!m_busy) return;
    m_lane.cancelRerun();
    m_busy = false;
    m_comparing.setRun(m_input, PinRun::Waiting);
    Q_EMIT changed();
}

} // namespace headscope::ui
