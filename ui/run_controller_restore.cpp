// SPDX-License-Identifier: GPL-3.0-or-later
// The controller's part that takes a saved view over.
#include "ui/format.h"
#include "ui/run_controller.h"

#include <algorithm>
#include <utility>

namespace headscope::ui {

bool RunController::restore(const ViewState& view, const QString& subject) {
    const bool isOpen = m_model && view.model == m_opened;
    if (!isOpen) {
        openModel(view.model); // forgets what was to be restored before
        m_restoring = view;
        m_restoringFrom = subject;
        return true;
    }
    if (const auto failure = misfit(*m_model, view, subject)) {
        Q_EMIT failed(*failure);
        return false;
    }
    cancel(); // another model that is being opened, and the run of what is about to go
    m_restoring = view;
    const bool again = !m_shown.analysis || !m_shown.input.sameInput(view);
    if (again) {
        // A part of the map that was looked at is of the text that comes, not of the one that goes.
        m_shown = {};
        m_next = {};
        m_nextShown = false;
        m_count.reset();
    }
    finishRestore();
    if (!again) return true;
    Q_EMIT shownReset();
    m_runWhenCounted = true;
    requestCount();
    return true;
}

void RunController::restorePins(std::vector<PinnedHead> pins, std::size_t chosen) {
    m_pinRunner.cancel();
    m_comparing.restore(std::move(pins), chosen);
    if (m_shown.analysis) m_comparing.fill(m_shown.input, m_shown.analysis);
    m_pinRunner.expect();
    beginDiagnosis();
}

std::optional<Failure> RunController::misfit(const OpenModel& model, const ViewState& view,
                                             const QString& subject) {
    if (!model.model) return std::nullopt;
    const auto& stacks = model.spec().stacks;
    const auto found = std::find_if(stacks.begin(), stacks.end(),
                                    [&view](const StackSpec& stack) { return stack.kind == view.kind; });
    const QString name = QString::fromStdString(model.name);
    if (found == stacks.end())
        return Failure{
            tr("%1: the view is of %2, which %3 does not have.").arg(subject, kindText(view.kind), name),
            tr("The model may have changed since it was saved.")};
    if (view.layer < found->layers && view.head < found->heads) return std::nullopt;
    return Failure{tr("%1: the view is of head %2.%3, expected layers 0 to %4 and heads 0 to %5 of %6.")
                       .arg(subject)
                       .arg(view.layer)
                       .arg(view.head)
                       .arg(found->layers - 1)
                       .arg(found->heads - 1)
                       .arg(name),
                   tr("The model may have changed since it was saved.")};
}

void RunController::finishRestore() {
    const ViewState view = *std::exchange(m_restoring, std::nullopt);
    m_store.replace(view);
    m_countTimer.stop(); // the caller counts at once
    Q_EMIT restored();
}

} // namespace headscope::ui
