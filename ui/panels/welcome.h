// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;

namespace headscope::ui {

/// The centre while no model is open: what to do first, the models and sessions opened before, or how far
/// opening is.
class Welcome final : public QWidget {
    Q_OBJECT

  public:
    explicit Welcome(QWidget* parent = nullptr);
    void setRecent(const QStringList& folders, const QStringList& sessions);
    void showOpening(const QString& folder); ///< empty: not opening
    void setProgress(qint64 done, qint64 total);

  Q_SIGNALS:
    void openRequested();
    void demoRequested();
    void recentChosen(const QString& folder);
    void sessionChosen(const QString& file);
    void cancelRequested();

  private:
    void applyTheme();
    void addRecent(const QString& title, const QStringList& paths, void (Welcome::*chosen)(const QString&));

    QLabel* m_icon;
    QLabel* m_title;
    QLabel* m_words;
    QPushButton* m_open;
    QPushButton* m_demo;
    QPushButton* m_cancel;
    QProgressBar* m_progress;
    QHBoxLayout* m_recent; ///< a column of each kind
    QWidget* m_recentBox;
};

} // namespace headscope::ui
