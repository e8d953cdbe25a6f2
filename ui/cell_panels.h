// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/inference_lane.h"
#include "ui/run_controller.h"

#include <QObject>

namespace headscope::ui {

class FindPanel;
class InspectorTabs;
class LayerPanel;
class WeightPanel;

/// Keeps the tabs of the right dock beside the inspector in step with what is shown: how the weight of the
/// chosen cell came about, all heads by their weight there, the steps of the layer. Only the tab that is
/// shown does any work.
class CellPanels final : public QObject {
    Q_OBJECT

  public:
    struct Panels {
        WeightPanel& weight;
        FindPanel& find;
        LayerPanel& layer;
    };
    /// Heads are searched on `lane`.
    CellPanels(InspectorTabs& tabs, const Panels& panels, InferenceLane& lane, QObject* parent = nullptr);

    /// `waits`: why there is no run, where there is none.
    void refresh(const ShownRun& run, const ViewState& state, const QString& waits);

  private:
    /// What a tab shows: nothing is done again for the same.
    struct Shown {
        /// The layer, or the analysis; weak, so that a tab out of sight keeps no former run in memory.
        std::weak_ptr<const void> source;
        HeadRef head;
        std::optional<std::int64_t> query;
        std::optional<std::int64_t> key;
        QString reason; ///< and what is said beside the numbers

        bool isSame(const Shown& other) const;
    };
    void refreshWeight(const ShownRun& run, const ViewState& state, const QString& waits);
    void refreshFind(const ShownRun& run, const ViewState& state, const QString& waits);
    void refreshLayer(const ShownRun& run, const ViewState& state, const QString& waits);

    InspectorTabs& m_tabs;
    WeightPanel& m_weight;
    FindPanel& m_find;
    LayerPanel& m_layer;
    std::optional<Shown> m_weightShown;
    std::optional<Shown> m_findShown;
    std::optional<Shown> m_layerShown;
    std::weak_ptr<const Analysis> m_searched;
    InferenceLane& m_lane;
};

} // namespace headscope::ui
