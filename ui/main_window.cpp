// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.h"

#include "ui/cell_panels.h"
#include "ui/heatmap/heatmap_view.h"
#include "ui/log.h"
#include "ui/panels/axes_form.h"
#include "ui/panels/compare_page.h"
#include "ui/panels/diagnose_page.h"
#include "ui/panels/error_banner.h"
#include "ui/panels/find_panel.h"
#include "ui/panels/inspector.h"
#include "ui/panels/inspector_tabs.h"
#include "ui/panels/layer_panel.h"
#include "ui/panels/log_panel.h"
#include "ui/panels/map_card.h"
#include "ui/panels/model_panel.h"
#include "ui/panels/overview_card.h"
#include "ui/panels/segments.h"
#include "ui/panels/status_strip.h"
#include "ui/panels/text_panel.h"
#include "ui/panels/token_card.h"
#include "ui/panels/weight_panel.h"
#include "ui/panels/welcome.h"
#include "ui/signal_quit.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace headscope::ui {
namespace {

constexpr QSize kSmallestWindow(960, 640);
constexpr int kRoomForWords = 1100;     ///< width of a window whose toolbar has room for words
constexpr int kRoomForBothSides = 1224; ///< width of a window that holds both side panels and the map

QDockWidget* makeDock(QMainWindow* window, const QString& title, const char* name, QWidget* content) {
    auto* dock = new QDockWidget(title, window);
    dock->setObjectName(QString::fromLatin1(name));
    dock->setFeatures(QDockWidget::DockWidgetClosable);
    dock->setWidget(content);
    return dock;
}

} // namespace

MainWindow::MainWindow(WindowSetup setup, QWidget* parent)
    : QMainWindow(parent), m_history(setup.textsFile), m_cudaAvailable(setup.cudaAvailable),
      m_controller(std::make_unique<RunController>(std::move(setup.engine), m_store)),
      m_keeper(
          std::make_unique<SessionKeeper>(m_store, m_controller->comparing(), std::move(setup.sessionFile))) {
    setWindowTitle(QStringLiteral("HeadScope"));
    setAcceptDrops(true);
    setMinimumSize(kSmallestWindow);
    m_modelPanel = new ModelPanel(setup.cudaAvailable, this);
    m_actions.fill(*menuBar());
    buildToolbar();
    buildCentre();
    buildDocks();
    m_status = new StatusStrip(this);
    setStatusBar(m_status);

    connectActions();
    connectPanels();
    connectOpening();
    connectMapView();
    connectController();
    connectDiagnosis();
    connectCompare();
    connectCell();
    connectSession();
    connect(&m_store, &ViewStore::changed, this, &MainWindow::onStateChanged);
    connect(&m_store.undoStack(), &QUndoStack::indexChanged, this, &MainWindow::refreshContext);
    connect(&Theme::instance(), &Theme::changed, &m_actions, &Actions::refreshIcons);
    m_controller->setRunWhileTyping(m_settings.runWhileTyping());
    onModelChanged();
    onStateChanged({}, m_store.state());
    restoreLayout();
    refreshContext();
}

MainWindow::~MainWindow() {
    // The store outlives the controller by a little and says so when its steps go.
    m_store.undoStack().disconnect(this);
    m_keeper.reset();
    m_controller.reset();
}

void MainWindow::buildToolbar() {
    auto* bar = addToolBar(tr("Toolbar"));
    bar->setObjectName(QStringLiteral("toolbar"));
    bar->setMovable(false);
    bar->setIconSize({16, 16});
    const auto add = [&](const char* id, bool withText) {
        QAction* action = m_actions.action(QString::fromLatin1(id));
        bar->addAction(action);
        auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(action));
        button->setToolButtonStyle(withText ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
        button->setFocusPolicy(Qt::TabFocus);
        if (withText) m_wordyButtons.append(button);
        if (!withText) button->setProperty("role", QByteArray("flat"));
        return button;
    };
    // The space keeps the words off the icon.
    m_actions.action(QStringLiteral("file.open_model"))->setIconText(tr(" Open…"));
    m_actions.action(QStringLiteral("head.next_flagged"))->setIconText(tr(" Next flag"));
    m_actions.action(QStringLiteral("file.export"))->setIconText(tr(" Export…"));
    add("file.open_model", true);
    auto* pages = new Segments(bar);
    pages->add(m_actions.action(QStringLiteral("view.explore")));
    pages->add(m_actions.action(QStringLiteral("view.diagnose")));
    pages->add(m_actions.action(QStringLiteral("view.compare")));
    bar->addWidget(pages);
    bar->addSeparator();
    add("edit.undo", false);
    add("edit.redo", false);
    bar->addSeparator();
    for (const char* id : {"head.layer_up", "head.layer_down", "head.previous", "head.next"}) {
        add(id, false);
    }
    add("head.next_flagged", true);
    auto* spacer = new QWidget(bar);
    spacer->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(spacer);
    for (const char* id : {"view.zoom_out", "view.fit", "view.zoom_in"}) {
        add(id, false);
    }
    bar->addSeparator();
    add("file.export", true);
}

void MainWindow::buildCentre() {
    auto* centre = new QWidget(this);
    auto* layout = new QVBoxLayout(centre);
    layout->setContentsMargins(12, 12, 12, 12);
    layout->setSpacing(12);
    m_banner = new ErrorBanner(centre);
    layout->addWidget(m_banner);
    m_axesForm = new AxesForm(centre);
    layout->addWidget(m_axesForm);
    m_pages = new QStackedWidget(centre);
    layout->addWidget(m_pages, 1);

    m_welcome = new Welcome(m_pages);
    m_pages->addWidget(m_welcome);

    m_explore = new QSplitter(Qt::Vertical, m_pages);
    m_explore->setObjectName(QStringLiteral("explore"));
    auto* upper = new QSplitter(Qt::Horizontal, m_explore);
    upper->setObjectName(QStringLiteral("upper"));
    m_overview = new OverviewCard(upper);
    m_map = new MapCard(upper);
    m_overview->setMinimumWidth(288);
    m_map->setMinimumWidth(400);
    upper->addWidget(m_overview);
    upper->addWidget(m_map);
    upper->setStretchFactor(0, 4);
    upper->setStretchFactor(1, 7);
    upper->setSizes({4000, 7000});
    m_tokens = new TokenCard(m_explore);
    m_explore->addWidget(upper);
    m_explore->addWidget(m_tokens);
    m_explore->setStretchFactor(0, 1);
    m_explore->setStretchFactor(1, 0);
    for (QSplitter* splitter : {m_explore, upper}) {
        splitter->setHandleWidth(12);
        splitter->setChildrenCollapsible(false);
    }
    m_pages->addWidget(m_explore);
    m_diagnosePage = new DiagnosePage(m_pages);
    m_pages->addWidget(m_diagnosePage);
    m_comparePage = new ComparePage(m_pages);
    m_pages->addWidget(m_comparePage);
    setCentralWidget(centre);
}

void MainWindow::buildDocks() {
    m_textPanel = new TextPanel(this);
    auto* left = new QWidget(this);
    left->setProperty("role", QByteArray("dock"));
    auto* layout = new QVBoxLayout(left);
    layout->setContentsMargins(16, 14, 16, 16);
    layout->setSpacing(20);
    layout->addWidget(m_modelPanel);
    layout->addWidget(m_textPanel, 1);
    left->setMinimumWidth(232);
    m_textDock = makeDock(this, tr("Model and text"), "textDock", left);
    m_side = new InspectorTabs(this);
    m_inspector = new Inspector(m_side);
    m_weight = new WeightPanel(m_side);
    m_find = new FindPanel(m_side);
    m_layer = new LayerPanel(m_side);
    m_side->add(m_actions.action(QStringLiteral("view.tab_head")), m_inspector);
    m_side->add(m_actions.action(QStringLiteral("view.tab_weight")), m_weight);
    m_side->add(m_actions.action(QStringLiteral("view.tab_find")), m_find);
    m_side->add(m_actions.action(QStringLiteral("view.tab_layer")), m_layer);
    m_side->setMinimumWidth(260);
    m_cell = new CellPanels(*m_side, {*m_weight, *m_find, *m_layer}, m_controller->lane(), this);
    m_inspectorDock = makeDock(this, tr("Inspector"), "inspectorDock", m_side);
    auto* log = new LogPanel(this);
    m_logDock = makeDock(this, tr("Log"), "logDock", log);
    // The panels name themselves; only the log needs a bar with a way to close it.
    m_textDock->setTitleBarWidget(new QWidget(m_textDock));
    m_inspectorDock->setTitleBarWidget(new QWidget(m_inspectorDock));
    addDockWidget(Qt::LeftDockWidgetArea, m_textDock);
    addDockWidget(Qt::RightDockWidgetArea, m_inspectorDock);
    addDockWidget(Qt::BottomDockWidgetArea, m_logDock);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    m_logDock->hide();
}

void MainWindow::restoreLayout() {
    const QByteArray geometry = m_settings.geometry();
    if (geometry.isEmpty() || !restoreGeometry(geometry)) {
        // A little smaller than the screen where that is small.
        const QSize room = screen()->availableSize();
        resize(QSize(1440, 900).boundedTo(room - QSize(40, 60)));
    }
    if (!m_settings.layout().isEmpty()) {
        restoreState(m_settings.layout(), Settings::kLayoutVersion);
    } else {
        resizeDocks({m_textDock, m_inspectorDock}, {240, 264}, Qt::Horizontal);
        m_explore->setSizes({10000, 148});
    }
    for (QSplitter* splitter : findChildren<QSplitter*>()) {
        const QByteArray state = m_settings.splitter(splitter->objectName());
        if (!splitter->objectName().isEmpty() && !state.isEmpty()) splitter->restoreState(state);
    }
}

/// Narrow windows show one side panel at a time, else the map would be cut; wider ones bring the other back.
void MainWindow::makeRoomFor(QDockWidget* wanted) {
    if (width() >= kRoomForBothSides) {
        if (m_yielded != nullptr) std::exchange(m_yielded, nullptr)->show();
        return;
    }
    if (m_textDock->isHidden() || m_inspectorDock->isHidden()) return;
    m_yielded = wanted == m_inspectorDock ? m_textDock : m_inspectorDock;
    m_yielded->hide();
}

void MainWindow::fitToolbar() {
    const bool words = width() >= kRoomForWords;
    for (QToolButton* button : m_wordyButtons)
        button->setToolButtonStyle(words ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
}

void MainWindow::start(const ViewState& state) {
    m_store.replace(state);
    onStateChanged({}, m_store.state());
}

void MainWindow::start(const Autosave& saved) {
    start(saved.content.view);
    std::optional<SessionContent> inFile;
    try {
        if (!saved.file.isEmpty()) inFile = loadSessionFile(saved.file);
    } catch (const Error&) {
        // It is gone or another: what is here is not in it.
    }
    m_keeper->begin(saved.content.notes, saved.file, inFile);
    m_controller->restorePins(waitingPins(saved.content), saved.content.chosenPin);
}

void MainWindow::saveNow() {
    m_keeper->autosaveNow();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!m_closeUnasked && !SignalQuit::isQuitting() && m_keeper->isModified()) {
        event->ignore();
        askToSave(tr("Save the changes to %1 before closing?").arg(m_keeper->name()), [this] {
            m_closeUnasked = true;
            close();
        });
        return;
    }
    keepText();
    m_controller->cancel();
    m_controller->comparing().cancel();
    m_keeper->autosaveNow(true);
    if (m_yielded != nullptr) std::exchange(m_yielded, nullptr)->show(); // the layout to save is the user's
    if (m_keeper->isAutosaved()) {
        m_settings.saveLayout(saveGeometry(), saveState(Settings::kLayoutVersion));
        for (const QSplitter* splitter : findChildren<QSplitter*>())
            if (!splitter->objectName().isEmpty())
                m_settings.saveSplitter(splitter->objectName(), splitter->saveState());
    }
    event->accept();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    makeRoomFor(m_textDock);
    fitToolbar();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    // Whatever it is: what cannot be opened is said when it is dropped.
    event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    openMime(*event->mimeData());
}

} // namespace headscope::ui
