// SPDX-License-Identifier: GPL-3.0-or-later
// How maps are shown: the choices, and what they make of the head that is chosen.
#include "ui/format.h"
#include "ui/main_window.h"
#include "ui/panels/map_card.h"
#include "ui/panels/token_card.h"

#include <QAction>

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
    const auto change = [this](const QString& label, auto edit) {
        m_store.change(label, MergeGroup::None, [&edit](ViewState& state) {
            const MapView before = state.view;
            edit(state.view);
            // Other rows and columns: what was looked at is elsewhere.
            if (before.words != state.view.words || before.hideSpecial != state.view.hideSpecial)
                state.viewport = {};
        });
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
    m_map->setViewActions(actions);
    m_viewTimer.setSingleShot(true);
    m_viewTimer.setInterval(kMakingPause);
    connect(&m_viewTimer, &QTimer::timeout, this, [this] { m_map->showLoading(tr("Making the map…")); });
    connect(&m_controller->viewing(), &ViewingController::changed, this, [this] {
        showView();
        refreshContext();
    });
}

void MainWindow::refreshViewChecks() {
    const MapView& view = m_store.state().view;
    for (const auto& [id, heads] : kHeadsActions)
        m_actions.action(QString::fromLatin1(id))->setChecked(view.heads == heads);
    for (const auto& [id, member] : kViewSwitches)
        m_actions.action(QString::fromLatin1(id))->setChecked(view.*member);
}

void MainWindow::showPlainHead(const HeadResult& head) {
    const ShownRun& shown = m_controller->shown();
    const ViewState& state = m_store.state();
    m_map->showHead(state.headRef(), head, shown.queries(state.kind), shown.keys(state.kind));
    for (const auto& layer : shown.layers)
        if (layer->kind == state.kind && layer->layer == state.headRef().layer) m_map->showLayer(*layer);
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
            m_map->showLoading(tr("Analysing…")); // all of it first
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
    m_tokens->showHead(shownTokens().get(), state);
}

/// What is shown, token by token; null where nothing is (yet).
std::shared_ptr<const HeadMap> MainWindow::shownTokens() const {
    const Viewing& viewing = m_controller->viewing().now();
    if (viewing.stage == Viewing::Stage::Made) return viewing.made->tokens;
    const HeadResult* head = m_controller->shown().find(m_store.state().headRef());
    return head != nullptr && m_store.state().view.isPlain() ? head->map : nullptr;
}

} // namespace headscope::ui
