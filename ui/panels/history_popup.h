// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/text_history.h"

#include <QFrame>

#include <optional>
#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace headscope::ui {

/// The texts that were run, over the text box: type to search, arrows and Enter or a click to take one,
/// Delete to remove one. What was removed can be put back as long as it is open.
class HistoryPopup final : public QFrame {
    Q_OBJECT

  public:
    explicit HistoryPopup(TextHistory& history, QWidget* parent = nullptr);
    /// Opens it with its top left corner there, within the screen.
    void openAt(const QPoint& corner);

    QLineEdit* search() const { return m_search; }
    QListWidget* list() const { return m_list; }
    QPushButton* clearButton() const { return m_clear; }
    QPushButton* undoButton() const { return m_undo; }
    QPushButton* removeButton() const { return m_remove; }
    QString message() const;

  Q_SIGNALS:
    void chosen(const headscope::ui::PastText& text);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void refresh();
    void filter();
    void take();
    void removeCurrent();
    void clearAll();
    bool moveBy(int key);
    void say();

    TextHistory& m_history;
    std::vector<PastText> m_texts;                 ///< a row each
    std::optional<std::vector<PastText>> m_before; ///< the last removal
    QLineEdit* m_search;
    QListWidget* m_list;
    QLabel* m_message;
    QPushButton* m_remove;
    QPushButton* m_clear;
    QPushButton* m_undo;
};

} // namespace headscope::ui
