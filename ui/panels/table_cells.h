// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>
#include <QStyledItemDelegate>

/// What the cells of all tables have in common.
namespace headscope::ui {

/// The back of a cell and the line under it.
void paintCellBack(QPainter& painter, const QRect& rect, const QColor& back);
/// The picture of a number: a thin line under it, as long as its share (0 to 1); nothing where that is
/// invalid.
void paintCellShare(QPainter& painter, const QRect& box, const QVariant& share);
/// Around the cell that the keyboard is on.
void paintCellFocus(QPainter& painter, const QStyleOptionViewItem& option);

/// The header of a table: its words stand as those of the cells do, `pad` pixels from the sides, and under
/// the words of the column that the table is sorted by a sign says which way. Painted here because styles put
/// both elsewhere from one version to the next.
class TableHeader final : public QHeaderView {
  public:
    TableHeader(int pad, QWidget* parent);

  protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;

  private:
    int m_pad;
};

/// Shows tooltips as text that wraps.
class CellDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;
};

} // namespace headscope::ui
