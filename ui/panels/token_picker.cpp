// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/token_picker.h"

#include "ui/models/token_matches.h"
#include "ui/theme.h"

#include <QCompleter>
#include <QFocusEvent>
#include <QKeyEvent>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace headscope::ui {
namespace {

constexpr int kLine = 26;
constexpr int kLines = 9;
constexpr int kPad = 8;

/// The position in quiet digits, then the token.
class TokenDelegate final : public QStyledItemDelegate {
  public:
    TokenDelegate(const TokenMatches& matches, QObject* parent)
        : QStyledItemDelegate(parent), m_matches(matches) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const ThemeColors& colors = Theme::instance().colors();
        const bool marked = (option.state & (QStyle::State_Selected | QStyle::State_MouseOver)) != 0;
        painter->save();
        painter->fillRect(option.rect, marked ? colors.selection : colors.panel);
        painter->setFont(Theme::font());
        const QString last = QString::number(std::max<std::int64_t>(0, m_matches.size() - 1));
        QRect box = option.rect.adjusted(kPad, 0, -kPad, 0);
        QRect number = box;
        number.setWidth(painter->fontMetrics().horizontalAdvance(last));
        painter->setPen(colors.muted);
        painter->drawText(number, Qt::AlignRight | Qt::AlignVCenter,
                          index.data(TokenMatches::PositionRole).toString());
        box.setLeft(number.right() + 12);
        painter->setPen(colors.text);
        painter->drawText(box, Qt::AlignLeft | Qt::AlignVCenter,
                          painter->fontMetrics().elidedText(index.data(TokenMatches::LabelRole).toString(),
                                                            Qt::ElideRight, box.width()));
        painter->restore();
    }
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {120, kLine}; }

  private:
    const TokenMatches& m_matches;
};

} // namespace

TokenPicker::TokenPicker(QWidget* parent)
    : QLineEdit(parent), m_matches(new TokenMatches(this)), m_completer(new QCompleter(m_matches, this)) {
    setPlaceholderText(tr("a word or a position"));
    setMinimumHeight(30);
    m_completer->setWidget(this);
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_completer->setCompletionRole(Qt::EditRole);
    m_completer->setMaxVisibleItems(kLines);
    auto* popup = new QListView;
    popup->setUniformItemSizes(true);
    popup->setMouseTracking(true);
    m_completer->setPopup(popup);
    popup->setItemDelegate(new TokenDelegate(*m_matches, popup)); // setPopup() brings its own
    connect(this, &QLineEdit::textEdited, this, [this](const QString& text) {
        m_matches->setWords(text);
        if (m_matches->rowCount() > 0) {
            m_completer->complete();
        } else {
            m_completer->popup()->hide();
        }
    });
    connect(
        m_completer, qOverload<const QModelIndex&>(&QCompleter::activated), this,
        [this](const QModelIndex& index) { choose(index.data(TokenMatches::PositionRole).toLongLong()); });
}

void TokenPicker::setTokens(std::shared_ptr<const Axis> axis) {
    if (!m_matches->setTokens(std::move(axis))) return;
    if (m_token && *m_token >= m_matches->size()) m_token.reset();
    restore();
}

void TokenPicker::showToken(std::optional<std::int64_t> position) {
    if (position && *position >= m_matches->size()) position.reset();
    if (m_token == position) return; // what is being typed, or marked, stays
    m_token = position;
    restore();
}

void TokenPicker::choose(std::int64_t position) {
    m_completer->popup()->hide();
    m_token = position;
    restore();
    selectAll();
    Q_EMIT tokenChosen(position);
}

void TokenPicker::openList() {
    if (!isModified()) m_matches->setWords({});
    if (m_matches->rowCount() == 0) return;
    m_completer->complete();
    if (!m_token) return;
    if (const auto row = m_matches->rowOf(*m_token))
        m_completer->popup()->scrollTo(m_completer->completionModel()->index(*row, 0),
                                       QAbstractItemView::PositionAtCenter);
}

void TokenPicker::restore() {
    m_matches->setWords({});
    setText(m_token ? m_matches->nameOf(*m_token) : QString());
    setModified(false);
    setCursorPosition(0);
}

void TokenPicker::keyPressEvent(QKeyEvent* event) {
    const QAbstractItemView* list = m_completer->popup();
    if (event->key() == Qt::Key_Escape && isModified()) {
        m_completer->popup()->hide();
        restore();
        selectAll();
        return;
    }
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        if (list->isVisible() && list->selectionModel()->hasSelection()) {
            event->ignore(); // the list, which asks here first, takes the marked one
        } else if (isModified() && m_matches->rowCount() > 0) {
            choose(m_matches->positionAt(0));
        }
        return;
    }
    if (event->key() == Qt::Key_Down && !list->isVisible()) {
        openList();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

void TokenPicker::mouseReleaseEvent(QMouseEvent* event) {
    QLineEdit::mouseReleaseEvent(event);
    if (isModified() || hasSelectedText()) return;
    selectAll();
    openList();
}

/// Typing replaces what was chosen, wherever the keyboard came from.
void TokenPicker::focusInEvent(QFocusEvent* event) {
    QLineEdit::focusInEvent(event);
    if (!isModified()) selectAll();
}

void TokenPicker::focusOutEvent(QFocusEvent* event) {
    QLineEdit::focusOutEvent(event);
    if (isModified() && event->reason() != Qt::PopupFocusReason && !m_completer->popup()->isVisible())
        restore();
}

} // namespace headscope::ui
