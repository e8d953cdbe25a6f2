// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QPlainTextEdit;

namespace headscope::ui {

/// What happened, one line each, the newest at the end.
class LogPanel final : public QWidget {
    Q_OBJECT

  public:
    explicit LogPanel(QWidget* parent = nullptr);
    QString text() const;

  private:
    QPlainTextEdit* m_lines;
};

} // namespace headscope::ui
