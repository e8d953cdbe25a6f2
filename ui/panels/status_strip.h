// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"

#include <QStatusBar>

class QLabel;
class QProgressBar;
class QToolButton;

namespace headscope::ui {

/// The line at the bottom: what was done and in what time, self-checks, memory; progress with cancel while
/// busy.
class StatusStrip final : public QStatusBar {
    Q_OBJECT

  public:
    explicit StatusStrip(QWidget* parent = nullptr);

    void showIdle(const QString& text);
    void showAnalysis(const Analysis& analysis);
    /// total 0: of unknown length.
    void showBusy(const QString& text, qint64 done, qint64 total);
    void endBusy();
    /// Work in the background, beside all else: "Judging the heads: text 3 of 23".
    void showJudging(const QString& text, double share);
    void endJudging();
    QString text() const;
    QString judgingText() const; ///< empty: nothing in the background
    QString checksText() const;

  Q_SIGNALS:
    void cancelRequested();
    void judgingCancelRequested();

  private:
    QLabel* m_state;
    QLabel* m_checks;
    QLabel* m_memory;
    QProgressBar* m_progress;
    QToolButton* m_cancel;
    QLabel* m_judging;
    QProgressBar* m_judged;
    QToolButton* m_stopJudging;
};

/// Self-checks of all layers in words; `good` says whether all are within their bounds.
QString checksSummary(const Analysis& analysis, bool& good);

} // namespace headscope::ui
