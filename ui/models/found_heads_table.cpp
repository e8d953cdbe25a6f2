// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/found_heads_table.h"

#include "ui/format.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace headscope::ui {
namespace {

#define TR(text) QT_TRANSLATE_NOOP("FoundHeadsTable", text)

struct ColumnSpec {
    const char* title;
    const char* tip;
};

constexpr ColumnSpec kColumns[FoundHeadsTable::Columns] = {
    {TR("Head"), TR("layer.head, both counted from 0")},
    {TR("Weight"), TR("The exact weight from the query to the key")},
    {TR("× even"), TR("The weight over 1/n, what even weights would give each of the n keys that the query "
                      "sees")},
    {TR("Label"), TR("The gravest flag of the head on this text, or the pattern it follows")},
};

#undef TR

QString translated(const char* text) {
    return QCoreApplication::translate("FoundHeadsTable", text);
}

QString weightWords(float weight) {
    const double value = static_cast<double>(weight);
    return value != 0.0 && value < 0.00005 ? QString::number(value, 'e', 1) : QString::number(value, 'f', 4);
}

QString timesWords(double times) {
    return QString::number(times, 'f', times < 9.995 ? 2 : times < 99.95 ? 1 : 0);
}

} // namespace

HeadNote headNote(const HeadResult& head, const Axis& keys) {
    for (const Label label : {Label::Stuck, Label::Uniform, Label::Sink})
        if (head.verdict.fires(label)) return {label, verdictText(head, keys)};
    for (const Finding& finding : head.verdict.findings)
        if (finding.fires && isPattern(finding.label)) return {finding.label, verdictText(head, keys)};
    return {};
}

FoundHeadsTable::FoundHeadsTable(QObject* parent) : QAbstractTableModel(parent) {}

void FoundHeadsTable::setFound(std::shared_ptr<const FoundHeads> found,
                               const std::shared_ptr<const Analysis>& analysis) {
    beginResetModel();
    m_found = analysis ? std::move(found) : nullptr;
    m_notes.clear();
    if (m_found)
        for (const FoundHead& one : m_found->heads)
            m_notes.push_back(headNote(*analysis->find(one.head), analysis->keyAxis(one.head.kind)));
    endResetModel();
}

std::optional<int> FoundHeadsTable::rowOf(const HeadRef& head) const {
    if (!m_found) return std::nullopt;
    const auto& heads = m_found->heads;
    const auto at =
        std::find_if(heads.begin(), heads.end(), [&head](const FoundHead& one) { return one.head == head; });
    if (at == heads.end()) return std::nullopt;
    return static_cast<int>(at - heads.begin());
}

int FoundHeadsTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_found ? 0 : static_cast<int>(m_found->heads.size());
}

int FoundHeadsTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(Columns);
}

QVariant FoundHeadsTable::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const int row = index.row();
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return textAt(row, column);
    case Qt::ToolTipRole:
        return tipAt(row);
    case Qt::TextAlignmentRole:
        return QVariant((sortsDown(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case SortRole:
        return sortAt(row, column);
    case ShareRole:
        return column == Weight ? QVariant(std::clamp(static_cast<double>(headAt(row).weight), 0.0, 1.0))
                                : QVariant();
    case LabelRole: {
        const HeadNote& note = m_notes[static_cast<std::size_t>(row)];
        return column == OnText && !note.words.isEmpty() ? QVariant(static_cast<int>(note.label))
                                                         : QVariant();
    }
    default:
        return {};
    }
}

QVariant FoundHeadsTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= Columns) return {};
    if (role == Qt::DisplayRole) return translated(kColumns[section].title);
    if (role == Qt::ToolTipRole) return translated(kColumns[section].tip);
    if (role == Qt::TextAlignmentRole)
        return QVariant((sortsDown(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return {};
}

QString FoundHeadsTable::textAt(int row, int column) const {
    const FoundHead& found = headAt(row);
    const HeadNote& note = m_notes[static_cast<std::size_t>(row)];
    switch (column) {
    case Head:
        return QString::fromStdString(headText(found.head));
    case Weight:
        return weightWords(found.weight);
    case TimesEven:
        return timesWords(found.timesEven());
    case OnText:
        return note.words.isEmpty() ? QStringLiteral("–") : labelText(note.label);
    default:
        return {};
    }
}

QVariant FoundHeadsTable::sortAt(int row, int column) const {
    const FoundHead& found = headAt(row);
    const HeadNote& note = m_notes[static_cast<std::size_t>(row)];
    switch (column) {
    case Head:
        return (static_cast<qlonglong>(found.head.layer.value) << 32U) + found.head.head.value;
    case Weight:
        return static_cast<double>(found.weight);
    case TimesEven:
        return found.timesEven();
    default: // what says nothing comes last
        return note.words.isEmpty() ? 1000 : static_cast<int>(note.label);
    }
}

QString FoundHeadsTable::tipAt(int row) const {
    const FoundHead& found = headAt(row);
    const HeadNote& note = m_notes[static_cast<std::size_t>(row)];
    QStringList lines{tr("Head %1: %2, even weights would give 1/%3 = %4")
                          .arg(QString::fromStdString(headText(found.head)))
                          .arg(static_cast<double>(found.weight), 0, 'g', 9)
                          .arg(found.keys)
                          .arg(numberText(found.even(), 4)),
                      found.rank == 1 ? tr("No key of the row has a larger weight")
                                      : tr("Keys of the row with a larger weight: %1").arg(found.rank - 1)};
    if (!note.words.isEmpty()) lines << note.words;
    return lines.join(QLatin1Char('\n'));
}

FoundHeadsOrder::FoundHeadsOrder(FoundHeadsTable& table, QObject* parent) : QSortFilterProxyModel(parent) {
    setSourceModel(&table);
    setSortRole(FoundHeadsTable::SortRole);
}

bool FoundHeadsOrder::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const double one = left.data(FoundHeadsTable::SortRole).toDouble();
    const double other = right.data(FoundHeadsTable::SortRole).toDouble();
    if (one != other) return one < other;
    // Sorting down asks the other way round.
    return sortOrder() == Qt::AscendingOrder ? left.row() < right.row() : left.row() > right.row();
}

} // namespace headscope::ui
