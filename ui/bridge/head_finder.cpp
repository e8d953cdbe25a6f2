// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/head_finder.h"

#include "ui/bridge/job_lane.h"

#include <utility>

namespace headscope::ui {

namespace {

FoundHeads findInCore(const Analysis& analysis, const CellQuestion& cell, const CancelToken& cancel) {
    FoundHeads found;
    translatingErrors([&] { found = findHeads(analysis, cell, cancel); });
    return found;
}

} // namespace

HeadFinder::HeadFinder(Function find, QObject* parent)
    : QObject(parent), m_find(find ? std::move(find) : Function(&findInCore)),
      m_mailbox(std::make_unique<Mailbox>(this)), m_lane(std::make_unique<JobLane>()) {}

HeadFinder::~HeadFinder() {
    m_cancel.cancel();
}

void HeadFinder::find(const AnalysisPtr& analysis, const CellQuestion& cell) {
    m_cancel.cancel();
    m_cancel = CancelToken();
    const quint64 run = ++m_run;
    m_busy = true;
    m_lane->submit([this, run, analysis, cell, cancel = m_cancel] {
        const auto end = [this, run](std::function<void()> signal) {
            m_mailbox->post([this, run, signal = std::move(signal)] {
                if (run != m_run) return;
                m_busy = false;
                signal();
            });
        };
        try {
            cancel.throwIfCancelled();
            auto heads = std::make_shared<const FoundHeads>(m_find(*analysis, cell, cancel));
            end([this, heads = std::move(heads)] { Q_EMIT found(heads); });
        } catch (...) {
            end([this, failure = failureOf(std::current_exception())] { Q_EMIT failed(failure); });
        }
    });
}

void HeadFinder::cancel() {
    m_cancel.cancel();
    ++m_run;
    m_busy = false;
}

void HeadFinder::customEvent(QEvent*) {
    m_mailbox->drain();
}

} // namespace headscope::ui
