// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/diagnosis.h"
#include "ui/heatmap/head_badges.h"
#include "ui/panels/card.h"
#include "ui/view_state.h"

#include <memory>
#include <span>
#include <vector>

class QComboBox;

namespace headscope::ui {

class EntropyChart;
class OverviewGrid;
class Pill;

/// All heads at a glance: the grid, how many raise each flag, and the entropy by layer.
class OverviewCard final : public Card {
    Q_OBJECT

  public:
    explicit OverviewCard(QWidget* parent = nullptr);

    /// The kinds of attention to choose from; one alone is not offered.
    void showKinds(const std::vector<AttentionKind>& kinds);
    void showShape(const StackSpec& stack); ///< skeletons
    void showNothing(const QString& reason);
    void clearCells();
    /// Of the model; null: none. The layers and the summary that are shown next have its labels.
    void setDiagnosis(const std::shared_ptr<const Diagnosis>& diagnosis);
    void showLayer(const LayerResult& layer, const Axis& keys);
    /// Counts and chart of a finished run.
    void showSummary(const std::vector<std::shared_ptr<const LayerResult>>& layers, AttentionKind kind);
    void clearSummary();
    void showState(const ViewState& state);

    OverviewGrid* grid() const { return m_grid; }
    EntropyChart* chart() const { return m_chart; }
    const std::vector<Pill*>& pills() const { return m_pills; }

  protected:
    void resizeEvent(QResizeEvent* event) override;

  Q_SIGNALS:
    void headActivated(const headscope::HeadRef& head);
    void kindChosen(headscope::AttentionKind kind);

  private:
    /// Gives the grid the height that its cells need at this width, and the rest to the chart.
    void fitGrid();

    std::vector<HeadBadge> badgesFor(const HeadRef& head, const Verdict& verdict, const Axis& keys) const;

    void countModel(AttentionKind kind, std::span<int> counts) const;

    std::shared_ptr<const Diagnosis> m_diagnosis;
    QComboBox* m_kinds;
    QLabel* m_axes;
    OverviewGrid* m_grid;
    EntropyChart* m_chart;
    QLabel* m_scope; ///< of the counts: this text, or the model
    QLabel* m_short; ///< said instead of counts when the text is too short for flags
    std::vector<Pill*> m_pills;
};

} // namespace headscope::ui
