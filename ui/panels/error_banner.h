// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/failure.h"

#include <QFrame>

class QLabel;
class QToolButton;

namespace headscope::ui {

/// An error inline, above what it is about: the sentence, what to do next, and a way to close it. Hidden when
/// empty.
class ErrorBanner final : public QFrame {
    Q_OBJECT

  public:
    explicit ErrorBanner(QWidget* parent = nullptr);
    void show(const Failure& failure);
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
    QToolButton* m_close;
};

} // namespace headscope::ui
