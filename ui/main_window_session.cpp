// SPDX-License-Identifier: GPL-3.0-or-later
// The window's part that keeps what the user made: session files, notes, the texts that were run, settings.
#include "core/analysis/output_path.h"
#include "ui/bridge/failure.h"
#include "ui/heatmap/overview_grid.h"
#include "ui/log.h"
#include "ui/main_window.h"
#include "ui/panels/diagnose_page.h"
#include "ui/panels/error_banner.h"
#include "ui/panels/history_popup.h"
#include "ui/panels/inspector.h"
#include "ui/panels/model_panel.h"
#include "ui/panels/overview_card.h"
#include "ui/panels/recent.h"
#include "ui/panels/text_panel.h"
#include "ui/panels/welcome.h"
#include "ui/settings_dialog.h"
#include "ui/text_file.h"

#include <QApplication>
#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>

#include <utility>

namespace headscope::ui {
namespace {

constexpr int kKeepPause = 3000; ///< a text that stays as long, ms, is one that was meant

QString sessionFilter() {
    return MainWindow::tr("Sessions (*.headscope);;All files (*)");
}

} // namespace

std::vector<PinnedHead> waitingPins(const SessionContent& content) {
    std::vector<PinnedHead> pins;
    for (const ViewState& pin : content.pins) {
        PinnedHead head{{nullptr, pin.headRef(), pin.view}, pin};
        head.run = PinRun::Waiting;
        pins.push_back(std::move(head));
    }
    return pins;
}

void MainWindow::connectSession() {
    m_actions.on(QStringLiteral("file.save_session"), [this] { saveSession(); });
    m_actions.on(QStringLiteral("file.save_session_as"), [this] { saveSessionAs(); });
    m_actions.on(QStringLiteral("file.open_session"), [this] { askForSession(); });
    m_actions.on(QStringLiteral("edit.settings"), [this] { showSettings(); });
    connect(m_controller.get(), &RunController::restored, this, &MainWindow::onRestored);
    connect(m_keeper.get(), &SessionKeeper::titleChanged, this, &MainWindow::refreshTitle);
    connect(m_keeper.get(), &SessionKeeper::autosaveFailed, this, [](const QString& sentence) {
        Log::instance().add(tr("warning: the view cannot be kept: %1").arg(sentence));
    });
    connect(&m_settings, &Settings::preferencesChanged, this, &MainWindow::applyPreferences);
    connectNotes();
    connectHistory();
    connectRecent();
    const Preferences set = m_settings.preferences();
    m_history.setMost(set.pastTexts);
    m_controller->diagnosis().setUnasked(set.judgeUnasked ? set.judgeSeconds : 0.0);
}

// Sessions

void MainWindow::askForSession() {
    const QString file = QFileDialog::getOpenFileName(
        this, tr("Open a session"), QFileInfo(m_keeper->file()).absolutePath(), sessionFilter());
    if (!file.isEmpty()) openSession(file);
}

void MainWindow::openSession(const QString& path) {
    if (!m_keeper->hasUnsavedWork()) {
        loadSession(path);
        return;
    }
    const QString what =
        m_keeper->file().isEmpty()
            ? tr("Save pins and notes in a session before another one is opened?")
            : tr("Save the changes to %1 before another session is opened?").arg(m_keeper->name());
    askToSave(what, [this, path] { loadSession(path); });
}

void MainWindow::loadSession(const QString& path) {
    ComingSession session;
    try {
        session.inFile = loadSessionFile(path);
        if (session.inFile.view.model.path.isEmpty())
            fail(QFileInfo(path).fileName().toStdString(), "the field \"view.model\" is empty or missing",
                 "expected the model of the session");
    } catch (...) {
        showFailure(failureOf(std::current_exception()));
        return;
    }
    session.content = session.inFile;
    session.file = QFileInfo(path).absoluteFilePath();
    beginSession(session);
}

void MainWindow::beginSession(const ComingSession& session) {
    const QString& model = session.content.view.model.path;
    const QString name = QFileInfo(session.file).fileName();
    if (!isMissing(model)) {
        keepText();
        // Another one may be on its way: it stays so where this one is refused.
        ComingSession former = std::exchange(m_coming, session);
        if (!m_controller->restore(session.content.view, name)) m_coming = std::move(former);
        return;
    }
    m_lost = session;
    const Failure failure{tr("%1: its model, %2, is not there.").arg(name, model),
                          tr("It was moved or removed; say where it is now.")};
    showFailure(failure);
    m_banner->show(failure, tr("Locate…"), [this] {
        const QString folder = QFileDialog::getExistingDirectory(this, tr("Where is the model now?"));
        if (!folder.isEmpty()) openSessionWithModel(folder);
    });
}

void MainWindow::openSessionWithModel(const QString& folder) {
    ComingSession session = m_lost;
    const QString former = session.content.view.model.path;
    session.content.view.model.path = folder;
    for (ViewState& pin : session.content.pins)
        if (pin.model.path == former) pin.model.path = folder;
    session.content.notes.renameModel(former, folder);
    beginSession(session);
}

/// The view of the session is the window's now.
void MainWindow::onRestored() {
    m_chooseHead = false;
    m_headsToPin.clear();
    const ComingSession session = std::exchange(m_coming, {});
    m_keeper->begin(session.content.notes, session.file, session.inFile);
    m_controller->restorePins(waitingPins(session.content), session.content.chosenPin);
    m_banner->dismiss();
    m_settings.addRecentSession(session.file);
    tell(tr("Opened session %1").arg(m_keeper->name()));
}

bool MainWindow::saveSession() {
    return m_keeper->file().isEmpty() ? saveSessionAs() : saveSessionTo(m_keeper->file());
}

bool MainWindow::saveSessionAs() {
    const QString former = m_keeper->file();
    const auto& model = m_controller->model();
    const QString proposed = !former.isEmpty()
                                 ? former
                                 : QStringLiteral("%1.headscope")
                                       .arg(model ? QString::fromStdString(model->plainName())
                                                        .replace(QLatin1Char(':'), QLatin1Char('-'))
                                                  : tr("session"));
    QFileDialog dialog(this, tr("Save the session"), QFileInfo(proposed).absolutePath(), sessionFilter());
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(QStringLiteral("headscope"));
    dialog.selectFile(QFileInfo(proposed).fileName());
    if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) return false;
    return saveSessionTo(dialog.selectedFiles().front());
}

bool MainWindow::saveSessionTo(const QString& path) {
    try {
        const QString file = QFileInfo(path).absoluteFilePath();
        const auto& model = m_controller->model();
        if (model && !model->folder.empty())
            checkOutputFile(QFile::encodeName(file).toStdString(),
                            {.modelFolder = model->folder, .inputs = {}});
        m_keeper->save(file);
    } catch (...) {
        showFailure(failureOf(std::current_exception()));
        return false;
    }
    m_settings.addRecentSession(m_keeper->file());
    tell(tr("Saved session %1").arg(m_keeper->name()));
    return true;
}

/// One small box over the window; `then` follows unless the user thinks better of it or nothing can be saved.
void MainWindow::askToSave(const QString& what, const std::function<void()>& then) {
    auto* box = new QMessageBox(QMessageBox::NoIcon, tr("HeadScope"), what,
                                QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    box->setObjectName(QStringLiteral("askToSave"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setDefaultButton(QMessageBox::Save);
    box->button(QMessageBox::Discard)->setText(tr("Don't save"));
    connect(box, &QMessageBox::finished, this, [this, then](int answer) {
        if (answer == QMessageBox::Save && saveSession()) then();
        if (answer == QMessageBox::Discard) {
            m_keeper->discard();
            then();
        }
    });
    box->open();
}

void MainWindow::refreshTitle() {
    const auto& model = m_controller->model();
    QString title =
        model ? tr("%1 — HeadScope").arg(QString::fromStdString(model->name)) : QStringLiteral("HeadScope");
    if (!m_keeper->file().isEmpty())
        title = tr("%1[*] — %2")
                    .arg(m_keeper->name().replace(QStringLiteral("[*]"), QStringLiteral("[*][*]")), title);
    setWindowTitle(title);
    setWindowModified(m_keeper->isModified());
}

void MainWindow::showPinProgress() {
    showJudgingProgress();
    refreshContext();
}

// What was opened before

void MainWindow::connectRecent() {
    QMenu* file = m_actions.menu(MenuId::File);
    // After what opens, before the line and what saves.
    const auto lines = file->actions();
    QAction* next = lines[lines.indexOf(m_actions.action(QStringLiteral("file.save_session"))) - 1];
    m_recentModels = new QMenu(tr("Recent &models"), file);
    m_recentSessions = new QMenu(tr("&Recent sessions"), file);
    file->insertMenu(next, m_recentModels);
    file->insertMenu(next, m_recentSessions);
    // Files come and go while the window is open.
    connect(file, &QMenu::aboutToShow, this, &MainWindow::refreshRecent);
    connect(qApp, &QGuiApplication::applicationStateChanged, this, [this](Qt::ApplicationState state) {
        if (state == Qt::ApplicationActive) refreshRecent();
    });
    connect(&m_settings, &Settings::recentModelsChanged, this, &MainWindow::refreshRecent);
    connect(&m_settings, &Settings::recentSessionsChanged, this, &MainWindow::refreshRecent);
    connect(m_modelPanel, &ModelPanel::recentChosen, this, &MainWindow::openModel);
    connect(m_modelPanel, &ModelPanel::recentCleared, &m_settings, &Settings::clearRecentModels);
    connect(m_welcome, &Welcome::recentChosen, this, &MainWindow::openModel);
    connect(m_welcome, &Welcome::sessionChosen, this, &MainWindow::openSession);
    refreshRecent();
}

void MainWindow::refreshRecent() {
    const QStringList models = m_settings.recentModels();
    const QStringList sessions = m_settings.recentSessions();
    m_modelPanel->setRecent(models);
    m_welcome->setRecent(models, sessions);
    fillRecentMenu(
        *m_recentModels, models,
        {[this](const QString& folder) { openModel(folder); }, [this] { m_settings.clearRecentModels(); }});
    fillRecentMenu(
        *m_recentSessions, sessions,
        {[this](const QString& file) { openSession(file); }, [this] { m_settings.clearRecentSessions(); }});
}

// Notes

void MainWindow::connectNotes() {
    connect(m_keeper.get(), &SessionKeeper::notesChanged, this, &MainWindow::showNotes);
    connect(m_inspector, &Inspector::noteEdited, this,
            [this](const QString& text) { m_keeper->setNote(m_store.state().headRef(), text); });
    m_actions.on(QStringLiteral("head.note"), [this] {
        m_inspectorDock->show();
        makeRoomFor(m_inspectorDock);
        m_actions.action(QStringLiteral("view.tab_head"))->trigger(); // where the note is
        m_inspector->focusNote();
    });
}

void MainWindow::showNotes() {
    const HeadRef head = m_store.state().headRef();
    const ModelNotes notes = m_keeper->notes().ofModel(m_store.state().model.path);
    m_inspector->showNote(head, m_keeper->noteOf(head));
    m_overview->grid()->setNotes(notes);
    m_diagnosePage->showNotes(notes);
}

// Texts that were run

void MainWindow::connectHistory() {
    m_keepTimer.setSingleShot(true);
    m_keepTimer.setInterval(kKeepPause);
    connect(&m_keepTimer, &QTimer::timeout, this, &MainWindow::keepText);
    connect(&m_history, &TextHistory::failed, this, [](const QString& sentence) {
        Log::instance().add(tr("warning: the texts that were run cannot be kept: %1").arg(sentence));
    });
    m_actions.on(QStringLiteral("text.history"), [this] { showHistory(); });
    connect(m_textPanel, &TextPanel::historyRequested, this, &MainWindow::showHistory);
    connect(m_textPanel, &TextPanel::filesPasted, this, [this](const QMimeData* files) { openMime(*files); });
    connect(m_textPanel, &TextPanel::pasteRefused, this, [this](const QString& sentence) {
        showFailure({sentence, tr("Copy a text, or drop a text file on the window."), false});
    });
}

/// What is shown was run. A text that was asked for is kept at once; while one types, only what stays a
/// while.
void MainWindow::noteText() {
    const bool asked = std::exchange(m_runAsked, false);
    m_textToKeep = pastTextOf(m_controller->shown().input);
    if (asked) {
        m_keepTimer.stop();
        m_history.add(*std::exchange(m_textToKeep, std::nullopt));
    } else {
        m_keepTimer.start();
    }
}

/// Another text is about to take the place of one that was run.
void MainWindow::keepText() {
    m_keepTimer.stop();
    if (m_textToKeep) m_history.add(*std::exchange(m_textToKeep, std::nullopt), true);
}

void MainWindow::showHistory() {
    if (m_textDock->isHidden()) m_textDock->show();
    makeRoomFor(m_textDock);
    auto* popup = new HistoryPopup(m_history, this);
    connect(popup, &HistoryPopup::chosen, this, [this](const PastText& text) {
        keepText();
        m_store.change(tr("Earlier text"), MergeGroup::None, [&text](ViewState& state) {
            state.text = text.text;
            state.pair = text.pair;
            state.showPair = text.isPair;
            state.target = text.target;
            if (!text.target.isEmpty()) state.writeTarget = false;
        });
    });
    const QPushButton* button = m_textPanel->historyButton();
    popup->openAt(m_textPanel->mapToGlobal(QPoint(0, button->geometry().bottom() + 4)));
}

// Settings

void MainWindow::showSettings() {
    if (auto* open = findChild<SettingsDialog*>(QStringLiteral("settings"))) {
        open->raise();
        open->activateWindow();
        return;
    }
    (new SettingsDialog(m_settings, m_history, m_cudaAvailable, this))->QDialog::show();
}

void MainWindow::applyPreferences(const Preferences& before, const Preferences& now) {
    if (now.theme != before.theme) Theme::instance().setChoice(now.theme);
    const bool colours = now.colormap != before.colormap || !(now.range == before.range);
    if (colours)
        m_store.change(tr("Settings"), MergeGroup::None, [&](ViewState& state) {
            if (now.colormap != before.colormap) state.colormap = now.colormap;
            if (!(now.range == before.range)) state.range = now.range;
        });
    if (now.device != before.device) chooseDevice(now.device);
    if (now.threads != before.threads) m_controller->setThreads(now.threads);
    m_history.setMost(now.pastTexts);
    m_controller->diagnosis().setUnasked(now.judgeUnasked ? now.judgeSeconds : 0.0);
    refreshChecks();
    refreshContext();
}

// What was dropped or pasted

void MainWindow::openMime(const QMimeData& mime) {
    const QList<QUrl> urls = mime.urls();
    const QString hint =
        tr("Drop a model folder, a GGUF file, an adapter, a file of maps, a text file or a session.");
    if (urls.size() > 1) {
        showFailure({tr("%1 files were dropped, expected one.").arg(urls.size()), hint, false});
    } else if (urls.size() == 1 && urls.front().isLocalFile()) {
        openPath(urls.front().toLocalFile());
    } else if (urls.size() == 1) {
        showFailure({tr("%1: this is not a file of this machine.").arg(urls.front().toString().left(100)),
                     hint, false});
    } else if (mime.hasText() && mime.text().size() <= kLargestTextFile) {
        keepText();
        m_store.change(tr("Open text"), MergeGroup::None,
                       [&mime](ViewState& state) { state.text = mime.text(); });
    } else if (mime.hasText()) {
        showFailure(
            {tr("What was dropped is larger than 1 MB, expected a text for the text box."), hint, false});
    } else {
        showFailure({mime.hasImage() ? tr("A picture was dropped, expected a file, a folder or a text.")
                                     : tr("What was dropped is neither a file nor a text."),
                     hint, false});
    }
}

} // namespace headscope::ui
