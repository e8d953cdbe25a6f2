// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/table_cells.h"

#include "ui/heatmap/readout.h"
#include "ui/theme.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace headscope::ui {

void paintCellBack(QPainter& painter, const QRect& rect, const QColor& back) {
    painter.fillRect(rect, back);
    painter.setPen(Theme::instance().colors().hairline);
    painter.drawLine(rect.bottomLeft(), rect.bottomRight());
}

void paintCellShare(QPainter& painter, const QRect& box, const QVariant& share) {
    if (!share.isValid()) return;
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF track(box.left(), box.bottom() - 4.0, box.width(), 2.0);
    painter.fillRect(track, colors.track);
    painter.fillRect(QRectF(track.left(), track.top(), track.width() * share.toDouble(), 2.0), colors.accent);
}

void paintCellFocus(QPainter& painter, const QStyleOptionViewItem& option) {
    if ((option.state & QStyle::State_HasFocus) == 0) return;
    painter.setPen(Theme::instance().colors().accent);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -1.5));
}

TableHeader::TableHeader(int pad, QWidget* parent) : QHeaderView(Qt::Horizontal, parent), m_pad(pad) {
    setFont(Theme::font(12));
    setHighlightSections(false);
    setSectionsClickable(true);
}

void TableHeader::paintSection(QPainter* painter, const QRect& rect, int section) const {
    const ThemeColors& colors = Theme::instance().colors();
    painter->save();
    paintCellBack(*painter, rect, colors.panel);
    const QVariant own = model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole);
    const QRect inside = rect.adjusted(m_pad, 0, -m_pad, 0);
    painter->setFont(font());
    painter->setPen(colors.muted);
    painter->drawText(
        inside, own.isValid() ? own.toInt() : static_cast<int>(defaultAlignment()),
        painter->fontMetrics().elidedText(model()->headerData(section, Qt::Horizontal).toString(),
                                          Qt::ElideRight, inside.width()));
    if (isSortIndicatorShown() && sortIndicatorSection() == section) {
        const double up = sortIndicatorOrder() == Qt::AscendingOrder ? 1.0 : -1.0;
        const QPointF middle(rect.center().x() + 0.5, rect.bottom() - 4.0);
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(colors.muted, 1.2));
        painter->drawPolyline(QPolygonF{middle + QPointF(-3.5, 1.75 * up), middle - QPointF(0, 1.75 * up),
                                        middle + QPointF(3.5, 1.75 * up)});
    }
    painter->restore();
}

bool CellDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                             const QModelIndex& index) {
    if (event->type() != QEvent::ToolTip) return QStyledItemDelegate::helpEvent(event, view, option, index);
    const QString words = index.data(Qt::ToolTipRole).toString();
    QToolTip::showText(event->globalPos(), words.isEmpty() ? QString() : tipText(words), view->viewport(),
                       option.rect);
    return true;
}

} // namespace headscope::ui
