// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/head_table.h"

#include "ui/format.h"
#include "ui/models/label_words.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui {
namespace {

#define TR(text) QT_TRANSLATE_NOOP("HeadTable", text)

struct ColumnSpec {
    const char* title;
    const char* tip;
    const char* metric = nullptr; ///< name of the number it shows
    int digits = 2;
    bool isShare = true; ///< of 1; else bars end at the largest of the column
};

constexpr ColumnSpec kColumns[HeadTable::Columns] = {
    {TR("Attention"), TR("The encoder's own, the decoder's own, or what the decoder reads of the encoder")},
    {TR("Head"), TR("layer.head, both counted from 0")},
    {TR("Label"), TR("The one thing to say first about the head: what holds on most texts")},
    {TR("Score"), TR("Of that label, mean over the texts that could test it")},
    {TR("Texts"), TR("On how many texts it holds, of those that could test it")},
    {TR("How sure"), TR("What that many texts allow to say of the model")},
    {TR("Also"), TR("Other labels that hold on a fifth of the texts or more")},
    {TR("Focus"), TR("Nats below uniform: 0 is a head that reads all keys alike"), "kl_to_uniform", 2, false},
    {TR("Top key"), TR("Mean weight on the key that gets most"), "top_column_mass"},
    {TR("First"), TR("Mean weight on the first key of the text"), "first_token_mass"},
    {TR("Prev."), TR("Mean weight on the token before"), "previous_mass"},
    {TR("Next"), TR("Mean weight on the token after"), "next_mass"},
    {TR("Self"), TR("Mean weight on the token itself"), "self_mass"},
    {TR("Dist."), TR("Mean tokens between query and key, weighted"), "mean_distance", 1, false},
    {TR("Out"), TR("How much the head writes, against the other heads of its layer: 1 is the mean"),
     "output_norm_ratio", 2, false},
};

#undef TR

QString translated(const char* text) {
    return QCoreApplication::translate("HeadTable", text);
}

/// As a column has room for it; the tooltip gives it exactly.
QString shortNumber(double value, int digits) {
    const double smallest = std::pow(10.0, -digits);
    if (value > 0.0 && value < 0.5 * smallest) return QStringLiteral("<%1").arg(smallest, 0, 'f', digits);
    return numberText(value, digits);
}

std::optional<double> numberOf(const DiagnosedHead& head, int column) {
    const char* name = kColumns[column].metric;
    if (name == nullptr) return std::nullopt;
    for (const MetricNumber& one : head.metrics)
        if (one.name == name && one.group.empty()) return one.value;
    return std::nullopt;
}

const HeadLabel* primaryOf(const DiagnosedHead& head) {
    return head.diagnosis.find(head.diagnosis.primary);
}

/// What was measured, and what it takes.
QString scoreTip(const HeadLabel& label) {
    QStringList lines{QStringLiteral("%1: %2").arg(labelText(label.label)).arg(label.score, 0, 'g', 9)};
    for (const Measure& measure : label.measures)
        lines << QStringLiteral("%1: %2 (%3 %4)")
                     .arg(measureText(measure.name))
                     .arg(measure.value, 0, 'g', 9)
                     .arg(measure.atMost ? QStringLiteral("≤") : QStringLiteral("≥"))
                     .arg(measure.threshold, 0, 'g', 9);
    return lines.join(QLatin1Char('\n'));
}

QString alsoOf(const Diagnosis& diagnosis, const DiagnosedHead& head) {
    QStringList others;
    for (const HeadLabel& label : head.diagnosis.labels)
        if (&label != primaryOf(head)) others << labelWords(diagnosis, head.ref, label);
    return others.join(QStringLiteral(", "));
}

QString searchWords(const Diagnosis& diagnosis, const DiagnosedHead& head, const QString& note) {
    QStringList words{note, shortKindText(head.ref.kind), labelText(head.diagnosis.primary)};
    for (const HeadLabel& label : head.diagnosis.labels)
        words << labelWords(diagnosis, head.ref, label) << sureText(label.confidence);
    return words.join(QLatin1Char(' ')).toLower();
}

} // namespace

HeadTable::HeadTable(QObject* parent) : QAbstractTableModel(parent), m_largest(Columns, 0.0) {}

void HeadTable::setDiagnosis(const std::shared_ptr<const Diagnosis>& diagnosis) {
    if (diagnosis == m_diagnosis) return;
    beginResetModel();
    m_diagnosis = diagnosis;
    m_words.clear();
    std::fill(m_largest.begin(), m_largest.end(), 0.0);
    m_hasKinds = false;
    if (m_diagnosis) {
        for (const DiagnosedHead& head : m_diagnosis->heads) {
            m_words.push_back(searchWords(*m_diagnosis, head, noteAt(static_cast<int>(m_words.size()))));
            m_hasKinds = m_hasKinds || head.ref.kind != m_diagnosis->heads.front().ref.kind;
            for (int column = 0; column < Columns; ++column) {
                double& largest = m_largest[static_cast<std::size_t>(column)];
                largest = std::max(largest, numberOf(head, column).value_or(0.0));
            }
        }
    }
    endResetModel();
}

void HeadTable::setNotes(const std::vector<std::pair<HeadRef, QString>>& notes) {
    if (notes == m_notes) return;
    const auto before = std::exchange(m_notes, notes);
    for (int row = 0; row < rowCount(); ++row) {
        const auto textIn = [ref = headAt(row).ref](const std::vector<std::pair<HeadRef, QString>>& list) {
            for (const auto& [head, text] : list)
                if (head == ref) return text;
            return QString();
        };
        if (textIn(before) == textIn(m_notes)) continue;
        m_words[static_cast<std::size_t>(row)] = searchWords(*m_diagnosis, headAt(row), noteAt(row));
        Q_EMIT dataChanged(index(row, 0), index(row, Columns - 1));
    }
}

QString HeadTable::noteAt(int row) const {
    for (const auto& [head, text] : m_notes)
        if (head == headAt(row).ref) return text;
    return {};
}

std::optional<int> HeadTable::rowOf(const HeadRef& head) const {
    if (!m_diagnosis) return std::nullopt;
    const DiagnosedHead* found = m_diagnosis->find(head);
    if (found == nullptr) return std::nullopt;
    return static_cast<int>(found - m_diagnosis->heads.data());
}

int HeadTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_diagnosis ? 0 : static_cast<int>(m_diagnosis->heads.size());
}

int HeadTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(Columns);
}

QVariant HeadTable::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const int row = index.row();
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return textAt(row, column);
    case Qt::ToolTipRole:
        return tipAt(row, column);
    case Qt::TextAlignmentRole:
        return QVariant((sortsDown(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case SortRole:
        return sortAt(row, column);
    case ShareRole:
        return shareAt(row, column);
    case NoteRole:
        return column == Head ? noteAt(row) : QString();
    case LabelRole:
        return column == Primary ? QVariant(static_cast<int>(headAt(row).diagnosis.primary)) : QVariant();
    default:
        return {};
    }
}

QVariant HeadTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= Columns) return {};
    if (role == Qt::DisplayRole) return translated(kColumns[section].title);
    if (role == Qt::ToolTipRole) return translated(kColumns[section].tip);
    if (role == Qt::TextAlignmentRole)
        return QVariant((sortsDown(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return {};
}

QString HeadTable::textAt(int row, int column) const {
    const DiagnosedHead& head = headAt(row);
    const HeadLabel* primary = primaryOf(head);
    const QString none = QStringLiteral("–");
    switch (column) {
    case Kind:
        return shortKindText(head.ref.kind);
    case Head:
        return QString::fromStdString(headText(head.ref));
    case Primary:
        return primary != nullptr ? labelWords(*m_diagnosis, head.ref, *primary)
                                  : labelText(head.diagnosis.primary);
    case Score:
        return primary != nullptr ? shortNumber(primary->score, 2) : none;
    case Texts:
        return primary != nullptr
                   ? QStringLiteral("%1/%2").arg(primary->texts.fired).arg(primary->texts.tested)
                   : none;
    case Sure:
        return primary != nullptr ? sureText(primary->confidence) : QString();
    case Also:
        return alsoOf(*m_diagnosis, head);
    default:
        break;
    }
    const auto number = numberOf(head, column);
    return number ? shortNumber(*number, kColumns[column].digits) : none;
}

QVariant HeadTable::sortAt(int row, int column) const {
    const DiagnosedHead& head = headAt(row);
    const HeadLabel* primary = primaryOf(head);
    switch (column) {
    case Kind:
        return static_cast<int>(head.ref.kind);
    case Head:
        return row;
    case Primary:
        return primary != nullptr ? QVariant(static_cast<int>(primary->label)) : QVariant();
    case Score:
        return primary != nullptr ? QVariant(primary->score) : QVariant();
    case Texts:
        return primary != nullptr ? QVariant(primary->texts.share()) : QVariant();
    case Sure:
        return primary != nullptr ? QVariant(-static_cast<int>(primary->confidence)) : QVariant();
    case Also: {
        const QString also = textAt(row, Also);
        return also.isEmpty() ? QVariant() : QVariant(also.toLower());
    }
    default:
        break;
    }
    const auto number = numberOf(head, column);
    return number ? QVariant(*number) : QVariant();
}

QVariant HeadTable::shareAt(int row, int column) const {
    const auto number = numberOf(headAt(row), column);
    if (!number || !std::isfinite(*number)) return {};
    const double whole = kColumns[column].isShare ? 1.0 : m_largest[static_cast<std::size_t>(column)];
    return whole > 0.0 ? QVariant(std::clamp(*number / whole, 0.0, 1.0)) : QVariant();
}

QString HeadTable::tipAt(int row, int column) const {
    const DiagnosedHead& head = headAt(row);
    const HeadLabel* primary = primaryOf(head);
    if (column == Sure && primary != nullptr)
        return QStringLiteral("%1: %2\n%3")
            .arg(sureText(primary->confidence), textsText(primary->texts), sureTip(primary->confidence));
    if (column == Score && primary != nullptr) return scoreTip(*primary);
    if (const QString note = noteAt(row); column == Head && !note.isEmpty())
        return tr("%1\nYour note: %2").arg(headLines(*m_diagnosis, head), note);
    if (kColumns[column].metric == nullptr) return headLines(*m_diagnosis, head);
    const auto number = numberOf(head, column);
    const QString name = translated(kColumns[column].tip);
    return tr("Head %1\n%2\n%3")
        .arg(QString::fromStdString(headText(head.ref)), name,
             number ? QString::number(*number, 'g', 9) : tr("Not measured: the texts do not give it"));
}

} // namespace headscope::ui
