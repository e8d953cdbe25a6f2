// SPDX-License-Identifier: GPL-3.0-or-later
// The window's part for comparing: pins, and the page that puts them beside the current head.
#include "ui/export/export_dialog.h"
#include "ui/format.h"
#include "ui/heatmap/figure_painter.h"
#include "ui/heatmap/heatmap_view.h"
#include "ui/heatmap/overview_grid.h"
#include "ui/main_window.h"
#include "ui/panels/compare_page.h"
#include "ui/panels/map_card.h"
#include "ui/panels/overview_card.h"
#include "ui/pins_command.h"

#include <QAction>
#include <QMenu>
#include <QUndoCommand>

namespace headscope::ui {
namespace {

/// Another way in which a pinned head is shown.
class PinViewCommand final : public QUndoCommand {
  public:
    PinViewCommand(CompareController& comparing, const PinnedHead& pin, const MapView& after)
        : QUndoCommand(MainWindow::tr("View of a pinned head")), m_comparing(comparing), m_pin(pin.id),
          m_before(pin.side.view), m_after(after) {}
    void undo() override { setObsolete(!m_comparing.setView(m_pin, m_before)); }
    void redo() override { setObsolete(!m_comparing.setView(m_pin, m_after)); }

  private:
    CompareController& m_comparing;
    quint64 m_pin;
    MapView m_before;
    MapView m_after;
};

QString alreadyPinned(const ComparedSide& side) {
    QString name = nameInSentence(side.head, side.view.heads);
    name[0] = name.at(0).toUpper();
    return MainWindow::tr("%1 is pinned already").arg(name);
}

bool isSamePins(const PinSet& one, const PinSet& other) {
    return one.chosen == other.chosen &&
           std::equal(one.pins.begin(), one.pins.end(), other.pins.begin(), other.pins.end(),
                      [](const PinnedHead& a, const PinnedHead& b) { return a.id == b.id; });
}

/// Of one text.
bool hasSameRows(const MapView& one, const MapView& other) {
    return one.words == other.words && one.hideSpecial == other.hideSpecial;
}

} // namespace

/// How the active map of the page that is shown is shown.
MapView MainWindow::activeMapView() const {
    const PinnedHead* pin = activePin();
    return pin != nullptr ? pin->side.view : m_store.state().view;
}

/// The pin whose panel is framed on the page that is shown; null: the current head's is.
const PinnedHead* MainWindow::activePin() const {
    if (m_store.state().page != CentrePage::Compare) return nullptr;
    for (const PinnedHead& pin : m_controller->comparing().pins())
        if (pin.id == m_comparePage->activePin()) return &pin;
    return nullptr;
}

void MainWindow::changeView(const QString& label, const std::function<void(MapView&)>& edit) {
    const PinnedHead* pin = activePin();
    if (pin == nullptr) {
        m_store.change(label, MergeGroup::None, [&edit](ViewState& state) {
            const MapView before = state.view;
            edit(state.view);
            // Other rows and columns: what was looked at is elsewhere.
            if (!hasSameRows(before, state.view)) state.viewport = {};
        });
    } else {
        MapView view = pin->side.view;
        edit(view);
        if (view != pin->side.view)
            m_store.undoStack().push(new PinViewCommand(m_controller->comparing(), *pin, view));
    }
    refreshViewChecks();
}

void MainWindow::changePins(const QString& label, const std::function<void(CompareController&)>& edit) {
    CompareController& comparing = m_controller->comparing();
    const PinSet before = comparing.pinSet();
    edit(comparing);
    const PinSet after = comparing.pinSet();
    if (!isSamePins(before, after))
        m_store.undoStack().push(new PinsCommand(label, m_controller->pinRunner(), before, after));
}

void MainWindow::unpin(std::size_t pin) {
    const ComparedSide side = m_controller->comparing().pins()[pin].side;
    const QString name = nameInSentence(side.head, side.view.heads);
    changePins(tr("Unpin %1").arg(name), [pin](CompareController& comparing) { comparing.remove(pin); });
    tell(tr("Unpinned %1: Undo (Ctrl+Z) brings it back").arg(name));
}

void MainWindow::replacePin(std::size_t pin, const ComparedSide& side) {
    PinnedHead head{side, m_controller->shown().input};
    head.side.made.reset(); // made anew while it is looked at
    changePins(tr("Replace a pinned head"),
               [&](CompareController& comparing) { comparing.replace(pin, head); });
}

void MainWindow::connectCompare() {
    CompareController* comparing = &m_controller->comparing();
    m_actions.on(QStringLiteral("view.compare"), [this] { choosePage(CentrePage::Compare); });
    connect(comparing, &CompareController::changed, this, [this] {
        showCompare();
        refreshViewChecks(); // the framed one may be shown otherwise now
        refreshContext();
    });
    connect(comparing, &CompareController::similarChanged, this, [this, comparing] {
        m_comparePage->showSimilar(comparing->similar());
        refreshContext();
    });
    connect(m_comparePage, &ComparePage::headChosen, this, &MainWindow::walkTo);
    connect(m_comparePage, &ComparePage::cellChosen, this, &MainWindow::chooseCell);
    connect(m_comparePage, &ComparePage::viewportMoved, this, [this](const MapViewport& viewport) {
        m_store.change(tr("Zoom"), MergeGroup::Viewport,
                       [&viewport](ViewState& state) { state.viewport = viewport; });
    });
    connect(m_comparePage, &ComparePage::ownScalesChosen, this, [this](bool on) {
        m_store.change(tr("Own scales"), MergeGroup::None, [on](ViewState& state) { state.ownScales = on; });
    });
    connect(m_comparePage, &ComparePage::cancelRequested, this, [this, comparing] {
        m_controller->viewing().cancel();
        comparing->cancel();
    });
    connect(m_comparePage, &ComparePage::compareAgainRequested, comparing, &CompareController::compareAgain);
    connect(m_comparePage, &ComparePage::findAgainRequested, comparing, &CompareController::findAgain);
    connect(m_comparePage, &ComparePage::similarShown, this, &MainWindow::refreshComparison);
    connect(m_comparePage, &ComparePage::viewsAgainRequested, this, [this, comparing] {
        comparing->viewsAgain();
        m_controller->viewing().again();
    });
    connect(m_comparePage, &ComparePage::activeChanged, this, &MainWindow::refreshViewChecks);
    connectPins();
    addContextMenus();
    showCompare();
}

void MainWindow::connectPins() {
    CompareController* comparing = &m_controller->comparing();
    const auto pinCurrent = [this] { pinShown(); };
    m_actions.on(QStringLiteral("head.pin"), pinCurrent);
    m_actions.on(QStringLiteral("head.unpin_all"), [this] {
        changePins(tr("Unpin all"), [](CompareController& all) { all.setPinSet({}); });
        tell(tr("Unpinned all: Undo (Ctrl+Z) brings them back"));
    });
    connect(m_map, &MapCard::pinRequested, this, pinCurrent);
    connect(m_comparePage, &ComparePage::pinRequested, this, pinCurrent);
    connect(m_comparePage, &ComparePage::headPinned, this, &MainWindow::pinHead);
    connect(m_comparePage, &ComparePage::pinChosen, this, [this](std::size_t pin) {
        changePins(tr("Compared head"), [pin](CompareController& all) { all.choose(pin); });
    });
    connect(m_comparePage, &ComparePage::pinRemoved, this, &MainWindow::unpin);
    connect(m_comparePage, &ComparePage::pinRunRequested, &m_controller->pinRunner(), &PinRunner::run);
    connect(&m_controller->pinRunner(), &PinRunner::changed, this, &MainWindow::showPinProgress);
    connect(m_comparePage, &ComparePage::pinSwapped, this, &MainWindow::swapWithPin);
    connect(m_comparePage, &ComparePage::pinReplaced, this, [this, comparing](std::size_t pin) {
        const ComparedSide current = currentSide();
        if (!current.analysis) return;
        if (comparing->isPinned(current)) {
            tell(alreadyPinned(current));
            return;
        }
        replacePin(pin, current);
    });
}

/// Right click or the menu key: on the overview the head under it, on the map the current one.
void MainWindow::addContextMenus() {
    OverviewGrid* grid = m_overview->grid();
    grid->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(grid, &OverviewGrid::customContextMenuRequested, this, [this, grid](const QPoint& at) {
        auto head = grid->headAt(at);
        if (!head) head = grid->selected();
        if (!head || !m_controller->shown().analysis) return;
        auto* menu = new QMenu(grid);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addAction(m_actions.action(QStringLiteral("head.pin"))->icon(),
                        tr("Pin head %1 for comparison").arg(QString::fromStdString(headText(*head))), this,
                        [this, ref = *head] { pinHead(ref); });
        menu->popup(grid->viewport()->mapToGlobal(at));
    });
    HeatmapView* view = m_map->view();
    view->setContextMenuPolicy(Qt::ActionsContextMenu);
    for (const char* id : {"head.pin", "edit.copy_weight", "edit.copy_picture", "head.find_by_weight",
                           "view.fit", "file.export"})
        view->addAction(m_actions.action(QString::fromLatin1(id)));
}

/// What the window shows of the current head.
void MainWindow::pinShown() {
    const ComparedSide shown = currentSide();
    if (shown.analysis) pinSide(shown);
}

/// A head by itself, otherwise shown as maps are now.
void MainWindow::pinHead(const HeadRef& head) {
    const ShownRun& shown = m_controller->shown();
    if (!shown.analysis || shown.analysis->find(head) == nullptr) return;
    MapView view = m_store.state().view;
    view.heads = HeadsShown::One;
    pinSide({shown.analysis, head, view});
}

void MainWindow::pinSide(const ComparedSide& side) {
    const QString name = nameInSentence(side.head, side.view.heads);
    PinnedHead pin{side, m_controller->shown().input};
    pin.side.made.reset(); // made anew while it is looked at
    auto pinned = CompareController::Pinned::Already;
    changePins(tr("Pin %1").arg(name), [&](CompareController& all) { pinned = all.pin(pin); });
    switch (pinned) {
    case CompareController::Pinned::Now:
        tell(m_store.state().page == CentrePage::Compare
                 ? tr("Pinned %1").arg(name)
                 : tr("Pinned %1: choose another head, text or model, then Compare (Ctrl+3)").arg(name));
        break;
    case CompareController::Pinned::Already:
        tell(alreadyPinned(side));
        break;
    case CompareController::Pinned::NoRoom:
        tell(tr("%1 heads are pinned: remove or replace one of them on the page Compare")
                 .arg(Comparing::kMostPins));
        break;
    }
}

/// What the command line asked for.
void MainWindow::pinWaiting() {
    for (const HeadRef& head : std::exchange(m_headsToPin, {})) pinHead(head);
}

/// The pinned head becomes the current one, with what it was read from; the current one takes its place.
void MainWindow::swapWithPin(std::size_t pin) {
    CompareController& comparing = m_controller->comparing();
    const ComparedSide current = currentSide();
    if (!current.analysis) return;
    const PinnedHead pinned = comparing.now().pins[pin];
    const bool sameRun = pinned.side.analysis == current.analysis;
    m_store.undoStack().beginMacro(tr("Swap with the pinned head"));
    replacePin(pin, current);
    m_store.change(tr("Swap with the pinned head"), MergeGroup::None, [&](ViewState& state) {
        const HeadRef& head = pinned.side.head;
        state.kind = head.kind;
        state.layer = head.layer.value;
        state.head = head.head.value;
        const MapView before = state.view;
        state.view = pinned.side.view;
        if (!hasSameRows(before, state.view)) state.viewport = {};
        if (sameRun) return;
        static_cast<ViewInput&>(state) = pinned.input;
        state.query.reset();
        state.key.reset();
        state.viewport = {};
    });
    m_store.undoStack().endMacro();
    // Another model is opened by the change and then runs by itself.
    if (!sameRun && !m_controller->isOpening()) m_controller->run();
}

/// A head of a list becomes the current one; without a pin the list's own head is pinned first, so that the
/// two are compared.
void MainWindow::walkTo(const HeadRef& head) {
    CompareController& comparing = m_controller->comparing();
    const FindingSimilar list = comparing.similar();
    const bool pinsIt = comparing.pins().empty() && list.of.analysis;
    const QString name = tr("Head %1").arg(QString::fromStdString(headText(head)));
    if (pinsIt) {
        m_store.undoStack().beginMacro(name); // one step, as it is one click
        pinHead(list.of.head);
    }
    comparing.walkTo(head);
    // The list is of heads by themselves.
    m_store.change(name, MergeGroup::Head, [&head](ViewState& state) {
        state.kind = head.kind;
        state.layer = head.layer.value;
        state.head = head.head.value;
        state.view.heads = HeadsShown::One;
    });
    if (pinsIt) m_store.undoStack().endMacro();
}

ComparedSide MainWindow::currentSide() const {
    const ShownRun& shown = m_controller->shown();
    const HeadRef head = m_store.state().headRef();
    if (!shown.analysis || shown.analysis->find(head) == nullptr) return {};
    return {shown.analysis, head, m_store.state().view, viewedMap()};
}

void MainWindow::refreshComparison() {
    const bool shown = m_store.state().page == CentrePage::Compare && m_controller->model();
    const ComparedSide current = currentSide();
    const Viewing& viewing = m_controller->viewing().now();
    const bool isOfIt = viewing.stage != Viewing::Stage::Plain && viewing.request == requestOf(current);
    m_controller->comparing().setCurrent(current, isOfIt ? viewing : Viewing{});
    m_controller->comparing().setShown(shown, shown && m_comparePage->isSimilarShown());
}

void MainWindow::showCompare() {
    if (m_store.state().page != CentrePage::Compare) return;
    const ShownRun& shown = m_controller->shown();
    ComparePage::Current current;
    if (!shown.analysis) {
        current.loading = m_controller->isBusy();
        current.reason = current.loading ? tr("Analysing…") : waitsFor();
    } else if (m_controller->isStale()) {
        current.stale = tr("of the previous text");
    }
    m_comparePage->showComparing(m_controller->comparing().now(), current);
}

/// The map that the keyboard's zoom is for.
HeatmapView* MainWindow::shownView() const {
    return m_store.state().page == CentrePage::Compare ? m_comparePage->activeView() : m_map->view();
}

/// True where a comparison is what is on screen.
bool MainWindow::exportComparison() {
    const Comparing now = m_controller->comparing().now();
    if (m_store.state().page != CentrePage::Compare || !now.comparison) return false;
    ExportDialog dialog(now.comparison, shownFigure(), this);
    askForExport(dialog);
    return true;
}

} // namespace headscope::ui
