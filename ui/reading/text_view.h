// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/axis.h"
#include "core/maps/head_map.h"
#include "core/raster/display_range.h"
#include "ui/heatmap/heatmap_theme.h"
#include "ui/heatmap/shown_as.h"
#include "ui/reading/text_canvas.h"
#include "ui/reading/weight_reader.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>

class QLabel;
class QToolButton;

namespace headscope::ui {

class QuietLine;
class RampLegend;

/// The text as it was written, each token coloured by one row of the head (what the chosen token reads) or by
/// one column (who reads it). The token under the cursor stands in for the chosen one.
class TextView final : public QWidget {
    Q_OBJECT
  public:
    explicit TextView(QWidget* parent = nullptr);

    /// Null: the empty state.
    void setMap(std::shared_ptr<const HeadMap> map, std::shared_ptr<const Axis> queries,
                std::shared_ptr<const Axis> keys, const RangeStatistics& statistics, const ShownAs& as = {});
    void setDisplay(const DisplayRange& range, Colormap colormap);
    /// `readBy`: the column of `key`, instead of the row of `query`.
    void setSelection(std::optional<std::int64_t> query, std::optional<std::int64_t> key, bool readBy);
    void setTheme(const HeatmapTheme& theme);
    void setEmptyText(const QString& text);

    TextCanvas* canvas() const { return m_canvas; }
    QString title() const;
    /// The line below the text: token, weight, even weight.
    QString sentence() const;
    /// The colours are those of what the title says.
    bool isComplete() const { return m_reader.isIdle(); }

  Q_SIGNALS:
    /// A click on the chosen token lets go of it: what shows this says so with setSelection.
    void queryClicked(qint64 token);
    void keyClicked(qint64 token);
    void directionChosen(bool readBy);
    void tokenHovered(qint64 token);
    void hoverLeft();

  private:
    struct Focus {
        bool column = false;
        std::int64_t index = 0;
        friend bool operator==(const Focus&, const Focus&) = default;
    };

    void build();
    std::optional<Focus> chosen() const;
    std::optional<Focus> focus() const;
    void onSpotClicked(const TextSpot& spot);
    void onSpotHovered(const std::optional<TextSpot>& spot);
    /// Reads the line that is to be shown, unless it is.
    void follow();
    void showLine();
    void showWords();
    void showScale();
    QString pairSentence() const;
    const AxisEntry* entry(bool column, std::int64_t index) const;
    float rowMaximum() const;

    std::shared_ptr<const HeadMap> m_map;
    std::shared_ptr<const Axis> m_queries;
    std::shared_ptr<const Axis> m_keys;
    RangeStatistics m_statistics;
    ShownAs m_as;
    DisplayRange m_range;
    Colormap m_colormap = Colormap::Viridis;
    std::optional<std::int64_t> m_query;
    std::optional<std::int64_t> m_key;
    bool m_readBy = false;
    HeatmapTheme m_theme = HeatmapTheme::lightTheme();
    std::optional<WeightLine> m_line; ///< what is shown
    WeightReader m_reader;

    QLabel* m_title;
    QuietLine* m_hint;
    QToolButton* m_reads;
    QToolButton* m_isReadBy;
    TextCanvas* m_canvas;
    QuietLine* m_sentence;
    RampLegend* m_legend;
};

} // namespace headscope::ui
