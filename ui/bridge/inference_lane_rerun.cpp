// SPDX-License-Identifier: GPL-3.0-or-later
// The lane's part that runs texts beside what the window shows.
#include "ui/bridge/inference_lane.h"
#include "ui/bridge/job_lane.h"

#include <utility>

namespace headscope::ui {

void InferenceLane::rerun(const Rerun& what) {
    m_rerunCancel.cancel();
    m_rerunning = true;
    submitRerun(++m_rerunRun, what);
}

/// As a step of a diagnosis: submitted from the GUI thread with a token of its own.
void InferenceLane::submitRerun(quint64 run, const Rerun& what) {
    m_rerunCancel = CancelToken();
    m_lane->submitLater([this, run, what, cancel = m_rerunCancel] {
        const auto end = [this, run](std::function<void()> signal) {
            report(m_rerunRun, run, [this, signal = std::move(signal)] {
                m_rerunning = false;
                signal();
            });
        };
        try {
            cancel.throwIfCancelled();
            auto analysis = runBeside(run, what, cancel);
            end([this, analysis = std::move(analysis)] { Q_EMIT rerunFinished(analysis); });
        } catch (...) {
            const Failure failure = failureOf(std::current_exception());
            if (failure.cancelled && cancel.isCancelled()) {
                report(m_rerunRun, run, [this, run, what] { submitRerun(run, what); });
            } else {
                end([this, failure] { Q_EMIT rerunFailed(failure); });
            }
        }
    });
}

/// On the lane.
InferenceLane::AnalysisPtr InferenceLane::runBeside(quint64 run, const Rerun& what,
                                                    const CancelToken& cancel) {
    const double opening = what.model ? 0.0 : 0.5; // the share of it, at a guess
    const auto tell = [this, run](double from, double to) {
        return [this, run, from, to](const Progress& progress) {
            if (progress.total <= 0) return;
            const double done = static_cast<double>(progress.done) / static_cast<double>(progress.total);
            report(m_rerunRun, run,
                   [this, share = from + (to - from) * done] { Q_EMIT rerunProgressed(share); });
        };
    };
    ModelPtr model = what.model;
    if (!model) model = m_engine.open(what.choice.file(), what.choice.rules(), cancel, tell(0.0, opening));
    AnalysisEvents events;
    events.tokens = [](const TokenizedText&, const std::optional<TokenizedText>&) {};
    events.layer = [](const std::shared_ptr<const LayerResult>&) {};
    events.progress = tell(opening, 1.0);
    return m_engine.analyse({model, fittedTo(model->spec(), what.input)}, events, cancel);
}

void InferenceLane::cancelRerun() {
    if (!m_rerunning) return;
    m_rerunCancel.cancel();
    ++m_rerunRun;
    m_rerunning = false;
}

void InferenceLane::setThreads(int threads) {
    // LibTorch keeps the number for each thread: the lane's is what counts, this one's is what is said.
    if (m_engine.setThreads) m_engine.setThreads(threads);
    m_lane->submit([this, threads] {
        if (m_engine.setThreads) m_engine.setThreads(threads);
    });
}

} // namespace headscope::ui
