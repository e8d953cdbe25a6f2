// SPDX-License-Identifier: GPL-3.0-or-later
// The window's part that opens models, files of maps, adapters and texts.
#include "core/analysis/open_attention.h"
#include "core/checkpoint/adapter/apply_adapter.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/demos.h"
#include "ui/bridge/failure.h"
#include "ui/log.h"
#include "ui/main_window.h"
#include "ui/panels/axes_form.h"
#include "ui/panels/error_banner.h"
#include "ui/panels/model_panel.h"
#include "ui/panels/status_strip.h"
#include "ui/panels/welcome.h"
#include "ui/samples.h"
#include "ui/session.h"
#include "ui/text_file.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>

#include <algorithm>

namespace headscope::ui {

void MainWindow::connectOpening() {
    m_actions.on(QStringLiteral("file.open_model"), [this] { askForModel(); });
    m_actions.on(QStringLiteral("file.open_maps"), [this] { askForMaps(); });
    m_actions.on(QStringLiteral("file.open_gguf"), [this] { askForGguf(); });
    m_actions.on(QStringLiteral("file.open_demo"), [this] { openDemo(); });
    m_actions.on(QStringLiteral("file.add_adapter"), [this] { askForAdapter(); });
    m_actions.on(QStringLiteral("file.remove_adapter"), [this] { setAdapter({}); });
    m_actions.on(QStringLiteral("file.open_text"), [this] { askForText(); });
    connect(m_modelPanel, &ModelPanel::openRequested, this, &MainWindow::askForModel);
    connect(m_modelPanel, &ModelPanel::deviceChosen, this, &MainWindow::chooseDevice);
    connect(m_modelPanel, &ModelPanel::adapterRemoved, this, [this] { setAdapter({}); });
    connect(m_welcome, &Welcome::openRequested, this, &MainWindow::askForModel);
    connect(m_welcome, &Welcome::demoRequested, this, &MainWindow::openDemo);
    connect(m_axesForm, &AxesForm::shownChanged, this, &MainWindow::refreshContext);
    connect(m_axesForm, &AxesForm::answered, this, [this](const ReadingRules& rules) {
        ModelChoice choice = m_unread;
        choice.reading = rules;
        m_controller->openModel(choice);
    });
}

void MainWindow::askForModel() {
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("Open a model folder"), m_store.state().model.path);
    if (!folder.isEmpty()) openModel(folder);
}

void MainWindow::askForMaps() {
    const QString file = QFileDialog::getOpenFileName(
        this, tr("Open maps that were computed elsewhere"), {},
        tr("Attention files (*.npz *.npy *.safetensors *.pt *.pth);;All files (*)"));
    if (!file.isEmpty()) openModel(file);
}

void MainWindow::askForGguf() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Open a GGUF model"), {},
                                                      tr("GGUF models (*.gguf);;All files (*)"));
    if (!file.isEmpty()) openModel(file);
}

void MainWindow::openModel(const QString& path) {
    m_controller->openModel({path, m_store.state().model.device, {}, m_settings.readingOf(path)});
}

void MainWindow::chooseDevice(DeviceChoice device) {
    if (m_controller->model()) {
        ModelChoice choice = m_store.state().model;
        choice.device = device;
        m_controller->openModel(choice);
    } else {
        m_store.change(tr("Device"), MergeGroup::None,
                       [device](ViewState& state) { state.model.device = device; });
    }
}

void MainWindow::askForAdapter() {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Add a LoRA adapter"));
    if (!folder.isEmpty()) setAdapter(folder);
}

void MainWindow::setAdapter(const QString& folder) {
    ModelChoice choice = m_store.state().model;
    choice.adapter = folder;
    m_controller->openModel(choice);
}

void MainWindow::openDemo() {
    // A text of one's own stays; a sample gives way to the one that was written in the demo's words.
    const QString text = m_store.state().text;
    const auto isShown = [&text](const Sample& sample) { return sample.text == text; };
    if (text.isEmpty() || std::any_of(samples().begin(), samples().end(), isShown))
        m_store.change(tr("Sample"), MergeGroup::None, [](ViewState& state) {
            state.text = demoSample().text;
            state.pair.clear();
            state.showPair = false;
        });
    openModel(QString::fromStdString(demos().front().name()));
}

void MainWindow::askForText() {
    const QString file = QFileDialog::getOpenFileName(
        this, tr("Open a text file"), QString(), tr("Text files (*.txt *.md *.csv *.json);;All files (*)"));
    if (!file.isEmpty()) openPath(file);
}

void MainWindow::openPath(const QString& path) {
    const std::filesystem::path file(QFile::encodeName(path).toStdString());
    if (m_controller->model() && !m_controller->hasMaps() && isAdapterFolder(file)) {
        setAdapter(path);
        return;
    }
    if (QFileInfo(path).isDir() || isAttentionFile(file) || isGgufFile(file)) {
        openModel(path);
        return;
    }
    if (isSessionName(path)) {
        openSession(path);
        return;
    }
    try {
        const QString text = readTextFile(path);
        keepText();
        m_store.change(tr("Open text"), MergeGroup::None, [&text](ViewState& state) { state.text = text; });
    } catch (...) {
        showFailure(failureOf(std::current_exception()));
    }
}

/// What the user can answer is asked; what was answered before and does not fit can be answered anew.
void MainWindow::onOpenFailed(const ModelChoice& choice, const Failure& failure) {
    if (failure.question) {
        m_unread = choice;
        m_axesForm->ask(QFileInfo(choice.path).fileName(), *failure.question);
        Log::instance().add(tr("note: %1").arg(failure.text()));
        if (!m_controller->isBusy()) m_status->showIdle(idleText());
        return;
    }
    showFailure(failure);
    if (!choice.reading.axes) return;
    m_banner->show(failure, tr("Read it another way…"), [this, choice] {
        ModelChoice again = choice;
        again.reading = {};
        m_controller->openModel(again);
    });
}

} // namespace headscope::ui
