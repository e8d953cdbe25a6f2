// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/labels.h"

#include <QWidget>

namespace headscope::ui {

/// A flag in words with its form before it, on the flag's colour: never colour alone. Muted when it counts
/// nothing.
class Pill final : public QWidget {
    Q_OBJECT

  public:
    explicit Pill(Label label, const QString& text = {}, QWidget* parent = nullptr);
    void setText(const QString& text);
    void setMuted(bool muted);
    QString text() const { return m_text; }
    Label label() const { return m_label; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    Label m_label;
    QString m_text;
    bool m_muted = false;
};

} // namespace headscope::ui
