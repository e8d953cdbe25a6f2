// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/compare_page.h"

#include "ui/format.h"
#include "ui/heatmap/heatmap_view.h"
#include "ui/heatmap/linked_views.h"
#include "ui/panels/compare_numbers.h"
#include "ui/panels/difference_card.h"
#include "ui/panels/plain_table.h"
#include "ui/panels/similar_list.h"

#include <QCheckBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>

#include <algorithm>

namespace headscope::ui {
namespace {

constexpr int kShownText = 400; ///< of a text that was not run

RangeStatistics larger(const RangeStatistics& one, const RangeStatistics& other) {
    return {std::max(one.upperRowMaximum, other.upperRowMaximum), std::max(one.evenWeight, other.evenWeight),
            std::max(one.maximum, other.maximum)};
}

/// A pinned head without a map: of what it is, how far it is, and what brings it.
void showWaiting(const PinnedHead& pin, ComparePanel::Content& content) {
    const ViewState& input = pin.input;
    QString text = input.text;
    if (input.showPair && !input.pair.isEmpty()) text += QStringLiteral(" | ") + input.pair;
    content.origin = ComparePage::tr("pinned · %1 · %2 · “%3”")
                         .arg(QFileInfo(input.modelPath).fileName(), kindText(pin.side.head.kind),
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
AlignedMap ownMap(const ComparedSide& side) {
    const HeadResult* head = side.analysis->find(side.head);
    const auto axis = [&side](const Axis& one) { return std::shared_ptr<const Axis>(side.analysis, &one); };
    return {head->map, axis(side.analysis->queryAxis(side.head.kind)),
            axis(side.analysis->keyAxis(side.head.kind)), head->range};
}

} // namespace

void ComparePage::showComparing(const Comparing& comparing, const Current& current) {
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

/// The pins and last the current head; what takes no part in it stays empty.
ComparePanel::Content ComparePage::contentOf(std::size_t panel) const {
    const bool isCurrent = panel + 1 == m_panels.size();
    const bool taken = isCurrent || panel == m_comparing.chosen;
    ComparePanel::Content content;
    content.side = isCurrent ? m_comparing.current : m_comparing.pins[panel].side;
    content.choosable = m_comparing.pins.size() > 1;
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
    content.byWords = taken && comparison && comparison->alignment == Alignment::Words;
    content.map = content.byWords ? comparison->maps[isCurrent ? 1 : 0] : ownMap(content.side);
    content.statistics = content.map.statistics;
    content.ownScale =
        m_state.ownScales && m_state.range.mode == RangeMode::Auto && m_comparing.pins.size() > 0;
    return content;
}

/// The larger of all automatic ranges.
RangeStatistics ComparePage::sharedStatistics() const {
    RangeStatistics shared;
    for (std::size_t i = 0; i < m_comparing.pins.size(); ++i)
        shared = larger(shared, contentOf(i).statistics);
    return larger(shared, contentOf(m_panels.size() - 1).statistics);
}

void ComparePage::refreshPanels() {
    const RangeStatistics shared = sharedStatistics();
    for (std::size_t i = 0; i < m_panels.size(); ++i) {
        if (i + 1 < m_panels.size() && i >= m_comparing.pins.size()) continue;
        ComparePanel::Content content = contentOf(i);
        if (!content.ownScale) content.statistics = shared;
        m_panels[i]->showContent(content);
        m_panels[i]->showState(m_state);
    }
    linkPanels();
    showState(m_state);
}

int ComparePage::groupFor(bool byWords, const Extent& extent) {
    const auto next = static_cast<int>(m_groups.size());
    return m_groups.try_emplace({byWords, extent.rows, extent.columns}, next).first->second;
}

/// Views of the same tokens, or as many of them, move as one.
void ComparePage::linkPanels() {
    int linked = 0;
    QStringList sizes;
    m_lead = LinkedViews::kAlone;
    for (std::size_t i = 0; i < m_panels.size(); ++i) {
        const bool isCurrent = i + 1 == m_panels.size();
        HeatmapView* view = m_panels[i]->view();
        if ((!isCurrent && i >= m_comparing.pins.size()) || view->state() != HeatmapView::State::Ready) {
            m_links->setGroup(view, LinkedViews::kAlone);
            continue;
        }
        const ComparePanel::Content content = contentOf(i);
        const Extent extent = view->extent();
        m_links->setGroup(view, groupFor(content.byWords, extent));
        if (isCurrent && !content.byWords) m_lead = m_links->groupOf(view);
        const QString size = extent.rows == extent.columns
                                 ? QString::number(extent.rows)
                                 : tr("%1 by %2").arg(extent.rows).arg(extent.columns);
        sizes << (content.byWords ? tr("%1 words").arg(size) : tr("%1 tokens").arg(size));
        ++linked;
    }
    HeatmapView* difference = m_difference->view();
    const bool ready = difference->state() == HeatmapView::State::Ready;
    m_links->setGroup(difference, ready ? groupFor(m_comparing.comparison->alignment == Alignment::Words,
                                                   difference->extent())
                                        : LinkedViews::kAlone);
    sizes.removeDuplicates();
    m_link->setText(
        linked < 2 ? QString()
        : sizes.size() == 1
            ? tr("All maps move together")
            : tr("The maps have %1: only those of one size move together").arg(sizes.join(tr(" and "))));
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
    if (m_lead == LinkedViews::kAlone) return;
    m_links->showSelection(m_lead, state.query, state.key);
    m_links->showViewport(m_lead, state.viewport);
}

void ComparePage::refreshNotice() {
    const bool known = m_comparing.current.analysis != nullptr;
    m_pin->setEnabled(known);
    m_pin->setText(known ? tr("Pin head %1").arg(QString::fromStdString(headText(m_comparing.current.head)))
                         : tr("Pin the head"));
}

/// A row of "rows that differ most": in every map that has these rows.
void ComparePage::goTo(qint64 query, qint64 key) {
    HeatmapView* view = m_difference->view();
    const int group = m_links->groupOf(view);
    m_links->showSelection(group, query, key);
    view->reveal({query, key});
    if (group == m_lead) Q_EMIT cellChosen(query, key);
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
