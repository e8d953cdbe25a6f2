// SPDX-License-Identifier: GPL-3.0-or-later
// How maps are shown: the choices, and what they make of the head that is chosen.
#include "ui/format.h"
#include "ui/main_window.h"
#include "ui/panels/compare_page.h"
#include "ui/panels/map_card.h"
#include "ui/panels/shown_view.h"
#include "ui/panels/token_card.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>

#include <utility>

namespace headscope::ui {
namespace {

/// What is made sooner replaces the map without a word, in milliseconds.
constexpr int kMakingPause = 150;

constexpr std::pair<const char*, HeadsShown> kHeadsActions[] = {{"view.heads_one", HeadsShown::One},
                                                                {"view.heads_mean", HeadsShown::Mean},
                                                                {"view.heads_max", HeadsShown::Largest},
                                                                {"view.heads_rollout", HeadsShown::Rollout}};
constexpr std::pair<const char*, bool MapView::*> kViewSwitches[] = {
    {"view.words", &MapView::words},
    {"view.value_weighted", &MapView::valueWeighted},
    {"view.hide_special", &MapView::hideSpecial},
    {"view.hide_first", &MapView::hideFirst}};

} // namespace

void MainWindow::connectMapView() {
    const auto change = [this](const QString& label, const std::function<void(MapView&)>& edit) {
        changeView(label, edit);
    };
    QList<QAction*> actions;
    for (const auto& [id, heads] : kHeadsActions) {
        actions.append(m_actions.action(QString::fromLatin1(id)));
        m_actions.on(QString::fromLatin1(id), [change, heads = heads] {
            change(tr("Heads"), [heads](MapView& view) {
                view.heads = heads;
                if (heads == HeadsShown::Rollout) view.valueWeighted = false; // it leaves values out
            });
        });
    }
    auto* line = new QAction(this);
    line->setSeparator(true);
    actions.append(line);
    for (const auto& [id, member] : kViewSwitches) {
        QAction* action = m_actions.action(QString::fromLatin1(id));
        actions.append(action);
        m_actions.on(QString::fromLatin1(id), [change, action, member = member] {
            change(tr("View"), [on = action->isChecked(), member](MapView& view) {
                view.*member = on;
                if (view.valueWeighted && view.heads == HeadsShown::Rollout) view.heads = HeadsShown::One;
            });
        });
    }
    m_comparePage->setViewActions(actions); // its small maps have no room for margins
    QAction* margins = m_actions.action(QStringLiteral("view.margins"));
    auto* end = new QAction(this);
    end->setSeparator(true);
    actions << end << margins;
    m_actions.on(QStringLiteral("view.margins"), [this, margins] {
        m_store.change(tr("Margins"), MergeGroup::None,
                       [on = margins->isChecked()](ViewState& state) { state.margins = on; });
    });
    m_map->setViewActions(actions);
    m_viewTimer.setSingleShot(true);
    m_viewTimer.setInterval(kMakingPause);
    connect(&m_viewTimer, &QTimer::timeout, this, [this] {
        showWaiting(tr("Making the map…"));
        showTokenWeights();
    });
    connect(&m_controller->viewing(), &ViewingController::changed, this, [this] {
        showView();
        refreshContext();
    });
}

void MainWindow::refreshViewChecks() {
    const MapView view = activeMapView();
    for (const auto& [id, heads] : kHeadsActions)
        m_actions.action(QString::fromLatin1(id))->setChecked(view.heads == heads);
    for (const auto& [id, member] : kViewSwitches)
        m_actions.action(QString::fromLatin1(id))->setChecked(view.*member);
    m_actions.action(QStringLiteral("view.margins"))->setChecked(m_store.state().margins);
}

void MainWindow::showPlainHead(const HeadResult& head) {
    const ShownRun& shown = m_controller->shown();
    const ViewState& state = m_store.state();
    m_map->showHead(state.headRef(), head, shown.queries(state.kind), shown.keys(state.kind));
    for (const auto& layer : shown.layers)
        if (layer->kind == state.kind && layer->layer == state.headRef().layer) m_map->showLayer(*layer);
}

/// In the place of the map that will be there.
void MainWindow::showWaiting(const QString& words) {
    const ViewState& state = m_store.state();
    const HeadRef head = state.headRef();
    const StackSpec* stack = m_controller->stack();
    const bool known = stack != nullptr && head.layer.value < stack->layers && head.head.value < stack->heads;
    std::vector<HeadRef> heads = {head};
    if (known) heads = shownHeads(m_controller->model()->spec(), head, state.view);
    m_map->showLoading(words, known ? headsName(heads, state.view.heads) : tr("Map"));
}

/// The head itself, or what its view makes of it.
void MainWindow::showView() {
    const ShownRun& shown = m_controller->shown();
    const ViewState& state = m_store.state();
    const HeadResult* head = shown.find(state.headRef());
    if (head == nullptr || !shown.text) return;
    const Viewing& viewing = m_controller->viewing().now();
    if (viewing.stage == Viewing::Stage::Making) {
        m_viewTimer.start();
        return;
    }
    m_viewTimer.stop();
    switch (viewing.stage) {
    case Viewing::Stage::Plain:
        if (state.view.isPlain())
            showPlainHead(*head);
        else
            showWaiting(tr("Analysing…")); // all of it first
        break;
    case Viewing::Stage::Cancelled:
        m_map->showNothing(tr("Cancelled. Choose another view of the map, or this one again."));
        break;
    case Viewing::Stage::Failed:
        m_map->showNothing(viewing.reason);
        break;
    case Viewing::Stage::Made:
        m_map->showView(viewing.request, viewing.made, shown.queries(state.kind), shown.keys(state.kind));
        break;
    case Viewing::Stage::Making:
        break;
    }
    m_map->showState(state);
    showTokenWeights();
}

/// What the view makes of the chosen head; null where that is a head by itself, or not made (yet).
std::shared_ptr<const ViewedMap> MainWindow::viewedMap() const {
    const Viewing& viewing = m_controller->viewing().now();
    const ViewState& state = m_store.state();
    const ViewRequest wanted{m_controller->shown().analysis, state.headRef(), state.view};
    return viewing.stage == Viewing::Stage::Made && viewing.request == wanted ? viewing.made : nullptr;
}

void MainWindow::showTokenWeights() {
    const ViewState& state = m_store.state();
    if (const auto viewed = viewedMap()) {
        m_tokens->showView(viewed, state);
        return;
    }
    if (m_viewTimer.isActive()) return; // the next map is there in a moment
    const HeadResult* head = m_controller->shown().find(state.headRef());
    m_tokens->showHead(head != nullptr && state.view.isPlain() ? head->map.get() : nullptr, state);
}

/// The cell as the map of the current head shows it.
void MainWindow::copyWeight() {
    const ViewState& state = m_store.state();
    const ShownRun& shown = m_controller->shown();
    const HeadResult* head = shown.find(state.headRef());
    if (!state.query || !state.key || head == nullptr || !shown.analysis) return;
    const MapView& view = state.view;
    const auto viewed = view.isPlain() ? nullptr : viewedMap();
    if (!viewed && !view.isPlain()) return;
    const auto row = viewed ? viewed->axes.queries.indexOf(*state.query) : state.query;
    const auto column = viewed ? viewed->axes.keys.indexOf(*state.key) : state.key;
    if (!row || !column) {
        tell(tr("The chosen cell is hidden in this view: no weight was copied"));
        return;
    }
    const ShownAs as = viewed ? shownAs(*viewed, view) : ShownAs{};
    const Axis& queries = viewed ? *viewed->axes.queries.axis : *shown.queries(state.kind);
    const Axis& keys = viewed ? *viewed->axes.keys.axis : *shown.keys(state.kind);
    const HeadMap& map = viewed ? *viewed->map : *head->map;
    const auto heads = shownHeads(shown.analysis->model->spec(), state.headRef(), view);
    QApplication::clipboard()->setText(
        tr("%1: %2 (%3) reads %4 (%5): %6")
            .arg(shownName(heads, view), tokenText(queries.entries[static_cast<std::size_t>(*row)]))
            .arg(as.place(false, *row))
            .arg(tokenText(keys.entries[static_cast<std::size_t>(*column)]))
            .arg(as.place(true, *column))
            .arg(double(map.cell(*row, *column)), 0, 'g', 9));
    tell(tr("Copied the weight"));
}

} // namespace headscope::ui
