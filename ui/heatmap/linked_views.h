// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/heatmap/heatmap_view.h"

#include <QObject>

#include <optional>
#include <vector>

namespace headscope::ui {

/// Maps side by side that move as one: those of a group show the same part, the same chosen cell and the same
/// cell under the cursor. Groups are of one extent.
class LinkedViews final : public QObject {
    Q_OBJECT

  public:
    static constexpr int kAlone = -1;

    explicit LinkedViews(QObject* parent = nullptr);
    void add(HeatmapView* view); ///< alone at first
    /// The view takes over what the others of its group show.
    void setGroup(HeatmapView* view, int group);
    int groupOf(const HeatmapView* view) const;

    /// In all views of a group, without a signal.
    void showSelection(int group, std::optional<std::int64_t> query, std::optional<std::int64_t> key);
    void pointAt(int group, const std::optional<HeatmapView::Cell>& cell);
    void showViewport(int group, const MapViewport& viewport);

  Q_SIGNALS:
    /// By the user; the other views of the group follow already.
    void cellChosen(int group, qint64 query, qint64 key);
    void viewportMoved(int group, const headscope::ui::MapViewport& viewport);
    /// The cell under the cursor, in a view of this group; none: it has left.
    void cellPointed(int group, const std::optional<headscope::ui::HeatmapView::Cell>& cell);

  private:
    struct Member {
        HeatmapView* view;
        int group;
    };
    template <typename Do>
    void others(const HeatmapView* view, const Do& act) const;
    void choose(HeatmapView* view, std::int64_t query, std::int64_t key);

    std::vector<Member> m_members;
};

} // namespace headscope::ui
