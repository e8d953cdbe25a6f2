// SPDX-License-Identifier: GPL-3.0-or-later
// The lane's part that compares heads whose maps are there.
#include "ui/bridge/inference_lane.h"
#include "ui/bridge/job_lane.h"

#include <utility>

namespace headscope::ui {

void InferenceLane::compare(const ComparedSide& first, const ComparedSide& second) {
    m_compareCancel.cancel();
    m_compareCancel = CancelToken();
    const quint64 run = ++m_compareRun;
    m_comparing = true;
    m_compareLane->submit([this, run, first, second, cancel = m_compareCancel] {
        const auto end = [this, run](std::function<void()> signal) {
            report(m_compareRun, run, [this, signal = std::move(signal)] {
                m_comparing = false;
                signal();
            });
        };
        try {
            cancel.throwIfCancelled();
            auto found = std::make_shared<const HeadComparison>(m_engine.compare(first, second, cancel));
            end([this, found = std::move(found)] { Q_EMIT compared(found); });
        } catch (...) {
            end([this, failure = failureOf(std::current_exception())] { Q_EMIT compareFailed(failure); });
        }
    });
}

void InferenceLane::cancelCompare() {
    if (!m_comparing) return;
    m_compareCancel.cancel();
    ++m_compareRun;
    m_comparing = false;
}

void InferenceLane::findSimilar(const ComparedSide& head) {
    m_similarCancel.cancel();
    m_similarCancel = CancelToken();
    const quint64 run = ++m_similarRun;
    m_findingSimilar = true;
    m_similarLane->submit([this, run, head, cancel = m_similarCancel] {
        const auto end = [this, run](std::function<void()> signal) {
            report(m_similarRun, run, [this, signal = std::move(signal)] {
                m_findingSimilar = false;
                signal();
            });
        };
        try {
            cancel.throwIfCancelled();
            auto found = std::make_shared<const SimilarHeads>(m_engine.similar(head, cancel));
            end([this, found = std::move(found)] { Q_EMIT similarFound(found); });
        } catch (...) {
            end([this, failure = failureOf(std::current_exception())] { Q_EMIT similarFailed(failure); });
        }
    });
}

void InferenceLane::cancelSimilar() {
    if (!m_findingSimilar) return;
    m_similarCancel.cancel();
    ++m_similarRun;
    m_findingSimilar = false;
}

} // namespace headscope::ui
