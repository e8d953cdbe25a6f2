// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/actions.h"
#include "ui/bridge/engine.h"
#include "ui/run_controller.h"
#include "ui/session_keeper.h"
#include "ui/settings.h"
#include "ui/text_history.h"
#include "ui/view_store.h"

#include <QMainWindow>

#include <functional>

class QMenu;
class QMimeData;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace headscope::ui {

class CellPanels;
class ComparePage;
class DiagnosePage;
class AxesForm;
class ErrorBanner;
class ExportDialog;
class FindPanel;
class HeatmapView;
class Inspector;
class InspectorTabs;
class LayerPanel;
class LogPanel;
class MapCard;
class ModelPanel;
class OverviewCard;
class StatusStrip;
class TextPanel;
class TokenCard;
class WeightPanel;
class Welcome;
struct ExportJob;
struct FigureOptions;
struct FollowedToken;
struct ShownLines;

/// What a window needs of its surroundings; tests bring their own.
struct WindowSetup {
    Engine engine;
    bool cudaAvailable = false;
    QString sessionFile; ///< of AutosaveSlot; empty: nothing is saved by itself
    QString textsFile{}; ///< of the texts that were run; empty: they go with the window
};

/// The pins of a session, to be run again.
std::vector<PinnedHead> waitingPins(const SessionContent& content);

/// A session that is being opened.
struct ComingSession {
    SessionContent content;
    SessionContent inFile; ///< the same but for a model that is elsewhere now
    QString file;
};

/// The window: panels wired to the store (what is shown), the controller (what is computed) and the actions.
class MainWindow final : public QMainWindow {
    Q_OBJECT

  public:
    explicit MainWindow(WindowSetup setup, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Shows `state`; opens its model, when it names one, and runs its text.
    void start(const ViewState& state);
    /// The same with pins and notes, and the session file that they are of.
    void start(const Autosave& saved);
    /// After the first analysis, go to the head with the gravest flag (a first start has none chosen).
    void chooseStrongestHead() { m_chooseHead = true; }
    /// After the first analysis, pin these heads of it.
    void pinHeads(std::vector<HeadRef> heads) { m_headsToPin = std::move(heads); }
    void showFailure(const Failure& failure);

    ViewStore& store() { return m_store; }
    SessionKeeper& keeper() { return *m_keeper; }
    TextHistory& history() { return m_history; }
    Actions& actions() { return m_actions; }
    RunController& controller() { return *m_controller; }
    Settings& settings() { return m_settings; }
    ErrorBanner& banner() { return *m_banner; }
    OverviewCard& overview() { return *m_overview; }
    MapCard& map() { return *m_map; }
    TokenCard& tokens() { return *m_tokens; }
    DiagnosePage& diagnosePage() { return *m_diagnosePage; }
    ComparePage& comparePage() { return *m_comparePage; }
    Inspector& inspector() { return *m_inspector; }
    InspectorTabs& side() { return *m_side; }
    WeightPanel& weightPanel() { return *m_weight; }
    FindPanel& findPanel() { return *m_find; }
    LayerPanel& layerPanel() { return *m_layer; }
    TextPanel& textPanel() { return *m_textPanel; }
    AxesForm& axesForm() { return *m_axesForm; }
    ModelPanel& modelPanel() { return *m_modelPanel; }
    StatusStrip& status() { return *m_status; }

    /// A folder as a model or as an adapter of the open one, files by their names, and others as texts.
    void openPath(const QString& path);
    /// What `mime` holds: a file or a folder of this machine, or a text; else a sentence says what it is.
    void openMime(const QMimeData& mime);
    /// All of it or nothing: what cannot be opened leaves the window as it was. Asks first where something of
    /// one's own would be lost.
    void openSession(const QString& path);
    bool saveSessionTo(const QString& path); ///< false: it says why
    /// The model of the session that was to be opened last is there now.
    void openSessionWithModel(const QString& folder);
    void saveNow();

  protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    // main_window.cpp: parts and layout
    void buildCentre();
    void buildDocks();
    void buildToolbar();
    void restoreLayout();
    void makeRoomFor(QDockWidget* wanted);
    void fitToolbar();
    // main_window_open.cpp: what is opened, and how
    void connectOpening();
    void askForModel();
    void askForMaps();
    void askForGguf();
    void openModel(const QString& path); ///< on the device of the view, as it was last said to be read
    void chooseDevice(DeviceChoice device);
    void askForAdapter();
    void setAdapter(const QString& folder); ///< empty: none
    void openDemo();
    void askForText();
    void onOpenFailed(const ModelChoice& choice, const Failure& failure);
    // main_window_actions.cpp: what actions and panels do
    void connectActions();
    void connectTextActions();
    void connectViewActions();
    void connectHeadActions();
    void connectPanels();
    void askForHead();
    void exportShown();
    void tell(const QString& done);
    void copyWeight();
    void moveHead(int layers, int heads);
    void chooseKind(AttentionKind kind);
    void chooseNextKind();
    void moveToFlagged(int direction);
    void chooseHead(const HeadRef& head);
    void chooseCell(std::optional<qint64> query, std::optional<qint64> key);
    void followToken(qint64 token);
    void followRow(qint64 query);
    void followColumn(qint64 key);
    void chooseDirection(bool readBy);
    void chooseForm(HeadForm form);
    // main_window_diagnose.cpp: the page that judges the model
    void connectDiagnosis();
    void choosePage(CentrePage page);
    void openHead(const HeadRef& head);
    void openDiagnosisText(std::size_t text);
    void askForTexts();
    void showPage();
    void focusPage();
    void onJudgingChanged();
    void showJudgingProgress();
    void showUnread(const QString& reason);
    // main_window_compare.cpp: the page that puts heads side by side
    void connectCompare();
    void connectPins();
    void addContextMenus();
    /// One undo step, where `edit` changes which heads are pinned or compared.
    void changePins(const QString& label, const std::function<void(CompareController&)>& edit);
    void unpin(std::size_t pin);
    void pinHead(const HeadRef& head);
    void pinSide(const ComparedSide& side);
    void pinShown();
    void replacePin(std::size_t pin, const ComparedSide& side);
    void changeView(const QString& label, const std::function<void(MapView&)>& edit);
    MapView activeMapView() const;
    const PinnedHead* activePin() const;
    void pinWaiting();
    void swapWithPin(std::size_t pin);
    void walkTo(const HeadRef& head);
    ComparedSide currentSide() const;
    void refreshComparison();
    void showCompare();
    HeatmapView* shownView() const;
    bool exportComparison();
    void askForExport(ExportDialog& dialog);
    FigureOptions shownFigure() const;
    // main_window_copy.cpp: what is on screen, for the clipboard
    void connectCopying();
    ExportJob shownJob() const;
    std::optional<FollowedToken> followedToken() const;
    std::optional<ShownLines> shownLines() const;
    void copyPicture();
    void copyTable();
    void copyCaption();
    // main_window_cell.cpp: one cell, its weight and the heads that have it
    void connectCell();
    void refreshCell();
    void openFoundHead(const HeadRef& head);
    void goToToken(qint64 token, bool isKey);
    // main_window_session.cpp: what is kept: sessions, notes, texts that were run, settings
    void connectSession();
    void connectNotes();
    void connectHistory();
    void connectRecent();
    void refreshRecent();
    void loadSession(const QString& path);
    void beginSession(const ComingSession& session);
    void onRestored();
    void askForSession();
    bool saveSession();
    bool saveSessionAs();
    void askToSave(const QString& what, const std::function<void()>& then);
    void refreshTitle();
    void showNotes();
    void showHistory();
    void noteText();
    void keepText();
    void applyPreferences(const Preferences& before, const Preferences& now);
    void showSettings();
    void showPinProgress();
    // main_window_show.cpp: state and results to panels
    void connectController();
    void onStateChanged(const ViewState& before, const ViewState& after);
    void onBusyChanged();
    void onModelChanged();
    void onCountChanged();
    void onShownReset();
    void onLayerShown(const std::shared_ptr<const LayerResult>& layer);
    void onShownFinished();
    void showHead();
    void showView();
    void showWaiting(const QString& words);
    void showPlainHead(const HeadResult& head);
    void showTokenWeights();
    std::shared_ptr<const ViewedMap> viewedMap() const;
    void connectMapView();
    void refreshViewChecks();
    void showKind();
    void showLayers();
    void showStale();
    void refreshContext();
    void refreshChecks();
    QString idleText() const;
    QString waitsFor() const;

    Settings m_settings;
    ViewStore m_store;
    Actions m_actions;
    bool m_chooseHead = false;
    std::vector<HeadRef> m_headsToPin;
    QList<QToolButton*> m_wordyButtons; ///< of the toolbar: their words go where there is no room
    std::shared_ptr<const Diagnosis> m_diagnosisShown;
    QTimer m_saveTimer;
    QTimer m_viewTimer; ///< until it is said that a map is being made
    TextHistory m_history;
    std::optional<PastText> m_textToKeep; ///< that was run and is not among the texts yet
    QTimer m_keepTimer;
    bool m_runAsked = false; ///< by hand, not while typing
    bool m_closeUnasked = false;
    ComingSession m_coming; ///< until it is restored
    ComingSession m_lost;   ///< the last one whose model is not there
    bool m_cudaAvailable = false;

    ErrorBanner* m_banner = nullptr;
    AxesForm* m_axesForm = nullptr;
    ModelChoice m_unread; ///< the file that m_axesForm asks about
    QStackedWidget* m_pages = nullptr;
    Welcome* m_welcome = nullptr;
    QMenu* m_recentModels = nullptr;
    QMenu* m_recentSessions = nullptr;
    QSplitter* m_explore = nullptr;
    DiagnosePage* m_diagnosePage = nullptr;
    ComparePage* m_comparePage = nullptr;
    OverviewCard* m_overview = nullptr;
    MapCard* m_map = nullptr;
    TokenCard* m_tokens = nullptr;
    Inspector* m_inspector = nullptr;
    InspectorTabs* m_side = nullptr; ///< the right dock: m_inspector and the next three
    WeightPanel* m_weight = nullptr;
    FindPanel* m_find = nullptr;
    LayerPanel* m_layer = nullptr;
    CellPanels* m_cell = nullptr;
    ModelPanel* m_modelPanel = nullptr;
    TextPanel* m_textPanel = nullptr;
    StatusStrip* m_status = nullptr;
    QDockWidget* m_textDock = nullptr;
    QDockWidget* m_inspectorDock = nullptr;
    QDockWidget* m_logDock = nullptr;
    QDockWidget* m_yielded = nullptr; ///< hidden for lack of room, until there is room
    // Reset first in the destructor: its threads end before any panel goes.
    std::unique_ptr<RunController> m_controller;
    std::unique_ptr<SessionKeeper> m_keeper; ///< goes before the controller
};

} // namespace headscope::ui
