// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/labels.h"

#include <QWidget>

namespace headscope::ui {

/// What is true of the model is filled, what one text shows is outlined, what counts nothing is muted.
enum class PillLook { Filled, Outlined, Muted };

inline constexpr int kPillHeight = 22;
QFont pillFont();
int pillWidth(Label label, const QString& text);
/// At the left of `box`, in its middle, no wider than it: `text` is elided.
void paintPill(QPainter& painter, const QRectF& box, Label label, const QString& text, PillLook look);

/// A label in words with its form before it, on the label's colour: never colour alone.
class Pill final : public QWidget {
    Q_OBJECT

  public:
    explicit Pill(Label label, const QString& text = {}, QWidget* parent = nullptr);
    void setText(const QString& text);
    void setLook(PillLook look);
    void setMuted(bool muted) { setLook(muted ? PillLook::Muted : PillLook::Filled); }
    QString text() const { return m_text; }
    Label label() const { return m_label; }
    PillLook look() const { return m_look; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    Label m_label;
    QString m_text;
    PillLook m_look = PillLook::Filled;
};

} // namespace headscope::ui
