// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare_controller.h"

#include "core/base/check.h"

#include <algorithm>
#include <utility>

namespace headscope::ui {
CompareController::CompareController(InferenceLane& lane, QObject* parent)
    : QObject(parent), m_lane(lane), m_views(lane) {
    connect(&m_views, &SideViews::changed, this, [this] {
        refresh();
        Q_EMIT changed();
    });
    connect(&m_lane, &InferenceLane::similarProgressed, this, [this](double share) {
        m_similarShare = share;
        Q_EMIT similarChanged();
    });
    connect(&m_lane, &InferenceLane::compared, this,
            [this](const std::shared_ptr<const HeadComparison>& comparison) {
                m_comparison = comparison;
                Q_EMIT changed();
            });
    connect(&m_lane, &InferenceLane::compareFailed, this, [this](const Failure& failure) {
        m_cancelled = failure.cancelled;
        m_failure = failure.cancelled ? QString() : failure.text();
        Q_EMIT changed();
    });
    connect(&m_lane, &InferenceLane::similarFound, this,
            [this](const std::shared_ptr<const SimilarHeads>& similar) {
                m_similar = similar;
                Q_EMIT similarChanged();
            });
    connect(&m_lane, &InferenceLane::similarFailed, this, [this](const Failure& failure) {
        m_similarCancelled = failure.cancelled;
        m_similarFailure = failure.cancelled ? QString() : failure.text();
        Q_EMIT similarChanged();
    });
}

void CompareController::setCurrent(const ComparedSide& current, const Viewing& view) {
    const bool sameView = view.stage == m_currentView.stage && view.made == m_currentView.made &&
                          view.reason == m_currentView.reason;
    if (isSameHead(current, m_current) && current.view == m_current.view && sameView) return;
    if (m_walkedTo && (current.analysis != m_current.analysis || current.head != *m_walkedTo))
        m_walkedTo.reset();
    m_current = current;
    m_currentView = view;
    m_current.made = view.made;
    refreshAll();
}

void CompareController::setShown(bool comparison, bool similar) {
    if (comparison == m_comparisonShown && similar == m_similarShown) return;
    m_comparisonShown = comparison;
    m_similarShown = similar;
    refreshAll();
}

CompareController::Pinned CompareController::pin(const PinnedHead& head) {
    HS_CHECK(head.side.analysis != nullptr);
    if (isPinned(head.side)) return Pinned::Already;
    if (m_pins.size() >= Comparing::kMostPins) return Pinned::NoRoom;
    m_pins.push_back(head);
    m_pins.back().id = ++m_lastId;
    refreshAll();
    return Pinned::Now;
}

bool CompareController::isPinned(const ComparedSide& head) const {
    return std::any_of(m_pins.begin(), m_pins.end(),
                       [&head](const PinnedHead& pin) { return isSameMap(pin.side, head); });
}

void CompareController::remove(std::size_t pin) {
    HS_CHECK_LT(pin, m_pins.size());
    m_pins.erase(m_pins.begin() + static_cast<std::ptrdiff_t>(pin));
    if (m_chosen > pin || m_chosen >= m_pins.size()) m_chosen -= m_chosen > 0 ? 1 : 0;
    refreshAll();
}

void CompareController::replace(std::size_t pin, const PinnedHead& head) {
    HS_CHECK_LT(pin, m_pins.size());
    m_pins[pin] = head;
    m_pins[pin].id = ++m_lastId;
    refreshAll();
}

void CompareController::choose(std::size_t pin) {
    HS_CHECK_LT(pin, m_pins.size());
    if (pin == m_chosen) return;
    m_chosen = pin;
    refreshAll();
}

void CompareController::restore(std::vector<PinnedHead> pins, std::size_t chosen) {
    HS_CHECK(pins.size() <= Comparing::kMostPins);
    m_pins = std::move(pins);
    for (PinnedHead& pin : m_pins) pin.id = ++m_lastId;
    m_chosen = m_pins.empty() ? 0 : std::min(chosen, m_pins.size() - 1);
    refreshAll();
}

void CompareController::setPinSet(PinSet set) {
    HS_CHECK(set.pins.size() <= Comparing::kMostPins);
    for (PinnedHead& pin : set.pins)
        for (const PinnedHead& now : m_pins)
            if (now.id == pin.id) pin = now; // it may have run since
    m_pins = std::move(set.pins);
    m_chosen = m_pins.empty() ? 0 : std::min(set.chosen, m_pins.size() - 1);
    refreshAll();
}

void CompareController::fill(const ViewState& input, const std::shared_ptr<const Analysis>& analysis) {
    bool filled = false;
    for (PinnedHead& pin : m_pins) {
        if (pin.side.analysis || !pin.input.sameInput(input)) continue;
        filled = true;
        const bool found = analysis->find(pin.side.head) != nullptr;
        pin.run = found ? PinRun::Done : PinRun::Failed;
        pin.reason = found ? QString()
                           : tr("%1 has no head %2.")
                                 .arg(QString::fromStdString(analysis->model->name),
                                      QString::fromStdString(headText(pin.side.head)));
        if (found) pin.side.analysis = analysis;
    }
    if (!filled) return;
    refreshAll();
}

void CompareController::setRun(const ViewState& input, PinRun run, const QString& reason) {
    bool any = false;
    for (PinnedHead& pin : m_pins) {
        if (pin.side.analysis || !pin.input.sameInput(input)) continue;
        pin.run = run;
        pin.reason = reason;
        any = true;
    }
    if (any) Q_EMIT changed();
}

bool CompareController::setView(quint64 id, const MapView& view) {
    const auto pin =
        std::find_if(m_pins.begin(), m_pins.end(), [id](const PinnedHead& one) { return one.id == id; });
    if (pin == m_pins.end()) return false;
    if (pin->side.view == view) return true;
    pin->side.view = view;
    refreshAll();
    return true;
}

ComparedSide CompareController::pinnedSide(std::size_t pin) const {
    ComparedSide side = m_pins[pin].side;
    side.made = m_views.find(requestOf(side)).made;
    return side;
}

void CompareController::refreshAll() {
    refresh();
    refreshSimilar();
    Q_EMIT changed();
}

/// Makes what pins show, and measures the pair that is looked at, once.
void CompareController::refresh() {
    std::vector<ViewRequest> wanted;
    for (const PinnedHead& pin : m_pins) wanted.push_back(requestOf(pin.side));
    m_views.setWanted(wanted, m_comparisonShown);
    const auto isReady = [](const ComparedSide& side) {
        return side.analysis && (side.view.isPlain() || side.made);
    };
    const ComparedSide pinned = m_pins.empty() ? ComparedSide{} : pinnedSide(m_chosen);
    const bool pair = isReady(m_current) && isReady(pinned) && !isSameMap(pinned, m_current);
    const bool same =
        pair && m_asked[0].analysis && isSameMap(pinned, m_asked[0]) && isSameMap(m_current, m_asked[1]);
    if (same && (m_lane.isComparing() || m_comparison || m_cancelled || !m_failure.isEmpty())) return;
    m_lane.cancelCompare();
    m_comparison.reset(); // lets go of runs that nobody shows
    m_cancelled = false;
    m_failure.clear();
    m_asked[0] = {};
    m_asked[1] = {};
    if (!pair || !m_comparisonShown) return;
    m_asked[0] = pinned;
    m_asked[1] = m_current;
    m_lane.compare(m_asked[0], m_asked[1]);
}

/// Whose list it is: the pinned head's where that is of the text that is shown, so that the list stays while
/// one walks through it.
ComparedSide CompareController::reference() const {
    if (!m_current.analysis) return {};
    if (!m_pins.empty()) {
        const ComparedSide& pin = m_pins[m_chosen].side;
        const bool isHead = pin.view.heads == HeadsShown::One;
        if (isHead && pin.analysis == m_current.analysis && pin.head.kind == m_current.head.kind) return pin;
    }
    if (m_walkedTo && *m_walkedTo == m_current.head && m_similarTo.analysis == m_current.analysis)
        return m_similarTo;
    return m_current;
}

void CompareController::refreshSimilar() {
    const ComparedSide wanted = reference();
    const bool same = wanted.analysis && isSameHead(wanted, m_similarTo);
    if (same && (m_lane.isFindingSimilar() || m_similar || m_similarCancelled || !m_similarFailure.isEmpty()))
        return;
    m_lane.cancelSimilar();
    m_similar.reset();
    m_similarCancelled = false;
    m_similarFailure.clear();
    m_similarTo = wanted;
    m_similarShare = 0.0;
    if (wanted.analysis && m_similarShown) m_lane.findSimilar(wanted);
    Q_EMIT similarChanged();
}

void CompareController::viewsAgain() {
    m_views.again();
}

void CompareController::cancel() {
    m_views.cancel();
    if (m_lane.isComparing()) {
        m_lane.cancelCompare();
        m_cancelled = true;
    }
    if (m_lane.isFindingSimilar()) {
        m_lane.cancelSimilar();
        m_similarCancelled = true;
        Q_EMIT similarChanged();
    }
    Q_EMIT changed();
}

void CompareController::compareAgain() {
    m_asked[0] = {};
    refresh();
    Q_EMIT changed();
}

void CompareController::findAgain() {
    m_similarCancelled = false;
    m_similarFailure.clear();
    refreshSimilar();
    Q_EMIT changed();
}

ComparingStage CompareController::stage() const {
    if (m_pins.empty()) return ComparingStage::NoPin;
    if (!m_current.analysis) return ComparingStage::NoCurrent;
    if (!m_pins[m_chosen].side.analysis) return ComparingStage::NotRun;
    if (isSameMap(m_pins[m_chosen].side, m_current)) return ComparingStage::Same;
    if (!m_current.view.isPlain() && m_currentView.stage == Viewing::Stage::Plain)
        return ComparingStage::Making; // nobody has asked for it yet
    for (const Viewing& view : {m_views.find(requestOf(m_pins[m_chosen].side)), m_currentView}) {
        if (view.stage == Viewing::Stage::Making) return ComparingStage::Making;
        if (view.stage == Viewing::Stage::Cancelled || view.stage == Viewing::Stage::Failed)
            return ComparingStage::NoMap;
    }
    if (m_comparison) return ComparingStage::Compared;
    if (m_cancelled) return ComparingStage::Cancelled;
    return m_failure.isEmpty() ? ComparingStage::Measuring : ComparingStage::Failed;
}

Comparing CompareController::now() const {
    Comparing now{m_pins, {}, m_chosen, m_current, m_currentView, stage(), m_comparison, m_failure};
    for (const PinnedHead& pin : m_pins) now.views.push_back(m_views.find(requestOf(pin.side)));
    return now;
}

FindingSimilar CompareController::similar() const {
    using Stage = FindingSimilar::Stage;
    FindingSimilar result{Stage::None, m_similarTo, m_similar, m_similarFailure, m_similarShare};
    if (!m_similarTo.analysis) return result;
    result.stage = m_similar                    ? Stage::Found
                   : m_similarCancelled         ? Stage::Cancelled
                   : m_similarFailure.isEmpty() ? Stage::Measuring
                                                : Stage::Failed;
    return result;
}

} // namespace headscope::ui
