// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/head_table_view.h"

#include "ui/heatmap/note_mark.h"
#include "ui/models/head_filter.h"
#include "ui/models/head_table.h"
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
constexpr int kPad = 8;
constexpr int kNote = 10; ///< the sign of a note behind the number of a head
constexpr std::array<int, HeadTable::Columns> kWidths{84, 58, 166, 60, 62, 84, 112, 62,
                                                      78, 54, 58,  54, 54, 56, 50};
class HeadDelegate final : public CellDelegate {
  public:
    using CellDelegate::CellDelegate;

    int hoveredRow = -1;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const ThemeColors& colors = Theme::instance().colors();
        const bool chosen = (option.state & QStyle::State_Selected) != 0;
        QColor back = chosen ? colors.selection : colors.panel;
        if (!chosen && index.row() == hoveredRow) back = colors.field;
        painter->save();
        paintCellBack(*painter, option.rect, back);
        const QRect inside = option.rect.adjusted(kPad, 0, -kPad, 0);
        const QVariant label = index.data(HeadTable::LabelRole);
        if (label.isValid() && static_cast<Label>(label.toInt()) != Label::Mixed &&
            static_cast<Label>(label.toInt()) != Label::InsufficientEvidence) {
            paintPill(*painter, inside, static_cast<Label>(label.toInt()), index.data().toString(),
                      PillLook::Filled);
        } else {
            paintCellShare(*painter, inside, index.data(HeadTable::ShareRole));
            paintWords(*painter, inside, index, label.isValid());
        }
        if (!index.data(HeadTable::NoteRole).toString().isEmpty())
            paintNoteMark(*painter,
                          QRectF(inside.right() - kNote + 1, inside.center().y() - 0.5 * kNote, kNote, kNote),
                          colors.accent, back);
        paintCellFocus(*painter, option);
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        return {kWidths[static_cast<std::size_t>(index.column())], kRow};
    }

  private:
    static void paintWords(QPainter& painter, const QRect& box, const QModelIndex& index, bool noFinding) {
        const ThemeColors& colors = Theme::instance().colors();
        const bool missing = !index.data(HeadTable::SortRole).isValid();
        const int column = index.column();
        const bool quiet = missing || noFinding || column == HeadTable::Also || column == HeadTable::Sure ||
                           column == HeadTable::Texts || column == HeadTable::Kind;
        painter.setPen(quiet ? colors.muted : colors.text);
        painter.setFont(column == HeadTable::Head ? Theme::font(metrics::kText, QFont::DemiBold)
                                                  : Theme::font());
        painter.drawText(
            box, index.data(Qt::TextAlignmentRole).toInt(),
            painter.fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, box.width()));
    }
};

} // namespace

HeadTableView::HeadTableView(HeadFilter& filter, QWidget* parent) : QTableView(parent), m_filter(filter) {
    setModel(&filter);
    setItemDelegate(new HeadDelegate(this));
    setAccessibleName(tr("All heads and what they do"));
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setProperty("role", QByteArray("plain"));
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
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
    header->setMinimumSectionSize(40);
    header->setFixedHeight(kRow);
    for (int column = 0; column < HeadTable::Columns; ++column)
        header->resizeSection(column, kWidths[static_cast<std::size_t>(column)]);
    // What is read first when sorted: the largest numbers, but the first names.
    connect(header, &QHeaderView::sectionClicked, this, [this](int column) {
        if (std::exchange(m_sorted, column) != column && HeadTable::sortsDown(column))
            sortByColumn(column, Qt::DescendingOrder);
    });
    setSortingEnabled(true);
    m_sorted = HeadTable::Head;
    sortByColumn(HeadTable::Head, Qt::AscendingOrder);
    setColumnHidden(HeadTable::Kind, true);
    connect(this, &QTableView::clicked, this, &HeadTableView::open);
    connect(&Theme::instance(), &Theme::changed, viewport(), [this] { viewport()->update(); });
}

void HeadTableView::showKinds(bool on) {
    setColumnHidden(HeadTable::Kind, !on);
}

void HeadTableView::showHead(const HeadRef& head) {
    const QModelIndex index = m_filter.indexOf(head, HeadTable::Head);
    if (!index.isValid()) {
        clearSelection();
        return;
    }
    if (index.row() == currentIndex().row() && selectionModel()->isRowSelected(index.row())) {
        scrollTo(index.siblingAtColumn(currentIndex().column()));
        return;
    }
    const int across = currentIndex().isValid() ? currentIndex().column() : int(HeadTable::Head);
    setCurrentIndex(index.siblingAtColumn(across));
}

/// What a click on the header does, for the keyboard.
void HeadTableView::sortBy(int column) {
    if (column < 0) return;
    const bool again = std::exchange(m_sorted, column) == column;
    const bool down =
        again ? horizontalHeader()->sortIndicatorOrder() == Qt::AscendingOrder : HeadTable::sortsDown(column);
    sortByColumn(column, down ? Qt::DescendingOrder : Qt::AscendingOrder);
    scrollTo(currentIndex());
}

void HeadTableView::open(const QModelIndex& index) {
    if (const auto head = m_filter.headAt(index)) Q_EMIT headOpened(*head);
}

void HeadTableView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        open(currentIndex());
        return;
    }
    if (event->key() == Qt::Key_Space) {
        sortBy(currentIndex().column());
        return;
    }
    const int before = currentIndex().row();
    QTableView::keyPressEvent(event);
    const QModelIndex now = currentIndex();
    if (now.row() == before) return;
    if (const auto head = m_filter.headAt(now)) Q_EMIT headChosen(*head);
}

void HeadTableView::mouseMoveEvent(QMouseEvent* event) {
    QTableView::mouseMoveEvent(event);
    auto* delegate = static_cast<HeadDelegate*>(itemDelegate());
    const int row = indexAt(event->position().toPoint()).row();
    if (row == std::exchange(delegate->hoveredRow, row)) return;
    viewport()->update();
}

void HeadTableView::leaveEvent(QEvent* event) {
    QTableView::leaveEvent(event);
    static_cast<HeadDelegate*>(itemDelegate())->hoveredRow = -1;
    viewport()->update();
}

/// What is left over goes to the one column of words of any length.
void HeadTableView::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    int others = 0;
    for (int column = 0; column < HeadTable::Columns; ++column)
        if (column != HeadTable::Also && !isColumnHidden(column)) others += columnWidth(column);
    setColumnWidth(HeadTable::Also, std::max(kWidths[HeadTable::Also], viewport()->width() - others));
    if (currentIndex().isValid()) scrollTo(currentIndex());
}

void HeadTableView::focusInEvent(QFocusEvent* event) {
    QTableView::focusInEvent(event);
    if (!currentIndex().isValid() && m_filter.rowCount() > 0)
        setCurrentIndex(m_filter.index(0, HeadTable::Head));
}

} // namespace headscope::ui
