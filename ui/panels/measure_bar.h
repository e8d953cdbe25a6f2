// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace headscope::ui {

/// One number against one threshold: words and value above, a bar with a tick below.
struct MeasureRow {
    QString name;
    QString value;      ///< with unit
    QString condition;  ///< "≥ 0.30"
    double share = 0.0; ///< where the bar ends, 0 to 1
    double tick = 0.0;  ///< where the threshold stands, 0 to 1; below 0: there is none
    bool holds = false;
};

class MeasureBar final : public QWidget {
    Q_OBJECT

  public:
    explicit MeasureBar(MeasureRow row, QWidget* parent = nullptr);
    QSize sizeHint() const override { return {180, 40}; }
    const MeasureRow& row() const { return m_row; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    MeasureRow m_row;
};

} // namespace headscope::ui
