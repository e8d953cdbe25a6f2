// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector_model.h"

#include "ui/format.h"
#include "ui/models/label_words.h"
#include "ui/panels/card.h"
#include "ui/panels/flow_layout.h"
#include "ui/panels/inspector_parts.h"
#include "ui/panels/pill.h"
#include "ui/theme.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui {
namespace {

struct InspectorModel {
    Q_DECLARE_TR_FUNCTIONS(InspectorModel)
};

QString textsOf(const Diagnosis& diagnosis) {
    return diagnosis.texts.size() == 1 ? InspectorModel::tr("1 text")
                                       : InspectorModel::tr("%1 texts").arg(diagnosis.texts.size());
}

QString sourcesOf(const HeadLabel& label) {
    QStringList sources;
    for (const Measure& measure : label.measures) {
        const QString source = fromUtf8(measure.source);
        if (!source.isEmpty() && !sources.contains(source)) sources << source;
    }
    QString text = sources.join(QStringLiteral("; "));
    if (text.isEmpty()) return {};
    text[0] = text[0].toUpper();
    return text + QLatin1Char('.');
}

/// "On 23 of 23 texts: confirmed. With 95 % confidence on 0.86 or more of all such texts."
QString countText(const HeadLabel& label) {
    QString text = InspectorModel::tr("On %1: %2.")
                       .arg(textsText(label.texts), label.confidence == Confidence::InputDependent
                                                        ? InspectorModel::tr("it varies with the text")
                                                        : sureText(label.confidence).toLower());
    if (label.texts.tested > 1)
        text += InspectorModel::tr(" With 95 % confidence on %1 or more of all such texts.")
                    .arg(numberText(label.texts.lowerBound(), 2));
    return text;
}

} // namespace

void addModelVerdict(QVBoxLayout* layout, const Diagnosis& diagnosis, const DiagnosedHead& head) {
    layout->addSpacing(4);
    auto* title = new QHBoxLayout;
    title->addWidget(sectionLabel(InspectorModel::tr("Of the model")));
    title->addStretch(1);
    QLabel* texts = roleLabel(InspectorModel::tr("over %1").arg(textsOf(diagnosis)), "muted");
    texts->setFont(Theme::font(12));
    texts->setToolTip(InspectorModel::tr("Which labels hold for the head as the model has it, whatever the "
                                         "text: by the texts that the page Diagnose ran"));
    title->addWidget(texts);
    layout->addLayout(title);
    if (!head.diagnosis.labels.empty()) {
        auto* pills = new FlowLayout(8);
        for (const HeadLabel& label : head.diagnosis.labels) {
            auto* pill =
                new Pill(label.label, QStringLiteral("%1 · %2").arg(labelText(label.label),
                                                                    sureText(label.confidence).toLower()));
            pill->setToolTip(QStringLiteral("%1. %2").arg(labelLine(diagnosis, head.ref, label),
                                                          sureTip(label.confidence)));
            pills->addWidget(pill);
        }
        layout->addLayout(pills);
    }
    if (const QString none = noPrimaryText(diagnosis, head); !none.isEmpty())
        layout->addWidget(paragraph(none + QLatin1Char('.'), "muted"));
}

QPushButton* addLabelEvidence(QVBoxLayout* layout, const Diagnosis& diagnosis, const HeadRef& head,
                              const HeadLabel& label) {
    addSection(layout,
               InspectorModel::tr("%1 over %2").arg(labelWords(diagnosis, head, label), textsOf(diagnosis)));
    for (const Measure& measure : label.measures) {
        auto* bar = new MeasureBar(measureRow(measure, 0));
        bar->setToolTip(InspectorModel::tr("Mean over the texts; one text needs %1. %2")
                            .arg(bar->row().condition, fromUtf8(measure.source)));
        layout->addWidget(bar);
    }
    QLabel* count = paragraph(countText(label), "muted");
    count->setFont(Theme::font(12));
    layout->addWidget(count);
    if (const QString sources = sourcesOf(label); !sources.isEmpty()) {
        QLabel* source = paragraph(sources, "muted");
        source->setFont(Theme::font(12));
        layout->addWidget(source);
    }
    if (!label.worst || *label.worst >= diagnosis.texts.size()) return nullptr;
    auto* row = new QHBoxLayout;
    QLabel* words = roleLabel(InspectorModel::tr("Weakest on"), "muted");
    words->setFont(Theme::font(12));
    row->addWidget(words);
    auto* worst = new QPushButton(fromUtf8(diagnosis.texts[*label.worst].name));
    worst->setProperty("role", QByteArray("link"));
    worst->setFont(Theme::font(12));
    row->addWidget(worst);
    row->addStretch(1);
    layout->addLayout(row);
    return worst;
}

void addUnlisted(QVBoxLayout* layout, const HeadDiagnosis& head) {
    QStringList rare;
    for (const HeadLabel& label : head.unlisted)
        if (label.texts.fired > 0)
            rare << QStringLiteral("%1 (%2)").arg(labelText(label.label), textsText(label.texts));
    if (rare.isEmpty()) return;
    addSection(layout, InspectorModel::tr("On few texts"));
    layout->addWidget(paragraph(rare.join(QStringLiteral(", ")), "muted"));
}

void addCauses(QVBoxLayout* layout, const std::vector<Cause>& causes, const QString& title) {
    if (causes.empty()) return;
    addSection(layout, title);
    for (const Cause& cause : causes) {
        QString sentence = fromUtf8(cause.sentence);
        sentence[0] = sentence[0].toUpper();
        QLabel* words = paragraph(sentence + QLatin1Char('.'), "");
        words->setToolTip(InspectorModel::tr("Evidence, not proof: this fits the numbers"));
        layout->addWidget(words);
    }
}

} // namespace headscope::ui
