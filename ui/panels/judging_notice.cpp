// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/judging_notice.h"

#include "ui/panels/card.h"
#include "ui/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <cmath>

namespace headscope::ui {
namespace {

constexpr int kWidth = 460;

QString aboutText(double seconds) {
    if (seconds < 1.0) return JudgingNotice::tr("less than a second");
    if (seconds < 99.5) return JudgingNotice::tr("about %1 s").arg(std::llround(seconds));
    return JudgingNotice::tr("about %1 min").arg(std::llround(seconds / 60.0));
}

} // namespace

QString judgeText(double seconds) {
    return seconds > 0.0 ? JudgingNotice::tr("Judge all heads (%1)").arg(aboutText(seconds))
                         : JudgingNotice::tr("Judge all heads");
}

JudgingNotice::JudgingNotice(QWidget* parent)
    : QWidget(parent), m_title(new QLabel(this)), m_words(roleLabel({}, "muted", this)),
      m_progress(new QProgressBar(this)), m_judge(new QPushButton(this)),
      m_own(new QPushButton(tr("By my own texts…"), this)), m_cancel(new QPushButton(tr("Cancel"), this)) {
    setFocusPolicy(Qt::StrongFocus);
    m_title->setFont(Theme::font(metrics::kTitle, QFont::DemiBold));
    m_title->setAlignment(Qt::AlignHCenter);
    m_words->setWordWrap(true);
    m_words->setAlignment(Qt::AlignHCenter);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress of judging the heads"));
    m_judge->setProperty("role", QByteArray("primary"));
    auto* outer = new QHBoxLayout(this);
    auto* column = new QVBoxLayout;
    outer->addStretch(1);
    outer->addLayout(column);
    outer->addStretch(1);
    column->setSpacing(12);
    column->addStretch(2);
    for (QWidget* one : {static_cast<QWidget*>(m_title), static_cast<QWidget*>(m_words),
                         static_cast<QWidget*>(m_progress)}) {
        one->setFixedWidth(kWidth);
        column->addWidget(one);
    }
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch(1);
    for (QPushButton* button : {m_judge, m_own, m_cancel}) buttons->addWidget(button);
    buttons->addStretch(1);
    column->addLayout(buttons);
    column->addStretch(3);
    connect(m_judge, &QPushButton::clicked, this, &JudgingNotice::judgeRequested);
    connect(m_own, &QPushButton::clicked, this, &JudgingNotice::ownTextsRequested);
    connect(m_cancel, &QPushButton::clicked, this, &JudgingNotice::cancelRequested);
    showWaiting({});
}

void JudgingNotice::set(const QString& title, const QString& words) {
    m_title->setText(title);
    m_words->setText(words);
    for (QWidget* one : {static_cast<QWidget*>(m_progress), static_cast<QWidget*>(m_judge),
                         static_cast<QWidget*>(m_own), static_cast<QWidget*>(m_cancel)})
        one->hide();
}

QString JudgingNotice::words() const {
    return m_title->text() + QLatin1Char('\n') + m_words->text();
}

void JudgingNotice::focusButton() {
    for (QPushButton* button : {m_judge, m_own, m_cancel}) {
        if (button->isHidden()) continue;
        button->setFocus(Qt::ShortcutFocusReason);
        return;
    }
    setFocus(Qt::ShortcutFocusReason); // and on to what comes
}

void JudgingNotice::showNotApplicable(const QString& reason, bool ownTexts) {
    set(tr("The heads cannot be judged"), reason);
    m_own->setVisible(ownTexts);
}

void JudgingNotice::showWaiting(const QString& what) {
    set(tr("All heads, judged by several texts"), what);
}

void JudgingNotice::showOffer(double seconds) {
    set(tr("Judge the model, not only this text"),
        tr("One text shows what a head does once. Over the texts that come with the program it shows what "
           "the "
           "head does always: every label with its score, the texts it holds on and how sure that is."));
    m_judge->setText(judgeText(seconds));
    m_judge->show();
    m_own->show();
}

void JudgingNotice::showProgress(qint64 text, qint64 texts, double share) {
    set(tr("Judging all heads: text %1 of %2").arg(text + 1).arg(texts),
        tr("You can go on exploring: what you ask for comes first."));
    m_progress->setRange(0, 1000);
    m_progress->setValue(static_cast<int>(share * 1000.0));
    m_progress->show();
    m_cancel->show();
}

void JudgingNotice::showFailure(const QString& sentence) {
    set(tr("Judging the heads failed"), sentence);
    m_judge->setText(tr("Try again"));
    m_judge->show();
    m_own->show();
}

} // namespace headscope::ui
