// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cell_panels.h"

#include "ui/format.h"
#include "ui/panels/find_panel.h"
#include "ui/panels/inspector_tabs.h"
#include "ui/panels/layer_panel.h"
#include "ui/panels/weight_panel.h"

#include <algorithm>
#include <utility>

namespace headscope::ui {

namespace {

std::shared_ptr<const LayerResult> layerOf(const ShownRun& run, const HeadRef& head) {
    for (const auto& layer : run.layers)
        if (layer->kind == head.kind && layer->layer == head.layer) return layer;
    return nullptr;
}

/// Where the map shows something else than the head by itself, token by token.
QString noteOf(const ShownRun& run, const ViewState& state) {
    if (state.view.isPlain() || !run.analysis) return {};
    const std::vector<HeadRef> heads = shownHeads(run.analysis->model->spec(), state.headRef(), state.view);
    return CellPanels::tr(
               "The map shows something else: %1. The numbers here are those of head %2 by itself, "
               "from token to token.")
        .arg(shownName(heads, state.view), QString::fromStdString(headText(state.headRef())));
}

bool isWithin(const std::optional<std::int64_t>& position, const std::shared_ptr<const Axis>& axis) {
    return position && axis && *position < axis->size();
}

} // namespace

CellPanels::CellPanels(InspectorTabs& tabs, const Panels& panels, InferenceLane& lane, QObject* parent)
    : QObject(parent), m_tabs(tabs), m_weight(panels.weight), m_find(panels.find), m_layer(panels.layer),
      m_lane(lane) {
    connect(&m_lane, &InferenceLane::headsFound, this,
            [this](const std::shared_ptr<const FoundHeads>& found) {
                m_find.showFound(found, m_searched.lock());
            });
    connect(&m_lane, &InferenceLane::findFailed, this,
            [this](const Failure& failure) { m_find.showReason(failure.sentence); });
}

bool CellPanels::Shown::isSame(const Shown& other) const {
    const bool sameSource = !source.owner_before(other.source) && !other.source.owner_before(source);
    return sameSource && head == other.head && query == other.query && key == other.key &&
           reason == other.reason;
}

void CellPanels::refresh(const ShownRun& run, const ViewState& state, const QString& waits) {
    if (m_tabs.current() == InspectorTab::Weight) refreshWeight(run, state, waits);
    if (m_tabs.current() == InspectorTab::Find) refreshFind(run, state, waits);
    if (m_tabs.current() == InspectorTab::Layer) refreshLayer(run, state, waits);
}

void CellPanels::refreshWeight(const ShownRun& run, const ViewState& state, const QString& waits) {
    const auto queries = run.queries(state.kind);
    const auto keys = run.keys(state.kind);
    const auto layer = layerOf(run, state.headRef());
    QString reason;
    if (!run.text) {
        reason = tr("There is no run of this text yet. %1.").arg(waits);
    } else if (!layer || run.find(state.headRef()) == nullptr) {
        reason = tr("The weight comes with the layer of the head.");
    } else if (!isWithin(state.query, queries) || !isWithin(state.key, keys)) {
        reason =
            tr("Choose a cell of the map, and every step from the query and the key to its weight stands "
               "here.");
    }
    const QString note = reason.isEmpty() ? noteOf(run, state) : QString();
    Shown now{layer, state.headRef(), state.query, state.key, reason + note};
    if (m_weightShown && m_weightShown->isSame(now)) return;
    m_weightShown = std::move(now);
    if (reason.isEmpty()) {
        m_weight.showCell({state.headRef(), layer, queries, keys, *state.query, *state.key, note});
    } else {
        m_weight.showNothing(reason);
    }
}

void CellPanels::refreshFind(const ShownRun& run, const ViewState& state, const QString& waits) {
    m_find.showHead(state.headRef());
    const auto queries = run.queries(state.kind);
    const auto keys = run.keys(state.kind);
    QString reason;
    if (!run.text) {
        reason = tr("There is no run of this text yet. %1.").arg(waits);
    } else if (!run.analysis) {
        reason = tr("The heads are searched when the run has ended.");
    } else if (!isWithin(state.query, queries) || !isWithin(state.key, keys)) {
        reason = tr("Choose a query and a key, here or in the map: all heads are listed by their weight "
                    "there.");
    }
    // Of the head only the kind matters: the list is the same for all.
    Shown now{run.analysis, {state.kind, {}, {}}, state.query, state.key, reason};
    if (m_findShown && m_findShown->isSame(now)) return;
    m_findShown = std::move(now);
    m_lane.cancelFind();
    if (!run.text) {
        m_find.showNothing(reason);
        return;
    }
    m_find.showTokens(queries, keys);
    m_find.showCell(state.query, state.key);
    if (!reason.isEmpty()) {
        m_find.showReason(reason);
        return;
    }
    if (m_searched.lock() != run.analysis) m_find.showReason({});
    m_searched = run.analysis;
    m_find.showFinding();
    m_lane.find(run.analysis, {state.kind, *state.query, *state.key});
}

void CellPanels::refreshLayer(const ShownRun& run, const ViewState& state, const QString& waits) {
    const auto layer = layerOf(run, state.headRef());
    QString reason;
    if (!run.text) {
        reason = tr("There is no run of this text yet. %1.").arg(waits);
    } else if (!run.analysis || !layer) {
        reason = tr("The steps come when the run has ended.");
    }
    Shown now{layer, {state.kind, state.headRef().layer, {}}, {}, {}, reason};
    if (m_layerShown && m_layerShown->isSame(now)) return;
    m_layerShown = std::move(now);
    if (reason.isEmpty()) {
        m_layer.showLayer(*layer, run.analysis->model->spec());
    } else {
        m_layer.showNothing(reason);
    }
}

} // namespace headscope::ui
