// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/failure.h"

#include <QFrame>

#include <functional>

class QLabel;
class QPushButton;
class QToolButton;

namespace headscope::ui {

/// An error inline, above what it is about: the sentence, what to do next, and a way to close it. Hidden when
/// empty.
class ErrorBanner final : public QFrame {
    Q_OBJECT

  public:
    explicit ErrorBanner(QWidget* parent = nullptr);
    void show(const Failure& failure);
    /// With a way out beside it: a button that closes the message and calls `act`.
    void show(const Failure& failure, const QString& button, std::function<void()> act);
    QPushButton* button() const { return m_button; }
    void dismiss();
    QString sentence() const;
    QString hint() const;

  Q_SIGNALS:
    void shownChanged(bool shown);

  private:
    void applyTheme();
    QLabel* m_icon;
    QLabel* m_sentence;
    QLabel* m_hint;
    QPushButton* m_button;
    QToolButton* m_close;
    std::function<void()> m_act;
};

} // namespace headscope::ui
