// SPDX-License-Identifier: GPL-3.0-or-later
// The window's part for judging the model: the page Diagnose, progress in the background, and the labels of
// the model wherever heads are shown.
#include "ui/heatmap/overview_grid.h"
#include "ui/log.h"
#include "ui/main_window.h"
#include "ui/panels/compare_page.h"
#include "ui/panels/diagnose_page.h"
#include "ui/panels/inspector.h"
#include "ui/panels/overview_card.h"
#include "ui/panels/status_strip.h"

#include <QFileDialog>
#include <QStackedWidget>

namespace headscope::ui {

void MainWindow::connectDiagnosis() {
    DiagnosisController* judging = &m_controller->diagnosis();
    m_actions.on(QStringLiteral("view.explore"), [this] { choosePage(CentrePage::Explore); });
    m_actions.on(QStringLiteral("view.diagnose"), [this] { choosePage(CentrePage::Diagnose); });
    m_actions.on(QStringLiteral("head.find"), [this] {
        choosePage(CentrePage::Diagnose);
        m_diagnosePage->focusFilter();
    });
    m_actions.on(QStringLiteral("head.judge"), [this, judging] {
        choosePage(CentrePage::Diagnose);
        judging->judge();
    });
    m_actions.on(QStringLiteral("head.judge_by"), [this] { askForTexts(); });

    connect(judging, &DiagnosisController::changed, this, &MainWindow::onJudgingChanged);
    connect(judging, &DiagnosisController::progressed, this, &MainWindow::showJudgingProgress);
    connect(judging, &DiagnosisController::failed, this, &MainWindow::showFailure);
    connect(judging, &DiagnosisController::noted, this,
            [](const QString& line) { Log::instance().add(line); });
    connect(m_status, &StatusStrip::judgingCancelRequested, this, [this, judging] {
        if (m_controller->pinRunner().isBusy()) {
            m_controller->pinRunner().cancel();
        } else {
            judging->cancel();
        }
    });

    connect(m_diagnosePage, &DiagnosePage::judgeRequested, judging, &DiagnosisController::judge);
    connect(m_diagnosePage, &DiagnosePage::ownTextsRequested, this, &MainWindow::askForTexts);
    connect(m_diagnosePage, &DiagnosePage::cancelRequested, judging, &DiagnosisController::cancel);
    connect(m_diagnosePage, &DiagnosePage::headChosen, this, &MainWindow::chooseHead);
    connect(m_diagnosePage, &DiagnosePage::headOpened, this, &MainWindow::openHead);
    connect(m_diagnosePage, &DiagnosePage::chartSaved, this,
            [this](const QString& file) { tell(tr("Saved %1").arg(file)); });
    connect(m_diagnosePage, &DiagnosePage::chartNotSaved, this, [this](const QString& sentence) {
        showFailure({sentence, QString(), false});
    });
    connect(m_diagnosePage, &DiagnosePage::textOpened, this, &MainWindow::openDiagnosisText);
    connect(m_inspector, &Inspector::textOpened, this, &MainWindow::openDiagnosisText);
    onJudgingChanged();
}

void MainWindow::choosePage(CentrePage page) {
    const QString name = page == CentrePage::Explore    ? tr("Explore")
                         : page == CentrePage::Diagnose ? tr("Diagnose")
                                                        : tr("Compare");
    m_store.change(name, MergeGroup::None, [page](ViewState& state) { state.page = page; });
    refreshChecks(); // a click on the page that is shown would leave none checked
}

void MainWindow::openHead(const HeadRef& head) {
    m_store.change(tr("Head %1").arg(QString::fromStdString(headText(head))), MergeGroup::None,
                   [&head](ViewState& state) {
                       state.kind = head.kind;
                       state.layer = head.layer.value;
                       state.head = head.head.value;
                       state.page = CentrePage::Explore;
                   });
    m_overview->grid()->setFocus();
}

/// One of the texts that the model was judged by, as the text of the window.
void MainWindow::openDiagnosisText(std::size_t text) {
    const TextInput* input = m_controller->diagnosis().inputOf(text);
    if (input == nullptr) {
        m_status->showMessage(tr("That text is made of token ids: no text gives them"), 4000);
        return;
    }
    m_store.change(tr("Text of the diagnosis"), MergeGroup::None, [input](ViewState& state) {
        state.text = QString::fromStdString(input->text);
        state.pair = QString::fromStdString(input->pair.value_or(std::string()));
        state.showPair = input->pair.has_value();
        state.target = QString::fromStdString(input->target.value_or(std::string()));
        state.writeTarget = input->writeTarget;
        state.length = input->length;
        state.piece = input->piece;
        state.query.reset();
        state.key.reset();
        state.page = CentrePage::Explore;
    });
}

void MainWindow::askForTexts() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Judge by texts of your own: one a line"),
                                                      QString(), tr("Text files (*.txt);;All files (*)"));
    if (file.isEmpty()) return;
    choosePage(CentrePage::Diagnose);
    m_controller->diagnosis().judgeByFile(file);
}

void MainWindow::showPage() {
    const CentrePage page = m_store.state().page;
    const bool keyboard =
        m_pages->currentWidget() != nullptr && m_pages->currentWidget()->isAncestorOf(focusWidget());
    m_pages->setCurrentIndex(m_controller->model() ? 1 + static_cast<int>(page) : 0);
    refreshComparison();
    showCompare();
    // The keyboard goes along.
    if (keyboard && m_controller->model()) focusPage();
}

void MainWindow::focusPage() {
    switch (m_store.state().page) {
    case CentrePage::Explore:
        m_overview->grid()->setFocus();
        break;
    case CentrePage::Diagnose:
        m_diagnosePage->focusTable();
        break;
    case CentrePage::Compare:
        m_comparePage->focusFirst();
        break;
    }
}

void MainWindow::onJudgingChanged() {
    const Judging judging = m_controller->diagnosis().now();
    const QWidget* focus = focusWidget();
    const bool onPage =
        focus != nullptr && m_diagnosePage->isVisible() && m_diagnosePage->isAncestorOf(focus);
    const auto& model = m_controller->model();
    m_diagnosePage->setModelFolder(model ? model->folder : std::filesystem::path());
    m_diagnosePage->showJudging(judging);
    showJudgingProgress();
    if (judging.diagnosis != m_diagnosisShown) {
        m_diagnosisShown = judging.diagnosis;
        m_overview->setDiagnosis(judging.diagnosis);
        m_inspector->setDiagnosis(judging.diagnosis, [this](std::size_t text) {
            return m_controller->diagnosis().inputOf(text) != nullptr;
        });
        if (m_controller->shown().text) showLayers();
        m_overview->showState(m_store.state());
        showHead();
        showNotes();
    }
    // The keyboard goes from what is gone to what has come.
    if (onPage && !focus->isVisible()) m_diagnosePage->focusTable();
    refreshContext();
}

void MainWindow::showJudgingProgress() {
    const Judging judging = m_controller->diagnosis().now();
    m_diagnosePage->showProgress(judging);
    if (m_controller->pinRunner().isBusy()) {
        m_status->showJudging(tr("Running the texts of pinned heads"), m_controller->pinRunner().share());
    } else if (judging.busy && judging.texts > 0) {
        m_status->showJudging(tr("Judging the heads: text %1 of %2").arg(judging.text + 1).arg(judging.texts),
                              judging.share);
    } else {
        m_status->endJudging();
    }
}

/// The chosen head where this text says nothing of it.
void MainWindow::showUnread(const QString& reason) {
    m_inspector->showUnread(m_store.state().headRef(), reason);
}

} // namespace headscope::ui
