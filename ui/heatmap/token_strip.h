// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/axis.h"
#include "ui/heatmap/heatmap_theme.h"
#include "ui/heatmap/shown_as.h"

#include <QAbstractScrollArea>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui {

/// How the tokens of the strip are coloured.
struct TokenStripWeights {
    enum class Mode {
        None,
        Row,   ///< what the chosen query reads: weights[j] of key j
        Column ///< who reads the chosen key: weights[i] of query i
    };
    Mode mode = Mode::None;
    std::optional<std::int64_t> token; ///< the chosen query or key, outlined
    QString tokenLabel{};              ///< its words, for the hover text, when it is not on this axis
    std::vector<float> weights{};      ///< one for each token of the strip, or empty
    float full = 0.0F;                 ///< weight of the full colour; 0: the largest of `weights`
};

/// The text as its tokens, flowing in lines, each with the weight of one row or column of the head as
/// intensity.
class TokenStrip : public QAbstractScrollArea {
    Q_OBJECT
  public:
    explicit TokenStrip(QWidget* parent = nullptr);
    ~TokenStrip() override;

    void setTokens(std::shared_ptr<const Axis> axis);
    /// What its tokens and its numbers are, where they are not all tokens of the text and weights.
    void setShownAs(const ShownAs& as);
    void setWeights(const TokenStripWeights& weights);
    void setTheme(const HeatmapTheme& theme);
    void setEmptyText(const QString& text);

    /// Rectangle of a token in viewport coordinates.
    QRectF tokenRect(std::int64_t token) const;
    std::optional<std::int64_t> tokenAt(const QPointF& viewportPosition) const;
    /// What hovering a token says: "said" reads [CLS] 0.9350.
    QString describe(std::int64_t token) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  Q_SIGNALS:
    /// Clicked, or chosen with the arrow keys.
    void tokenClicked(qint64 token);
    void tokenHovered(qint64 token, float weight);
    void hoverLeft();

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

  private:
    struct Private;
    std::unique_ptr<Private> m_d;
};

} // namespace headscope::ui
