// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Format", text);
}

/// “[CLS], token 0 of 32”
QString columnText(const HeadResult& head, const Axis& keys) {
    if (!head.metrics.column) return {};
    const auto column = head.metrics.column->column;
    if (column < 0 || column >= keys.size()) return {};
    return tr("%1, token %2 of %3")
        .arg(tokenText(keys.entries[static_cast<std::size_t>(column)]))
        .arg(column)
        .arg(keys.size());
}

} // namespace

QString fromUtf8(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString durationText(double seconds) {
    if (seconds < 0.9995) return tr("%1 ms").arg(std::max(1.0, std::round(seconds * 1000.0)));
    if (seconds < 59.95) return tr("%1 s").arg(seconds, 0, 'f', 1);
    const auto whole = static_cast<qint64>(std::llround(seconds));
    return tr("%1 min %2 s").arg(whole / 60).arg(whole % 60);
}

QString countText(std::int64_t count) {
    if (count < 1000) return QString::number(count);
    const char* unit = "k";
    double value = static_cast<double>(count) / 1e3;
    for (const char* larger : {"M", "B"}) {
        if (value < 999.95) break;
        value /= 1e3;
        unit = larger;
    }
    return QStringLiteral("%1 %2").arg(value, 0, 'f', 1).arg(QLatin1String(unit));
}

QString tokensText(std::int64_t count) {
    return count == 1 ? tr("1 token") : tr("%1 tokens").arg(count);
}

QString numberText(double value, int digits) {
    if (!std::isfinite(value)) return QString::number(value);
    const double smallest = 0.5 * std::pow(10.0, -digits);
    if (value != 0.0 && std::abs(value) < smallest) return QString::number(value, 'g', 2);
    return QString::number(value, 'f', digits);
}

QString tokenText(const AxisEntry& entry) {
    const QString label = fromUtf8(entry.label);
    return entry.special ? label : QChar(0x201c) + label + QChar(0x201d);
}

QString headsName(std::span<const HeadRef> heads, HeadsShown how) {
    constexpr std::size_t kNamed = 4;
    const HeadRef& first = heads.front();
    if (how == HeadsShown::One) return tr("Head %1").arg(QString::fromStdString(headText(first)));
    if (how == HeadsShown::Rollout) return tr("Rollout to layer %1").arg(first.layer.value);
    const bool oneLayer = std::all_of(heads.begin(), heads.end(),
                                      [&first](const HeadRef& head) { return head.layer == first.layer; });
    if (oneLayer && heads.size() > kNamed)
        return (how == HeadsShown::Mean ? tr("Layer %1, mean of %2 heads")
                                        : tr("Layer %1, largest of %2 heads"))
            .arg(first.layer.value)
            .arg(heads.size());
    QStringList names;
    for (const HeadRef& head : heads.first(std::min(heads.size(), kNamed)))
        names.append(QString::fromStdString(headText(head)));
    if (heads.size() > kNamed) names.append(tr("%1 more").arg(heads.size() - kNamed));
    return (how == HeadsShown::Mean ? tr("Mean of heads %1") : tr("Largest of heads %1"))
        .arg(names.join(QStringLiteral(", ")));
}

QString nameInSentence(const HeadRef& head, HeadsShown how) {
    switch (how) {
    case HeadsShown::Mean:
        return tr("the mean of layer %1").arg(head.layer.value);
    case HeadsShown::Largest:
        return tr("the largest of layer %1").arg(head.layer.value);
    case HeadsShown::Rollout:
        return tr("the rollout to layer %1").arg(head.layer.value);
    case HeadsShown::One:
        break;
    }
    return tr("head %1").arg(QString::fromStdString(headText(head)));
}

QString viewDetails(const MapView& view) {
    QStringList words;
    if (view.valueWeighted) words.append(tr("times value norms"));
    if (view.words) words.append(tr("by words"));
    if (view.hideSpecial) words.append(tr("without special tokens"));
    if (view.hideFirst) words.append(tr("first key masked"));
    return words.join(QStringLiteral(", "));
}

QString shownName(std::span<const HeadRef> heads, const MapView& view) {
    const QString details = viewDetails(view);
    const QString name = headsName(heads, view.heads);
    return details.isEmpty() ? name : name + QStringLiteral(", ") + details;
}

QString withQuantisation(const Analysis& analysis, const QString& title) {
    return analysis.model->checkpoint.quantisation.empty() ? title
                                                           : tr("%1 · from quantised weights").arg(title);
}

QString kindText(AttentionKind kind) {
    switch (kind) {
    case AttentionKind::Self:
        return tr("self-attention");
    case AttentionKind::Encoder:
        return tr("encoder self-attention");
    case AttentionKind::Decoder:
        return tr("decoder self-attention");
    case AttentionKind::Cross:
        return tr("cross-attention");
    }
    return {};
}

QString shortKindText(AttentionKind kind) {
    switch (kind) {
    case AttentionKind::Self:
        return tr("Self");
    case AttentionKind::Encoder:
        return tr("Encoder");
    case AttentionKind::Decoder:
        return tr("Decoder");
    case AttentionKind::Cross:
        return tr("Cross");
    }
    return {};
}

QString labelText(Label label) {
    switch (label) {
    case Label::InsufficientEvidence:
        return tr("Too short to judge");
    case Label::Uniform:
        return tr("Uniform");
    case Label::Sink:
        return tr("Sink");
    case Label::Stuck:
        return tr("Stuck");
    case Label::PreviousToken:
        return tr("Previous token");
    case Label::NextToken:
        return tr("Next token");
    case Label::Self:
        return tr("Self");
    case Label::FixedOffset:
        return tr("Fixed offset");
    case Label::Local:
        return tr("Local");
    case Label::Delimiter:
        return tr("Delimiter");
    case Label::DuplicateToken:
        return tr("Duplicate token");
    case Label::Induction:
        return tr("Induction");
    case Label::Block:
        return tr("Block");
    case Label::Broad:
        return tr("Broad");
    case Label::Broadcast:
        return tr("Broadcast");
    case Label::ActiveDormant:
        return tr("Active-dormant");
    case Label::Inactive:
        return tr("Inactive");
    case Label::Redundant:
        return tr("Redundant");
    case Label::Collapsed:
        return tr("Collapsed");
    case Label::Mixed:
        return tr("Mixed");
    }
    return {};
}

QString measureText(const std::string& name) {
    if (name == "column_mass") return tr("Weight on the top key");
    if (name == "modal_share") return tr("Rows it leads");
    if (name == "kl_to_uniform") return tr("KL to uniform");
    if (name == "normalized_entropy") return tr("Normalised entropy");
    if (name == "tv_to_uniform") return tr("TV to uniform");
    if (name == "previous_mass" || name == "next_mass" || name == "self_mass" || name == "offset_mass")
        return tr("Weight there");
    if (name == "class_mass") return tr("Weight on the class");
    if (name == "class_spread") return tr("Off its top key");
    if (name == "offset_mode_share") return tr("Rows it leads");
    if (name == "segment_local_kappa") return tr("Nearness within it");
    if (name == "kappa" || name.ends_with("_kappa")) return tr("Above chance");
    if (name == "keys") return tr("Keys");
    if (name == "rows") return tr("Rows that count");
    QString words = QString::fromStdString(name);
    return words.replace(QLatin1Char('_'), QLatin1Char(' '));
}

QString familyText(const ModelSpec& spec) {
    QStringList parts{fromUtf8(spec.family)};
    if (spec.stacks.size() == 1) {
        const StackSpec& stack = spec.stacks.front();
        parts << tr("%1 layers × %2 heads").arg(stack.layers).arg(stack.heads);
        if (stack.headSize > 0) parts << tr("head size %1").arg(stack.headSize); // maps alone have none
    } else {
        for (const StackSpec& stack : spec.stacks)
            parts << tr("%1 %2 × %3")
                         .arg(shortKindText(stack.kind).toLower())
                         .arg(stack.layers)
                         .arg(stack.heads);
    }
    return parts.join(QStringLiteral(" · "));
}

namespace {

/// What one pattern means, in a sentence.
QString patternText(const Finding& finding) {
    const QString share = numberText(finding.score, 2);
    switch (finding.label) {
    case Label::PreviousToken:
        return tr("Each token reads the one before it (%1 of the weight).").arg(share);
    case Label::NextToken:
        return tr("Each token reads the one after it (%1 of the weight).").arg(share);
    case Label::Self:
        return tr("Each token reads itself (%1 of the weight).").arg(share);
    case Label::FixedOffset:
        return tr("Each token reads the one at %1 (%2 of the rows).").arg(fromUtf8(finding.detail), share);
    case Label::Local:
        return tr("Tokens read their neighbourhood: %1 of the weight lies within 8 tokens.").arg(share);
    case Label::Delimiter:
        return tr("Tokens read one kind of delimiter, %1 (%2 of the weight).")
            .arg(fromUtf8(finding.detail), share);
    case Label::DuplicateToken:
        return tr("Tokens read other copies of themselves (%1 of the weight, where there are any).")
            .arg(share);
    case Label::Induction:
        return tr("Tokens read what followed an earlier copy of themselves (%1 of the weight, where there is "
                  "one).")
            .arg(share);
    case Label::Block:
        return tr("Tokens read their own text or sentence (%1 of the weight).").arg(share);
    default:
        return {};
    }
}

/// Of the first pattern that holds; empty without one.
QString readingText(const Verdict& verdict) {
    for (const Finding& finding : verdict.findings)
        if (finding.fires && isPattern(finding.label)) return patternText(finding);
    return {};
}

} // namespace

QString verdictText(const HeadResult& head, const Axis& keys) {
    const Verdict& verdict = head.verdict;
    if (verdict.isTooShort()) {
        return tr("Too little text to judge a head. Its numbers are shown, no flag is given.");
    }
    if (verdict.fires(Label::Stuck)) {
        return tr("Nearly every token gives almost all its weight to one key: %1.")
            .arg(columnText(head, keys));
    }
    if (verdict.fires(Label::Uniform)) {
        return tr("Every token reads all keys about equally: on this text the head tells nothing apart.");
    }
    if (verdict.fires(Label::Sink) && verdict.find(Label::Sink)->detail == "learned sink") {
        return tr("A large share of the weight goes to the learned sink, which is no token: %1 of each row.")
            .arg(numberText(head.metrics.sinkWeight, 2));
    }
    if (verdict.fires(Label::Sink)) {
        return tr("A large share of the weight rests on one key: %1. Common in trained models, and no defect "
                  "by "
                  "itself.")
            .arg(columnText(head, keys));
    }
    if (const QString reading = readingText(verdict); !reading.isEmpty()) return reading;
    return tr("No flag on this text: neither even over all keys nor resting on one of them.");
}

QString headReport(const HeadRef& ref, const HeadResult& head, const Axis& keys) {
    const HeadMetrics& m = head.metrics;
    QStringList lines{tr("Head %1 (%2)").arg(QString::fromStdString(headText(ref)), kindText(ref.kind)),
                      verdictText(head, keys)};
    for (const Finding& finding : head.verdict.findings) {
        for (const Measure& measure : finding.measures) {
            lines << QStringLiteral("%1 %2: %3 (%4 %5) %6")
                         .arg(labelText(finding.label), measureText(measure.name))
                         .arg(measure.value, 0, 'g', 9)
                         .arg(measure.atMost ? QStringLiteral("≤") : QStringLiteral("≥"))
                         .arg(measure.threshold, 0, 'g', 9)
                         .arg(fromUtf8(measure.unit));
        }
    }
    const auto number = [&lines](const QString& name, double value) {
        lines << QStringLiteral("%1: %2").arg(name).arg(value, 0, 'g', 9);
    };
    number(tr("Entropy, nats"), m.entropy);
    number(tr("Normalised entropy"), m.normalizedEntropy);
    number(tr("KL to uniform, nats"), m.klToUniform);
    number(tr("TV to uniform"), m.tvToUniform);
    number(tr("Confidence"), m.confidence);
    return lines.join(QLatin1Char('\n'));
}

} // namespace headscope::ui
