// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <optional>
#include <vector>

namespace headscope::ui {

/// The products q_d * k_d of a head's dimensions as bars on a line: up in one colour, down in another. The
/// mouse or the arrow keys point at one.
class ProductStrip final : public QWidget {
    Q_OBJECT

  public:
    explicit ProductStrip(QWidget* parent = nullptr);

    /// All of one length. The dimension that was pointed at stays so, where there is one.
    void setVectors(std::vector<float> query, std::vector<float> key, std::vector<float> products);
    void setSorted(bool on); ///< the largest product first, instead of in order of d
    bool isSorted() const { return m_sorted; }
    std::optional<int> pointed() const { return m_pointed; } ///< dimension
    /// What is said of the dimension pointed at, or of all.
    QString words() const;
    /// Where the bar of a dimension stands, from the zero line to its end.
    QRectF barOf(int dimension) const;

    QSize sizeHint() const override { return {220, 96}; }
    QSize minimumSizeHint() const override { return {120, 96}; }

  Q_SIGNALS:
    void wordsChanged();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    int count() const { return static_cast<int>(m_products.size()); }
    int placeOf(int dimension) const;
    void orderAnew();
    void point(std::optional<int> dimension);
    std::optional<int> dimensionAt(double x) const;
    double zeroLine() const;
    double pixelsPerUnit() const;

    std::vector<float> m_query;
    std::vector<float> m_key;
    std::vector<float> m_products;
    std::vector<int> m_order; ///< dimensions, left to right
    bool m_sorted = false;
    std::optional<int> m_pointed;
};

} // namespace headscope::ui
