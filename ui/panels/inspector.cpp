// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector.h"

#include "ui/format.h"
#include "ui/panels/card.h"
#include "ui/panels/flow_layout.h"
#include "ui/panels/inspector_model.h"
#include "ui/panels/inspector_parts.h"
#include "ui/panels/measure_bar.h"
#include "ui/panels/note_box.h"
#include "ui/panels/pill.h"
#include "ui/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>
#include <utility>

namespace headscope::ui {

Inspector::Inspector(QWidget* parent) : QScrollArea(parent), m_note(new NoteBox(this)) {
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Inspector"));
    setProperty("role", QByteArray("reader")); // the keyboard scrolls it
    connect(m_note, &NoteBox::edited, this, &Inspector::noteEdited);
    showNothing({});
}

QVBoxLayout* Inspector::restart() {
    m_note->hide();
    m_note->setParent(this);
    auto* content = new TallContent;
    content->setProperty("role", QByteArray("dock"));
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(16, 14, 16, 16);
    layout->setSpacing(8);
    setWidget(content); // deletes the former
    return layout;
}

namespace {

/// The gravest flag first, then what the head reads. Broad says nothing new of an even head.
std::vector<const Finding*> firedFindings(const Verdict& verdict) {
    std::vector<const Finding*> flags;
    std::vector<const Finding*> patterns;
    for (const Finding& finding : verdict.findings) {
        if (!finding.fires || finding.label == Label::Broadcast) continue;
        if (finding.label == Label::Broad && verdict.fires(Label::Uniform)) continue;
        (isPattern(finding.label) || finding.label == Label::Broad ? patterns : flags).push_back(&finding);
    }
    std::reverse(flags.begin(), flags.end());
    flags.insert(flags.end(), patterns.begin(), patterns.end());
    return flags;
}

} // namespace

void Inspector::setDiagnosis(const std::shared_ptr<const Diagnosis>& diagnosis, TextCheck canOpen) {
    m_diagnosis = diagnosis;
    m_canOpen = std::move(canOpen);
}

const DiagnosedHead* Inspector::modelHead(const HeadRef& ref) const {
    return m_diagnosis ? m_diagnosis->find(ref) : nullptr;
}

void Inspector::showNothing(const QString& reason) {
    m_verdict.clear();
    QVBoxLayout* layout = restart();
    layout->addWidget(sectionLabel(tr("Inspector")));
    layout->addWidget(paragraph(reason, "muted"));
    layout->addStretch(1);
}

void Inspector::showUnread(const HeadRef& ref, const QString& reason) {
    const DiagnosedHead* model = modelHead(ref);
    if (model == nullptr) {
        showNothing(reason);
        return;
    }
    m_verdict.clear();
    QVBoxLayout* layout = restart();
    addTitle(layout, ref, {});
    addModelVerdict(layout, *m_diagnosis, *model);
    addSection(layout, tr("On this text"));
    layout->addWidget(paragraph(reason, "muted"));
    addModelEvidence(layout, *model);
    addNotTested(layout, tr("Not tested by any text"), model->diagnosis.notTested);
    finish(layout);
}

void Inspector::addTitle(QVBoxLayout* layout, const HeadRef& ref, const QString& beside) {
    auto* title = new QHBoxLayout;
    auto* name = new QLabel(tr("Head %1").arg(QString::fromStdString(headText(ref))));
    name->setFont(Theme::font(metrics::kTitle, QFont::DemiBold));
    name->setToolTip(tr("Layer %1, head %2, both counted from 0").arg(ref.layer.value).arg(ref.head.value));
    title->addWidget(name);
    title->addStretch(1);
    title->addWidget(roleLabel(beside, "muted"));
    layout->addLayout(title);
}

void Inspector::finish(QVBoxLayout* layout) {
    layout->addWidget(m_note);
    m_note->show();
    layout->addStretch(1);
    if (layout->hasHeightForWidth())
        widget()->setMinimumHeight(layout->totalHeightForWidth(viewport()->width()));
    layout->activate();
}

void Inspector::addModelEvidence(QVBoxLayout* layout, const DiagnosedHead& model) {
    for (const HeadLabel& label : model.diagnosis.labels) {
        QPushButton* worst = addLabelEvidence(layout, *m_diagnosis, model.ref, label);
        if (worst == nullptr) continue;
        const std::size_t text = *label.worst;
        const bool openable = m_canOpen && m_canOpen(text);
        worst->setEnabled(openable);
        worst->setToolTip(openable ? tr("Open this text in the text box")
                                   : tr("This text is made of token ids: no text gives them"));
        connect(worst, &QPushButton::clicked, this, [this, text] { Q_EMIT textOpened(text); });
    }
    addUnlisted(layout, model.diagnosis);
    addCauses(layout, model.causes, tr("What may explain it, over the texts"));
}

/// What one text shows of the head: labels, the verdict in words, what may explain it.
void Inspector::addTextVerdict(QVBoxLayout* layout, const HeadResult& head) {
    auto* pills = new FlowLayout(8);
    for (const Finding* finding : firedFindings(head.verdict)) {
        auto* pill = new Pill(finding->label, labelText(finding->label));
        pill->setLook(PillLook::Outlined);
        pill->setToolTip(tr("On this text"));
        pills->addWidget(pill);
    }
    if (pills->count() > 0) {
        layout->addLayout(pills);
    } else {
        delete pills;
    }
    layout->addWidget(paragraph(m_verdict, ""));
    addCauses(layout, head.causes, tr("What may explain it"));
}

void Inspector::showHead(const HeadRef& ref, const HeadResult& head, const Axis& keys,
                         const StackSpec& stack) {
    const bool writing = m_note->hasTextFocus();
    // Stepping through heads keeps the eye on the same numbers.
    const int scroll = verticalScrollBar()->value();
    const DiagnosedHead* model = modelHead(ref);
    m_verdict = verdictText(head, keys);
    QVBoxLayout* layout = restart();
    // Of maps alone the size of a head is not known.
    addTitle(layout, ref, stack.headSize > 0 ? tr("head size %1").arg(stack.headSize) : QString());
    if (stack.keyValueHeads < stack.heads) {
        const int sharing = stack.heads / stack.keyValueHeads;
        QLabel* group = roleLabel(
            tr("reads key/value head %1, as %2 heads do").arg(ref.head.value / sharing).arg(sharing),
            "muted");
        group->setToolTip(
            tr("%1 query heads share %2 key/value heads").arg(stack.heads).arg(stack.keyValueHeads));
        layout->addWidget(group);
    }

    if (model != nullptr) addModelVerdict(layout, *m_diagnosis, *model);
    addSection(layout, tr("On this text"));
    addTextVerdict(layout, head);
    if (model != nullptr) addModelEvidence(layout, *model);
    addEvidence(layout, head);
    addNumbers(layout, head, keys);
    addReading(layout, head.metrics);
    addUnmet(layout, head);
    addNotTested(layout, tr("Not tested on this text"), head.verdict.notTested);
    if (model != nullptr) addNotTested(layout, tr("Not tested by any text"), model->diagnosis.notTested);
    finish(layout);
    verticalScrollBar()->setValue(scroll);
    if (writing) m_note->focusText();
}

void Inspector::showNote(const HeadRef& ref, const QString& text) {
    m_note->showNote(QString::fromStdString(headText(ref)), text);
}

void Inspector::focusNote() {
    if (m_note->isHidden()) return;
    ensureWidgetVisible(m_note);
    m_note->focusText();
}

void Inspector::addEvidence(QVBoxLayout* layout, const HeadResult& head) {
    for (const Finding* finding : firedFindings(head.verdict)) {
        layout->addSpacing(8);
        layout->addWidget(sectionLabel(finding->label == Label::InsufficientEvidence
                                           ? tr("Evidence")
                                           : tr("%1 on this text").arg(labelText(finding->label))));
        QStringList sources;
        for (const Measure& measure : finding->measures) {
            auto* bar = new MeasureBar(measureRow(measure, head.metrics.keys));
            const QString source = QString::fromStdString(measure.source);
            bar->setToolTip(source);
            layout->addWidget(bar);
            if (!sources.contains(source)) sources << source;
        }
        QString text = sources.join(QStringLiteral("; "));
        if (text.isEmpty()) continue;
        text[0] = text[0].toUpper();
        QLabel* source =
            paragraph(tr("%1. Counted: %2 rows of 1 text.").arg(text).arg(head.metrics.rows), "muted");
        source->setFont(Theme::font(12));
        layout->addWidget(source);
    }
}

/// The labels that do not hold: a line for each measure, met or not; its source is in the tooltip.
void Inspector::addUnmet(QVBoxLayout* layout, const HeadResult& head) {
    for (const Finding& finding : head.verdict.findings) {
        if (finding.fires || !isFlag(finding.label)) continue;
        layout->addSpacing(8);
        layout->addWidget(sectionLabel(tr("Not %1").arg(labelText(finding.label).toLower())));
        NumberGrid grid(layout);
        for (const Measure& measure : finding.measures) {
            const MeasureRow row = measureRow(measure, head.metrics.keys);
            grid.add(measureText(measure.name), row.value,
                     tr("Needed: %1. %2").arg(row.condition, QString::fromStdString(measure.source)),
                     row.condition);
        }
    }
}

void Inspector::addNumbers(QVBoxLayout* layout, const HeadResult& head, const Axis& keys) {
    const HeadMetrics& m = head.metrics;
    addSection(layout, tr("Numbers"));
    if (m.rows == 0) {
        layout->addWidget(paragraph(
            tr("Every row sees fewer than %1 keys: too few for any number.").arg(kMinimumVisibleKeys),
            "muted"));
        return;
    }
    NumberGrid grid(layout);
    grid.add(tr("Entropy"), tr("%1 nats").arg(numberText(m.entropy)), tr("Mean over the rows of −Σ a ln a"));
    grid.add(tr("Normalised entropy"), numberText(m.normalizedEntropy),
             tr("Entropy / ln n: 1 is even over all n keys"));
    grid.add(tr("KL to uniform"), tr("%1 nats").arg(numberText(m.klToUniform)),
             tr("ln n − entropy: 0 is even"));
    grid.add(tr("TV to uniform"), numberText(m.tvToUniform), tr("Half the sum of |a − 1/n|: 0 is even"));
    grid.add(tr("Confidence"), numberText(m.confidence), tr("Mean over the rows of the largest weight"));
    if (m.sinkWeight > 0.0)
        grid.add(tr("Learned sink"), numberText(m.sinkWeight),
                 tr("Mean weight that the learned sink took: the rows sum to 1 minus it"));
    if (m.column && m.column->column < keys.size()) {
        const AxisEntry& entry = keys.entries[static_cast<std::size_t>(m.column->column)];
        QString token = fromUtf8(entry.label);
        if (token.size() > 10) token = token.left(9) + QChar(0x2026);
        grid.add(tr("Top key"), QStringLiteral("%1 (%2)").arg(token).arg(m.column->column),
                 tr("The key with the largest mean weight, and its position from 0"));
        grid.add(tr("Its weight"), numberText(m.column->mass),
                 tr("Mean over the %1 rows that see it, its own left out").arg(m.column->rows));
        grid.add(tr("Above chance"), numberText(m.column->kappa),
                 tr("(weight − chance) / (1 − chance): 0 is what an even head gives"));
        grid.add(tr("Rows it leads"), numberText(m.column->modalShare),
                 tr("Modal share: of the rows that see it, those whose largest weight it has"));
        if (head.metrics.columnValueNormRatio) {
            grid.add(tr("Value norm ratio"), numberText(*m.columnValueNormRatio, 2),
                     tr("Length of its value vector against the median key: small means that reading it adds "
                        "little"));
        }
    }
    grid.add(tr("Rows that count"), QString::number(m.rows),
             tr("Rows that see at least %1 keys").arg(kMinimumVisibleKeys));
}

/// What the head reads: each share beside what even weights would give it.
void Inspector::addReading(QVBoxLayout* layout, const HeadMetrics& m) {
    if (m.rows == 0 || (!m.offsets && !m.tokens)) return;
    std::optional<NumberGrid> grid; // with the first number there is: a title alone says nothing
    const auto add = [&](const QString& name, const QString& value, const QString& tip) {
        if (!grid) {
            addSection(layout, tr("What it reads"));
            grid.emplace(layout);
        }
        grid->add(name, value, tip);
    };
    const auto share = [&](const QString& name, const SetMass& mass, const QString& what) {
        if (mass.rows == 0) return;
        add(name, numberText(mass.mass),
            tr("Mean weight on %1, over the %2 rows that have any; even weights would give %3")
                .arg(what)
                .arg(mass.rows)
                .arg(numberText(mass.chance)));
    };
    if (m.offsets) {
        share(tr("Previous token"), m.offsets->previous, tr("the token before"));
        share(tr("Itself"), m.offsets->self, tr("the token itself"));
        share(tr("Next token"), m.offsets->next, tr("the token after"));
        share(tr("Within 8 tokens"), m.offsets->local, tr("tokens at most 8 away on either side"));
        add(tr("Mean distance"), tr("%1 tokens").arg(numberText(m.offsets->meanDistance, 1)),
            tr("From query to key, weighted; of even weights %1")
                .arg(numberText(m.offsets->evenDistance, 1)));
    }
    if (!m.tokens) return;
    share(tr("Special tokens"), m.tokens->of(TokenClass::Separator), tr("special tokens but the first"));
    share(tr("Punctuation"), m.tokens->of(TokenClass::Punctuation), tr(". , ; : ? and !"));
    share(tr("Line breaks"), m.tokens->of(TokenClass::Newline), tr("line breaks"));
    share(tr("Copies of the token"), m.tokens->duplicate,
          tr("copies of the query's token, each kind of token counted once"));
    share(tr("After earlier copies"), m.tokens->induction,
          tr("what followed an earlier copy of the query's token, each kind of token counted once"));
    share(tr("Own sentence"), m.tokens->segment, tr("the query's own text or sentence"));
}

} // namespace headscope::ui
