// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/linked_views.h"

#include "core/base/check.h"

#include <algorithm>

namespace headscope::ui {

LinkedViews::LinkedViews(QObject* parent) : QObject(parent) {}

/// Every other view of the same group.
template <typename Do>
void LinkedViews::others(const HeatmapView* view, const Do& act) const {
    const int group = groupOf(view);
    if (group == kAlone) return;
    for (const Member& member : m_members)
        if (member.view != view && member.group == group) act(*member.view);
}

void LinkedViews::add(HeatmapView* view) {
    m_members.push_back({view, kAlone});
    connect(view, &HeatmapView::cellClicked, this,
            [this, view](qint64 query, qint64 key) { choose(view, query, key); });
    connect(view, &HeatmapView::selectionMoved, this,
            [this, view](qint64 query, qint64 key) { choose(view, query, key); });
    connect(view, &HeatmapView::viewportChanged, this, [this, view](const MapViewport& viewport) {
        others(view, [&viewport](HeatmapView& other) { other.setMapViewport(viewport); });
        Q_EMIT viewportMoved(groupOf(view), viewport);
    });
    connect(view, &HeatmapView::cellHovered, this, [this, view](qint64 query, qint64 key, float) {
        others(view, [=](HeatmapView& other) { other.pointAt(HeatmapView::Cell(query, key)); });
        Q_EMIT cellPointed(groupOf(view), HeatmapView::Cell(query, key));
    });
    connect(view, &HeatmapView::hoverLeft, this, [this, view] {
        others(view, [](HeatmapView& other) { other.pointAt(std::nullopt); });
        Q_EMIT cellPointed(groupOf(view), std::nullopt);
    });
}

void LinkedViews::choose(HeatmapView* view, std::int64_t query, std::int64_t key) {
    others(view, [=](HeatmapView& other) { other.setSelection(query, key); });
    Q_EMIT cellChosen(groupOf(view), query, key);
}

void LinkedViews::setGroup(HeatmapView* view, int group) {
    const auto member = std::find_if(m_members.begin(), m_members.end(),
                                     [view](const Member& one) { return one.view == view; });
    HS_CHECK(member != m_members.end());
    if (member->group == group) return;
    member->group = group;
    if (group == kAlone) return;
    for (const Member& other : m_members) {
        if (other.view == view || other.group != group) continue;
        view->setSelection(other.view->selectedQuery(), other.view->selectedKey());
        view->setMapViewport(other.view->mapViewport());
        return;
    }
}

int LinkedViews::groupOf(const HeatmapView* view) const {
    const auto member = std::find_if(m_members.begin(), m_members.end(),
                                     [view](const Member& one) { return one.view == view; });
    return member == m_members.end() ? kAlone : member->group;
}

void LinkedViews::showSelection(int group, std::optional<std::int64_t> query,
                                std::optional<std::int64_t> key) {
    for (const Member& member : m_members)
        if (member.group == group) member.view->setSelection(query, key);
}

void LinkedViews::pointAt(int group, const std::optional<HeatmapView::Cell>& cell) {
    for (const Member& member : m_members)
        if (member.group == group) member.view->pointAt(cell);
}

void LinkedViews::showViewport(int group, const MapViewport& viewport) {
    for (const Member& member : m_members)
        if (member.group == group) member.view->setMapViewport(viewport);
}

} // namespace headscope::ui
