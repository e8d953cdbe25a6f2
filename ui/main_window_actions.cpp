// SPDX-License-Identifier: GPL-3.0-or-later
// The window's half that acts: what actions and panels change.
#include "ui/bridge/failure.h"
#include "ui/charts/entropy_chart.h"
#include "ui/export/export_dialog.h"
#include "ui/export/export_job.h"
#include "ui/export/picture_settings.h"
#include "ui/format.h"
#include "ui/heatmap/figure_painter.h"
#include "ui/heatmap/heatmap_view.h"
#include "ui/heatmap/overview_grid.h"
#include "ui/heatmap_colors.h"
#include "ui/help_dialogs.h"
#include "ui/log.h"
#include "ui/main_window.h"
#include "ui/panels/axes_form.h"
#include "ui/panels/error_banner.h"
#include "ui/panels/map_card.h"
#include "ui/panels/model_panel.h"
#include "ui/panels/overview_card.h"
#include "ui/panels/status_strip.h"
#include "ui/panels/text_panel.h"
#include "ui/panels/token_card.h"
#include "ui/panels/welcome.h"
#include "ui/samples.h"
#include "ui/text_file.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QFileDialog>
#include <QMenu>

#include <algorithm>

namespace headscope::ui {

void MainWindow::connectActions() {
    m_actions.on(QStringLiteral("file.export"), [this] { exportShown(); });
    m_actions.on(QStringLiteral("file.quit"), [this] { close(); });
    m_actions.on(QStringLiteral("edit.undo"), [this] { m_store.undoStack().undo(); });
    m_actions.on(QStringLiteral("edit.redo"), [this] { m_store.undoStack().redo(); });
    m_actions.on(QStringLiteral("edit.copy_weight"), [this] { copyWeight(); });
    m_actions.on(QStringLiteral("edit.copy_head"), [this] {
        const HeadRef ref = m_store.state().headRef();
        if (const HeadResult* head = m_controller->shown().find(ref)) {
            QApplication::clipboard()->setText(headReport(ref, *head, *m_controller->shown().keys(ref.kind)));
            tell(tr("Copied the report of head %1").arg(QString::fromStdString(headText(ref))));
        }
    });
    connectCopying();
    m_actions.on(QStringLiteral("help.demo"), [this] { showDemoPage(this); });
    m_actions.on(QStringLiteral("help.shortcuts"), [this] { showShortcuts(this); });
    m_actions.on(QStringLiteral("help.about"), [this] { showAbout(this); });
    connectTextActions();
    connectViewActions();
    connectHeadActions();
}

void MainWindow::connectTextActions() {
    m_actions.on(QStringLiteral("text.run"), [this] {
        m_runAsked = true;
        m_controller->run();
    });
    m_actions.on(QStringLiteral("text.cancel"), [this] {
        if (m_controller->isBusy()) {
            m_controller->cancel();
        } else if (m_controller->viewing().isBusy()) {
            m_controller->viewing().cancel();
        } else if (m_controller->comparing().isBusy()) {
            m_controller->comparing().cancel();
        } else if (m_controller->pinRunner().isBusy()) {
            m_controller->pinRunner().cancel();
        } else {
            m_controller->diagnosis().cancel();
        }
    });
    m_actions.on(QStringLiteral("text.focus"), [this] {
        m_textDock->show();
        makeRoomFor(m_textDock);
        m_textPanel->focusText();
    });
    m_actions.on(QStringLiteral("text.dismiss_error"), [this] {
        m_banner->dismiss();
        m_axesForm->dismiss();
    });
    m_actions.on(QStringLiteral("text.while_typing"), [this] {
        m_settings.setRunWhileTyping(m_actions.action(QStringLiteral("text.while_typing"))->isChecked());
    });
    connect(&m_settings, &Settings::runWhileTypingChanged, m_controller.get(),
            &RunController::setRunWhileTyping);
    m_actions.on(QStringLiteral("text.pair"), [this] {
        const bool on = m_actions.action(QStringLiteral("text.pair"))->isChecked();
        m_store.change(tr("Second text"), MergeGroup::None, [on](ViewState& state) { state.showPair = on; });
    });
    auto* samplesMenu = m_actions.menu(MenuId::Text)->addMenu(tr("&Samples"));
    samplesMenu->addActions(m_textPanel->samplesMenu()->actions());
}

void MainWindow::connectViewActions() {
    m_actions.on(QStringLiteral("view.zoom_in"), [this] { shownView()->zoomIn(); });
    m_actions.on(QStringLiteral("view.zoom_out"), [this] { shownView()->zoomOut(); });
    m_actions.on(QStringLiteral("view.fit"), [this] { shownView()->fit(); });
    m_actions.on(QStringLiteral("view.one_to_one"), [this] { shownView()->oneToOne(); });
    const auto range = [this](const char* id, DisplayRange value) {
        m_actions.on(QString::fromLatin1(id), [this, value] {
            m_store.change(tr("Colour scale"), MergeGroup::None, [&value](ViewState& s) { s.range = value; });
        });
    };
    range("view.range_auto", {RangeMode::Auto, 0.0F, 1.0F});
    range("view.range_full", {RangeMode::Fixed, 0.0F, 1.0F});
    range("view.range_row", {RangeMode::PerRow, 0.0F, 1.0F});
    range("view.range_log", {RangeMode::Log, 0.0F, 1.0F});
    const auto colormap = [this](const char* id, Colormap value) {
        m_actions.on(QString::fromLatin1(id), [this, value] {
            m_store.change(tr("Colour map"), MergeGroup::None, [value](ViewState& s) { s.colormap = value; });
        });
    };
    colormap("view.colormap_viridis", Colormap::Viridis);
    colormap("view.colormap_magma", Colormap::Magma);
    colormap("view.colormap_cividis", Colormap::Cividis);
    colormap("view.colormap_grey", Colormap::Grey);
    const auto form = [this](const char* id, HeadForm value) {
        m_actions.on(QString::fromLatin1(id), [this, value] { chooseForm(value); });
    };
    form("view.form_map", HeadForm::Map);
    form("view.form_text", HeadForm::Text);
    form("view.form_lines", HeadForm::Lines);
    const auto pooling = [this](const char* id, Pooling value) {
        m_actions.on(QString::fromLatin1(id), [this, value] {
            m_store.change(tr("Pooling"), MergeGroup::None, [value](ViewState& s) { s.pooling = value; });
        });
    };
    pooling("view.pooling_max", Pooling::Max);
    pooling("view.pooling_mean", Pooling::Mean);
    const auto theme = [this](const char* id, ThemeChoice value) {
        m_actions.on(QString::fromLatin1(id), [this, value] {
            m_settings.setTheme(value);
            Theme::instance().setChoice(value); // also where the settings had it already
        });
    };
    theme("view.theme_system", ThemeChoice::System);
    theme("view.theme_light", ThemeChoice::Light);
    theme("view.theme_dark", ThemeChoice::Dark);
    const auto dock = [this](const char* id, QDockWidget* widget) {
        QAction* action = m_actions.action(QString::fromLatin1(id));
        connect(action, &QAction::triggered, this, [this, widget](bool on) {
            widget->setVisible(on);
            makeRoomFor(widget);
        });
        connect(widget, &QDockWidget::visibilityChanged, action,
                [action, widget](bool) { action->setChecked(!widget->isHidden()); });
    };
    dock("view.text_panel", m_textDock);
    dock("view.inspector", m_inspectorDock);
    dock("view.log", m_logDock);
}

void MainWindow::connectPanels() {
    connect(m_welcome, &Welcome::cancelRequested, m_controller.get(), &RunController::cancel);
    connect(m_status, &StatusStrip::cancelRequested, m_controller.get(), &RunController::cancel);
    connect(m_banner, &ErrorBanner::shownChanged, this, &MainWindow::refreshContext);
    connect(m_modelPanel, &ModelPanel::notesRequested, m_logDock, &QDockWidget::show);

    connect(m_textPanel, &TextPanel::textEdited, this, [this](const QString& text) {
        m_store.change(tr("Typing"), MergeGroup::Text, [&text](ViewState& state) { state.text = text; });
    });
    connect(m_textPanel, &TextPanel::pairEdited, this, [this](const QString& pair) {
        m_store.change(tr("Typing"), MergeGroup::Text, [&pair](ViewState& state) { state.pair = pair; });
    });
    connect(m_textPanel, &TextPanel::targetEdited, this, [this](const QString& target) {
        m_store.change(tr("Edit target"), MergeGroup::Text,
                       [&target](ViewState& state) { state.target = target; });
    });
    connect(m_textPanel, &TextPanel::targetWritten, this, [this](bool byModel) {
        m_store.change(byModel ? tr("Let the model write the target") : tr("Write the target oneself"),
                       MergeGroup::None, [byModel](ViewState& state) { state.writeTarget = byModel; });
    });
    connect(m_textPanel, &TextPanel::pairShown, this, [this](bool on) {
        m_store.change(tr("Second text"), MergeGroup::None, [on](ViewState& state) { state.showPair = on; });
    });
    connect(m_textPanel, &TextPanel::lengthChosen, this, [this](LengthPolicy policy, qint64 piece) {
        m_store.change(tr("Length"), MergeGroup::None, [&](ViewState& state) {
            state.length = policy;
            state.piece = piece;
        });
    });
    connect(m_textPanel, &TextPanel::sampleChosen, this, [this](int index) {
        const Sample& sample = samples()[static_cast<std::size_t>(index)];
        keepText();
        m_store.change(tr("Sample"), MergeGroup::None, [&sample](ViewState& state) {
            state.text = sample.text;
            state.pair = sample.pair;
            state.showPair = !sample.pair.isEmpty();
        });
    });
    connect(m_textPanel, &TextPanel::runRequested, this, [this] {
        m_runAsked = true;
        m_controller->run();
    });
    connect(m_textPanel, &TextPanel::cancelRequested, m_controller.get(), &RunController::cancel);

    connect(m_overview, &OverviewCard::headActivated, this, &MainWindow::chooseHead);
    connect(m_overview, &OverviewCard::kindChosen, this, &MainWindow::chooseKind);
    connect(m_map, &MapCard::rangeChosen, this, [this](const DisplayRange& range) {
        m_store.change(tr("Colour scale"), MergeGroup::None,
                       [&range](ViewState& state) { state.range = range; });
    });
    connect(m_map, &MapCard::colormapChosen, this, [this](Colormap map) {
        m_store.change(tr("Colour map"), MergeGroup::None, [map](ViewState& state) { state.colormap = map; });
    });
    connect(m_map, &MapCard::cellChosen, this, [this](qint64 query, qint64 key) { chooseCell(query, key); });
    connect(m_map->view(), &HeatmapView::viewportChanged, this, [this](const MapViewport& viewport) {
        m_store.change(tr("Zoom"), MergeGroup::Viewport,
                       [&viewport](ViewState& state) { state.viewport = viewport; });
    });
    connect(m_map->view(), &HeatmapView::marginPointed, this, [this](const QString& sentence) {
        if (sentence.isEmpty())
            m_status->clearMessage();
        else
            m_status->showMessage(sentence);
    });
    connect(m_tokens, &TokenCard::tokenClicked, this, &MainWindow::followToken);
    connect(m_tokens, &TokenCard::directionChosen, this, &MainWindow::chooseDirection);
    connect(m_map, &MapCard::directionChosen, this, &MainWindow::chooseDirection);
    connect(m_map, &MapCard::formChosen, this, &MainWindow::chooseForm);
    connect(m_map, &MapCard::linesChosen, this, [this](const LinesShown& lines) {
        m_store.change(tr("Lines drawn"), MergeGroup::None,
                       [&lines](ViewState& state) { state.lines = lines; });
    });
    connect(m_map, &MapCard::queryClicked, this, &MainWindow::followRow);
    connect(m_map, &MapCard::keyClicked, this, &MainWindow::followColumn);
}

/// How the map is shown now.
FigureOptions MainWindow::shownFigure() const {
    const ViewState& state = m_store.state();
    FigureOptions options;
    options.range = state.range;
    options.colormap = state.colormap;
    options.pooling = state.pooling;
    options.margins = state.margins && state.page == CentrePage::Explore && state.form == HeadForm::Map;
    options.theme = heatmapColors(Theme::instance().colors());
    return options;
}

void MainWindow::exportShown() {
    const auto& analysis = m_controller->shown().analysis;
    if (!analysis || exportComparison()) return;
    ExportDialog dialog(analysis, m_store.state().headRef(), shownFigure(), m_store.state().view, this);
    if (const auto followed = followedToken())
        dialog.offerText(*followed, m_store.state().form == HeadForm::Text);
    if (const auto lines = shownLines()) dialog.offerLines(*lines, true);
    askForExport(dialog);
}

/// Begins as the user set it, and keeps what is made the default.
void MainWindow::askForExport(ExportDialog& dialog) {
    dialog.beginWith(m_settings.preferences().exports);
    connect(&dialog, &ExportDialog::defaultsChosen, this, [this](const ExportDefaults& defaults) {
        Preferences changed = m_settings.preferences();
        changed.exports = defaults;
        m_settings.setPreferences(changed);
    });
    if (dialog.exec() == QDialog::Accepted) tell(tr("Saved %1").arg(dialog.writtenFile()));
}

/// What was just done, in the status line for a while and in the log.
void MainWindow::tell(const QString& done) {
    constexpr int kShownMs = 6000;
    m_status->showMessage(done, kShownMs);
    Log::instance().add(tr("note: %1").arg(done));
}

void MainWindow::chooseCell(std::optional<qint64> query, std::optional<qint64> key) {
    m_store.change(tr("Choice of a cell"), MergeGroup::Selection, [&](ViewState& state) {
        state.query = query;
        state.key = key;
    });
}

void MainWindow::chooseForm(HeadForm form) {
    m_store.change(tr("Form of the head"), MergeGroup::None, [form](ViewState& state) {
        state.form = form;
        state.page = CentrePage::Explore;
    });
}

void MainWindow::chooseDirection(bool readBy) {
    m_store.change(tr("Direction"), MergeGroup::None, [readBy](ViewState& state) {
        state.readBy = readBy;
        if (state.kind == AttentionKind::Cross) return; // its two sides are different tokens
        // The token that was followed stays the one that is looked at.
        if (readBy && !state.key) state.key = state.query;
        if (!readBy && !state.query) state.query = state.key;
    });
}

/// A token is followed from where it reads; a second click lets go.
void MainWindow::followRow(qint64 query) {
    m_store.change(tr("Choice of a token"), MergeGroup::Selection, [query](ViewState& state) {
        const bool lets = !state.readBy && state.query == query;
        state.readBy = false;
        state.query = lets ? std::nullopt : std::optional<std::int64_t>(query);
    });
}

void MainWindow::followColumn(qint64 key) {
    m_store.change(tr("Choice of a token"), MergeGroup::Selection, [key](ViewState& state) {
        const bool lets = state.readBy && state.key == key;
        state.readBy = true;
        state.key = lets ? std::nullopt : std::optional<std::int64_t>(key);
    });
}

void MainWindow::followToken(qint64 token) {
    m_store.change(tr("Choice of a token"), MergeGroup::Selection, [token](ViewState& state) {
        if (state.kind == AttentionKind::Cross) { // the strip shows the other side: turn round
            (state.readBy ? state.query : state.key) = token;
            state.readBy = !state.readBy;
            return;
        }
        auto& chosen = state.readBy ? state.key : state.query;
        // A second click lets go.
        chosen = chosen == token ? std::nullopt : std::optional<std::int64_t>(token);
    });
}

} // namespace headscope::ui
