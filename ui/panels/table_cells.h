// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

/// Shows tooltips as text that wraps.
class CellDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;
};

} // namespace headscope::ui
