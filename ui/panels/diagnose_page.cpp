// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/diagnose_page.h"

#include "core/analysis/diagnosis_json.h"
#include "ui/format.h"
#include "ui/icons.h"
#include "ui/models/head_filter.h"
#include "ui/models/head_table.h"
#include "ui/panels/card.h"
#include "ui/panels/charts_pane.h"
#include "ui/panels/head_table_view.h"
#include "ui/panels/judging_notice.h"
#include "ui/panels/label_chips.h"
#include "ui/theme.h"

#include <QAction>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui {
namespace {

/// "72 heads · 23 texts, 2,510 tokens · 28.9 s"
QString summaryOf(const Diagnosis& diagnosis, const Judging& judging) {
    std::int64_t tokens = 0;
    for (const DiagnosedText& text : diagnosis.texts) tokens += text.tokens;
    const auto count = static_cast<qint64>(diagnosis.texts.size());
    const QString texts = count == 1 ? DiagnosePage::tr("1 text") : DiagnosePage::tr("%1 texts").arg(count);
    const QString source = judging.file.isEmpty()
                               ? texts
                               : DiagnosePage::tr("%1 of %2").arg(texts, QFileInfo(judging.file).fileName());
    const QString when = judging.kept ? DiagnosePage::tr("in an earlier session")
                                      : DiagnosePage::tr("in %1").arg(durationText(diagnosis.seconds));
    return DiagnosePage::tr("%1 heads judged by %2, %3, %4")
        .arg(diagnosis.heads.size())
        .arg(source, tokensText(tokens), when);
}

/// Labels that some heads could not be tested for, in a line, and with their reasons.
std::pair<QString, QString> untestedText(const Diagnosis& diagnosis) {
    const auto heads = [&diagnosis](const std::vector<HeadRef>& refs) {
        if (refs.size() == diagnosis.heads.size()) return DiagnosePage::tr("all heads");
        return refs.size() == 1 ? QString::fromStdString(headText(refs.front()))
                                : DiagnosePage::tr("%1 heads").arg(refs.size());
    };
    QStringList reasons;
    std::vector<UntestedHeads> byLabel; // several reasons of one label, as of kinds of attention
    for (const UntestedHeads& group : untestedHeads(diagnosis)) {
        reasons << QStringLiteral("%1 (%2): %3")
                       .arg(labelText(group.label), heads(group.heads), fromUtf8(group.reason));
        const auto same = std::find_if(byLabel.begin(), byLabel.end(), [&group](const UntestedHeads& one) {
            return one.label == group.label;
        });
        if (same == byLabel.end())
            byLabel.push_back(group);
        else
            same->heads.insert(same->heads.end(), group.heads.begin(), group.heads.end());
    }
    QStringList names;
    for (const UntestedHeads& group : byLabel)
        names << QStringLiteral("%1 (%2)").arg(labelText(group.label), heads(group.heads));
    return {names.join(QStringLiteral(" · ")), reasons.join(QLatin1Char('\n'))};
}

} // namespace

DiagnosePage::DiagnosePage(QWidget* parent)
    : QWidget(parent), m_model(new HeadTable(this)), m_filter(new HeadFilter(*m_model, this)),
      m_pages(new QStackedWidget(this)), m_notice(new JudgingNotice(this)),
      m_splitter(new QSplitter(Qt::Vertical, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);
    auto* noticeCard = new Card(m_pages);
    noticeCard->body()->addWidget(m_notice);
    m_pages->addWidget(noticeCard);

    m_splitter->setObjectName(QStringLiteral("diagnose"));
    m_splitter->addWidget(buildTable());
    auto* chartsCard = new Card(m_splitter);
    m_charts = new ChartsPane(chartsCard);
    chartsCard->body()->addWidget(m_charts);
    m_splitter->addWidget(chartsCard);
    m_splitter->setHandleWidth(12);
    m_splitter->setChildrenCollapsible(true);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({6000, 2600});
    m_pages->addWidget(m_splitter);

    connect(m_notice, &JudgingNotice::judgeRequested, this, &DiagnosePage::judgeRequested);
    connect(m_notice, &JudgingNotice::ownTextsRequested, this, &DiagnosePage::ownTextsRequested);
    connect(m_notice, &JudgingNotice::cancelRequested, this, &DiagnosePage::cancelRequested);
    connect(m_charts, &ChartsPane::headActivated, this, &DiagnosePage::headChosen);
    connect(m_charts, &ChartsPane::textActivated, this, &DiagnosePage::textOpened);
    connect(m_charts, &ChartsPane::saved, this, &DiagnosePage::chartSaved);
    connect(m_charts, &ChartsPane::saveFailed, this, &DiagnosePage::chartNotSaved);
}

QWidget* DiagnosePage::buildTable() {
    auto* card = new Card(m_splitter);
    card->header()->addWidget(sectionLabel(tr("All heads"), card));
    m_search = new QLineEdit(card);
    m_search->setPlaceholderText(tr("Filter: sink, [CLS], layer 5, 5.11, confirmed"));
    m_search->setAccessibleName(tr("Filter the heads"));
    m_search->setMaximumWidth(360);
    // Qt's own button is dark on dark.
    m_clear = m_search->addAction(icon(QStringLiteral("close")), QLineEdit::TrailingPosition);
    m_clear->setToolTip(tr("Clear the filter"));
    m_clear->setVisible(false);
    connect(m_clear, &QAction::triggered, m_search, &QLineEdit::clear);
    connect(&Theme::instance(), &Theme::changed, this,
            [this] { m_clear->setIcon(icon(QStringLiteral("close"))); });
    card->header()->addWidget(m_search, 1);
    m_count = roleLabel({}, "muted", card);
    card->header()->addWidget(m_count);
    card->header()->addStretch(1);
    m_again = new QPushButton(card);
    m_again->setProperty("role", QByteArray("link"));
    connect(m_again, &QPushButton::clicked, this, [this] {
        if (m_again->property("own").toBool()) {
            Q_EMIT judgeRequested();
        } else {
            Q_EMIT ownTextsRequested();
        }
    });
    card->header()->addWidget(m_again);
    m_chips = new LabelChips(card);
    card->body()->addWidget(m_chips);

    m_body = new QStackedWidget(card);
    m_table = new HeadTableView(*m_filter, m_body);
    m_body->addWidget(m_table);
    auto* none = new QWidget(m_body);
    auto* column = new QVBoxLayout(none);
    column->addStretch(1);
    column->addWidget(roleLabel(tr("No head passes the filter."), "muted", none), 0, Qt::AlignHCenter);
    auto* clear = new QPushButton(tr("Show all heads"), none);
    connect(clear, &QPushButton::clicked, this, &DiagnosePage::clearFilter);
    column->addWidget(clear, 0, Qt::AlignHCenter);
    column->addStretch(1);
    m_body->addWidget(none);
    card->body()->addWidget(m_body, 1);
    auto* foot = new QHBoxLayout;
    m_summary = roleLabel({}, "muted", card);
    m_untested = roleLabel({}, "muted", card);
    m_untested->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_untested->setMinimumWidth(0);
    for (QLabel* one : {m_summary, m_untested}) {
        one->setFont(Theme::font(12));
        foot->addWidget(one);
    }
    m_untested->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    card->body()->addLayout(foot);

    connect(m_search, &QLineEdit::textChanged, m_filter, &HeadFilter::setWords);
    connect(m_search, &QLineEdit::returnPressed, this, &DiagnosePage::focusTable);
    connect(m_chips, &LabelChips::chosenChanged, m_filter, &HeadFilter::setLabels);
    connect(m_search, &QLineEdit::textChanged, this, &DiagnosePage::refreshCount);
    connect(m_chips, &LabelChips::chosenChanged, this, &DiagnosePage::refreshCount);
    connect(m_filter, &QAbstractItemModel::rowsInserted, this, &DiagnosePage::refreshCount);
    connect(m_filter, &QAbstractItemModel::rowsRemoved, this, &DiagnosePage::refreshCount);
    connect(m_filter, &QAbstractItemModel::modelReset, this, &DiagnosePage::refreshCount);
    connect(m_table, &HeadTableView::headChosen, this, &DiagnosePage::headChosen);
    connect(m_table, &HeadTableView::headOpened, this, &DiagnosePage::headOpened);
    return card;
}

void DiagnosePage::showJudging(const Judging& judging) {
    switch (judging.stage) {
    case JudgingStage::NotApplicable:
        m_notice->showNotApplicable(judging.reason, judging.ownTexts);
        break;
    case JudgingStage::Waiting:
        m_notice->showWaiting(tr("This begins once the text is analysed."));
        break;
    case JudgingStage::Offered:
        m_notice->showOffer(judging.seconds);
        break;
    case JudgingStage::Failed:
        m_notice->showFailure(judging.reason);
        break;
    case JudgingStage::Judging:
    case JudgingStage::Judged:
        break;
    }
    showProgress(judging);
    const auto& diagnosis = judging.diagnosis;
    m_pages->setCurrentIndex(diagnosis ? 1 : 0);
    m_again->setProperty("own", !judging.file.isEmpty());
    m_again->setText(judging.file.isEmpty() ? tr("By my own texts…") : tr("By the program's texts"));
    m_again->setEnabled(!judging.busy);
    if (diagnosis == m_diagnosis) return;
    m_diagnosis = diagnosis;
    m_model->setDiagnosis(diagnosis);
    m_table->showKinds(m_model->hasKinds());
    m_chips->setCounts(m_filter->labelCounts());
    m_charts->showDiagnosis(diagnosis, m_modelFolder);
    m_summary->setText(diagnosis ? summaryOf(*diagnosis, judging) : QString());
    const auto [names, reasons] = diagnosis ? untestedText(*diagnosis) : std::pair<QString, QString>();
    m_untested->setText(names.isEmpty() ? QString() : tr("Not tested: %1").arg(names));
    m_untested->setToolTip(reasons);
    m_untested->setVisible(!names.isEmpty());
    refreshCount();
    m_table->showHead(m_head);
}

void DiagnosePage::showProgress(const Judging& judging) {
    if (judging.stage == JudgingStage::Judging)
        m_notice->showProgress(judging.text, judging.texts, judging.share);
}

void DiagnosePage::showHead(const HeadRef& head, const HeadResult* onText) {
    m_head = head;
    m_table->showHead(head);
    m_charts->showHead(head);
    m_charts->showOnText(onText);
}

void DiagnosePage::refreshCount() {
    const int shown = m_filter->rowCount();
    const int all = m_model->rowCount();
    m_count->setText(m_filter->isFiltering() ? tr("%1 of %2 heads").arg(shown).arg(all)
                                             : tr("%1 heads").arg(all));
    m_clear->setVisible(!m_search->text().isEmpty());
    m_body->setCurrentIndex(shown == 0 && all > 0 ? 1 : 0);
    m_table->showHead(m_head);
}

void DiagnosePage::clearFilter() {
    m_search->clear();
    m_chips->clearChosen();
    focusTable();
}

void DiagnosePage::showNotes(const std::vector<std::pair<HeadRef, QString>>& notes) {
    m_model->setNotes(notes);
}

void DiagnosePage::focusFilter() {
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

void DiagnosePage::focusTable() {
    if (isTableShown()) {
        m_table->setFocus(Qt::ShortcutFocusReason);
    } else {
        m_notice->focusButton();
    }
}

bool DiagnosePage::isTableShown() const {
    return m_pages->currentIndex() == 1;
}

QString DiagnosePage::summary() const {
    return m_summary->text();
}

} // namespace headscope::ui
