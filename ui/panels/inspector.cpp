// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector.h"

#include "ui/format.h"
#include "ui/panels/card.h"
#include "ui/panels/flow_layout.h"
#include "ui/panels/measure_bar.h"
#include "ui/panels/pill.h"
#include "ui/theme.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

QLabel* paragraph(const QString& text, const char* role) {
    QLabel* label = roleLabel(text, role);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

/// Where the bar of a measure ends: shares end at 1, nats at ln n, counts at twice the threshold.
double scaleOf(const Measure& measure, const HeadMetrics& metrics) {
    if (measure.unit == "nats")
        return std::max(
            {std::log(static_cast<double>(std::max<std::int64_t>(2, metrics.keys))), measure.threshold});
    if (measure.unit.empty()) return 1.0;
    return std::max(measure.value, 2.0 * measure.threshold);
}

MeasureRow rowOf(const Measure& measure, const HeadMetrics& metrics) {
    const bool count = !measure.unit.empty() && measure.unit != "nats";
    const int digits = count ? 0 : 3;
    const double scale = scaleOf(measure, metrics);
    MeasureRow row;
    row.name = measureText(measure.name);
    if (measure.unit == "nats") row.name += QStringLiteral(" (nats)");
    row.value = numberText(measure.value, digits);
    row.condition = (measure.atMost ? QStringLiteral("≤ ") : QStringLiteral("≥ ")) +
                    numberText(measure.threshold, count ? 0 : 2);
    row.share = measure.value / scale;
    row.tick = measure.threshold / scale;
    row.holds = measure.holds();
    return row;
}

/// Lines of a name, what it must be where that is asked, and its value; tooltips say what it is.
class NumberGrid {
  public:
    explicit NumberGrid(QVBoxLayout* layout) : m_grid(new QGridLayout) {
        m_grid->setHorizontalSpacing(8);
        m_grid->setVerticalSpacing(6);
        m_grid->setColumnStretch(0, 1);
        layout->addLayout(m_grid);
    }

    void add(const QString& name, const QString& value, const QString& tip, const QString& condition = {}) {
        QLabel* label = roleLabel(name, "muted");
        label->setToolTip(tip);
        // A long token must not push the panel wider than its dock.
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        m_grid->addWidget(label, m_line, 0);
        if (!condition.isEmpty()) {
            QLabel* needed = roleLabel(condition, "muted");
            needed->setFont(Theme::font(metrics::kSection));
            m_grid->addWidget(needed, m_line, 1);
        }
        auto* number = new QLabel(value);
        number->setTextFormat(Qt::PlainText);
        number->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        number->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_grid->addWidget(number, m_line, 2);
        ++m_line;
    }

  private:
    QGridLayout* m_grid;
    int m_line = 0;
};

/// Paragraphs that wrap need more height where it is narrow; a scroll area asks its content for a minimum
/// only.
class TallContent final : public QWidget {
  protected:
    bool event(QEvent* event) override {
        const bool done = QWidget::event(event);
        const bool asks = event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest;
        if (asks && layout() != nullptr && layout()->hasHeightForWidth()) {
            setMinimumHeight(layout()->totalHeightForWidth(width()));
        }
        return done;
    }
};

} // namespace

Inspector::Inspector(QWidget* parent) : QScrollArea(parent) {
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Inspector"));
    showNothing({});
}

QVBoxLayout* Inspector::restart() {
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

void Inspector::showNothing(const QString& reason) {
    m_verdict.clear();
    QVBoxLayout* layout = restart();
    layout->addWidget(sectionLabel(tr("Inspector")));
    layout->addWidget(paragraph(reason, "muted"));
    layout->addStretch(1);
}

void Inspector::showHead(const HeadRef& ref, const HeadResult& head, const Axis& keys,
                         const StackSpec& stack) {
    // Stepping through heads keeps the eye on the same numbers.
    const int scroll = verticalScrollBar()->value();
    m_verdict = verdictText(head, keys);
    QVBoxLayout* layout = restart();
    auto* title = new QHBoxLayout;
    auto* name = new QLabel(tr("Head %1").arg(QString::fromStdString(headText(ref))));
    name->setFont(Theme::font(metrics::kTitle, QFont::DemiBold));
    name->setToolTip(tr("Layer %1, head %2, both counted from 0").arg(ref.layer.value).arg(ref.head.value));
    title->addWidget(name);
    title->addStretch(1);
    title->addWidget(roleLabel(tr("head size %1").arg(stack.headSize), "muted"));
    layout->addLayout(title);
    if (stack.keyValueHeads < stack.heads) {
        const int sharing = stack.heads / stack.keyValueHeads;
        QLabel* group = roleLabel(
            tr("reads key/value head %1, as %2 heads do").arg(ref.head.value / sharing).arg(sharing),
            "muted");
        group->setToolTip(
            tr("%1 query heads share %2 key/value heads").arg(stack.heads).arg(stack.keyValueHeads));
        layout->addWidget(group);
    }

    auto* pills = new FlowLayout(8);
    for (const Finding* finding : firedFindings(head.verdict))
        pills->addWidget(new Pill(finding->label, labelText(finding->label)));
    if (pills->count() > 0) {
        QLabel* scope = roleLabel(tr("on this text"), "muted");
        scope->setMinimumHeight(22); // that of a pill
        pills->addWidget(scope);
        layout->addLayout(pills);
    } else {
        delete pills;
    }
    layout->addWidget(paragraph(m_verdict, ""));
    addEvidence(layout, head);
    addNumbers(layout, head, keys);
    addReading(layout, head.metrics);
    addUnmet(layout, head);
    addNotTested(layout, head.verdict);
    layout->addStretch(1);
    if (layout->hasHeightForWidth())
        widget()->setMinimumHeight(layout->totalHeightForWidth(viewport()->width()));
    layout->activate();
    verticalScrollBar()->setValue(scroll);
}

void Inspector::addEvidence(QVBoxLayout* layout, const HeadResult& head) {
    for (const Finding* finding : firedFindings(head.verdict)) {
        layout->addSpacing(8);
        layout->addWidget(sectionLabel(finding->label == Label::InsufficientEvidence
                                           ? tr("Evidence")
                                           : tr("Evidence: %1").arg(labelText(finding->label))));
        QStringList sources;
        for (const Measure& measure : finding->measures) {
            auto* bar = new MeasureBar(rowOf(measure, head.metrics));
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
            const MeasureRow row = rowOf(measure, head.metrics);
            grid.add(measureText(measure.name), row.value,
                     tr("Needed: %1. %2").arg(row.condition, QString::fromStdString(measure.source)),
                     row.condition);
        }
    }
}

void Inspector::addNumbers(QVBoxLayout* layout, const HeadResult& head, const Axis& keys) {
    const HeadMetrics& m = head.metrics;
    layout->addSpacing(8);
    layout->addWidget(sectionLabel(tr("Numbers")));
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
        if (head.metrics.columnValueNormRatio > 0.0) {
            grid.add(tr("Value norm ratio"), numberText(m.columnValueNormRatio, 2),
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
    layout->addSpacing(8);
    layout->addWidget(sectionLabel(tr("What it reads")));
    NumberGrid grid(layout);
    const auto share = [&](const QString& name, const SetMass& mass, const QString& what) {
        if (mass.rows == 0) return;
        grid.add(name, numberText(mass.mass),
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
        grid.add(tr("Mean distance"), tr("%1 tokens").arg(numberText(m.offsets->meanDistance, 1)),
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

void Inspector::addNotTested(QVBoxLayout* layout, const Verdict& verdict) {
    if (verdict.notTested.empty()) return;
    layout->addSpacing(8);
    layout->addWidget(sectionLabel(tr("Not tested here")));
    // Labels with the same reason share one line.
    std::vector<std::pair<QStringList, QString>> lines;
    for (const NotTested& one : verdict.notTested) {
        const QString reason = QString::fromStdString(one.reason);
        const auto same =
            std::find_if(lines.begin(), lines.end(), [&](const auto& line) { return line.second == reason; });
        if (same != lines.end()) {
            same->first << labelText(one.label);
        } else {
            lines.push_back({{labelText(one.label)}, reason});
        }
    }
    for (const auto& [labels, reason] : lines) {
        layout->addWidget(
            paragraph(QStringLiteral("%1: %2.").arg(labels.join(QStringLiteral(", ")), reason), "muted"));
    }
}

} // namespace headscope::ui
