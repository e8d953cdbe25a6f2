// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/map_view.h"
#include "ui/panels/card.h"
#include "ui/view_state.h"

#include <memory>
#include <vector>

class QComboBox;
class QToolButton;

namespace headscope::ui {

class FlowLayout;
class HeatmapView;
class Pill;

/// The chosen head, large, with its name, flags and the two pickers of how weights become colours.
class MapCard final : public Card {
    Q_OBJECT

  public:
    explicit MapCard(QWidget* parent = nullptr);

    void showNothing(const QString& reason);
    void showLoading(const QString& text);
    void showHead(const HeadRef& ref, const HeadResult& head, std::shared_ptr<const Axis> queries,
                  std::shared_ptr<const Axis> keys);
    /// What a view makes of the head, or of its layer.
    void showView(const ViewRequest& request, std::shared_ptr<const ViewedMap> made);
    void showState(const ViewState& state);
    /// The choices of how maps are shown, for the button that says which holds.
    void setViewActions(const QList<QAction*>& actions);
    /// A word on why the map is not of the text in the box; empty: it is.
    void setStale(const QString& reason);

    HeatmapView* view() const { return m_view; }
    QString title() const;
    QToolButton* pinButton() const { return m_pin; }
    const std::vector<Pill*>& pills() const { return m_pills; }

    QToolButton* viewButton() const { return m_viewButton; }

  Q_SIGNALS:
    /// A cell was chosen by mouse or keyboard: the first tokens that its row and its column show.
    void cellChosen(qint64 query, qint64 key);
    void rangeChosen(const headscope::DisplayRange& range);
    void colormapChosen(headscope::Colormap map);
    void pinRequested();

  private:
    void setTitle(const HeadRef& ref, const QString& words);
    void clearPills();
    void chooseCell(qint64 row, qint64 column);

    QLabel* m_title;
    QLabel* m_kind;
    QLabel* m_stale;
    FlowLayout* m_pillRow;
    std::vector<Pill*> m_pills;
    QComboBox* m_range;
    QComboBox* m_colormap;
    QToolButton* m_viewButton;
    QToolButton* m_pin;
    HeatmapView* m_view;
    const HeadMap* m_shown = nullptr;
    std::shared_ptr<const ViewedMap> m_viewed; ///< null: rows and columns are tokens
};

} // namespace headscope::ui
