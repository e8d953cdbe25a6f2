// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableWidget>

namespace headscope::ui {

/// A short list of a few columns to choose lines from: arrow keys or a click choose one, a double click or
/// Enter opens it.
class PlainTable final : public QTableWidget {
    Q_OBJECT

  public:
    /// Holds the length of the bar under a number, 0 to 1.
    static constexpr int kShareRole = Qt::UserRole;

    explicit PlainTable(const QStringList& titles, QWidget* parent = nullptr);
    /// Replaces all lines; nothing is chosen then.
    void setLines(int count);
    void setCell(int line, int column, const QString& text, const QString& tip = {});
    void setNumber(int line, int column, const QString& text, const QVariant& share = {});
    /// Without a signal; -1: none.
    void showLine(int line);

  Q_SIGNALS:
    void lineChosen(int line);
    void lineOpened(int line);

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
};

} // namespace headscope::ui
