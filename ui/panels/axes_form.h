// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/imported/array_axes.h"

#include <QFrame>

#include <vector>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace headscope::ui {

/// Asks above what is shown what the dimensions of an array of maps count, and which sample of a batch is
/// meant: what all usual readings agree on is chosen, the rest is the user's. Hidden when nothing is asked.
class AxesForm final : public QFrame {
    Q_OBJECT

  public:
    explicit AxesForm(QWidget* parent = nullptr);

    /// `file` is its name.
    void ask(const QString& file, const AxesQuestion& question);
    void dismiss();
    /// One for each dimension, the outermost first; their data are ArrayAxis, or invalid while not chosen.
    const std::vector<QComboBox*>& choices() const { return m_choices; }
    QSpinBox* sample() const { return m_sample; } ///< shown where a batch has several
    QPushButton* openButton() const { return m_open; }
    /// How the array would be read, or what is still missing.
    QString explanation() const;

  Q_SIGNALS:
    void answered(const headscope::ReadingRules& rules);
    void shownChanged(bool shown);

  protected:
    void keyPressEvent(QKeyEvent* event) override; ///< Return answers, Esc dismisses

  private:
    void addChoice(std::size_t dimension, const QVariant& chosen);
    ArrayAxes chosenAxes() const; ///< without those that are not chosen
    QString problem(const ArrayAxes& axes) const;
    QString reading(const ArrayAxes& axes) const;
    std::int64_t extentOf(ArrayAxis axis) const; ///< 0: none counts it
    void refresh();
    void answer();
    void applyTheme();

    AxesQuestion m_question;
    QLabel* m_icon;
    QLabel* m_title;
    QHBoxLayout* m_row;
    std::vector<QComboBox*> m_choices;
    std::vector<QWidget*> m_parts; ///< of the row, made anew for each question
    QLabel* m_sampleLabel;
    QSpinBox* m_sample;
    QLabel* m_explanation;
    QPushButton* m_open;
    QToolButton* m_close;
};

} // namespace headscope::ui
