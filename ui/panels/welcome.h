// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace headscope::ui {

/// The centre while no model is open: what to do first, the models opened before, or how far opening is.
class Welcome final : public QWidget {
    Q_OBJECT

  public:
    explicit Welcome(QWidget* parent = nullptr);
    void setRecent(const QStringList& folders);
    void showOpening(const QString& folder); ///< empty: not opening
    void setProgress(qint64 done, qint64 total);

  Q_SIGNALS:
    void openRequested();
    void demoRequested();
    void recentChosen(const QString& folder);
    void cancelRequested();

  private:
    void applyTheme();

    QLabel* m_icon;
    QLabel* m_title;
    QLabel* m_words;
    QPushButton* m_open;
    QPushButton* m_demo;
    QPushButton* m_cancel;
    QProgressBar* m_progress;
    QVBoxLayout* m_recent;
    QWidget* m_recentBox;
};

} // namespace headscope::ui
