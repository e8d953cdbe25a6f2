// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_controller.h"

#include "core/analysis/export_part.h"
#include "ui/format.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace headscope::ui {

const HeadResult* ShownRun::find(const HeadRef& head) const {
    for (const auto& layer : layers) {
        if (layer->kind != head.kind || layer->layer != head.layer) continue;
        const auto index = static_cast<std::size_t>(head.head.value);
        return head.head.value >= 0 && index < layer->heads.size() ? &layer->heads[index] : nullptr;
    }
    return nullptr;
}

std::shared_ptr<const Axis> ShownRun::queries(AttentionKind kind) const {
    const bool decoder = kind == AttentionKind::Decoder || kind == AttentionKind::Cross;
    if (decoder && target) return target->axis;
    return text ? text->axis : nullptr;
}

std::shared_ptr<const Axis> ShownRun::keys(AttentionKind kind) const {
    if (kind == AttentionKind::Decoder && target) return target->axis;
    return text ? text->axis : nullptr;
}

RunController::RunController(Engine engine, ViewStore& store, QObject* parent)
    : QObject(parent), m_store(store), m_lane(std::move(engine)), m_diagnosis(m_lane), m_comparing(m_lane),
      m_viewing(m_lane), m_pinRunner(m_lane, m_comparing) {
    for (QTimer* timer : {&m_countTimer, &m_runTimer, &m_partialTimer}) {
        timer->setSingleShot(true);
    }
    m_countTimer.setInterval(kCountPause);
    m_runTimer.setInterval(kRunPause);
    m_partialTimer.setInterval(kPartialPause);
    connect(&m_countTimer, &QTimer::timeout, this, &RunController::requestCount);
    connect(&m_runTimer, &QTimer::timeout, this, [this] {
        if (canRun() && isStale()) run();
    });
    connect(&m_partialTimer, &QTimer::timeout, this, &RunController::showPartial);
    connect(&m_store, &ViewStore::changed, this, &RunController::onStateChanged);
    connectLane();
}

void RunController::connectLane() {
    connect(&m_lane, &InferenceLane::openStarted, this, [this] {
        Q_EMIT busyChanged();
        Q_EMIT progressed(tr("Opening %1…").arg(QFileInfo(m_opening.path).fileName()), 0, 0);
    });
    connect(&m_lane, &InferenceLane::openProgressed, this, [this](const Progress& progress) {
        Q_EMIT progressed(tr("Opening %1…").arg(QFileInfo(m_opening.path).fileName()), progress.done,
                          progress.total);
    });
    connect(&m_lane, &InferenceLane::modelOpened, this, &RunController::onModelOpened);
    connect(&m_lane, &InferenceLane::openFailed, this, [this](const Failure& failure) {
        const ModelChoice asked = std::exchange(m_opening, {});
        m_restoring.reset();
        if (m_model) keepModelInState();
        Q_EMIT busyChanged();
        if (failure.cancelled) {
            Q_EMIT cancelled();
        } else {
            resume(); // first: what begins takes the sentence of what was before away
            Q_EMIT openFailed(asked, failure);
        }
    });
    connect(&m_lane, &InferenceLane::counted, this, &RunController::onCounted);
    connect(&m_lane, &InferenceLane::countFailed, this, [this](const Failure& failure) {
        m_count.reset();
        m_counting = false;
        m_runWhenCounted = false;
        beginDiagnosis();
        Q_EMIT countFailed(failure.hint.isEmpty() ? failure.sentence
                                                  : failure.sentence + QLatin1Char(' ') + failure.hint);
    });
    connect(&m_lane, &InferenceLane::runStarted, this, [this] {
        Q_EMIT busyChanged();
        Q_EMIT progressed(tr("Analysing…"), 0, 0);
    });
    connect(&m_lane, &InferenceLane::tokensReady, this,
            [this](const TokenizedText& text, const std::optional<TokenizedText>& target) {
                m_next.text = text;
                m_next.target = target;
                m_partialTimer.start();
            });
    connect(&m_lane, &InferenceLane::layerReady, this,
            [this](const std::shared_ptr<const LayerResult>& layer) {
                m_next.layers.push_back(layer);
                if (!m_nextShown) return;
                m_shown.layers.push_back(layer);
                Q_EMIT layerShown(layer);
            });
    connect(&m_lane, &InferenceLane::runProgressed, this, [this](const Progress& progress) {
        const QString words = progress.unit == "layer" ? tr("Analysing: layer %1 of %2")
                                                       : tr("Writing the target: token %1 of at most %2");
        Q_EMIT progressed(words.arg(progress.done).arg(progress.total), progress.done, progress.total);
    });
    connect(&m_lane, &InferenceLane::runFinished, this, &RunController::onRunFinished);
    connect(&m_lane, &InferenceLane::runFailed, this, &RunController::onRunFailed);
}

void RunController::openModel(const ModelChoice& choice) {
    m_restoring.reset();
    m_resume = m_resume || isRunning() || m_runTimer.isActive() || m_runWhenCounted;
    m_runTimer.stop();
    m_opening = choice;
    m_lane.open(choice);
}

void RunController::onModelOpened(const std::shared_ptr<const OpenModel>& model) {
    if (m_restoring) {
        if (const auto failure = misfit(*model, *m_restoring, m_restoringFrom)) {
            m_restoring.reset();
            m_opening = {};
            Q_EMIT busyChanged();
            resume();
            Q_EMIT failed(*failure);
            return;
        }
    }
    takeOver(model);
}

void RunController::takeOver(const std::shared_ptr<const OpenModel>& model) {
    const bool first = m_model == nullptr;
    m_model = model;
    m_opened = std::exchange(m_opening, {});
    m_shown = {};
    m_next = {};
    m_nextShown = false;
    m_resume = false;
    m_count.reset();
    m_counting = false;
    for (const std::string& note : model->notes) {
        Q_EMIT noted(tr("note: %1").arg(QString::fromStdString(note)));
    }
    if (model->model && !model->imported) {
        for (const std::string& advice : headSizeAdvice(model->spec())) {
            Q_EMIT noted(tr("note: %1").arg(QString::fromStdString(advice)));
        }
    }
    if (m_restoring) {
        finishRestore();
    } else if (first) {
        keepModelInState(); // there is nothing to go back to
    } else {
        m_store.change(tr("Open model"), MergeGroup::None,
                       [this](ViewState& state) { state.model = m_opened; });
    }
    clampHead();
    m_diagnosis.setModel(model);
    m_pinRunner.setModel(model, m_opened);
    Q_EMIT busyChanged();
    Q_EMIT modelChanged();
    // A model that was just opened shows its first map without being asked.
    if (hasMaps()) {
        run();
        return;
    }
    m_runWhenCounted = true;
    requestCount();
}

void RunController::resume() {
    const bool isWhole = m_shown.analysis && !isStale();
    if (!std::exchange(m_resume, false) || !m_model || isWhole) return;
    if (canRun()) {
        run();
    } else {
        m_runWhenCounted = true;
        requestCount();
    }
}

void RunController::keepModelInState() {
    m_store.adjust([this](ViewState& state) { state.model = m_opened; });
}

void RunController::onStateChanged(const ViewState& before, const ViewState& after) {
    if (before.model != after.model && after.model != m_opened) {
        if (!after.model.path.isEmpty()) {
            openModel(after.model);
        } else if (m_model) {
            // Undone to before the first model was open: the model stays, everything else goes back.
            keepModelInState();
        }
    }
    if (before.sameInput(after)) return;
    if (hasMaps()) return; // whose text is what it is
    m_lane.cancelRun();
    m_runTimer.stop();
    m_countTimer.start();
    Q_EMIT busyChanged();
}

void RunController::requestCount() {
    m_countTimer.stop();
    if (!m_model || !m_model->tokenizer) {
        m_runWhenCounted = false;
        beginDiagnosis(); // which waited for this
        return;
    }
    m_counting = true;
    m_lane.count(m_model, fittedTo(m_model->spec(), m_store.state().textInput()));
}

void RunController::onCounted(const TokenizedText& text) {
    m_count = text;
    m_counting = false;
    Q_EMIT countChanged();
    const bool now = std::exchange(m_runWhenCounted, false);
    if (isOpening()) m_resume = m_resume || now || m_runWhileTyping;
    if (m_store.state().text.isEmpty() || !canRun() || !isStale()) {
        beginDiagnosis();
    } else if (now) {
        run();
    } else {
        scheduleRun();
    }
}

void RunController::beginDiagnosis() {
    if (!m_model || !isSettled()) return;
    m_pinRunner.begin();
    m_diagnosis.begin();
}

void RunController::scheduleRun() {
    if (m_runWhileTyping) m_runTimer.start(std::max(0, kRunPause - kCountPause));
}

void RunController::setRunWhileTyping(bool on) {
    m_runWhileTyping = on;
    if (!on) {
        m_runTimer.stop();
    } else if (canRun() && isStale() && !isBusy()) {
        scheduleRun();
    }
}

void RunController::run() {
    if (!m_model || (!m_model->tokenizer && !hasMaps()) || isOpening()) return;
    m_runTimer.stop();
    m_partialTimer.stop();
    m_next = {};
    m_next.input = m_store.state();
    m_nextShown = false;
    m_lane.analyse({m_model, fittedTo(m_model->spec(), m_store.state().textInput())});
}

void RunController::cancel() {
    m_runTimer.stop();
    m_runWhenCounted = false;
    m_resume = false;
    m_lane.cancelOpen();
    m_lane.cancelRun();
}

void RunController::showPartial() {
    if (!isRunning() || m_nextShown) return;
    m_nextShown = true;
    const Extent before = shownExtent();
    m_shown = m_next;
    fitStateToTokens(before);
    Q_EMIT shownReset();
    for (const auto& layer : m_shown.layers) {
        Q_EMIT layerShown(layer);
    }
}

void RunController::onRunFinished(const std::shared_ptr<const Analysis>& analysis) {
    m_partialTimer.stop();
    const Extent before = shownExtent();
    m_shown.input = m_next.input;
    m_shown.text = analysis->text;
    m_shown.target = analysis->target;
    m_shown.layers = analysis->layers;
    m_shown.analysis = analysis;
    m_next = {};
    m_nextShown = false;
    fitStateToTokens(before);
    for (const std::string& note : analysis->notes) {
        Q_EMIT noted(tr("note: %1").arg(QString::fromStdString(note)));
    }
    Q_EMIT busyChanged();
    m_comparing.fill(m_shown.input, analysis);
    Q_EMIT shownFinished();
    beginDiagnosis();
}

void RunController::onRunFailed(const Failure& failure) {
    m_partialTimer.stop();
    m_next = {};
    m_nextShown = false;
    Q_EMIT busyChanged();
    if (failure.cancelled) {
        Q_EMIT cancelled();
    } else {
        Q_EMIT failed(failure);
    }
    beginDiagnosis();
}

bool RunController::isSettled() const {
    return !isBusy() && !m_runWhenCounted && !m_counting && !m_runTimer.isActive() &&
           !m_countTimer.isActive() && !m_viewing.isBusy();
}

bool RunController::canRun() const {
    if (hasMaps()) return !isOpening();
    return m_model && m_model->tokenizer && !isOpening() && m_count && m_count->fits();
}

bool RunController::isStale() const {
    return !m_shown.text || (!hasMaps() && !m_shown.input.sameInput(m_store.state()));
}

const StackSpec* RunController::stack() const {
    if (!m_model || !m_model->model || m_model->spec().stacks.empty()) return nullptr;
    const auto& stacks = m_model->spec().stacks;
    const auto found = std::find_if(stacks.begin(), stacks.end(),
                                    [this](const StackSpec& s) { return s.kind == m_store.state().kind; });
    if (found != stacks.end()) return &*found;
    const AttentionKind usual = defaultKind(m_model->spec());
    return &*std::find_if(stacks.begin(), stacks.end(),
                          [usual](const StackSpec& s) { return s.kind == usual; });
}

HeadRef RunController::strongestHead() const {
    HeadRef best = m_store.state().headRef();
    double bestScore = -1.0;
    for (const auto& layer : m_shown.layers) {
        if (layer->kind != best.kind) continue;
        for (std::size_t h = 0; h < layer->heads.size(); ++h) {
            double score = 0.0;
            for (const Finding& finding : layer->heads[h].verdict.findings) {
                if (!finding.fires || !isFlag(finding.label)) continue;
                // Stuck before uniform before sink; within a flag, the larger share on one key.
                score += finding.label == Label::Stuck     ? 20.0
                         : finding.label == Label::Uniform ? 10.0
                                                           : finding.score;
            }
            if (score > bestScore) {
                bestScore = score;
                best = {layer->kind, layer->layer, HeadIndex(static_cast<std::int64_t>(h))};
            }
        }
    }
    return best;
}

void RunController::clampHead() {
    const StackSpec* spec = stack();
    if (spec == nullptr) return;
    m_store.adjust([spec](ViewState& state) {
        if (state.kind != spec->kind) state.viewport = {};
        state.kind = spec->kind;
        state.layer = std::clamp(state.layer, 0, std::max(0, spec->layers - 1));
        state.head = std::clamp(state.head, 0, std::max(0, spec->heads - 1));
    });
}

Extent RunController::shownExtent() const {
    const AttentionKind kind = m_store.state().kind;
    const auto size = [](const std::shared_ptr<const Axis>& axis) { return axis ? axis->size() : 0; };
    return {size(m_shown.queries(kind)), size(m_shown.keys(kind))};
}

void RunController::fitStateToTokens(const Extent& before) {
    const Extent now = shownExtent();
    m_store.adjust([&now, &before](ViewState& state) {
        if (state.query && *state.query >= now.rows) state.query.reset();
        if (state.key && *state.key >= now.columns) state.key.reset();
        // Another length is another map: the part that was looked at is gone. A restored view keeps its part.
        if (before != Extent{} && before != now) state.viewport = {};
    });
}

} // namespace headscope::ui
