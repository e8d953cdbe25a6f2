// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/compare_numbers.h"

#include "ui/format.h"
#include "ui/heatmap/readout.h"
#include "ui/panels/card.h"
#include "ui/panels/measure_bar.h"
#include "ui/panels/plain_table.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <numbers>

namespace headscope::ui {
namespace {

constexpr std::size_t kNamedSinks = 3;
constexpr int kFewLines = 3; ///< of the table that are always to be seen

QString natsText(double value) {
    return CompareNumbers::tr("%1 nats").arg(numberText(value, 4));
}

/// “[CLS] (0), [SEP] (31)”
QString sinkNames(const HeadComparison& comparison) {
    QStringList names;
    for (std::size_t i = 0; i < std::min(kNamedSinks, comparison.sinks.size()); ++i) {
        const auto key = static_cast<std::size_t>(comparison.sinks[i]);
        names << CompareNumbers::tr("%1 (%2)")
                     .arg(tokenText(comparison.maps[0].keys()->entries[key]))
                     .arg(comparison.maps[0].axes.keys.positions[key]);
    }
    if (comparison.sinks.size() > kNamedSinks)
        names << CompareNumbers::tr("%1 more").arg(comparison.sinks.size() - kNamedSinks);
    return names.join(QStringLiteral(", "));
}

} // namespace

CompareNumbers::CompareNumbers(QWidget* parent)
    : QWidget(parent), m_bars(new QVBoxLayout), m_counts(roleLabel({}, "muted", this)),
      m_heading(sectionLabel(tr("Rows that differ most"), this)),
      m_rows(new PlainTable({tr("Query"), tr("Key"), tr("a"), tr("b"), tr("Apart")}, this)),
      m_reason(roleLabel({}, "muted", this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_reason);
    m_bars->setSpacing(2);
    layout->addLayout(m_bars);
    layout->addWidget(m_counts);
    layout->addWidget(m_heading);
    layout->addWidget(m_rows, 1);
    layout->addStretch(0);
    m_reason->setWordWrap(true);
    m_counts->setWordWrap(true);
    m_rows->setAccessibleName(tr("Rows in which the two heads differ most"));
    m_rows->setMinimumHeight(26 * (kFewLines + 1) + 2);
    m_rows->horizontalHeaderItem(4)->setToolTip(
        tr("Total variation of the row: the share of its weight that lies elsewhere"));
    for (const int column : {2, 3})
        m_rows->horizontalHeaderItem(column)->setToolTip(
            tr("The weight of this head where the two differ most in the row"));
    connect(m_rows, &PlainTable::lineChosen, this, [this](int line) {
        const auto& row = m_comparison->numbers.farthest[static_cast<std::size_t>(line)];
        Q_EMIT rowChosen(row.row, row.key);
    });
    showComparison(nullptr, {});
}

void CompareNumbers::setNarrow(bool narrow) {
    for (const int column : {2, 3})
        m_rows->setColumnHidden(column, narrow); // the map says them of a chosen cell
}

void CompareNumbers::clearBars() {
    while (QLayoutItem* item = m_bars->takeAt(0)) {
        if (item->widget() != nullptr) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
    m_words.clear();
}

void CompareNumbers::addBar(const MeasureRow& row, const QString& tip) {
    auto* bar = new MeasureBar(row, this);
    bar->setToolTip(tipText(tip));
    m_bars->addWidget(bar);
    m_words << row.name + QStringLiteral(": ") + row.value;
}

void CompareNumbers::addBars(const HeadComparison& comparison) {
    const MapComparison& numbers = comparison.numbers;
    const auto row = [](const QString& name, const QString& value, double share) {
        return MeasureRow{name, value, QString(), share, -1.0, true};
    };
    addBar(row(tr("Jensen–Shannon divergence"), natsText(numbers.divergence),
               numbers.divergence / std::numbers::ln2),
           tr("Mean over the rows: 0 where both heads read alike, ln 2 = 0.693 nats (a full bar) where they "
              "read nothing in common"));
    addRest(comparison);
    addBar(
        row(tr("Total variation"), numberText(numbers.totalVariation, 4), numbers.totalVariation),
        comparison.divided
            ? tr("Mean over the rows, each divided by its sum since it need not be 1: the share of the row "
                 "that lies on other keys")
            : tr("Mean over the rows: the share of the weight that lies on other keys"));
    const QString correlation = numbers.correlation ? numberText(*numbers.correlation, 3) : tr("none");
    const QStringList rest = {
        tr("Correlation %1").arg(correlation), tr("largest %1").arg(numberText(numbers.largest, 3)),
        tr("%1 of %2 rows count").arg(numbers.rows).arg(comparison.maps[0].map->extent().rows)};
    m_counts->setText(rest.join(QStringLiteral("  ·  ")));
    m_counts->setToolTip(tipText(tr("Correlation of the weights, over the cells of the rows that count; the "
                                    "largest difference of two weights; rows count that see %1 keys or more "
                                    "in both maps.")
                                     .arg(numbers.fewestKeys)));
    m_words << rest;
}

/// Without the sinks, and which those are.
void CompareNumbers::addRest(const HeadComparison& comparison) {
    const MapComparison& numbers = comparison.numbers;
    const bool sinks = !comparison.sinks.empty();
    const QString left =
        sinks ? tr("left out: %1").arg(sinkNames(comparison)) : tr("here no key is a sink of either side");
    MeasureRow row{sinks ? tr("Without %1").arg(sinkNames(comparison)) : tr("Without sinks"),
                   tr("not measured"),
                   QString(),
                   0.0,
                   -1.0,
                   true};
    if (numbers.restDivergence) {
        row.value = natsText(*numbers.restDivergence);
        row.share = *numbers.restDivergence / std::numbers::ln2;
    } else {
        row.condition = tr("%1 of %2 rows").arg(numbers.restRows).arg(MapComparison::kFewestRows);
    }
    addBar(row, tr("The same without the keys on which either side rests 30 % or more of its weight, since "
                   "sinks make any two heads alike; %1. It takes %2 rows in which both keep a fifth of "
                   "their weight and four keys: %3 do.")
                    .arg(left)
                    .arg(MapComparison::kFewestRows)
                    .arg(numbers.restRows));
}

void CompareNumbers::fillRows(const HeadComparison& comparison) {
    const auto& rows = comparison.numbers.farthest;
    m_rows->setLines(static_cast<int>(rows.size()));
    const auto name = [](const ViewedAxis& axis, std::int64_t index) {
        const auto at = static_cast<std::size_t>(index);
        return QStringLiteral("%1  %2").arg(axis.positions[at]).arg(tokenText(axis.axis->entries[at]));
    };
    const ViewedAxes& axes = comparison.maps[0].axes;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const MapComparison::Row& row = rows[i];
        const int line = static_cast<int>(i);
        m_rows->setCell(line, 0, name(axes.queries, row.row));
        m_rows->setCell(line, 1, name(axes.keys, row.key));
        m_rows->setNumber(line, 2, numberText(row.first), row.first);
        m_rows->setNumber(line, 3, numberText(row.second), row.second);
        m_rows->setNumber(line, 4, numberText(row.totalVariation), row.totalVariation);
    }
}

void CompareNumbers::showComparison(const std::shared_ptr<const HeadComparison>& comparison,
                                    const QString& reason) {
    if (comparison && comparison == m_comparison) return; // the chosen line stays
    clearBars();
    m_comparison = comparison;
    const bool measured = comparison && comparison->difference && comparison->numbers.rows > 0;
    m_reason->setText(measured || !comparison || !comparison->difference
                          ? reason
                          : tr("No row of the maps has two keys and any weight: nothing can be measured."));
    m_reason->setVisible(!m_reason->text().isEmpty());
    for (QWidget* one :
         {static_cast<QWidget*>(m_counts), static_cast<QWidget*>(m_heading), static_cast<QWidget*>(m_rows)})
        one->setVisible(measured);
    m_rows->setLines(0);
    if (!measured) return;
    addBars(*comparison);
    fillRows(*comparison);
}

QString CompareNumbers::words() const {
    return m_words.join(QLatin1Char('\n'));
}

} // namespace headscope::ui
