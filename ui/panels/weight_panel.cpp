// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/weight_panel.h"

#include "ui/format.h"
#include "ui/heatmap/readout.h"
#include "ui/panels/card.h"
#include "ui/panels/find_panel.h"
#include "ui/panels/inspector_parts.h"
#include "ui/panels/product_strip.h"
#include "ui/panels/segments.h"
#include "ui/theme.h"

#include <QButtonGroup>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>

namespace headscope::ui {
namespace {

constexpr int kNumberSize = 24;

/// Four decimals; what they would hide, or what is very large, by its digits.
QString stepText(double value) {
    const double size = std::abs(value);
    if (value != 0.0 && (size < 0.0005 || size >= 1e5)) return QString::number(value, 'g', 4);
    return QString::number(value, 'f', 4);
}

QString exactText(double value) {
    return QString::number(value, 'g', 9); // nine digits bring a float back to the bit
}

QString withSign(double value) {
    return value < 0.0 ? stepText(value) : QLatin1Char('+') + stepText(value);
}

const AxisEntry& entryOf(const Axis& axis, std::int64_t position) {
    return axis.entries[static_cast<std::size_t>(position)];
}

} // namespace

WeightPanel::WeightPanel(QWidget* parent)
    : QScrollArea(parent), m_title(new QLabel), m_place(roleLabel({}, "muted")), m_number(new QLabel),
      m_times(roleLabel({}, "muted")), m_message(paragraph({}, "muted")), m_products(new QWidget),
      m_strip(new ProductStrip), m_pointed(roleLabel({}, "muted")), m_ladderPlace(new QVBoxLayout) {
    setWidgetResizable(true);
    setProperty("role", QByteArray("reader"));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("How the weight came about"));
    auto* content = new TallContent;
    content->setProperty("role", QByteArray("dock"));
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(16, 14, 16, 16);
    layout->setSpacing(8);
    m_title->setFont(Theme::font(metrics::kTitle, QFont::DemiBold));
    m_title->setTextFormat(Qt::PlainText);
    m_title->setWordWrap(true);
    m_place->setWordWrap(true);
    m_number->setFont(Theme::font(kNumberSize, QFont::DemiBold));
    m_number->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_number->setAccessibleName(tr("Weight"));
    m_times->setWordWrap(true);
    auto* number = new QHBoxLayout;
    number->setSpacing(12);
    number->addWidget(m_number);
    number->addWidget(m_times, 1);
    layout->addWidget(m_title);
    layout->addWidget(m_place);
    layout->addLayout(number);
    layout->addWidget(m_message);
    buildProducts(layout);
    m_ladderPlace->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(m_ladderPlace);
    layout->addStretch(1);
    setWidget(content);
    showNothing({});
}

void WeightPanel::buildProducts(QVBoxLayout* layout) {
    auto* inside = new QVBoxLayout(m_products);
    inside->setContentsMargins(0, 8, 0, 0);
    inside->setSpacing(8);
    auto* heading = new QHBoxLayout;
    heading->addWidget(sectionLabel(tr("Products")));
    heading->addStretch(1);
    auto* order = new Segments;
    order->setProperty("narrow", true);
    m_inOrder = order->add(tr("In order"));
    m_bySize = order->add(tr("By size"));
    m_inOrder->setToolTip(tr("By the number of the dimension"));
    m_bySize->setToolTip(tr("The largest product first"));
    auto* group = new QButtonGroup(this);
    group->addButton(m_inOrder);
    group->addButton(m_bySize);
    m_inOrder->setChecked(true);
    heading->addWidget(order);
    inside->addLayout(heading);
    inside->addWidget(m_strip);
    m_pointed->setFont(Theme::font(12));
    inside->addWidget(m_pointed);
    layout->addWidget(m_products);
    connect(m_inOrder, &QToolButton::clicked, this, [this] { m_strip->setSorted(false); });
    connect(m_bySize, &QToolButton::clicked, this, [this] { m_strip->setSorted(true); });
    connect(m_strip, &ProductStrip::wordsChanged, this, [this] { m_pointed->setText(m_strip->words()); });
    m_strip->setToolTip(
        tipText(tr("What each dimension of the head adds to q · k, with q and k as they meet: "
                   "after their biases, norms and rotation by position")));
}

QString WeightPanel::title() const {
    return m_title->text();
}

QString WeightPanel::message() const {
    return m_message->isHidden() ? QString() : m_message->text();
}

QString WeightPanel::number() const {
    return m_number->isHidden() ? QString() : m_number->text();
}

void WeightPanel::showNothing(const QString& reason) {
    restartLadder();
    m_title->setText(tr("Weight"));
    for (QWidget* part : {static_cast<QWidget*>(m_place), static_cast<QWidget*>(m_number),
                          static_cast<QWidget*>(m_times), m_products})
        part->hide();
    m_message->setText(reason);
    m_message->setVisible(!reason.isEmpty());
}

void WeightPanel::showCell(const WeightedCell& cell) {
    restartLadder();
    const HeadMap& map = *cell.layer->heads[static_cast<std::size_t>(cell.head.head.value)].map;
    const HiddenBy hidden = hiddenBy(cell.layer->mask, cell.query, cell.key);
    const bool isHidden = hidden != HiddenBy::Nothing;
    const float weight = isHidden ? 0.0F : map.cell(cell.query, cell.key);
    const AxisEntry& query = entryOf(*cell.queries, cell.query);
    const AxisEntry& key = entryOf(*cell.keys, cell.key);
    m_title->setText(isHidden ? maskedSentence(query, key) : readsSentence(query, key));
    m_place->setText(tr("Head %1, query %2, key %3")
                         .arg(QString::fromStdString(headText(cell.head)))
                         .arg(cell.query)
                         .arg(cell.key));
    m_place->show();
    m_number->setText(isHidden ? tr("masked") : weightText(weight));
    m_number->setToolTip(isHidden ? QString() : exactText(static_cast<double>(weight)));
    m_number->show();
    const std::int64_t keys = cell.layer->mask.visibleCount(cell.query);
    m_times->setText(tr("%1 × the even weight, 1/%2")
                         .arg(static_cast<double>(weight) * static_cast<double>(keys), 0, 'f', 2)
                         .arg(keys));
    m_times->setVisible(!isHidden);
    const bool computed = cell.layer->maps != nullptr;
    m_products->setVisible(computed);
    QStringList words;
    if (!cell.note.isEmpty()) words << cell.note;
    if (isHidden) words << tr("The query does not see this key: %1.").arg(hiddenText(hidden));
    if (isHidden && computed) words << tr("Its score is dropped before the softmax: the weight is 0.");
    if (!computed) words << tr("How it came about is not there: the file holds weights only, no q and k.");
    m_message->setText(words.join(QLatin1Char(' ')));
    m_message->setVisible(!words.isEmpty());
    if (computed) showSteps(cell, scoreSteps(*cell.layer->maps, cell.head.head, cell.query, cell.key));
}

void WeightPanel::showSteps(const WeightedCell& cell, const ScoreSteps& steps) {
    m_strip->setVectors(steps.query, steps.key, steps.products);
    addHeading(tr("To the score"));
    addScoreLines(steps);
    if (steps.hidden != HiddenBy::Nothing) return;
    addHeading(tr("Softmax over the row"));
    addWeightLines(cell, steps);
}

void WeightPanel::addScoreLines(const ScoreSteps& steps) {
    addLine({tr("q · k"),
             {},
             static_cast<double>(steps.dot),
             tr("The sum of the products above, added in order of the dimensions in float32")});
    addLine({tr("× scale"), stepText(static_cast<double>(steps.scale)), static_cast<double>(steps.scaled),
             tr("The model multiplies q · k by this; most take 1 / √(head size)")});
    for (const ScoreSteps::Term& term : steps.terms) {
        Line line;
        line.number = withSign(static_cast<double>(term.value));
        line.result = static_cast<double>(term.after);
        switch (term.term) {
        case ScoreTerm::QueryProduct:
            line.name = tr("+ content to position");
            line.tip = tr("q times the vector of this distance");
            break;
        case ScoreTerm::KeyProduct:
            line.name = tr("+ position to content");
            line.tip = tr("k times the vector of this distance");
            break;
        case ScoreTerm::KeyBias:
            line.name = tr("+ position bias");
            line.tip = tr("By the place of the key, the slope of the head times it (ALiBi)");
            break;
        case ScoreTerm::DistanceBias:
            line.name = tr("+ distance bias");
            line.tip = tr("What the head adds at this distance from query to key, whatever the tokens");
            break;
        case ScoreTerm::Segment:
            line.name = tr("+ segment term");
            line.tip = tr("By whether query and key are of the same text");
            break;
        }
        addLine(line);
    }
    if (steps.softCap)
        addLine({tr("Soft cap"), stepText(static_cast<double>(*steps.softCap)),
                 static_cast<double>(steps.score), tr("c · tanh(s / c): no score goes beyond c")});
    addLine({tr("Score"), {}, static_cast<double>(steps.score), {}, true});
}

void WeightPanel::addWeightLines(const WeightedCell& cell, const ScoreSteps& steps) {
    const float below = steps.score - steps.row.maximum;
    addLine({tr("− row maximum"), stepText(static_cast<double>(steps.row.maximum)),
             static_cast<double>(below),
             tr("The largest score of the row: it changes no weight and keeps exp from overflowing")});
    addLine({tr("exp"), {}, static_cast<double>(steps.exponential), tr("e to the power of the line above")});
    addLine({tr("÷ row sum"), stepText(static_cast<double>(steps.row.sum)), static_cast<double>(steps.weight),
             tr("The sum of these exponentials over all keys that the query sees, and of the learned sink "
                "where there is one")});
    addLine({tr("Weight"),
             {},
             static_cast<double>(steps.weight),
             tr("To the bit what the map shows: %1").arg(exactText(static_cast<double>(steps.weight))),
             true});
    QStringList words;
    if (steps.maximumKey) {
        words << tr("The row maximum is the score of %1 (%2).")
                     .arg(tokenInSentence(entryOf(*cell.keys, *steps.maximumKey)))
                     .arg(*steps.maximumKey);
    } else {
        words << tr("The row maximum is the learned sink.");
    }
    words << (steps.visibleKeys == 1 ? tr("The row sum is over 1 key.")
                                     : tr("The row sum is over %1 keys.").arg(steps.visibleKeys));
    if (steps.sink)
        words << tr("A learned sink of %1 adds exp(%1 − maximum) = %2 to it and is no key.")
                     .arg(stepText(static_cast<double>(*steps.sink)),
                          stepText(static_cast<double>(steps.sinkExponential)));
    addWords(words.join(QLatin1Char(' ')));
}

void WeightPanel::restartLadder() {
    m_lines.clear();
    if (m_ladder != nullptr) {
        m_ladder->hide();
        m_ladder->deleteLater();
    }
    m_ladder = new QWidget;
    auto* grid = new QGridLayout(m_ladder);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(0, 1);
    m_ladderPlace->addWidget(m_ladder);
}

void WeightPanel::addHeading(const QString& words) {
    auto* grid = static_cast<QGridLayout*>(m_ladder->layout());
    const int line = grid->rowCount();
    grid->setRowMinimumHeight(line, 28);
    grid->addWidget(sectionLabel(words), line, 0, 1, 3, Qt::AlignBottom);
}

void WeightPanel::addLine(const Line& line) {
    auto* grid = static_cast<QGridLayout*>(m_ladder->layout());
    const int at = grid->rowCount();
    const char* quiet = line.strong ? "strong" : "muted";
    auto* name = roleLabel(line.name, quiet);
    if (!line.tip.isEmpty()) name->setToolTip(tipText(line.tip));
    name->setWordWrap(true); // in a narrow dock
    auto* number = roleLabel(line.number, "muted");
    number->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* result = roleLabel(stepText(line.result), line.strong ? "strong" : "");
    result->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    result->setToolTip(exactText(line.result));
    result->setTextInteractionFlags(Qt::TextSelectableByMouse);
    result->setMinimumWidth(56);
    grid->addWidget(name, at, 0);
    grid->addWidget(number, at, 1);
    grid->addWidget(result, at, 2);
    m_lines << QStringList{line.name, line.number, result->text()}.join(QLatin1Char('|'));
}

void WeightPanel::addWords(const QString& words) {
    auto* grid = static_cast<QGridLayout*>(m_ladder->layout());
    QLabel* label = paragraph(words, "muted");
    label->setFont(Theme::font(12));
    grid->addWidget(label, grid->rowCount(), 0, 1, 3);
}

} // namespace headscope::ui
