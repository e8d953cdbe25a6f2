// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/history_popup.h"

#include "ui/format.h"
#include "ui/heatmap/readout.h"
#include "ui/panels/card.h"
#include "ui/theme.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QScreen>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headscope::ui {
namespace {

constexpr QSize kSize(460, 420);
constexpr int kRow = 48;
constexpr int kTip = 600; ///< characters of a text in a tooltip
constexpr int kLine = 200;
constexpr int kDetailRole = Qt::UserRole + 1;

QString wholeOf(const PastText& text) {
    QString whole = text.text;
    if (text.isPair) whole += QLatin1Char('\n') + text.pair;
    if (!text.target.isEmpty()) whole += QLatin1Char('\n') + text.target;
    return whole;
}

/// "132 characters · second text: …"
QString detailOf(const PastText& text) {
    QString detail = HistoryPopup::tr("%1 characters").arg(text.text.size());
    if (text.isPair) detail += HistoryPopup::tr(" · second text: %1").arg(text.pair.left(kLine).simplified());
    if (!text.target.isEmpty())
        detail += HistoryPopup::tr(" · target: %1").arg(text.target.left(kLine).simplified());
    return detail;
}

/// A text on one line, and under it what else there is to say.
class TextDelegate final : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {100, kRow}; }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const ThemeColors& colors = Theme::instance().colors();
        painter->save();
        if ((option.state & QStyle::State_Selected) != 0) painter->fillRect(option.rect, colors.selection);
        const QRect inside = option.rect.adjusted(10, 6, -10, -6);
        const auto line = [&](const QString& words, const QFont& font, const QColor& color, int flags) {
            painter->setFont(font);
            painter->setPen(color);
            const QFontMetrics metrics(font);
            painter->drawText(inside, flags, metrics.elidedText(words, Qt::ElideRight, inside.width()));
        };
        line(index.data().toString(), Theme::font(), colors.text, Qt::AlignTop | Qt::AlignLeft);
        line(index.data(kDetailRole).toString(), Theme::font(12), colors.muted,
             Qt::AlignBottom | Qt::AlignLeft);
        painter->restore();
    }
};

} // namespace

HistoryPopup::HistoryPopup(TextHistory& history, QWidget* parent)
    : QFrame(parent, Qt::Popup), m_history(history), m_search(new QLineEdit(this)),
      m_list(new QListWidget(this)), m_message(roleLabel({}, "muted", this)),
      m_remove(new QPushButton(tr("Remove"), this)), m_clear(new QPushButton(tr("Clear all"), this)),
      m_undo(new QPushButton(tr("Undo"), this)) {
    setObjectName(QStringLiteral("historyPopup"));
    setProperty("role", QByteArray("card"));
    setAttribute(Qt::WA_DeleteOnClose);
    setAccessibleName(tr("Texts that were run"));
    m_search->setPlaceholderText(tr("Search the texts that were run"));
    m_search->setAccessibleName(m_search->placeholderText());
    m_list->setItemDelegate(new TextDelegate(m_list));
    m_list->setAccessibleName(tr("Texts that were run, the newest first"));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setUniformItemSizes(true);
    m_message->setWordWrap(true);
    m_remove->setToolTip(tr("Remove the chosen text from the list (Delete)"));
    m_clear->setToolTip(tr("Remove all texts from the list"));
    for (QPushButton* button : {m_remove, m_clear, m_undo}) {
        button->setProperty("role", QByteArray("flat"));
        button->setAutoDefault(false);
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 12, 12, 8);
    layout->setSpacing(8);
    layout->addWidget(m_search);
    layout->addWidget(m_list, 1);
    auto* foot = new QHBoxLayout;
    foot->setSpacing(4);
    foot->addWidget(m_message, 1);
    foot->addWidget(m_undo);
    foot->addWidget(m_remove);
    foot->addWidget(m_clear);
    layout->addLayout(foot);

    m_search->installEventFilter(this);
    m_list->installEventFilter(this);
    connect(m_search, &QLineEdit::textChanged, this, &HistoryPopup::filter);
    connect(m_search, &QLineEdit::returnPressed, this, &HistoryPopup::take);
    connect(m_list, &QListWidget::itemClicked, this, &HistoryPopup::take);
    connect(m_remove, &QPushButton::clicked, this, &HistoryPopup::removeCurrent);
    connect(m_clear, &QPushButton::clicked, this, &HistoryPopup::clearAll);
    connect(m_undo, &QPushButton::clicked, this, [this] {
        if (m_before) m_history.putBack(*std::exchange(m_before, std::nullopt));
        m_search->setFocus();
    });
    connect(&m_history, &TextHistory::changed, this, &HistoryPopup::refresh);
    refresh();
}

void HistoryPopup::openAt(const QPoint& corner) {
    resize(kSize);
    const QRect room = screen()->availableGeometry();
    move(std::clamp(corner.x(), room.left(), std::max(room.left(), room.right() - width())),
         std::clamp(corner.y(), room.top(), std::max(room.top(), room.bottom() - height())));
    show();
    m_search->setFocus();
}

void HistoryPopup::refresh() {
    const int row = m_list->currentRow();
    m_texts = m_history.texts();
    m_list->clear();
    for (const PastText& text : m_texts) {
        auto* item = new QListWidgetItem(text.text.left(kLine).simplified(), m_list);
        item->setData(kDetailRole, detailOf(text));
        item->setToolTip(tipText(wholeOf(text).left(kTip)));
    }
    if (!m_texts.empty()) m_list->setCurrentRow(std::clamp(row, 0, m_list->count() - 1));
    filter();
}

/// Rows that have every word, in the text, its second or its target.
void HistoryPopup::filter() {
    const QStringList words = m_search->text().toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    int first = -1;
    for (int row = 0; row < m_list->count(); ++row) {
        const QString whole = wholeOf(m_texts[static_cast<std::size_t>(row)]).toLower();
        const bool fits = std::all_of(words.begin(), words.end(),
                                      [&whole](const QString& word) { return whole.contains(word); });
        m_list->item(row)->setHidden(!fits);
        if (fits && first < 0) first = row;
    }
    const QListWidgetItem* current = m_list->currentItem();
    if (current == nullptr || current->isHidden()) m_list->setCurrentRow(first);
    say();
}

void HistoryPopup::say() {
    int shown = 0;
    for (int row = 0; row < m_list->count(); ++row) shown += m_list->item(row)->isHidden() ? 0 : 1;
    const bool empty = m_texts.empty();
    m_message->setText(empty && m_before ? tr("No texts are left.")
                       : empty           ? tr("Texts appear here once they were run.")
                       : shown == 0      ? tr("No text has these words.")
                                         : tr("%1 of %2 texts").arg(shown).arg(m_texts.size()));
    m_undo->setVisible(m_before.has_value());
    m_remove->setEnabled(shown > 0);
    m_clear->setEnabled(!empty);
}

void HistoryPopup::take() {
    const QListWidgetItem* item = m_list->currentItem();
    if (item == nullptr || item->isHidden()) return;
    const PastText text = m_texts[static_cast<std::size_t>(m_list->row(item))];
    close();
    Q_EMIT chosen(text);
}

void HistoryPopup::removeCurrent() {
    const QListWidgetItem* item = m_list->currentItem();
    if (item == nullptr || item->isHidden()) return;
    m_before = m_texts;
    m_history.remove(m_texts[static_cast<std::size_t>(m_list->row(item))]);
}

void HistoryPopup::clearAll() {
    m_before = m_texts;
    m_history.clear();
    m_search->setFocus();
}

/// The next row that is shown.
bool HistoryPopup::moveBy(int key) {
    const int step = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
    if (step == 0) return false;
    for (int row = m_list->currentRow() + step; row >= 0 && row < m_list->count(); row += step) {
        if (m_list->item(row)->isHidden()) continue;
        m_list->setCurrentRow(row);
        break;
    }
    return true;
}

/// Arrows and Enter serve the list while one types; Delete removes where it has nothing to delete.
bool HistoryPopup::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress) return QFrame::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    const bool inList = watched == m_list;
    if (moveBy(key)) return true;
    if (inList && (key == Qt::Key_Return || key == Qt::Key_Enter)) {
        take();
        return true;
    }
    if (key == Qt::Key_Delete && (inList || m_search->cursorPosition() == m_search->text().size())) {
        removeCurrent();
        return true;
    }
    return QFrame::eventFilter(watched, event);
}

QString HistoryPopup::message() const {
    return m_message->text();
}

} // namespace headscope::ui
