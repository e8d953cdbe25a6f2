// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/status_strip.h"

#include "core/base/byte_text.h"
#include "ui/format.h"
#include "ui/icons.h"
#include "ui/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

#include <algorithm>

namespace headscope::ui {
QString checksSummary(const Analysis& analysis, bool& good) {
    // The pass names every deviation above its bound; without one all layers were within them.
    good = analysis.failedChecks.empty();
    if (!good) return StatusStrip::tr("self-check: %1").arg(fromUtf8(analysis.failedChecks.front()));
    return analysis.model && analysis.model->imported ? StatusStrip::tr("rows sum to 1")
                                                      : StatusStrip::tr("self-checks passed");
}

StatusStrip::StatusStrip(QWidget* parent)
    : QStatusBar(parent), m_state(new QLabel(this)), m_checks(new QLabel(this)), m_memory(new QLabel(this)),
      m_progress(new QProgressBar(this)), m_cancel(new QToolButton(this)), m_judging(new QLabel(this)),
      m_judged(new QProgressBar(this)), m_stopJudging(new QToolButton(this)) {
    for (QLabel* label : {m_state, m_checks, m_memory, m_judging}) label->setTextFormat(Qt::PlainText);
    setSizeGripEnabled(false);
    setContentsMargins(12, 0, 12, 0);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(160);
    m_progress->setAccessibleName(tr("Progress"));
    m_cancel->setText(tr("Cancel"));
    m_cancel->setToolTip(tr("Stop opening or analysing (Ctrl+.)"));
    m_cancel->setProperty("role", QByteArray("flat"));
    m_checks->setToolTip(
        tr("In every layer: the rows of the maps sum to 1, and map times V equals what the forward "
           "pass computed (up to 8 rows a head)"));
    m_memory->setToolTip(
        tr("The maps are not stored: any cell is computed again from Q, K and two numbers a row"));
    addWidget(m_state);
    addWidget(m_progress);
    addWidget(m_cancel);
    addWidget(m_checks);
    m_judged->setTextVisible(false);
    m_judged->setFixedWidth(96);
    m_judged->setRange(0, 1000);
    m_judged->setAccessibleName(tr("Progress of judging the heads"));
    m_stopJudging->setText(tr("Stop"));
    m_stopJudging->setToolTip(tr("Stop judging the heads; what is shown stays (Ctrl+.)"));
    m_stopJudging->setProperty("role", QByteArray("flat"));
    addPermanentWidget(m_judging);
    addPermanentWidget(m_judged);
    addPermanentWidget(m_stopJudging);
    addPermanentWidget(m_memory);
    connect(m_stopJudging, &QToolButton::clicked, this, &StatusStrip::judgingCancelRequested);
    endJudging();
    connect(m_cancel, &QToolButton::clicked, this, &StatusStrip::cancelRequested);
    endBusy();
    showIdle(tr("Ready"));
}

void StatusStrip::showIdle(const QString& text) {
    m_state->setText(text);
    m_checks->clear();
    m_memory->clear();
}

void StatusStrip::showAnalysis(const Analysis& analysis) {
    const bool cuda =
        analysis.model && analysis.model->model && analysis.model->model->device() == DeviceChoice::Cuda;
    const QString device =
        cuda ? tr("GPU")
             : (torchThreads() == 1 ? tr("CPU (1 thread)") : tr("CPU (%1 threads)").arg(torchThreads()));
    m_state->setText(
        tr("Ready · %1 in %2 on %3")
            .arg(tokensText(analysis.text.axis->size()), durationText(analysis.seconds), device));
    bool good = true;
    m_checks->setText(checksSummary(analysis, good));
    m_checks->setStyleSheet(good ? QString()
                                 : QStringLiteral("color: %1;").arg(Theme::instance().colors().alarm.name()));
    const QString kept = fromUtf8(byteText(analysis.bytesKept));
    m_memory->setText(analysis.model && analysis.model->imported
                          ? tr("Maps of the file in memory: %1").arg(kept)
                          : tr("Q and K kept: %1 · maps stored: none").arg(kept));
}

void StatusStrip::showBusy(const QString& text, qint64 done, qint64 total) {
    clearMessage(); // it would lie over what is shown and hidden under it
    m_state->setText(text);
    m_progress->setRange(0, static_cast<int>(total));
    m_progress->setValue(static_cast<int>(done));
    m_progress->show();
    m_cancel->show();
    m_checks->hide();
}

void StatusStrip::endBusy() {
    clearMessage();
    m_progress->hide();
    m_cancel->hide();
    m_checks->show();
}

void StatusStrip::showJudging(const QString& text, double share) {
    m_judging->setText(text);
    m_judged->setValue(static_cast<int>(share * 1000.0));
    m_judging->show();
    m_judged->show();
    m_stopJudging->show();
    m_memory->hide(); // there is room for one of the two
}

void StatusStrip::endJudging() {
    m_judging->clear();
    m_judging->hide();
    m_judged->hide();
    m_stopJudging->hide();
    m_memory->show();
}

QString StatusStrip::judgingText() const {
    return m_judging->text();
}

QString StatusStrip::text() const {
    return m_state->text();
}
QString StatusStrip::checksText() const {
    return m_checks->text();
}

} // namespace headscope::ui
