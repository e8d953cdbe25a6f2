// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/inference_lane.h"

#include "ui/bridge/job_lane.h"

#include <QCoreApplication>
#include <QEvent>
#include <QFile>

#include <utility>

namespace headscope::ui {
namespace {

Failure cancelledFailure() {
    return {QCoreApplication::translate("InferenceLane", "Cancelled."), QString(), true};
}

} // namespace

InferenceLane::InferenceLane(Engine engine, QObject* parent)
    : QObject(parent), m_engine(std::move(engine)), m_mailbox(std::make_unique<Mailbox>(this)),
      m_textLane(std::make_unique<JobLane>()), m_lane(std::make_unique<JobLane>()) {
    for (Latest* job : {&m_comparison, &m_similar, &m_find, &m_view, &m_besideView})
        job->lane = std::make_unique<JobLane>();
}

InferenceLane::~InferenceLane() {
    m_openCancel.cancel();
    m_countCancel.cancel();
    m_analysisCancel.cancel();
    m_stepCancel.cancel();
    for (const Latest* job : {&m_comparison, &m_similar, &m_find, &m_view, &m_besideView})
        job->cancel.cancel();
    m_rerunCancel.cancel();
}

void InferenceLane::customEvent(QEvent*) {
    // Only the mailbox sends events here. The event itself is not looked at: drain()'s lock is what orders it
    // after the worker that made it.
    m_mailbox->drain();
}

void InferenceLane::report(const quint64& current, quint64 run, std::function<void()> signal) {
    // `current` is a member: it is read on the GUI thread, when the message is run.
    m_mailbox->post([&current, run, signal = std::move(signal)] {
        if (run == current) signal();
    });
}

void InferenceLane::open(const ModelChoice& choice) {
    cancelRun();
    m_openCancel.cancel();
    m_openCancel = CancelToken();
    const quint64 run = ++m_openRun;
    m_opening = true;
    giveWay();
    Q_EMIT openStarted();
    m_lane->submit([this, run, choice, cancel = m_openCancel] {
        // Ends the state first, so that a slot that asks sees it idle.
        const auto end = [this, run](std::function<void()> signal) {
            report(m_openRun, run, [this, signal = std::move(signal)] {
                m_opening = false;
                signal();
            });
        };
        try {
            cancel.throwIfCancelled();
            const auto tell = [this, run](const Progress& progress) {
                report(m_openRun, run, [this, progress] { Q_EMIT openProgressed(progress); });
            };
            auto model = m_engine.open(choice.file(), choice.rules(), cancel, tell);
            end([this, model = std::move(model)] { Q_EMIT modelOpened(model); });
        } catch (...) {
            end([this, failure = failureOf(std::current_exception())] { Q_EMIT openFailed(failure); });
        }
    });
}

void InferenceLane::count(const ModelPtr& model, const TextInput& input) {
    m_countCancel.cancel();
    m_countCancel = CancelToken();
    const quint64 run = ++m_countRun;
    m_textLane->submit([this, run, model, input, cancel = m_countCancel] {
        if (cancel.isCancelled()) return;
        try {
            auto text = m_engine.tokenize(*model, input);
            report(m_countRun, run, [this, text = std::move(text)] { Q_EMIT counted(text); });
        } catch (...) {
            report(m_countRun, run,
                   [this, failure = failureOf(std::current_exception())] { Q_EMIT countFailed(failure); });
        }
    });
}

void InferenceLane::analyse(const AnalysisRequest& request) {
    m_analysisCancel.cancel();
    m_analysisCancel = CancelToken();
    const quint64 run = ++m_analysisRun;
    m_running = true;
    giveWay();
    Q_EMIT runStarted();
    m_lane->submit([this, run, request, cancel = m_analysisCancel] { runAnalysis(run, request, cancel); });
}

void InferenceLane::runAnalysis(quint64 run, const AnalysisRequest& request, const CancelToken& cancel) {
    const auto end = [this, run](std::function<void()> signal) {
        report(m_analysisRun, run, [this, signal = std::move(signal)] {
            m_running = false;
            signal();
        });
    };
    AnalysisEvents events;
    events.tokens = [this, run](const TokenizedText& text, const std::optional<TokenizedText>& target) {
        report(m_analysisRun, run, [this, text, target] { Q_EMIT tokensReady(text, target); });
    };
    events.layer = [this, run](std::shared_ptr<const LayerResult> layer) {
        report(m_analysisRun, run, [this, layer = std::move(layer)] { Q_EMIT layerReady(layer); });
    };
    events.progress = [this, run](const Progress& progress) {
        report(m_analysisRun, run, [this, progress] { Q_EMIT runProgressed(progress); });
    };
    try {
        cancel.throwIfCancelled();
        auto analysis = m_engine.analyse(request, events, cancel);
        end([this, analysis = std::move(analysis)] { Q_EMIT runFinished(analysis); });
    } catch (...) {
        end([this, failure = failureOf(std::current_exception())] { Q_EMIT runFailed(failure); });
    }
}

void InferenceLane::cancelOpen() {
    if (!m_opening) return;
    m_openCancel.cancel();
    // The number moves on at once: the window is free again even while the lane is still noticing.
    ++m_openRun;
    m_opening = false;
    Q_EMIT openFailed(cancelledFailure());
}

void InferenceLane::cancelRun() {
    if (!m_running) return;
    m_analysisCancel.cancel();
    ++m_analysisRun;
    m_running = false;
    Q_EMIT runFailed(cancelledFailure());
}

quint64 InferenceLane::beginDiagnosis() {
    m_stepCancel.cancel();
    m_diagnosing = true;
    return ++m_diagnosisRun;
}

void InferenceLane::planDiagnosis(const ModelPtr& model, const QString& file) {
    const quint64 run = beginDiagnosis();
    const std::filesystem::path path(QFile::encodeName(file).toStdString());
    submitStep(run, [this, run, model, path](const CancelToken&) {
        auto plan = m_engine.planDiagnosis(*model, path);
        endStep(run, [this, plan = std::move(plan)] { Q_EMIT diagnosisPlanned(plan); });
    });
}

void InferenceLane::diagnose(const ModelPtr& model, const DiagnosisPlan& plan) {
    const quint64 run = beginDiagnosis();
    auto reader = m_engine.startDiagnosis(model, plan);
    Q_EMIT diagnosisStarted();
    submitText(run, reader, plan.texts.size());
}

void InferenceLane::submitText(quint64 run, const std::shared_ptr<DiagnosisReader>& reader,
                               std::size_t texts) {
    submitStep(run, [this, run, reader, texts](const CancelToken& cancel) {
        const auto total = static_cast<qint64>(texts);
        const auto tell = [this, run, total, text = static_cast<qint64>(reader->done())](double within) {
            report(m_diagnosisRun, run, [=, this] { Q_EMIT diagnosisProgressed(text, total, within); });
        };
        tell(0.0);
        reader->readNext(
            [&tell](const Progress& progress) {
                if (progress.total > 0)
                    tell(static_cast<double>(progress.done) / static_cast<double>(progress.total));
            },
            cancel);
        if (reader->done() == texts) {
            endStep(run, [this, diagnosis = reader->finish()] { Q_EMIT diagnosisFinished(diagnosis); });
        } else {
            report(m_diagnosisRun, run, [=, this] { submitText(run, reader, texts); });
        }
    });
}

/// The next step is always submitted from the GUI thread, with a token of its own: so giveWay() reaches the
/// step that is on the lane whenever it is called.
void InferenceLane::submitStep(quint64 run, const Step& step) {
    m_stepCancel = CancelToken();
    m_lane->submitLater([this, run, step, cancel = m_stepCancel] {
        try {
            cancel.throwIfCancelled();
            step(cancel);
        } catch (...) {
            const Failure failure = failureOf(std::current_exception());
            if (failure.cancelled && cancel.isCancelled()) {
                report(m_diagnosisRun, run, [this, run, step] { submitStep(run, step); });
            } else {
                endStep(run, [this, failure] { Q_EMIT diagnosisFailed(failure); });
            }
        }
    });
}

void InferenceLane::endStep(quint64 run, std::function<void()> signal) {
    report(m_diagnosisRun, run, [this, signal = std::move(signal)] {
        m_diagnosing = false;
        signal();
    });
}

void InferenceLane::giveWay() {
    if (m_diagnosing) m_stepCancel.cancel();
    if (m_rerunning) m_rerunCancel.cancel();
}

void InferenceLane::cancelDiagnosis() {
    if (!m_diagnosing) return;
    m_stepCancel.cancel();
    ++m_diagnosisRun;
    m_diagnosing = false;
}

} // namespace headscope::ui
