// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/compare_page.h"

#include "ui/format.h"
#include "ui/heatmap/heatmap_view.h"
#include "ui/heatmap/linked_views.h"
#include "ui/panels/compare_numbers.h"
#include "ui/panels/difference_card.h"
#include "ui/panels/plain_table.h"
#include "ui/panels/similar_list.h"

#include <QApplication>
#include <QCheckBox>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>

#include <algorithm>

namespace headscope::ui {
namespace {

constexpr int kShownText = 400; ///< of a text that was not run

/// A pinned head that has not run: of what it is, how far it is, and what brings it.
void showWaiting(const PinnedHead& pin, ComparePanel::Content& content) {
    const ViewState& input = pin.input;
    QString text = input.text;
    if (input.showPair && !input.pair.isEmpty()) text += QStringLiteral(" | ") + input.pair;
    content.origin = ComparePage::tr("pinned · %1 · %2 · “%3”")
                         .arg(QFileInfo(input.model.path).fileName(), kindText(pin.side.head.kind),
                              text.left(kShownText).simplified());
    content.loading = pin.run == PinRun::Running;
    if (content.loading) {
        content.reason = ComparePage::tr("Running its text…");
        return;
    }
    const bool failed = pin.run == PinRun::Failed;
    content.reason =
        failed ? pin.reason : ComparePage::tr("Not run yet: its text has to be run by its model again.");
    content.runWords = failed ? ComparePage::tr("Try again") : ComparePage::tr("Run it");
}

/// A head's own map with its tokens.
ShownMap plainMap(const ComparedSide& side) {
    const HeadResult* head = side.analysis->find(side.head);
    const auto axis = [&side](const Axis& one) { return std::shared_ptr<const Axis>(side.analysis, &one); };
    return {head->map,
            axis(side.analysis->queryAxis(side.head.kind)),
            axis(side.analysis->keyAxis(side.head.kind)),
            nullptr,
            head->range,
            {}};
}

/// What a view makes; nothing where that is not there.
ShownMap viewedMap(const std::shared_ptr<const ViewedMap>& made, const MapView& view) {
    if (!made) return {};
    return {made->map,
            made->axes.queries.axis,
            made->axes.keys.axis,
            std::shared_ptr<const ViewedAxes>(made, &made->axes),
            made->statistics,
            view};
}

/// A side of a comparison by words.
ShownMap regroupedMap(const std::shared_ptr<const HeadComparison>& comparison, std::size_t side) {
    const AlignedMap& map = comparison->maps[side];
    return {map.map,        map.queries(),
            map.keys(),     std::shared_ptr<const ViewedAxes>(comparison, &map.axes),
            map.statistics, comparison->viewOf(side)};
}

/// Why there is no map of a view, and what brings one.
void showUnmade(const Viewing& viewing, ComparePanel::Content& content) {
    content.loading = viewing.stage == Viewing::Stage::Making || viewing.stage == Viewing::Stage::Plain;
    if (content.loading) {
        content.reason = ComparePage::tr("Making the map…");
        return;
    }
    const bool failed = viewing.stage == Viewing::Stage::Failed;
    content.reason = failed ? viewing.reason : ComparePage::tr("Cancelled: the map was not made.");
    content.runWords = failed ? ComparePage::tr("Try again") : ComparePage::tr("Make it");
}

} // namespace

void ComparePage::showComparing(const Comparing& comparing, const Current& current) {
    const bool gone =
        m_active != 0 && std::none_of(comparing.pins.begin(), comparing.pins.end(),
                                      [this](const PinnedHead& pin) { return pin.id == m_active; });
    if (gone) m_active = 0;
    const bool had = !m_comparing.pins.empty();
    m_comparing = comparing;
    m_now = current;
    placePanels(comparing.pins.size());
    m_difference->showComparing(comparing);
    const bool hasNumbers = comparing.comparison && comparing.comparison->difference;
    m_numbers->showComparison(comparing.comparison, hasNumbers ? QString() : reasonFor(comparing));
    refreshPanels();
    refreshNotice();
    if (comparing.current.analysis) m_similar->showCurrent(comparing.current.head);
    m_head->setVisible(!m_comparing.pins.empty());
    if (gone) {
        Q_EMIT activeChanged();
        followFocus(QApplication::focusWidget()); // a pin that was replaced is another one
    }
    // A list to pick from until there is a pair, then its numbers; what the user has chosen stays.
    if (had && m_comparing.pins.empty()) {
        m_sideChosen = false;
        showSide(Side::Nearest);
    } else if (hasNumbers && !m_sideChosen) {
        m_sideChosen = true;
        if (!m_similar->table()->hasFocus()) showSide(Side::Numbers); // never from under the hand that picks
    }
}

void ComparePage::showSimilar(const FindingSimilar& similar) {
    m_similar->showFound(similar);
}

const Viewing& ComparePage::viewingOf(std::size_t panel) const {
    return panel + 1 == m_panels.size() ? m_comparing.currentView : m_comparing.views[panel];
}

/// The pins and last the current head; what takes no part in it stays empty.
ComparePanel::Content ComparePage::contentOf(std::size_t panel) const {
    const bool isCurrent = panel + 1 == m_panels.size();
    const bool taken = isCurrent || panel == m_comparing.chosen;
    ComparePanel::Content content;
    content.side = isCurrent ? m_comparing.current : m_comparing.pins[panel].side;
    content.choosable = m_comparing.pins.size() > 1;
    content.active = !m_comparing.pins.empty() && m_active == (isCurrent ? 0 : m_comparing.pins[panel].id);
    if (!m_comparing.pins.empty() && taken) content.letter = isCurrent ? tr("b") : tr("a");
    if (isCurrent) {
        content.reason = m_now.reason;
        content.loading = m_now.loading;
        content.stale = m_now.stale;
    }
    if (!content.side.analysis) {
        if (!isCurrent) showWaiting(m_comparing.pins[panel], content);
        return content;
    }
    const auto& comparison = m_comparing.comparison;
    content.regrouped = taken && comparison && comparison->regrouped;
    if (content.regrouped)
        content.shown = regroupedMap(comparison, isCurrent ? 1 : 0);
    else if (content.side.view.isPlain())
        content.shown = plainMap(content.side);
    else
        content.shown = viewedMap(viewingOf(panel).made, content.side.view);
    if (!content.shown.map) showUnmade(viewingOf(panel), content);
    content.statistics = content.shown.statistics;
    content.ownScale = content.shown.map && m_state.ownScales && m_state.range.mode == RangeMode::Auto &&
                       m_comparing.pins.size() > 0;
    return content;
}

/// Of the panels that are there, in their order. Maps of one unit have the larger of their automatic ranges;
/// norms beside weights are another unit.
std::vector<ComparePanel::Content> ComparePage::contents() const {
    std::vector<ComparePanel::Content> all;
    for (std::size_t i = 0; i < m_comparing.pins.size(); ++i) all.push_back(contentOf(i));
    all.push_back(contentOf(m_panels.size() - 1));
    RangeStatistics shared[2];
    bool has[2] = {false, false};
    for (RangeStatistics& one : shared) one.ceiling = 0.0F;
    for (const ComparePanel::Content& content : all) {
        if (!content.shown.map) continue;
        const std::size_t unit = content.shown.view.showsWeights() ? 0 : 1;
        shared[unit] = sharedRange(shared[unit], content.statistics);
        has[unit] = true;
    }
    for (ComparePanel::Content& content : all) {
        if (!content.shown.map) continue;
        const bool weights = content.shown.view.showsWeights();
        if (!content.ownScale) content.statistics = shared[weights ? 0 : 1];
        content.otherUnit = !content.ownScale && !weights && has[0] && has[1];
    }
    return all;
}

void ComparePage::refreshPanels() {
    const std::vector<ComparePanel::Content> all = contents();
    for (std::size_t i = 0; i < all.size(); ++i) {
        ComparePanel* panel = i + 1 == all.size() ? m_panels.back() : m_panels[i];
        panel->showContent(all[i]);
        panel->showState(m_state);
    }
    placeViews(all);
    showState(m_state);
}

void ComparePage::showState(const ViewState& state) {
    const bool scales = state.ownScales != m_state.ownScales || !(state.range == m_state.range);
    m_state = state;
    m_ownScales->setChecked(state.ownScales);
    m_ownScales->setEnabled(state.range.mode == RangeMode::Auto);
    if (scales) {
        refreshPanels(); // and comes back here
        return;
    }
    for (ComparePanel* panel : m_panels) panel->showState(state);
    showSelection();
    if (m_lead != LinkedViews::kAlone) m_links->showViewport(m_lead, state.viewport);
}

void ComparePage::refreshNotice() {
    const bool known = m_comparing.current.analysis != nullptr;
    m_pin->setEnabled(known);
    const ComparedSide& current = m_comparing.current;
    m_pin->setText(known ? tr("Pin %1").arg(nameInSentence(current.head, current.view.heads))
                         : tr("Pin the head"));
}

HeatmapView* ComparePage::activeView() const {
    for (ComparePanel* panel : m_panels)
        if (panel->view()->hasFocus()) return panel->view();
    if (m_difference->view()->hasFocus()) return m_difference->view();
    return currentPanel()->view();
}

bool ComparePage::isComplete() const {
    const auto done = [](const HeatmapView* view) {
        return view->visibleRegion().isEmpty() || view->state() != HeatmapView::State::Ready ||
               view->isComplete();
    };
    return done(m_difference->view()) &&
           std::all_of(m_panels.begin(), m_panels.end(),
                       [&done](const ComparePanel* panel) { return done(panel->view()); });
}

bool ComparePage::isSimilarShown() const {
    return m_side->currentIndex() == 1;
}

QString ComparePage::linkText() const {
    return m_link->text();
}

void ComparePage::focusFirst() {
    if (m_comparing.pins.empty() && m_pin->isEnabled())
        m_pin->setFocus(Qt::ShortcutFocusReason);
    else
        currentPanel()->view()->setFocus(Qt::ShortcutFocusReason);
}

} // namespace headscope::ui
