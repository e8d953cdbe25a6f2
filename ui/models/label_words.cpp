// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/label_words.h"

#include "core/analysis/diagnosis_json.h"
#include "ui/format.h"

#include <QCoreApplication>
#include <QStringList>

namespace headscope::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("LabelWords", text);
}

} // namespace

bool holdsForModel(const HeadDiagnosis& head, Label label) {
    const HeadLabel* found = head.find(label);
    return found != nullptr && (label == head.primary || found->confidence > Confidence::InputDependent);
}

QString labelWords(const Diagnosis& diagnosis, const HeadRef& head, const HeadLabel& label) {
    const QString name = labelText(label.label);
    const QString detail = fromUtf8(label.detail);
    switch (label.label) {
    case Label::Redundant:
        return tr("%1 with %2").arg(name, detail);
    case Label::FixedOffset:
        return QStringLiteral("%1 %2").arg(name, detail.mid(detail.lastIndexOf(QLatin1Char(' ')) + 1));
    case Label::Delimiter:
        return QStringLiteral("%1: %2").arg(name, detail);
    case Label::Sink:
    case Label::Stuck: {
        const QString token = fromUtf8(tokenOf(diagnosis, head, label));
        const QString& place = token.isEmpty() ? detail : token;
        return place.isEmpty() ? name : tr("%1 on %2").arg(name, place);
    }
    default:
        break;
    }
    return name;
}

QString sureText(Confidence confidence) {
    switch (confidence) {
    case Confidence::NotTested:
        return tr("Not tested");
    case Confidence::NotListed:
        return tr("On few texts");
    case Confidence::InputDependent:
        return tr("Varies");
    case Confidence::Observed:
        return tr("Observed");
    case Confidence::Likely:
        return tr("Likely");
    case Confidence::Confirmed:
        return tr("Confirmed");
    }
    return {};
}

QString sureTip(Confidence confidence) {
    switch (confidence) {
    case Confidence::NotTested:
        return tr("No text could test it.");
    case Confidence::NotListed:
        return tr("On fewer than a fifth of the texts that could test it.");
    case Confidence::InputDependent:
        return tr("It depends on the text: on a fifth to four fifths of those that could test it.");
    case Confidence::Observed:
        return tr("On at least four fifths of the texts, of which there are one or two.");
    case Confidence::Likely:
        return tr("On at least four fifths of three texts or more.");
    case Confidence::Confirmed:
        return tr(
            "On at least four fifths of eight texts or more; with 95 % confidence on 0.65 or more of all "
            "such texts.");
    }
    return {};
}

QString textsText(const TextCount& texts) {
    return texts.tested == 1 ? tr("%1 of 1 text").arg(texts.fired)
                             : tr("%1 of %2 texts").arg(texts.fired).arg(texts.tested);
}

QString labelLine(const Diagnosis& diagnosis, const HeadRef& head, const HeadLabel& label) {
    return QStringLiteral("%1: %2, %3, %4")
        .arg(labelWords(diagnosis, head, label), numberText(label.score, 2), textsText(label.texts),
             sureText(label.confidence).toLower());
}

QString noPrimaryText(const Diagnosis& diagnosis, const DiagnosedHead& head) {
    const HeadDiagnosis& judged = head.diagnosis;
    if (judged.find(judged.primary) != nullptr) return {};
    if (judged.primary == Label::InsufficientEvidence) return tr("No text was long enough to test any label");
    if (judged.labels.empty()) return tr("Mixed: no label holds on a fifth of the texts or more");
    QStringList besides; // hold, and leave open what the head reads
    for (const HeadLabel& label : judged.labels)
        if (label.confidence > Confidence::InputDependent)
            besides << labelWords(diagnosis, head.ref, label).toLower();
    if (besides.isEmpty()) return tr("Mixed: no label holds on half of the texts");
    return tr("Mixed in what it reads: no flag or pattern holds on half of the texts. Besides, it is %1")
        .arg(besides.join(QStringLiteral(", ")));
}

QString headLines(const Diagnosis& diagnosis, const DiagnosedHead& head) {
    QStringList lines{tr("Head %1").arg(QString::fromStdString(headText(head.ref)))};
    for (const HeadLabel& label : head.diagnosis.labels) lines << labelLine(diagnosis, head.ref, label);
    if (const QString none = noPrimaryText(diagnosis, head); !none.isEmpty()) lines << none;
    return lines.join(QLatin1Char('\n'));
}

} // namespace headscope::ui
