// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/find_heads.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui {

/// What a text shows of a head, in a word and in a sentence.
struct HeadNote {
    Label label = Label::Mixed;
    QString words; ///< empty: nothing
};
/// The gravest flag that fires on a text, else the first pattern that holds.
HeadNote headNote(const HeadResult& head, const Axis& keys);

/// A row for every head that sees one cell, the largest weight first.
class FoundHeadsTable final : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { Head, Weight, TimesEven, OnText, Columns };
    enum Role {
        SortRole = Qt::UserRole + 1,
        ShareRole, ///< length of a bar behind a number, 0 to 1; invalid: none
        LabelRole  ///< Label as int, of the column OnText; invalid: nothing to say
    };

    explicit FoundHeadsTable(QObject* parent = nullptr);

    /// `analysis` is the one that was searched; null: no rows.
    void setFound(std::shared_ptr<const FoundHeads> found, const std::shared_ptr<const Analysis>& analysis);
    const FoundHead& headAt(int row) const { return m_found->heads[static_cast<std::size_t>(row)]; }
    std::optional<int> rowOf(const HeadRef& head) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// Whether the first click on the header of a column sorts down.
    static bool sortsDown(int column) { return column == Weight || column == TimesEven; }

  private:
    QString textAt(int row, int column) const;
    QVariant sortAt(int row, int column) const;
    QString tipAt(int row) const;

    std::shared_ptr<const FoundHeads> m_found;
    std::vector<HeadNote> m_notes;
};

/// The same sorted; what is equal stands as it was found, whichever way one sorts.
class FoundHeadsOrder final : public QSortFilterProxyModel {
    Q_OBJECT

  public:
    explicit FoundHeadsOrder(FoundHeadsTable& table, QObject* parent = nullptr);

  protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

} // namespace headscope::ui
