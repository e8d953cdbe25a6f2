// SPDX-License-Identifier: GPL-3.0-or-later
// The window's half that shows: state and results to panels.
#include "ui/format.h"
#include "ui/heatmap/heatmap_view.h"
#include "ui/heatmap/overview_grid.h"
#include "ui/log.h"
#include "ui/main_window.h"
#include "ui/panels/axes_form.h"
#include "ui/panels/compare_page.h"
#include "ui/panels/diagnose_page.h"
#include "ui/panels/error_banner.h"
#include "ui/panels/inspector.h"
#include "ui/panels/map_card.h"
#include "ui/panels/model_panel.h"
#include "ui/panels/overview_card.h"
#include "ui/panels/status_strip.h"
#include "ui/panels/text_panel.h"
#include "ui/panels/token_card.h"
#include "ui/panels/welcome.h"

#include <QAction>
#include <QToolButton>

namespace headscope::ui {

void MainWindow::connectController() {
    connect(m_controller.get(), &RunController::busyChanged, this, &MainWindow::onBusyChanged);
    connect(m_controller.get(), &RunController::modelChanged, this, &MainWindow::onModelChanged);
    connect(m_controller.get(), &RunController::countChanged, this, &MainWindow::onCountChanged);
    connect(m_controller.get(), &RunController::countFailed, this, [this](const QString& sentence) {
        m_textPanel->showCountProblem(sentence);
        refreshContext();
    });
    connect(m_controller.get(), &RunController::shownReset, this, &MainWindow::onShownReset);
    connect(m_controller.get(), &RunController::layerShown, this, &MainWindow::onLayerShown);
    connect(m_controller.get(), &RunController::shownFinished, this, &MainWindow::onShownFinished);
    connect(m_controller.get(), &RunController::progressed, this,
            [this](const QString& text, qint64 done, qint64 total) {
                m_status->showBusy(text, done, total);
                if (m_controller->isOpening()) m_welcome->setProgress(done, total);
            });
    connect(m_controller.get(), &RunController::failed, this, &MainWindow::showFailure);
    connect(m_controller.get(), &RunController::openFailed, this, &MainWindow::onOpenFailed);
    connect(m_controller.get(), &RunController::cancelled, this, [this] {
        if (!m_controller->isBusy()) m_status->showIdle(tr("Cancelled"));
        showStale();
    });
    connect(m_controller.get(), &RunController::noted, this,
            [](const QString& line) { Log::instance().add(line); });
}

void MainWindow::showFailure(const Failure& failure) {
    m_banner->show(failure);
    Log::instance().add(tr("error: %1 %2").arg(failure.sentence, failure.hint).trimmed());
    if (!m_controller->isBusy()) m_status->showIdle(idleText());
    refreshContext();
}

QString MainWindow::idleText() const {
    return m_controller->shown().text ? tr("Ready") : waitsFor();
}

/// Why no map is shown, or what brings one.
QString MainWindow::waitsFor() const {
    const auto& count = m_controller->count();
    if (!m_controller->model()) return tr("No model open");
    if (m_controller->isBusy()) return tr("Analysing…");
    if (m_controller->hasMaps()) return tr("Press Run to read the maps again");
    if (!m_controller->model()->tokenizer) return tr("No tokenizer.json: nothing to run");
    if (count && !count->fits()) return tr("The text is too long: choose on the left which part to use");
    if (m_store.state().text.isEmpty()) return tr("Type a text on the left, or pick a sample");
    return tr("Press Run to analyse the text");
}

void MainWindow::onStateChanged(const ViewState& before, const ViewState& after) {
    m_textPanel->showState(after);
    m_modelPanel->setDevice(after.model.device);
    m_modelPanel->setAdapter(after.model.adapter);
    m_map->showState(after);
    m_tokens->setVisible(after.form == HeadForm::Map); // the other forms show the text themselves
    m_overview->showState(after);
    m_comparePage->showState(after);
    if (before.page != after.page) showPage();
    if (before.kind != after.kind) showKind();
    if (before.headRef() != after.headRef() || before.view != after.view) showHead();
    showTokenWeights();
    if (!before.sameInput(after)) showStale();
    refreshChecks();
    if (before.headRef() != after.headRef() || before.model.path != after.model.path) showNotes();
    refreshContext();
}

void MainWindow::onBusyChanged() {
    const bool busy = m_controller->isBusy();
    m_textPanel->setBusy(busy);
    m_welcome->showOpening(m_controller->isOpening() ? m_controller->opening().path : QString());
    if (busy) {
        m_banner->dismiss();
        m_axesForm->dismiss();
        if (m_controller->isOpening()) m_modelPanel->showOpening(m_controller->opening().path);
        if (!m_controller->shown().text && m_controller->isRunning()) showWaiting(tr("Analysing…"));
    } else {
        m_status->endBusy();
        m_modelPanel->showModel(m_controller->model());
        if (!m_controller->shown().text) onShownReset();
        if (!m_controller->isStale() && m_controller->shown().analysis) {
            m_status->showAnalysis(*m_controller->shown().analysis);
        } else {
            m_status->showIdle(idleText());
        }
    }
    showStale();
    refreshContext();
}

void MainWindow::onModelChanged() {
    const auto& model = m_controller->model();
    showPage();
    m_modelPanel->showModel(model);
    m_textPanel->setEnabledForText(!model || model->tokenizer);
    m_textPanel->setHoldsMaps(m_controller->hasMaps());
    refreshTitle();
    showNotes();
    m_map->setQuantised(model && !model->checkpoint.quantisation.empty());
    if (model) {
        const ModelChoice& choice = m_store.state().model;
        m_settings.addRecentModel(choice.path);
        if (m_controller->hasMaps()) m_settings.setReading(choice.path, choice.reading);
        Log::instance().add(tr("note: opened %1 (%2)")
                                .arg(QString::fromStdString(model->name),
                                     model->model ? familyText(model->spec()) : QString()));
    }
    // The keyboard starts at the grid: arrows walk through the heads at once.
    if (model && !m_textPanel->isAncestorOf(focusWidget())) focusPage();
    if (const StackSpec* stack = m_controller->stack()) {
        std::vector<AttentionKind> kinds;
        for (const StackSpec& one : model->spec().stacks) kinds.push_back(one.kind);
        m_overview->showKinds(kinds);
        m_textPanel->setHasDecoder(model->spec().decoder.has_value() && !model->imported);
        m_overview->showShape(*stack);
    } else {
        m_overview->showNothing(tr("No model open"));
    }
    onShownReset();
    m_status->showIdle(idleText());
    refreshContext();
}

void MainWindow::onCountChanged() {
    m_textPanel->showCount(m_controller->count());
    if (!m_controller->shown().text && !m_controller->isBusy()) {
        onShownReset();
        m_status->showIdle(idleText());
    }
    refreshContext();
}

void MainWindow::onShownReset() {
    m_controller->viewing().setWanted({}); // what was made is of the run before
    m_viewTimer.stop();
    const ShownRun& shown = m_controller->shown();
    m_overview->clearCells();
    m_overview->showState(m_store.state());
    const AttentionKind kind = m_store.state().kind;
    if (shown.text) {
        m_tokens->showTokens(shown.queries(kind), shown.keys(kind));
        showWaiting(tr("Analysing…"));
        showUnread(tr("The numbers of the head come with its layer."));
    } else {
        const QString reason = waitsFor();
        m_tokens->showNothing(reason);
        m_map->showNothing(reason);
        showUnread(tr("Verdict, evidence and numbers of the chosen head, once a text was analysed."));
    }
    m_tokens->showHead(nullptr, m_store.state());
    refreshCell();
    refreshComparison();
    showCompare();
}

void MainWindow::onLayerShown(const std::shared_ptr<const LayerResult>& layer) {
    const ShownRun& shown = m_controller->shown();
    if (layer->kind != m_store.state().kind || !shown.text) return;
    m_overview->showLayer(*layer, *shown.keys(layer->kind));
    if (layer->layer == m_store.state().headRef().layer) showHead();
    refreshCell();
}

void MainWindow::onShownFinished() {
    const ShownRun& shown = m_controller->shown();
    showLayers();
    if (std::exchange(m_chooseHead, false)) {
        const HeadRef head = m_controller->strongestHead();
        m_store.adjust([&head](ViewState& state) {
            state.layer = head.layer.value;
            state.head = head.head.value;
        });
    }
    m_overview->showState(m_store.state());
    showHead();
    pinWaiting();
    noteText();
    m_status->showAnalysis(*shown.analysis);
    Log::instance().add(tr("note: %1; %2").arg(m_status->text(), m_status->checksText()));
    showStale();
    refreshContext();
}

/// The grid, its counts and the tokens of the kind of attention that is chosen.
void MainWindow::showLayers() {
    const ShownRun& shown = m_controller->shown();
    const AttentionKind kind = m_store.state().kind;
    m_tokens->showTokens(shown.queries(kind), shown.keys(kind));
    for (const auto& layer : shown.layers) {
        if (layer->kind == kind) m_overview->showLayer(*layer, *shown.keys(kind));
    }
    m_overview->showSummary(shown.layers, kind);
}

void MainWindow::showKind() {
    const StackSpec* stack = m_controller->stack();
    if (stack == nullptr) return;
    m_overview->showShape(*stack);
    if (m_controller->shown().text) showLayers();
    m_overview->showState(m_store.state());
}

void MainWindow::showHead() {
    const ShownRun& shown = m_controller->shown();
    const ViewState& state = m_store.state();
    const HeadResult* head = shown.find(state.headRef());
    m_diagnosePage->showHead(state.headRef(), shown.text ? head : nullptr);
    if (head == nullptr || !shown.text) {
        if (m_diagnosisShown) showUnread(waitsFor());
        if (shown.text && m_controller->isRunning()) showWaiting(tr("Analysing…"));
        m_tokens->showHead(nullptr, state);
        return;
    }
    const auto keys = shown.keys(state.kind);
    m_controller->viewing().setWanted({shown.analysis, state.headRef(), state.view});
    showView();
    m_inspector->showHead(state.headRef(), *head, *keys, *m_controller->stack());
}

void MainWindow::showStale() {
    const bool stale = m_controller->shown().text && m_controller->isStale() && !m_controller->isBusy();
    const bool stopped =
        m_controller->shown().text && !m_controller->shown().analysis && !m_controller->isBusy();
    m_map->setStale(stale ? tr("of the previous text") : stopped ? tr("stopped early") : QString());
    refreshComparison();
    showCompare();
}

void MainWindow::refreshContext() {
    refreshComparison();
    refreshCell();
    ActionContext context;
    context.model = m_controller->model() != nullptr;
    context.weights = context.model && !m_controller->hasMaps();
    context.adapter = context.weights && !m_store.state().model.adapter.isEmpty();
    context.canRun = m_controller->canRun() && !m_controller->isBusy();
    context.busy = m_controller->isBusy();
    context.analysis = m_controller->shown().analysis != nullptr;
    context.map = context.analysis &&
                  (m_store.state().page == CentrePage::Compare || m_store.state().form == HeadForm::Map);
    context.view = m_store.state().page != CentrePage::Diagnose;
    context.cell = m_store.state().query && m_store.state().key;
    context.canUndo = m_store.undoStack().canUndo();
    context.canRedo = m_store.undoStack().canRedo();
    const DiagnosisController& judging = m_controller->diagnosis();
    context.judging = judging.isBusy();
    context.comparing = m_controller->comparing().isBusy() || m_controller->pinRunner().isBusy() ||
                        m_controller->viewing().isBusy();
    context.pins = !m_controller->comparing().now().pins.empty();
    context.canJudge = judging.canJudge();
    context.canJudgeOwn = judging.canJudgeOwn() && !judging.isReading();
    context.error = m_banner != nullptr && (!m_banner->isHidden() || !m_axesForm->isHidden());
    m_actions.setContext(context);
    m_textPanel->setCanRun(context.canRun);
    m_map->pinButton()->setEnabled(context.analysis);
    const auto name = [](const QString& verb, const QString& step) {
        return step.isEmpty() ? verb : verb + QLatin1Char(' ') + step.toLower();
    };
    m_actions.action(QStringLiteral("edit.undo"))->setText(name(tr("&Undo"), m_store.undoStack().undoText()));
    m_actions.action(QStringLiteral("edit.redo"))->setText(name(tr("&Redo"), m_store.undoStack().redoText()));
}

void MainWindow::refreshChecks() {
    const ViewState& state = m_store.state();
    const auto check = [this](const char* id, bool on) {
        m_actions.action(QString::fromLatin1(id))->setChecked(on);
    };
    const bool full = state.range == DisplayRange{RangeMode::Fixed, 0.0F, 1.0F};
    check("view.range_auto", state.range.mode == RangeMode::Auto);
    check("view.range_full", full);
    check("view.range_row", state.range.mode == RangeMode::PerRow);
    check("view.range_log", state.range.mode == RangeMode::Log);
    check("view.colormap_viridis", state.colormap == Colormap::Viridis);
    check("view.colormap_magma", state.colormap == Colormap::Magma);
    check("view.colormap_cividis", state.colormap == Colormap::Cividis);
    check("view.colormap_grey", state.colormap == Colormap::Grey);
    check("view.pooling_max", state.pooling == Pooling::Max);
    check("view.pooling_mean", state.pooling == Pooling::Mean);
    check("view.explore", state.page == CentrePage::Explore);
    check("view.diagnose", state.page == CentrePage::Diagnose);
    check("view.compare", state.page == CentrePage::Compare);
    refreshViewChecks();
    check("view.form_map", state.form == HeadForm::Map);
    check("view.form_text", state.form == HeadForm::Text);
    check("view.form_lines", state.form == HeadForm::Lines);
    check("text.pair", state.showPair);
    check("text.while_typing", m_settings.runWhileTyping());
    check("view.theme_system", Theme::instance().choice() == ThemeChoice::System);
    check("view.theme_light", Theme::instance().choice() == ThemeChoice::Light);
    check("view.theme_dark", Theme::instance().choice() == ThemeChoice::Dark);
}

} // namespace headscope::ui
