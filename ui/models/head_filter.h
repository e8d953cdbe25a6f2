// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/labels.h"
#include "core/maps/attention_kind.h"

#include <QSortFilterProxyModel>
#include <QStringList>

#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace headscope::ui {

class HeadTable;

/// The heads of a HeadTable that words and labels ask for, sorted by any column. What was not measured stands
/// last in both directions, and equals stand in the order of the model.
class HeadFilter final : public QSortFilterProxyModel {
    Q_OBJECT

  public:
    explicit HeadFilter(HeadTable& table, QObject* parent = nullptr);

    /// Words of which each must be found: of a label, a token, how sure it is; "5.1" or "head 1" and "layer
    /// 5" are that head or layer alone. Empty: all heads.
    void setWords(const QString& words);
    /// Heads that have one of these; none: all heads.
    void setLabels(const std::set<Label>& labels);
    const std::set<Label>& labels() const { return m_labels; }
    bool isFiltering() const { return !m_labels.empty() || !m_asked.isEmpty(); }

    /// Every label that any head has, with how many have it, whatever the filter; flags first.
    std::vector<std::pair<Label, int>> labelCounts() const;

    std::optional<HeadRef> headAt(const QModelIndex& index) const;
    QModelIndex indexOf(const HeadRef& head, int column) const; ///< invalid: filtered out

  protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

  private:
    HeadTable& m_table;
    std::set<Label> m_labels;
    QString m_asked;
    QStringList m_words;
    std::optional<int> m_layer;
    std::optional<int> m_head;
};

} // namespace headscope::ui
