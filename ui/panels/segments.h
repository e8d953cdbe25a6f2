// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QAction;
class QHBoxLayout;
class QToolButton;

namespace headscope::ui {

/// A few choices side by side of which one holds.
class Segments final : public QFrame {
    Q_OBJECT

  public:
    explicit Segments(QWidget* parent = nullptr);
    QToolButton* add(const QString& text);
    QToolButton* add(QAction* action);

  private:
    QHBoxLayout* m_layout;
};

} // namespace headscope::ui
