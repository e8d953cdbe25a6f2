// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/comparing.h"
#include "ui/panels/card.h"

class QPushButton;

namespace headscope::ui {

class HeatmapView;

/// The weights of one head less those of another, on a scale centred on 0; or why there is nothing to
/// subtract.
class DifferenceCard final : public Card {
    Q_OBJECT

  public:
    explicit DifferenceCard(QWidget* parent = nullptr);
    void showComparing(const Comparing& comparing);
    HeatmapView* view() const { return m_view; }
    QString title() const { return m_title->text(); }
    QString note() const { return m_note->text(); }
    /// Why there is no difference; empty: there is one.
    QString reason() const { return m_reason; }
    QPushButton* button() const { return m_button; }

  Q_SIGNALS:
    void cancelRequested();
    void againRequested();

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void elidePair();
    void showReason(const Comparing& comparing);

    QLabel* m_title;
    QLabel* m_pair;
    QLabel* m_note;
    QPushButton* m_button;
    HeatmapView* m_view;
    QString m_pairText;
    QString m_reason;
    bool m_measuring = false;
};

/// Why there is nothing to subtract; empty where there is something.
QString reasonFor(const Comparing& comparing);

} // namespace headscope::ui
