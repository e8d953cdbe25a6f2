// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/axis.h"
#include "core/raster/display_range.h"
#include "ui/heatmap/heatmap_theme.h"
#include "ui/reading/line_painter.h"
#include "ui/reading/line_picks.h"

#include <QAbstractScrollArea>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui {

/// Two columns of tokens, the queries at the left, the keys at the right, and a line for each weight that is
/// picked. Of a long text a window is shown, and nothing but the weights within it is read.
class LineCanvas final : public QAbstractScrollArea {
    Q_OBJECT
  public:
    explicit LineCanvas(QWidget* parent = nullptr);

    void setAxes(std::shared_ptr<const Axis> queries, std::shared_ptr<const Axis> keys);
    /// The heads that are on, each with its colour; at most kLineColors.
    void setHeads(std::vector<LineHead> heads, std::vector<QColor> colors);
    void setRule(const LineRule& rule);
    /// How dark a line is; Auto is resolved with the statistics of each head.
    void setRange(const DisplayRange& range);
    void setSelection(std::optional<std::int64_t> query, std::optional<std::int64_t> key, bool readBy);
    void setTheme(const HeatmapTheme& theme);
    void setEmptyText(const QString& text);

    const std::vector<LineHead>& heads() const { return m_heads; }
    const LinePicks& picks() const { return m_picks; }
    Span shownQueries() const { return window(false); }
    Span shownKeys() const { return window(true); }
    const LineRule& rule() const { return m_rule; }
    const std::vector<QColor>& colors() const { return m_colors; }
    std::optional<LineFocus> hovered() const { return m_hovered; }
    /// The chosen token, where it is in sight.
    std::optional<LineFocus> chosenInSight() const;
    /// The token whose lines are drawn: under the cursor, else chosen and in sight.
    std::optional<LineFocus> focus() const;
    /// Where a token stands, in the viewport's coordinates.
    QRectF tokenRect(const LineFocus& token) const;
    std::optional<LineFocus> tokenAt(const QPointF& viewportPosition) const;
    /// Strength of a line, 0 to 1, as its opacity follows it.
    double strength(const AttentionLine& line) const;
    /// Ends of a line, in the viewport's coordinates.
    QLineF lineOf(const AttentionLine& line) const;

    QSize sizeHint() const override { return {480, 320}; }
    QSize minimumSizeHint() const override { return {200, 120}; }

  Q_SIGNALS:
    void tokenClicked(const headscope::ui::LineFocus& token);
    void tokenHovered(const std::optional<headscope::ui::LineFocus>& token);
    void picked(); ///< other lines are drawn

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

  private:
    const Axis* axisOf(bool key) const { return key ? m_keys.get() : m_queries.get(); }
    std::int64_t sizeOf(bool key) const { return axisOf(key) ? axisOf(key)->size() : 0; }
    double rowHeight() const;
    LineFrame frame() const;
    double offset(bool key) const;
    Span window(bool key) const;
    void measure();
    void fitScrollBar();
    void pick();
    void hover(const std::optional<LineFocus>& token);
    void moveTo(const LineFocus& token);
    void reveal(const LineFocus& token);
    void paintColumn(QPainter& painter, bool key) const;

    std::shared_ptr<const Axis> m_queries;
    std::shared_ptr<const Axis> m_keys;
    std::vector<LineHead> m_heads;
    std::vector<QColor> m_colors;
    LineRule m_rule;
    DisplayRange m_range;
    std::optional<std::int64_t> m_query;
    std::optional<std::int64_t> m_key;
    bool m_readBy = false;
    std::optional<LineFocus> m_hovered;
    std::optional<LineFocus> m_cursor; ///< where the arrow keys are
    LinePicks m_picks;
    std::vector<std::vector<float>> m_rowMaxima; ///< [heads][queries], -1: not read; for the scale per row
    double m_labelWidth = 80.0;
    HeatmapTheme m_theme = HeatmapTheme::lightTheme();
    QString m_emptyText;
};

} // namespace headscope::ui
