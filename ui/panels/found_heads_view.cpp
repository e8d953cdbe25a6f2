// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/found_heads_view.h"

#include "ui/panels/pill.h"
#include "ui/panels/table_cells.h"
#include "ui/theme.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::ui {
namespace {

constexpr int kRow = 30;
constexpr int kPad = 4;
constexpr std::array<int, FoundHeadsTable::Columns> kWidths{46, 62, 54, 84};

class FoundDelegate final : public CellDelegate {
  public:
    using CellDelegate::CellDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const ThemeColors& colors = Theme::instance().colors();
        const bool chosen = (option.state & QStyle::State_Selected) != 0;
        const bool under = (option.state & QStyle::State_MouseOver) != 0;
        painter->save();
        paintCellBack(*painter, option.rect, chosen ? colors.selection : under ? colors.field : colors.panel);
        const bool isLabel = index.column() == FoundHeadsTable::OnText; // beside a number at the right
        const QRect inside = option.rect.adjusted(isLabel ? 2 * kPad : kPad, 0, isLabel ? 0 : -kPad, 0);
        if (const QVariant label = index.data(FoundHeadsTable::LabelRole); label.isValid()) {
            paintPill(*painter, inside, static_cast<Label>(label.toInt()), index.data().toString(),
                      PillLook::Outlined);
        } else {
            paintNumber(*painter, inside, index);
        }
        paintCellFocus(*painter, option);
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        return {kWidths[static_cast<std::size_t>(index.column())], kRow};
    }

  private:
    static void paintNumber(QPainter& painter, const QRect& box, const QModelIndex& index) {
        const ThemeColors& colors = Theme::instance().colors();
        paintCellShare(painter, box, index.data(FoundHeadsTable::ShareRole));
        const bool isHead = index.column() == FoundHeadsTable::Head;
        painter.setPen(index.column() == FoundHeadsTable::OnText ? colors.muted : colors.text);
        painter.setFont(isHead ? Theme::font(metrics::kText, QFont::DemiBold) : Theme::font());
        painter.drawText(
            box, index.data(Qt::TextAlignmentRole).toInt(),
            painter.fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, box.width()));
    }
};

} // namespace

FoundHeadsView::FoundHeadsView(FoundHeadsTable& table, QWidget* parent)
    : QTableView(parent), m_table(table), m_order(table) {
    setModel(&m_order);
    setItemDelegate(new FoundDelegate(this));
    setAccessibleName(tr("Heads by their weight from the query to the key"));
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setProperty("role", QByteArray("plain"));
    setProperty("narrow", true);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTabKeyNavigation(false);
    setWordWrap(false);
    setMouseTracking(true);
    setCornerButtonEnabled(false);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(kRow);
    auto* header = new TableHeader(kPad, this);
    setHorizontalHeader(header);
    header->setSectionsMovable(false);
    header->setMinimumSectionSize(30);
    header->setFixedHeight(kRow);
    connect(header, &QHeaderView::sectionClicked, this, [this](int column) {
        if (std::exchange(m_sorted, column) != column && FoundHeadsTable::sortsDown(column))
            sortByColumn(column, Qt::DescendingOrder);
    });
    setSortingEnabled(true);
    sortByWeight();
    connect(this, &QTableView::clicked, this, &FoundHeadsView::open);
    connect(&Theme::instance(), &Theme::changed, viewport(), [this] { viewport()->update(); });
}

void FoundHeadsView::sortByWeight() {
    m_sorted = FoundHeadsTable::Weight;
    sortByColumn(FoundHeadsTable::Weight, Qt::DescendingOrder);
}

void FoundHeadsView::showHead(const HeadRef& head) {
    const auto row = m_table.rowOf(head);
    if (!row) {
        clearSelection();
        return;
    }
    const QModelIndex index = m_order.mapFromSource(m_table.index(*row, FoundHeadsTable::Head));
    const int across = currentIndex().isValid() ? currentIndex().column() : int(FoundHeadsTable::Head);
    setCurrentIndex(index.siblingAtColumn(across));
    scrollTo(currentIndex());
}

void FoundHeadsView::open(const QModelIndex& index) {
    const QModelIndex source = m_order.mapToSource(index);
    if (source.isValid()) Q_EMIT headOpened(m_table.headAt(source.row()).head);
}

void FoundHeadsView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        open(currentIndex());
        return;
    }
    if (event->key() == Qt::Key_Space && currentIndex().isValid()) { // as a click on the header
        const int column = currentIndex().column();
        const bool again = std::exchange(m_sorted, column) == column;
        const bool down = again ? horizontalHeader()->sortIndicatorOrder() == Qt::AscendingOrder
                                : FoundHeadsTable::sortsDown(column);
        sortByColumn(column, down ? Qt::DescendingOrder : Qt::AscendingOrder);
        scrollTo(currentIndex());
        return;
    }
    QTableView::keyPressEvent(event);
}

/// The label takes what the numbers leave.
void FoundHeadsView::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    int others = 0;
    for (int column = 0; column < FoundHeadsTable::OnText; ++column) {
        const int width = kWidths[static_cast<std::size_t>(column)];
        setColumnWidth(column, width);
        others += width;
    }
    setColumnWidth(FoundHeadsTable::OnText,
                   std::max(kWidths[FoundHeadsTable::OnText], viewport()->width() - others));
}

void FoundHeadsView::focusInEvent(QFocusEvent* event) {
    QTableView::focusInEvent(event);
    if (!currentIndex().isValid() && m_order.rowCount() > 0) setCurrentIndex(m_order.index(0, 0));
}

} // namespace headscope::ui
