// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/axis.h"
#include "ui/heatmap/shown_as.h"
#include "ui/reading/line_canvas.h"

#include <QWidget>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QComboBox;

namespace headscope::ui {

class HeadSwatches;
class QuietLine;

/// The tokens twice, queries at the left, keys at the right, and a line for each of the stronger weights: of
/// the chosen head, and of other heads of its layer that are switched on.
class LineView final : public QWidget {
    Q_OBJECT
  public:
    explicit LineView(QWidget* parent = nullptr);

    /// Null: the empty state. The map alone is on.
    void setMap(std::shared_ptr<const HeadMap> map, std::shared_ptr<const Axis> queries,
                std::shared_ptr<const Axis> keys, const RangeStatistics& statistics, const ShownAs& as = {});
    /// All heads of the map's layer. Where the map is none of them (one made from several heads, say) there
    /// is nothing to switch.
    void setLayer(std::vector<LineHead> heads);
    /// After the map and the layer. Heads that the layer does not have are passed over; where it has none of
    /// them, the map is on.
    void setShown(const LinesShown& shown);
    void setRange(const DisplayRange& range);
    void setSelection(std::optional<std::int64_t> query, std::optional<std::int64_t> key, bool readBy);
    void setTheme(const HeatmapTheme& theme);
    void setEmptyText(const QString& text);

    LineCanvas* canvas() const { return m_canvas; }
    HeadSwatches* swatches() const { return m_swatches; }
    QComboBox* ruleBox() const { return m_rule; }
    QString sentence() const;
    /// What is on, as setShown() would bring it back.
    LinesShown shown() const;
    /// The heads that are drawn, in the order of their colours.
    std::vector<int> headsOn() const;
    /// Of each of them, which of the line colours.
    std::vector<std::size_t> colorsOn() const;

  Q_SIGNALS:
    void shownChosen(const headscope::ui::LinesShown& shown); ///< by the user
    void queryClicked(qint64 token);
    void keyClicked(qint64 token);
    void tokenHovered(const headscope::ui::LineFocus& token);
    void hoverLeft();

  private:
    void build();
    void showRule();
    int ownHead() const;
    void toggle(int head);
    void showHeads();
    void showWords();
    bool isPart() const;
    QString hiddenShare(const LineFocus& focus) const;
    QString focusSentence(const LineFocus& focus) const;

    std::shared_ptr<const HeadMap> m_map;
    RangeStatistics m_statistics;
    ShownAs m_as;
    std::shared_ptr<const Axis> m_queries;
    std::shared_ptr<const Axis> m_keys;
    std::vector<LineHead> m_layer;
    /// Which head has which colour; -1: none.
    std::array<int, 6> m_slots{};
    std::optional<std::vector<int>> m_asked; ///< while there is no layer to find them in
    HeatmapTheme m_theme = HeatmapTheme::lightTheme();

    HeadSwatches* m_swatches;
    QComboBox* m_rule;
    LineCanvas* m_canvas;
    QuietLine* m_sentence;
    QString m_refusal; ///< why a head was not switched on
};

} // namespace headscope::ui
