// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewing_controller.h"

namespace headscope::ui {

ViewingController::ViewingController(InferenceLane& lane, QObject* parent) : QObject(parent), m_lane(lane) {
    connect(&m_lane, &InferenceLane::viewed, this, [this](const std::shared_ptr<const ViewedMap>& made) {
        m_now.stage = Viewing::Stage::Made;
        m_now.made = made;
        Q_EMIT changed();
    });
    connect(&m_lane, &InferenceLane::viewFailed, this, [this](const Failure& failure) {
        m_now.stage = failure.cancelled ? Viewing::Stage::Cancelled : Viewing::Stage::Failed;
        m_now.reason = failure.cancelled ? QString() : failure.text();
        Q_EMIT changed();
    });
}

void ViewingController::setWanted(const ViewRequest& request) {
    const bool plain = !request.analysis || request.view.isPlain();
    if (plain ? m_now.stage == Viewing::Stage::Plain
              : m_now.stage != Viewing::Stage::Plain && request == m_now.request)
        return;
    m_lane.cancelView();
    m_now = {};
    if (!plain) {
        m_now.stage = Viewing::Stage::Making;
        m_now.request = request;
        m_lane.view(request);
    }
    Q_EMIT changed();
}

void ViewingController::cancel() {
    if (!m_lane.isViewing()) return;
    m_lane.cancelView();
    m_now.stage = Viewing::Stage::Cancelled;
    Q_EMIT changed();
}

void ViewingController::again() {
    if (m_now.stage != Viewing::Stage::Cancelled && m_now.stage != Viewing::Stage::Failed) return;
    m_now.stage = Viewing::Stage::Making;
    m_now.reason.clear();
    m_lane.view(m_now.request);
    Q_EMIT changed();
}

} // namespace headscope::ui
