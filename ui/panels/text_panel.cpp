// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/text_panel.h"

#include "ui/format.h"
#include "ui/panels/card.h"
#include "ui/panels/text_box.h"
#include "ui/samples.h"
#include "ui/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui {
namespace {
constexpr LengthPolicy kPolicies[] = {LengthPolicy::Refuse, LengthPolicy::Truncate, LengthPolicy::Piece};
} // namespace

TextPanel::TextPanel(QWidget* parent)
    : QWidget(parent), m_text(new TextBox(this)), m_pair(new TextBox(this)),
      m_pairCheck(new QCheckBox(tr("Second text (pair)"), this)),
      m_targetTitle(sectionLabel(tr("Target (decoder)"), this)),
      m_writeTarget(new QCheckBox(tr("Let the model write it"), this)), m_target(new TextBox(this)),
      m_count(roleLabel({}, "muted", this)), m_countBar(new QProgressBar(this)),
      m_problem(roleLabel({}, "error", this)), m_lengthRow(makeLengthRow()),
      m_history(new QPushButton(tr("History"), this)), m_samples(new QPushButton(tr("Samples ▾"), this)),
      m_samplesMenu(new QMenu(m_samples)), m_run(new QPushButton(this)) {
    m_text->setAccessibleName(tr("Text"));
    m_text->setPlaceholderText(tr("Type or paste a text, drop a text file, or pick a sample."));
    m_text->setMinimumHeight(72);
    m_text->setMaximumHeight(420);
    m_pair->setAccessibleName(tr("Second text"));
    m_pair->setPlaceholderText(tr("The text that follows the first, an answer for example."));
    m_pair->setMinimumHeight(64);
    m_pair->setMaximumHeight(240);
    m_pairCheck->setToolTip(tr("Give the model two texts, the way question answering does"));
    m_writeTarget->setToolTip(
        tr("Before each analysis the model writes a target itself, the likeliest token at every step, up to "
           "256. The last one is only predicted and has no row."));
    m_target->setAccessibleName(tr("Target text"));
    m_target->setMinimumHeight(64);
    m_target->setMaximumHeight(240);
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->hide();
    m_countBar->setTextVisible(false);
    m_countBar->setAccessibleName(tr("Tokens against the limit of the model"));
    m_history->setProperty("role", QByteArray("flat"));
    m_history->setToolTip(tr("Texts that were run (Ctrl+H)"));
    m_samples->setMenu(m_samplesMenu);
    m_samples->setProperty("role", QByteArray("flat"));
    m_samples->setToolTip(tr("Texts to start from"));
    for (std::size_t i = 0; i < samples().size(); ++i) {
        QAction* action = m_samplesMenu->addAction(samples()[i].title);
        connect(action, &QAction::triggered, this, [this, i] { Q_EMIT sampleChosen(static_cast<int>(i)); });
    }
    m_run->setMinimumHeight(32);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    auto* head = new QHBoxLayout;
    head->addWidget(sectionLabel(tr("Text"), this));
    head->addStretch(1);
    head->setSpacing(0);
    head->addWidget(m_history);
    head->addWidget(m_samples);
    layout->addLayout(head);
    layout->addWidget(m_text, 3);
    auto* count = new QVBoxLayout;
    count->setSpacing(4);
    count->addWidget(m_count);
    count->addWidget(m_countBar);
    layout->addLayout(count);
    layout->addWidget(m_problem);
    layout->addWidget(m_lengthRow);
    layout->addWidget(m_pairCheck);
    layout->addWidget(m_pair, 2);
    layout->addWidget(m_targetTitle);
    layout->addWidget(m_writeTarget);
    layout->addWidget(m_target, 2);
    layout->addSpacing(4);
    layout->addWidget(m_run);
    layout->addStretch(0);

    connect(m_text, &TextBox::edited, this, &TextPanel::textEdited);
    connect(m_pair, &TextBox::edited, this, &TextPanel::pairEdited);
    connect(m_target, &TextBox::edited, this, &TextPanel::targetEdited);
    connect(m_writeTarget, &QCheckBox::toggled, this, &TextPanel::targetWritten);
    for (TextBox* box : {m_text, m_pair, m_target}) {
        connect(box, &TextBox::filesPasted, this, &TextPanel::filesPasted);
        connect(box, &TextBox::pasteRefused, this, &TextPanel::pasteRefused);
    }
    connect(m_history, &QPushButton::clicked, this, &TextPanel::historyRequested);
    connect(m_pairCheck, &QCheckBox::toggled, this, &TextPanel::pairShown);
    connect(m_run, &QPushButton::clicked, this, [this] {
        if (m_busy) {
            Q_EMIT cancelRequested();
        } else {
            Q_EMIT runRequested();
        }
    });
    showState({});
    showCount(std::nullopt);
    setBusy(false);
    setHasDecoder(false);
}

QWidget* TextPanel::makeLengthRow() {
    auto* row = new QWidget(this);
    m_length = new QComboBox(row);
    m_length->addItem(tr("Too long: choose…"));
    m_length->addItem(tr("Use the beginning"));
    m_length->addItem(tr("Use one piece"));
    m_length->setAccessibleName(tr("What to do with a text that is too long"));
    m_length->setToolTip(
        tr("The model has no positions for the whole text: use its beginning, or one piece of it"));
    m_piece = new QSpinBox(row);
    m_piece->setMinimum(1);
    m_piece->setAccessibleName(tr("Piece"));
    m_pieces = roleLabel({}, "muted", row);
    auto* layout = new QVBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_length);
    m_pieceRow = new QWidget(row);
    auto* pieceLayout = new QHBoxLayout(m_pieceRow);
    pieceLayout->setContentsMargins(0, 0, 0, 0);
    pieceLayout->setSpacing(8);
    auto* pieceLabel = new QLabel(tr("Piece"), m_pieceRow);
    pieceLabel->setBuddy(m_piece);
    pieceLayout->addWidget(pieceLabel);
    pieceLayout->addWidget(m_piece, 1);
    pieceLayout->addWidget(m_pieces);
    layout->addWidget(m_pieceRow);
    connect(m_length, &QComboBox::activated, this, &TextPanel::chooseLength);
    connect(m_piece, &QSpinBox::valueChanged, this, &TextPanel::chooseLength);
    return row;
}

void TextPanel::chooseLength() {
    Q_EMIT lengthChosen(kPolicies[m_length->currentIndex()], m_piece->value() - 1);
}

void TextPanel::showState(const ViewState& state) {
    m_text->showText(state.text);
    m_pair->showText(state.pair);
    m_target->showText(state.writeTarget ? QString() : state.target);
    m_target->setEnabled(m_canRead && !state.writeTarget);
    m_target->setPlaceholderText(
        state.writeTarget ? tr("Written by the model; its tokens are beside the map.")
                          : tr("What the decoder reads, a translation for example. Empty: its start token."));
    {
        const QSignalBlocker blockWrite(m_writeTarget);
        m_writeTarget->setChecked(state.writeTarget);
    }
    {
        const QSignalBlocker blockCheck(m_pairCheck);
        m_pairCheck->setChecked(state.showPair);
    }
    m_pair->setVisible(state.showPair && !m_pairCheck->isHidden());
    const auto policy = std::find(std::begin(kPolicies), std::end(kPolicies), state.length);
    m_length->setCurrentIndex(static_cast<int>(policy - std::begin(kPolicies)));
    const QSignalBlocker blockPiece(m_piece);
    m_piece->setMaximum(std::max(m_piece->maximum(), static_cast<int>(state.piece) + 1));
    m_piece->setValue(static_cast<int>(state.piece) + 1);
    m_pieceRow->setVisible(state.length == LengthPolicy::Piece);
}

void TextPanel::showCount(const std::optional<TokenizedText>& text) {
    m_problem->hide();
    const bool limited = text && text->limit && *text->limit > 0;
    m_countBar->setVisible(limited);
    if (!text) {
        m_count->setText(QString());
        m_lengthRow->hide();
        return;
    }
    const bool tooLong = limited && text->fullLength > *text->limit;
    QString words = limited ? tr("%1 of %2 tokens").arg(text->fullLength).arg(*text->limit)
                            : tokensText(text->fullLength);
    if (tooLong && !text->fits()) words += tr(": too long");
    if (tooLong && text->fits()) words += tr(", %1 used").arg(text->axis->size());
    m_count->setText(words);
    setRole(m_count, tooLong && !text->fits() ? "warning" : "muted");
    setRole(m_countBar, tooLong && !text->fits() ? "warning" : "");
    if (limited) {
        m_countBar->setMaximum(static_cast<int>(*text->limit));
        m_countBar->setValue(static_cast<int>(std::min(text->fullLength, *text->limit)));
    }
    m_lengthRow->setVisible(tooLong);
    const QSignalBlocker block(m_piece);
    m_piece->setMaximum(static_cast<int>(std::max<std::int64_t>(1, text->pieces)));
    m_pieces->setText(tr("of %1").arg(text->pieces));
}

void TextPanel::showCountProblem(const QString& sentence) {
    showCount(std::nullopt);
    m_problem->setText(sentence);
    m_problem->show();
}

void TextPanel::setCanRun(bool canRun) {
    m_canRun = canRun;
    m_run->setEnabled(m_busy || m_canRun);
}

void TextPanel::setBusy(bool busy) {
    m_busy = busy;
    m_run->setText(busy ? tr("Cancel") : tr("Run"));
    m_run->setToolTip(busy ? tr("Stop opening or analysing (Ctrl+.)") : tr("Analyse the text (Ctrl+Return)"));
    setRole(m_run, busy ? "" : "primary");
    m_run->setEnabled(m_busy || m_canRun);
}

void TextPanel::setHoldsMaps(bool holds) {
    m_text->setVisible(!holds); // another text than that of the maps would stand there
    m_pairCheck->setVisible(!holds);
    m_pair->setVisible(!holds && m_pairCheck->isChecked());
    m_samples->setVisible(!holds);
    m_history->setVisible(!holds);
    setRole(m_problem, holds ? "muted" : "error");
    if (!holds) return;
    setEnabledForText(false);
    setHasDecoder(false);
    showCountProblem(tr("The file holds maps of a text already, so there is nothing to type."));
}

void TextPanel::setEnabledForText(bool possible) {
    m_canRead = possible;
    m_text->setEnabled(possible);
    m_pair->setEnabled(possible);
    m_pairCheck->setEnabled(possible);
    m_writeTarget->setEnabled(possible);
    m_target->setEnabled(possible && !m_writeTarget->isChecked());
    m_samples->setEnabled(possible);
    m_history->setEnabled(possible);
    if (!possible) {
        showCountProblem(tr("This folder has no tokenizer.json, so text cannot be turned into tokens."));
    }
}

void TextPanel::setHasDecoder(bool has) {
    m_targetTitle->setVisible(has);
    m_writeTarget->setVisible(has);
    m_target->setVisible(has);
}

void TextPanel::focusText() {
    m_text->setFocus(Qt::ShortcutFocusReason);
}

QString TextPanel::countText() const {
    return m_count->text();
}

} // namespace headscope::ui
