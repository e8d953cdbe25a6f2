// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/map_view.h"
#include "ui/heatmap/shown_as.h"
#include "ui/panels/card.h"
#include "ui/reading/line_picks.h"
#include "ui/view_state.h"

#include <memory>
#include <vector>

class QComboBox;
class QStackedWidget;
class QToolButton;

namespace headscope::ui {

class FlowLayout;
class HeatmapView;
class LineView;
class Pill;
class Segments;
class TextView;
class TokenBar;

/// The chosen head, large, as a map, over its text or as lines, with its name, flags and the two pickers of
/// how weights become colours.
class MapCard final : public Card {
    Q_OBJECT

  public:
    explicit MapCard(QWidget* parent = nullptr);

    void showNothing(const QString& reason);
    /// `text`: what is being done; `title`: what will be shown then.
    void showLoading(const QString& text, const QString& title);
    /// Whether what is shown from now on is from quantised weights.
    void setQuantised(bool quantised) { m_quantised = quantised; }
    void showHead(const HeadRef& ref, const HeadResult& head, std::shared_ptr<const Axis> queries,
                  std::shared_ptr<const Axis> keys);
    /// What a view makes of the head, or of its layer.
    void showView(const ViewRequest& request, std::shared_ptr<const ViewedMap> made,
                  std::shared_ptr<const Axis> queries, std::shared_ptr<const Axis> keys);
    void showState(const ViewState& state);
    /// The choices of how maps are shown, for the button that says which holds.
    void setViewActions(const QList<QAction*>& actions);
    /// The heads beside the one that is shown, for the form that draws several.
    void showLayer(const LayerResult& layer);
    /// A word on why the map is not of the text in the box; empty: it is.
    void setStale(const QString& reason);

    /// Moves the map the least that shows the row and the column of these tokens; along an axis that is not
    /// given, or on which the token is hidden, it stays.
    void reveal(std::optional<std::int64_t> query, std::optional<std::int64_t> key);

    HeatmapView* view() const { return m_view; }
    TextView* text() const { return m_text; }
    LineView* lines() const { return m_lines; }
    Segments* forms() const { return m_formBox; }
    HeadForm form() const { return m_state.form; }
    void focusForm(); ///< the keyboard goes to what is shown
    /// Nothing of the form that is shown is still to come.
    bool isComplete() const;
    TokenBar* tokenBar() const { return m_bar; }
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
    void formChosen(headscope::ui::HeadForm form);
    /// In the forms Text and Lines: a token was clicked, where it reads or where it is read.
    void queryClicked(qint64 token);
    void keyClicked(qint64 token);
    void directionChosen(bool readBy);
    void linesChosen(const headscope::ui::LinesShown& lines);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void fitHeader();
    void setTitle(const HeadRef& ref, const QString& words, const QString& details);
    bool m_quantised = false;
    void clearPills();
    void chooseCell(qint64 row, qint64 column);
    void clickQuery(qint64 row);
    void clickKey(qint64 column);
    std::optional<std::int64_t> rowOf(const std::optional<std::int64_t>& query) const;
    std::optional<std::int64_t> columnOf(const std::optional<std::int64_t>& key) const;
    void buildForms();
    /// What the map shows, in the other forms. `queries` and `keys` are one where the head is of one text.
    void showForms(std::shared_ptr<const HeadMap> map, std::shared_ptr<const Axis> queries,
                   std::shared_ptr<const Axis> keys, const RangeStatistics& statistics);
    /// Gives the form that is shown what there is to show; the others wait until they are.
    void feedForm();
    void clearForms(const QString& reason);

    QLabel* m_title;
    QLabel* m_kind;
    QLabel* m_stale;
    FlowLayout* m_pillRow;
    std::vector<Pill*> m_pills;
    QComboBox* m_range;
    QComboBox* m_colormap;
    QToolButton* m_viewButton;
    QToolButton* m_pin;
    QStackedWidget* m_stack;
    Segments* m_formBox;
    HeatmapView* m_view;
    TextView* m_text;
    LineView* m_lines;
    TokenBar* m_bar;
    bool m_isNarrow = false; ///< the pickers stand in the row of the pills
    bool m_isTight = false;  ///< and the buttons
    ViewState m_state;
    std::shared_ptr<const HeadMap> m_map; ///< what the forms show
    std::shared_ptr<const Axis> m_queries;
    std::shared_ptr<const Axis> m_keys;
    RangeStatistics m_statistics;
    ShownAs m_as; ///< of m_map
    std::vector<LineHead> m_layer;
    const HeadMap* m_shown = nullptr;
    std::shared_ptr<const ViewedMap> m_viewed; ///< null: rows and columns are tokens
};

} // namespace headscope::ui
