// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

namespace headscope::ui {

/// The program's log: lines with a time, from any thread. Qt's own messages come here too once installed.
class Log final : public QObject {
    Q_OBJECT

  public:
    static constexpr int kKept = 2000;

    static Log& instance();
    /// Routes qDebug, qWarning and the like here instead of standard error; fatal ones go to both.
    static void installQtHandler();

    void add(const QString& line);
    QStringList lines() const;

  Q_SIGNALS:
    void lineAdded(const QString& line); ///< on the thread of this object

  private:
    Log() = default;
    Q_INVOKABLE void append(const QString& line);
    QStringList m_lines;
};

} // namespace headscope::ui
