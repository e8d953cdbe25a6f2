// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
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
class TokenBar;

/// The chosen head, large, with its name, flags and the two pickers of how weights become colours.
class MapCard final : public Card {
    Q_OBJECT

  public:
    explicit MapCard(QWidget* parent = nullptr);

    void showNothing(const QString& reason);
    void showLoading(const QString& text);
    void showHead(const HeadRef& ref, const HeadResult& head, std::shared_ptr<const Axis> queries,
                  std::shared_ptr<const Axis> keys);
    void showState(const ViewState& state);
    /// A word on why the map is not of the text in the box; empty: it is.
    void setStale(const QString& reason);

    HeatmapView* view() const { return m_view; }
    TokenBar* tokenBar() const { return m_bar; }
    QString title() const;
    QToolButton* pinButton() const { return m_pin; }
    const std::vector<Pill*>& pills() const { return m_pills; }

  Q_SIGNALS:
    void rangeChosen(const headscope::DisplayRange& range);
    void colormapChosen(headscope::Colormap map);
    void pinRequested();

  private:
    void setTitle(const HeadRef& ref);
    void clearPills();

    QLabel* m_title;
    QLabel* m_kind;
    QLabel* m_stale;
    FlowLayout* m_pillRow;
    std::vector<Pill*> m_pills;
    QComboBox* m_range;
    QComboBox* m_colormap;
    QToolButton* m_pin;
    TokenBar* m_bar;
    HeatmapView* m_view;
    const HeadMap* m_shown = nullptr;
};

} // namespace headscope::ui
