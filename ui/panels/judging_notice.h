// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace headscope::ui {

/// What stands in place of the table of heads until there is one: what it would show, how far it is, what
/// brings it.
class JudgingNotice final : public QWidget {
    Q_OBJECT

  public:
    explicit JudgingNotice(QWidget* parent = nullptr);

    void showNotApplicable(const QString& reason, bool ownTexts);
    void showWaiting(const QString& what);
    void showOffer(double seconds);
    void showProgress(qint64 text, qint64 texts, double share);
    void showFailure(const QString& sentence);
    void focusButton(); ///< the first there is
    QString words() const;

  Q_SIGNALS:
    void judgeRequested();
    void ownTextsRequested();
    void cancelRequested();

  private:
    void set(const QString& title, const QString& words);

    QLabel* m_title;
    QLabel* m_words;
    QProgressBar* m_progress;
    QPushButton* m_judge;
    QPushButton* m_own;
    QPushButton* m_cancel;
};

/// "Judge all heads (about 40 s)"
QString judgeText(double seconds);

} // namespace headscope::ui
