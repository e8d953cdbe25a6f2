// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/axis.h"
#include "core/raster/colormap.h"
#include "ui/heatmap/heatmap_theme.h"
#include "ui/reading/reading_painter.h"

#include <QAbstractScrollArea>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui {

struct TextSpot {
    TextSide side = TextSide::Queries;
    std::int64_t token = 0;
    friend bool operator==(const TextSpot&, const TextSpot&) = default;
};

/// The text as it was written with a colour behind every token. It knows no weights: it is told the colours,
/// and says where the cursor is and what was clicked.
class TextCanvas final : public QAbstractScrollArea {
    Q_OBJECT
  public:
    explicit TextCanvas(QWidget* parent = nullptr);

    /// One axis for both sides shows it once. Null: the empty text.
    void setTexts(std::shared_ptr<const Axis> queries, std::shared_ptr<const Axis> keys);
    void setShades(TextSide side, TextShades shades);
    void setChosen(const std::optional<TextSpot>& query, const std::optional<TextSpot>& key);
    /// Where the arrow keys begin.
    void setCursor(const std::optional<TextSpot>& spot) { m_cursor = spot; }
    void setTheme(const HeatmapTheme& theme);
    void setEmptyText(const QString& text);
    void reveal(const TextSpot& spot);

    bool isCrossing() const { return m_crossing; }
    std::optional<TextSpot> hovered() const { return m_hovered; }
    /// In the viewport's coordinates.
    std::vector<TokenRect> rectsOf(const TextSpot& spot) const;
    std::optional<TextSpot> spotAt(const QPointF& viewportPosition) const;
    QString plainText() const;
    /// How often lines were broken, for tests.
    int layouts() const;

    QSize sizeHint() const override { return {480, 320}; }
    QSize minimumSizeHint() const override { return {200, 120}; }

  Q_SIGNALS:
    /// Clicked, or chosen with a key.
    void spotClicked(const headscope::ui::TextSpot& spot);
    /// Nothing: the cursor left.
    void spotHovered(const std::optional<headscope::ui::TextSpot>& spot);

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
    struct Side {
        std::shared_ptr<const Axis> axis;
        ReadingLayout layout;
        TextShades shades;
        std::int64_t size() const { return axis ? axis->size() : 0; }
    };

    Side& sideOf(TextSide side) { return m_sides[static_cast<std::size_t>(side)]; }
    const Side& sideOf(TextSide side) const { return m_sides[static_cast<std::size_t>(side)]; }
    void measure();
    void layOut();
    double layOutIn(double width);
    void hover(const std::optional<TextSpot>& spot);
    void moveTo(const TextSpot& spot);
    std::optional<TextSpot> stepped(const TextSpot& from, std::int64_t step) const;
    std::optional<TextSpot> besideLine(const TextSpot& from, int direction) const;
    std::optional<TextSpot> lastSpot() const;

    std::array<Side, 2> m_sides;
    bool m_crossing = false;
    std::optional<TextSpot> m_query;
    std::optional<TextSpot> m_key;
    std::optional<TextSpot> m_cursor;
    std::optional<TextSpot> m_hovered;
    HeatmapTheme m_theme = HeatmapTheme::lightTheme();
    QString m_emptyText;
    int m_laidWidth = -1; ///< the lines are broken for this width
    double m_height = 0.0;
};

} // namespace headscope::ui
