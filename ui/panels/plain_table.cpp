// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/plain_table.h"

#include "ui/heatmap/readout.h"
#include "ui/panels/table_cells.h"
#include "ui/theme.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QStyledItemDelegate>

namespace headscope::ui {
namespace {

constexpr int kLine = 26;
constexpr int kPad = 6;

class PlainDelegate final : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const ThemeColors& colors = Theme::instance().colors();
        const bool chosen = (option.state & QStyle::State_Selected) != 0;
        painter->save();
        paintCellBack(*painter, option.rect, chosen ? colors.selection : colors.panel);
        const QRect inside = option.rect.adjusted(kPad, 0, -kPad, 0);
        paintCellShare(*painter, inside, index.data(PlainTable::kShareRole));
        painter->setPen(colors.text);
        painter->setFont(Theme::font());
        painter->drawText(
            inside, index.data(Qt::TextAlignmentRole).toInt(),
            painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, inside.width()));
        paintCellFocus(*painter, option);
        painter->restore();
    }
};

} // namespace

PlainTable::PlainTable(const QStringList& titles, QWidget* parent)
    : QTableWidget(0, static_cast<int>(titles.size()), parent) {
    setHorizontalHeaderLabels(titles);
    setItemDelegate(new PlainDelegate(this));
    setProperty("role", QByteArray("plain"));
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTabKeyNavigation(false);
    setWordWrap(false);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    setCornerButtonEnabled(false);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(kLine);
    auto* header = new TableHeader(kPad, this);
    setHorizontalHeader(header);
    header->setSectionsClickable(false);
    header->setSectionResizeMode(QHeaderView::Stretch);
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header->setFixedHeight(kLine);
    connect(this, &QTableWidget::cellClicked, this, &PlainTable::lineChosen);
    connect(this, &QTableWidget::cellDoubleClicked, this, &PlainTable::lineOpened);
    connect(&Theme::instance(), &Theme::changed, viewport(), [this] { viewport()->update(); });
}

void PlainTable::setLines(int count) {
    const QSignalBlocker quiet(this);
    clearContents();
    setRowCount(count);
    showLine(-1);
}

void PlainTable::setCell(int line, int column, const QString& text, const QString& tip) {
    auto* item = new QTableWidgetItem(text);
    item->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    item->setToolTip(tipText(tip.isEmpty() ? text : tip));
    setItem(line, column, item);
}

void PlainTable::setNumber(int line, int column, const QString& text, const QVariant& share) {
    auto* item = new QTableWidgetItem(text);
    item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    item->setData(kShareRole, share);
    setItem(line, column, item);
    horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
}

void PlainTable::showLine(int line) {
    if (line < 0) {
        setCurrentCell(-1, -1);
        clearSelection();
    } else if (line != currentRow()) {
        setCurrentCell(line, std::max(0, currentColumn()));
    }
}

void PlainTable::keyPressEvent(QKeyEvent* event) {
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentRow() >= 0) {
        Q_EMIT lineOpened(currentRow());
        return;
    }
    const int before = currentRow();
    QTableWidget::keyPressEvent(event);
    if (currentRow() != before && currentRow() >= 0) Q_EMIT lineChosen(currentRow());
}

void PlainTable::focusInEvent(QFocusEvent* event) {
    QTableWidget::focusInEvent(event);
    // With the keyboard: where the arrows start. Nothing is chosen by it.
    if (currentRow() < 0 && rowCount() > 0 && event->reason() != Qt::MouseFocusReason) showLine(0);
}

} // namespace headscope::ui
