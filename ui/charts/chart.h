// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_plot.h"
#include "ui/export/picture.h"

#include <QWidget>

#include <filesystem>
#include <memory>
#include <optional>

class QMenu;

namespace headscope::ui {

/// How a chart is to look in a file.
struct ChartPictureSettings {
    bool dark = false;
    double widthMm = 120.0;
    std::optional<double> heightMm; ///< nullopt: in the proportions of the widget
    double fontSizePt = 8.0;
    int dpi = 300; ///< of a PNG
};

/// The base of all charts: draws a ChartPlot, says exact numbers on hover, lets arrows walk its items and
/// Enter or a click open one, and offers to save or copy the picture.
class Chart : public QWidget {
    Q_OBJECT

  public:
    explicit Chart(QWidget* parent = nullptr);
    ~Chart() override;

    const ChartPlot& plot() const;
    bool isEmpty() const { return plot().items.empty(); }
    /// Without titles of axes, where the surroundings say them. Pictures always have them.
    void setCompact(bool compact);
    /// What the chart is of, for the name of a file, and the folder below which nothing may be written.
    void setSubject(const QString& name, const std::filesystem::path& modelFolder);
    QString suggestedFileName() const; ///< "minilm-entropy-by-layer.png"
    const std::filesystem::path& modelFolder() const;

    Picture picture(const ChartPictureSettings& settings) const;
    void saveAs(); ///< asks for a file
    void copy();   ///< the picture, to the clipboard

    /// Where an item is drawn, in coordinates of this widget, and what is there.
    QPointF positionOf(std::size_t item) const;
    std::optional<std::size_t> itemAt(QPointF position) const;
    std::optional<std::size_t> current() const; ///< of the keyboard

    QSize sizeHint() const override { return {280, 190}; }
    QSize minimumSizeHint() const override { return {180, 110}; }

  Q_SIGNALS:
    void headActivated(const headscope::HeadRef& head);
    void textActivated(std::size_t text);
    void saved(const QString& file);
    void saveFailed(const QString& sentence); ///< nobody listens: a box says it

  protected:
    void setPlot(ChartPlot plot);
    void mark(std::optional<std::size_t> item); ///< rings the item that the rest of the window shows

    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

  private:
    void activate(std::size_t item);
    void moveTo(std::size_t item);
    void refresh();

    struct Private;
    std::unique_ptr<Private> m_d;
};

} // namespace headscope::ui
