// SPDX-License-Identifier: GPL-3.0-or-later
// The page's part that keeps its maps together. A chosen cell is kept as tokens of the current head's run,
// whatever a map shows of them; the viewport is kept in rows and columns of what the current panel shows.
#include "ui/heatmap/linked_views.h"
#include "ui/panels/compare_page.h"
#include "ui/panels/difference_card.h"

#include <QLabel>

#include <algorithm>

namespace headscope::ui {
namespace {

/// Which of all tokens or words are shown; 0 where that is all of them, from the first on.
std::size_t hashOf(const ViewedAxes& axes) {
    std::size_t hash = 0;
    bool all = true;
    for (const ViewedAxis* axis : {&axes.queries, &axes.keys})
        for (std::int64_t i = 0; i < axis->size(); ++i) {
            const std::int64_t position = axis->positions[static_cast<std::size_t>(i)];
            all = all && position == i;
            hash = hash * 1'000'003 + static_cast<std::size_t>(position) + 1;
        }
    return all ? 0 : hash;
}

} // namespace

void ComparePage::linkView(HeatmapView* view, std::optional<ShownPlace> place, bool words) {
    if (!place || view->state() != HeatmapView::State::Ready) {
        m_places.erase(view);
        m_links->setGroup(view, LinkedViews::kAlone);
        return;
    }
    const Extent extent = view->extent();
    std::size_t which = place->axes ? hashOf(*place->axes) : 0;
    // Words of one text that two tokenizers see lie over each other whatever special tokens stand before
    // them.
    const auto& comparison = m_comparing.comparison;
    if (words && comparison && comparison->regrouped &&
        (place->axes.get() == &comparison->maps[0].axes || place->axes.get() == &comparison->maps[1].axes))
        which = 1;
    const GroupKey key{words, extent.rows, extent.columns, which};
    const int next = static_cast<int>(m_groups.size());
    m_places[view] = *std::move(place);
    m_links->setGroup(view, m_groups.try_emplace(key, next).first->second);
}

/// Maps whose rows and columns are as many and of one unit move as one.
void ComparePage::placeViews(const std::vector<ComparePanel::Content>& contents) {
    m_lead = LinkedViews::kAlone;
    for (std::size_t i = 0; i < m_panels.size(); ++i) {
        const bool isCurrent = i + 1 == m_panels.size();
        HeatmapView* view = m_panels[i]->view();
        if (!isCurrent && i + 1 >= contents.size()) {
            linkView(view, std::nullopt, false);
            continue;
        }
        const ComparePanel::Content& content = isCurrent ? contents.back() : contents[i];
        if (!content.shown.map) {
            linkView(view, std::nullopt, false);
            continue;
        }
        linkView(view, ShownPlace{content.side.analysis, content.side.head.kind, content.shown.axes},
                 content.shown.view.words);
        if (isCurrent && !content.regrouped) m_lead = m_links->groupOf(view);
    }
    std::optional<ShownPlace> difference;
    const auto& comparison = m_comparing.comparison;
    if (comparison && comparison->difference) {
        const ComparedSide& first = comparison->sides[0];
        difference = ShownPlace{first.analysis, first.head.kind,
                                std::shared_ptr<const ViewedAxes>(comparison, &comparison->maps[0].axes)};
    }
    linkView(m_difference->view(), difference, comparison && comparison->viewOf(0).words);
    m_link->setText(linkWords(contents));
}

QString ComparePage::linkWords(const std::vector<ComparePanel::Content>& contents) const {
    QStringList sizes;
    std::vector<int> groups;
    bool oneCursor = true;
    const std::optional<ShownPlace> run = currentRun();
    for (std::size_t i = 0; i < contents.size(); ++i) {
        HeatmapView* view = (i + 1 == contents.size() ? m_panels.back() : m_panels[i])->view();
        const auto place = m_places.find(view);
        if (place == m_places.end()) continue;
        const Extent extent = view->extent();
        const QString size = extent.rows == extent.columns
                                 ? QString::number(extent.rows)
                                 : tr("%1 by %2").arg(extent.rows).arg(extent.columns);
        sizes << (contents[i].shown.view.words ? tr("%1 words").arg(size) : tr("%1 tokens").arg(size));
        groups.push_back(m_links->groupOf(view));
        for (const bool key : {false, true})
            oneCursor = oneCursor && run && areLinked(place->second.tokens(key), run->tokens(key));
    }
    if (groups.size() < 2) return {};
    sizes.removeDuplicates();
    if (std::all_of(groups.begin(), groups.end(), [&groups](int group) { return group == groups.front(); }))
        return tr("All maps move together");
    if (sizes.size() == 1) return tr("The maps show other tokens: the cursor is one, each moves by itself");
    return (oneCursor ? tr("The maps have %1: the cursor is one, only those of one size move together")
                      : tr("The maps have %1: only those of one size move together"))
        .arg(sizes.join(tr(" and ")));
}

/// All tokens of the current head's run.
std::optional<ShownPlace> ComparePage::currentRun() const {
    const ComparedSide& current = m_comparing.current;
    if (!current.analysis) return std::nullopt;
    return ShownPlace{current.analysis, current.head.kind, nullptr};
}

/// The token of the current run that a row or column of a map stands for.
std::optional<std::int64_t> ComparePage::currentToken(const ShownPlace& place, bool key,
                                                      std::int64_t index) const {
    const std::optional<ShownPlace> run = currentRun();
    if (!run) return std::nullopt;
    if (place.isSameRun(*run)) return place.tokenOf(key, index, key ? m_state.key : m_state.query);
    return linkedToken(place.tokens(key), place.tokenOf(key, index), run->tokens(key));
}

/// Where a map shows a token of the current run. What lies over the current panel's map shows it there.
std::optional<std::int64_t> ComparePage::shownIndex(HeatmapView* view, bool key, std::int64_t token) const {
    const ShownPlace& place = m_places.at(view);
    const std::optional<ShownPlace> run = currentRun();
    if (place.isSameRun(*run)) return place.indexOf(key, token);
    HeatmapView* current = currentPanel()->view();
    if (m_places.count(current) > 0 && m_links->groupOf(current) == m_links->groupOf(view))
        return m_places.at(current).indexOf(key, token);
    const auto other = linkedToken(run->tokens(key), token, place.tokens(key));
    return other ? place.indexOf(key, *other) : std::nullopt;
}

void ComparePage::showSelection() {
    const std::optional<ShownPlace> run = currentRun();
    if (!run) return;
    HeatmapView* current = currentPanel()->view();
    const bool hasCurrent = m_places.count(current) > 0;
    for (const auto& [view, place] : m_places) {
        const bool over = hasCurrent && m_links->groupOf(current) == m_links->groupOf(view);
        const bool linked = over || (areLinked(place.tokens(false), run->tokens(false)) &&
                                     areLinked(place.tokens(true), run->tokens(true)));
        if (!linked) continue; // it keeps what was chosen in it
        const auto index = [&, shown = view](bool key, const std::optional<std::int64_t>& token) {
            return token ? shownIndex(shown, key, *token) : std::nullopt;
        };
        view->setSelection(index(false, m_state.query), index(true, m_state.key));
    }
}

/// A cell was chosen in the maps of a group.
void ComparePage::chooseIn(int group, qint64 query, qint64 key) {
    HeatmapView* current = currentPanel()->view();
    const auto inGroup = [&](const auto& entry) { return m_links->groupOf(entry.first) == group; };
    auto found = m_places.find(current);
    if (found == m_places.end() || !inGroup(*found))
        found = std::find_if(m_places.begin(), m_places.end(), inGroup);
    if (found == m_places.end()) return;
    const auto row = currentToken(found->second, false, query);
    const auto column = currentToken(found->second, true, key);
    if (row || column) Q_EMIT cellChosen(row, column);
}

/// The cursor is over a cell of the maps of a group: those of other groups show it where they have it.
void ComparePage::pointFrom(int group, const std::optional<HeatmapView::Cell>& cell) {
    const auto from = std::find_if(m_places.begin(), m_places.end(), [this, group](const auto& entry) {
        return m_links->groupOf(entry.first) == group;
    });
    if (from == m_places.end()) return;
    const auto indexIn = [&from](const ShownPlace& to, bool key, std::int64_t index) {
        const std::int64_t token = from->second.tokenOf(key, index);
        const auto other = linkedToken(from->second.tokens(key), token, to.tokens(key));
        return other ? to.indexOf(key, *other) : std::nullopt;
    };
    for (const auto& [view, place] : m_places) {
        if (m_links->groupOf(view) == group) continue;
        const auto row = cell ? indexIn(place, false, cell->first) : std::nullopt;
        const auto column = cell ? indexIn(place, true, cell->second) : std::nullopt;
        view->pointAt(row && column ? std::optional(HeatmapView::Cell(*row, *column)) : std::nullopt);
    }
}

/// A row of "rows that differ most": in every map that has these rows.
void ComparePage::goTo(qint64 query, qint64 key) {
    HeatmapView* view = m_difference->view();
    const int group = m_links->groupOf(view);
    m_links->showSelection(group, query, key);
    view->reveal({query, key});
    chooseIn(group, query, key);
}

} // namespace headscope::ui
