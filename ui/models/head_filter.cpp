// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/head_filter.h"

#include "ui/models/head_table.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <map>

namespace headscope::ui {
namespace {

bool has(const DiagnosedHead& head, Label label) {
    return head.diagnosis.primary == label || head.diagnosis.find(label) != nullptr;
}

/// The number after `name`, taken out of `text`.
std::optional<int> takeNumber(QString& text, const QString& name) {
    const QRegularExpression pattern(QStringLiteral("\\b%1\\s+(\\d{1,6})\\b").arg(name));
    const QRegularExpressionMatch match = pattern.match(text);
    if (!match.hasMatch()) return std::nullopt;
    text.remove(match.capturedStart(), match.capturedLength());
    return match.captured(1).toInt();
}

int compare(const QVariant& one, const QVariant& other) {
    if (one.userType() == QMetaType::QString)
        return QString::localeAwareCompare(one.toString(), other.toString());
    const double left = one.toDouble();
    const double right = other.toDouble();
    return left < right ? -1 : left > right ? 1 : 0;
}

} // namespace

HeadFilter::HeadFilter(HeadTable& table, QObject* parent) : QSortFilterProxyModel(parent), m_table(table) {
    setSourceModel(&table);
    setSortRole(HeadTable::SortRole);
    setDynamicSortFilter(true);
}

void HeadFilter::setWords(const QString& words) {
    QString text = words.toLower().simplified();
    if (text == m_asked) return;
    m_asked = text;
    m_layer.reset();
    m_head.reset();
    static const QRegularExpression place(
        QStringLiteral("(?:^|\\s)(?:head\\s+)?(\\d{1,6})\\.(\\d{0,6})(?=\\s|$)"));
    const QRegularExpressionMatch match = place.match(text);
    if (match.hasMatch()) {
        m_layer = match.captured(1).toInt();
        if (!match.captured(2).isEmpty()) m_head = match.captured(2).toInt();
        text.replace(match.capturedStart(), match.capturedLength(), QStringLiteral(" "));
    }
    if (const auto layer = takeNumber(text, QStringLiteral("layer"))) m_layer = layer;
    if (const auto head = takeNumber(text, QStringLiteral("head"))) m_head = head;
    m_words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

void HeadFilter::setLabels(const std::set<Label>& labels) {
    if (labels == m_labels) return;
    m_labels = labels;
    invalidateFilter();
}

std::vector<std::pair<Label, int>> HeadFilter::labelCounts() const {
    std::map<Label, int> counts;
    for (int row = 0; row < m_table.rowCount(); ++row) {
        const HeadDiagnosis& head = m_table.headAt(row).diagnosis;
        for (const HeadLabel& label : head.labels) ++counts[label.label];
        if (head.find(head.primary) == nullptr) ++counts[head.primary];
    }
    std::vector<std::pair<Label, int>> sorted(counts.begin(), counts.end());
    // In the order of the rules; what is no finding comes last.
    const auto rank = [](Label label) {
        constexpr std::array kGrave{Label::Stuck, Label::Uniform, Label::Sink};
        const auto* const grave = std::find(kGrave.begin(), kGrave.end(), label);
        if (grave != kGrave.end()) return static_cast<int>(grave - kGrave.begin()) - 100;
        return label == Label::InsufficientEvidence ? 1000 : static_cast<int>(label);
    };
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](const auto& a, const auto& b) { return rank(a.first) < rank(b.first); });
    return sorted;
}

std::optional<HeadRef> HeadFilter::headAt(const QModelIndex& index) const {
    const QModelIndex source = mapToSource(index);
    if (!source.isValid()) return std::nullopt;
    return m_table.headAt(source.row()).ref;
}

QModelIndex HeadFilter::indexOf(const HeadRef& head, int column) const {
    const auto row = m_table.rowOf(head);
    return row ? mapFromSource(m_table.index(*row, column)) : QModelIndex();
}

bool HeadFilter::filterAcceptsRow(int row, const QModelIndex& /*parent*/) const {
    const DiagnosedHead& head = m_table.headAt(row);
    if (m_layer && head.ref.layer.value != *m_layer) return false;
    if (m_head && head.ref.head.value != *m_head) return false;
    if (!m_labels.empty() &&
        std::none_of(m_labels.begin(), m_labels.end(), [&](Label label) { return has(head, label); }))
        return false;
    return std::all_of(m_words.begin(), m_words.end(),
                       [&](const QString& word) { return m_table.wordsAt(row).contains(word); });
}

bool HeadFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const QVariant one = left.data(HeadTable::SortRole);
    const QVariant other = right.data(HeadTable::SortRole);
    // Sorted down, Qt asks the other way round: what must hold in both directions is turned about.
    const bool down = sortOrder() == Qt::DescendingOrder;
    if (one.isValid() != other.isValid()) return other.isValid() == down;
    if (one.isValid()) {
        if (const int order = compare(one, other); order != 0) return order < 0;
    }
    return down ? left.row() > right.row() : left.row() < right.row();
}

} // namespace headscope::ui
