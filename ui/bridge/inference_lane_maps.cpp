// SPDX-License-Identifier: GPL-3.0-or-later
// The lane's part that works on maps that are there: it calls no torch operator.
#include "ui/bridge/inference_lane.h"
#include "ui/bridge/job_lane.h"

#include <utility>

namespace headscope::ui {

void InferenceLane::begin(Latest& job, std::function<Signal(const CancelToken&)> work,
                          std::function<void(const Failure&)> failed) {
    job.cancel.cancel();
    job.cancel = CancelToken();
    job.busy = true;
    job.lane->submit([this, &job, run = ++job.run, work = std::move(work), failed = std::move(failed),
                      cancel = job.cancel] {
        const auto end = [this, &job, run](Signal signal) {
            report(job.run, run, [&job, signal = std::move(signal)] {
                job.busy = false;
                signal();
            });
        };
        try {
            cancel.throwIfCancelled();
            end(work(cancel));
        } catch (...) {
            end([failed, failure = failureOf(std::current_exception())] { failed(failure); });
        }
    });
}

void InferenceLane::forget(Latest& job) {
    if (!job.busy) return;
    job.cancel.cancel();
    ++job.run;
    job.busy = false;
}

void InferenceLane::compare(const ComparedSide& first, const ComparedSide& second) {
    begin(
        m_comparison,
        [this, first, second](const CancelToken& cancel) -> Signal {
            auto found = std::make_shared<const HeadComparison>(m_engine.compare(first, second, cancel));
            return [this, found] { Q_EMIT compared(found); };
        },
        [this](const Failure& failure) { Q_EMIT compareFailed(failure); });
}

void InferenceLane::findSimilar(const ComparedSide& head) {
    begin(
        m_similar,
        [this, head, run = m_similar.run + 1](const CancelToken& cancel) -> Signal {
            const auto tell = [this, run](const Progress& progress) {
                if (progress.total <= 0) return;
                const double share = static_cast<double>(progress.done) / static_cast<double>(progress.total);
                report(m_similar.run, run, [this, share] { Q_EMIT similarProgressed(share); });
            };
            auto found = std::make_shared<const SimilarHeads>(m_engine.similar(head, tell, cancel));
            return [this, found] { Q_EMIT similarFound(found); };
        },
        [this](const Failure& failure) { Q_EMIT similarFailed(failure); });
}

void InferenceLane::find(const AnalysisPtr& analysis, const CellQuestion& cell) {
    begin(
        m_find,
        [this, analysis, cell](const CancelToken& cancel) -> Signal {
            auto found = std::make_shared<const FoundHeads>(m_engine.find(*analysis, cell, cancel));
            return [this, found] { Q_EMIT headsFound(found); };
        },
        [this](const Failure& failure) { Q_EMIT findFailed(failure); });
}

void InferenceLane::view(const ViewRequest& request) {
    begin(
        m_view,
        [this, request](const CancelToken& cancel) -> Signal {
            auto made = std::make_shared<const ViewedMap>(m_engine.view(request, cancel));
            return [this, made] { Q_EMIT viewed(made); };
        },
        [this](const Failure& failure) { Q_EMIT viewFailed(failure); });
}

void InferenceLane::viewBeside(const ViewRequest& request) {
    begin(
        m_besideView,
        [this, request](const CancelToken& cancel) -> Signal {
            auto made = std::make_shared<const ViewedMap>(m_engine.view(request, cancel));
            return [this, made] { Q_EMIT viewedBeside(made); };
        },
        [this](const Failure& failure) { Q_EMIT viewBesideFailed(failure); });
}

void InferenceLane::cancelCompare() {
    forget(m_comparison);
}

void InferenceLane::cancelSimilar() {
    forget(m_similar);
}

void InferenceLane::cancelFind() {
    forget(m_find);
}

void InferenceLane::cancelView() {
    forget(m_view);
}

void InferenceLane::cancelViewBeside() {
    forget(m_besideView);
}

} // namespace headscope::ui
