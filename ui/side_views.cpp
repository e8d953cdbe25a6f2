// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/side_views.h"

#include <algorithm>
#include <utility>

namespace headscope::ui {

using Stage = Viewing::Stage;

SideViews::SideViews(InferenceLane& lane, QObject* parent) : QObject(parent), m_lane(lane) {
    connect(&m_lane, &InferenceLane::viewedBeside, this,
            [this](const std::shared_ptr<const ViewedMap>& made) { end(Stage::Made, made, {}); });
    connect(&m_lane, &InferenceLane::viewBesideFailed, this, [this](const Failure& failure) {
        end(failure.cancelled ? Stage::Cancelled : Stage::Failed, nullptr,
            failure.cancelled ? QString() : failure.text());
    });
}

Viewing SideViews::find(const ViewRequest& request) const {
    const auto found = std::find_if(m_views.begin(), m_views.end(),
                                    [&request](const Viewing& one) { return one.request == request; });
    return found == m_views.end() ? Viewing{} : *found;
}

void SideViews::setWanted(const std::vector<ViewRequest>& requests, bool make) {
    std::vector<Viewing> views;
    for (const ViewRequest& request : requests) {
        if (!request.analysis || request.view.isPlain()) continue;
        const bool twice = std::any_of(views.begin(), views.end(),
                                       [&request](const Viewing& one) { return one.request == request; });
        if (twice) continue;
        Viewing view = find(request);
        if (view.stage == Stage::Plain) view = {Stage::Making, request, nullptr, {}};
        views.push_back(std::move(view));
    }
    m_views = std::move(views);
    m_make = make;
    if (m_making.analysis && (!make || find(m_making).stage == Stage::Plain)) {
        m_lane.cancelViewBeside();
        m_making = {};
    }
    next();
}

void SideViews::next() {
    if (!m_make || m_making.analysis) return;
    const auto found = std::find_if(m_views.begin(), m_views.end(),
                                    [](const Viewing& one) { return one.stage == Stage::Making; });
    if (found == m_views.end()) return;
    m_making = found->request;
    m_lane.viewBeside(m_making);
}

void SideViews::end(Stage stage, std::shared_ptr<const ViewedMap> made, const QString& reason) {
    const ViewRequest request = std::exchange(m_making, {});
    for (Viewing& view : m_views)
        if (view.request == request) view = {stage, request, made, reason};
    next();
    Q_EMIT changed();
}

void SideViews::cancel() {
    if (!isBusy()) return;
    m_lane.cancelViewBeside();
    m_making = {};
    for (Viewing& view : m_views)
        if (view.stage == Stage::Making) view.stage = Stage::Cancelled;
    Q_EMIT changed();
}

void SideViews::again() {
    for (Viewing& view : m_views)
        if (view.stage == Stage::Cancelled || view.stage == Stage::Failed)
            view = {Stage::Making, view.request, nullptr, {}};
    next();
    Q_EMIT changed();
}

} // namespace headscope::ui
