// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/token_matches.h"

#include "ui/format.h"

#include <algorithm>
#include <array>

namespace headscope::ui {
namespace {

/// What a person types for a label: without the marks of a space before it ("␣", "·", "▁") or of a word that
/// goes on ("##").
QString bareLabel(const AxisEntry& entry) {
    QString label = fromUtf8(entry.label).toCaseFolded();
    constexpr std::array<char16_t, 4> kMarks{u'␣', u'·', u'▁', u'␠'};
    qsizetype begin = 0;
    while (begin < label.size() && std::count(kMarks.begin(), kMarks.end(), label[begin].unicode()) > 0)
        ++begin;
    if (begin < label.size()) label.remove(0, begin);
    if (label.size() > 2 && label.startsWith(QLatin1String("##"))) label.remove(0, 2);
    return label.trimmed();
}

constexpr std::size_t kKinds = 3;

/// 0: is it, 1: begins with it, 2: contains it; kKinds: none of them.
std::size_t kindOf(const QString& label, const QString& words) {
    if (label == words) return 0;
    if (label.startsWith(words)) return 1;
    return label.contains(words) ? 2 : kKinds;
}

} // namespace

TokenMatches::TokenMatches(QObject* parent) : QAbstractListModel(parent) {}

bool TokenMatches::setTokens(std::shared_ptr<const Axis> axis) {
    if (axis == m_axis) return false;
    m_axis = std::move(axis);
    refresh();
    return true;
}

void TokenMatches::setWords(const QString& words) {
    const QString bare = words.trimmed().toCaseFolded();
    if (bare == m_words) return;
    m_words = bare;
    refresh();
}

void TokenMatches::setEmptyIsNone(bool on) {
    m_emptyIsNone = on;
    refresh();
}

void TokenMatches::refresh() {
    beginResetModel();
    m_positions.clear();
    bool isNumber = false;
    const qlonglong number = m_words.toLongLong(&isNumber);
    const bool isPosition = isNumber && number >= 0 && number < size();
    if (isPosition) m_positions.push_back(number);
    if (!m_words.isEmpty() || !m_emptyIsNone) {
        std::array<std::vector<std::int64_t>, kKinds> kinds;
        for (std::int64_t i = 0; i < size(); ++i) {
            if (isPosition && i == number) continue;
            const std::size_t kind =
                m_words.isEmpty() ? 0
                                  : kindOf(bareLabel(m_axis->entries[static_cast<std::size_t>(i)]), m_words);
            if (kind < kKinds) kinds[kind].push_back(i);
        }
        for (const auto& kind : kinds) m_positions.insert(m_positions.end(), kind.begin(), kind.end());
    }
    endResetModel();
}

std::optional<int> TokenMatches::rowOf(std::int64_t position) const {
    const auto at = std::find(m_positions.begin(), m_positions.end(), position);
    if (at == m_positions.end()) return std::nullopt;
    return static_cast<int>(at - m_positions.begin());
}

QString TokenMatches::labelAt(std::int64_t position) const {
    return fromUtf8(m_axis->entries[static_cast<std::size_t>(position)].label);
}

QString TokenMatches::nameOf(std::int64_t position) const {
    return tr("%1 (%2)").arg(labelAt(position)).arg(position);
}

int TokenMatches::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_positions.size());
}

QVariant TokenMatches::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const std::int64_t position = positionAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return QStringLiteral("%1  %2").arg(position).arg(labelAt(position));
    case Qt::EditRole:
        return nameOf(position);
    case Qt::ToolTipRole:
        return tr("Position %1: %2")
            .arg(position)
            .arg(tokenText(m_axis->entries[static_cast<std::size_t>(position)]));
    case PositionRole:
        return static_cast<qlonglong>(position);
    case LabelRole:
        return labelAt(position);
    default:
        return {};
    }
}

} // namespace headscope::ui
