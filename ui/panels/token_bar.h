// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include <memory>
#include <optional>

class QLabel;
class QLineEdit;
class QListView;
class QToolButton;

namespace headscope {
struct Axis;
}

namespace headscope::ui {

class TokenMatches;

/// A bar over the map that goes to a token, as a row or as a column: by a word or a position. The tokens that
/// fit stand in a line below; Enter goes to the next, Shift+Enter to the one before, Escape closes.
class TokenBar final : public QFrame {
    Q_OBJECT

  public:
    explicit TokenBar(QWidget* parent = nullptr);

    /// Of the map that is shown; null: there is none.
    void setTokens(std::shared_ptr<const Axis> queries, std::shared_ptr<const Axis> keys);
    void open(); ///< shows it, and the keyboard goes there
    bool isForKeys() const;

    QLineEdit* edit() const { return m_edit; }
    QToolButton* rows() const { return m_rows; }
    QToolButton* columns() const { return m_columns; }
    QToolButton* next() const { return m_next; }
    QToolButton* previous() const { return m_previous; }
    QToolButton* closeButton() const { return m_close; }
    QListView* list() const { return m_list; }
    TokenMatches* matches() const { return m_matches; }
    QString words() const; ///< "2 of 5"

  Q_SIGNALS:
    void tokenChosen(qint64 position, bool isKey);
    void closed();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void shut();
    void showSide();
    void go(int row);
    void step(int by);
    void refresh();

    std::shared_ptr<const Axis> m_queries;
    std::shared_ptr<const Axis> m_keys;
    TokenMatches* m_matches;
    int m_row = -1; ///< of the matches: where one has gone
    QToolButton* m_rows;
    QToolButton* m_columns;
    QLineEdit* m_edit;
    QLabel* m_words;
    QToolButton* m_previous;
    QToolButton* m_next;
    QToolButton* m_close;
    QListView* m_list;
};

} // namespace headscope::ui
