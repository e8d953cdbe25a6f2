// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/comparing.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace headscope::ui {

class PlainTable;

/// The heads of a text that are most like one of them, or least.
class SimilarList final : public QWidget {
    Q_OBJECT

  public:
    static constexpr std::size_t kShown = 10;

    explicit SimilarList(QWidget* parent = nullptr);
    void setFarthest(bool on); ///< the least similar, instead of the most
    void showFound(const FindingSimilar& similar);
    void showCurrent(const HeadRef& head); ///< its line, where it has one
    PlainTable* table() const { return m_table; }
    QString words() const;
    QProgressBar* bar() const { return m_bar; }
    QPushButton* button() const { return m_button; }

  Q_SIGNALS:
    void headChosen(const headscope::HeadRef& head);
    void headPinned(const headscope::HeadRef& head);
    void cancelRequested();
    void againRequested();

  private:
    void refresh();

    FindingSimilar m_similar;
    HeadRef m_current;
    bool m_farthest = false;
    std::vector<SimilarHeads::Other> m_lines;
    QLabel* m_words;
    QProgressBar* m_bar;
    QPushButton* m_button;
    PlainTable* m_table;
};

} // namespace headscope::ui
