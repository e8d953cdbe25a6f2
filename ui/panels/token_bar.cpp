// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/token_bar.h"

#include "ui/icons.h"
#include "ui/models/token_matches.h"
#include "ui/panels/card.h"
#include "ui/panels/segments.h"
#include "ui/theme.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace headscope::ui {
namespace {

constexpr int kChip = 24;
constexpr int kGap = 4;

/// A token with its position, in a frame; the current one is filled.
class ChipDelegate final : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const ThemeColors& colors = Theme::instance().colors();
        const bool chosen = (option.state & QStyle::State_Selected) != 0;
        const bool under = (option.state & QStyle::State_MouseOver) != 0;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const QRectF chip = QRectF(option.rect).adjusted(0.5, 0.5, -kGap - 0.5, -0.5);
        painter->setPen(chosen ? colors.accent : under ? colors.muted : colors.hairline);
        painter->setBrush(chosen ? colors.selection : colors.panel);
        painter->drawRoundedRect(chip, 6.0, 6.0);
        const QString label = index.data(TokenMatches::LabelRole).toString();
        const QRectF inside = chip.adjusted(8.0, 0.0, -8.0, 0.0);
        painter->setFont(Theme::font(12));
        painter->setPen(colors.text);
        painter->drawText(inside, Qt::AlignLeft | Qt::AlignVCenter, label);
        painter->setPen(colors.muted);
        painter->drawText(inside, Qt::AlignRight | Qt::AlignVCenter,
                          index.data(TokenMatches::PositionRole).toString());
        painter->restore();
    }
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        const QFontMetrics metrics(Theme::font(12));
        const int words = metrics.horizontalAdvance(index.data(TokenMatches::LabelRole).toString()) +
                          metrics.horizontalAdvance(index.data(TokenMatches::PositionRole).toString());
        return {words + 8 + 16 + kGap + 1, kChip};
    }
};

QToolButton* flatButton(QWidget* parent, const QString& tip) {
    auto* button = new QToolButton(parent);
    button->setProperty("role", QByteArray("flat"));
    button->setIconSize({16, 16});
    button->setFocusPolicy(Qt::TabFocus);
    button->setAccessibleName(tip);
    button->setToolTip(tip);
    return button;
}

} // namespace

TokenBar::TokenBar(QWidget* parent)
    : QFrame(parent), m_matches(new TokenMatches(this)), m_edit(new QLineEdit(this)),
      m_words(roleLabel({}, "muted", this)), m_previous(flatButton(this, tr("Previous match (Shift+Enter)"))),
      m_next(flatButton(this, tr("Next match (Enter)"))), m_close(flatButton(this, tr("Close (Esc)"))),
      m_list(new QListView(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    auto* bar = new QHBoxLayout;
    bar->setSpacing(8);
    auto* sides = new Segments(this);
    m_rows = sides->add(tr("Row"));
    m_columns = sides->add(tr("Column"));
    m_rows->setToolTip(tr("Go to the token that reads (query)"));
    m_columns->setToolTip(tr("Go to the token that is read (key)"));
    auto* group = new QButtonGroup(this);
    group->addButton(m_rows);
    group->addButton(m_columns);
    m_rows->setChecked(true);
    m_edit->setPlaceholderText(tr("Go to a token: a word or a position"));
    m_edit->setAccessibleName(tr("Go to a token"));
    m_edit->setMinimumWidth(96);
    bar->addWidget(sides);
    bar->addWidget(m_edit, 1);
    bar->addWidget(m_words);
    bar->addWidget(m_previous);
    bar->addWidget(m_next);
    bar->addWidget(m_close);
    layout->addLayout(bar);

    m_matches->setEmptyIsNone(true);
    m_list->setModel(m_matches);
    m_list->setItemDelegate(new ChipDelegate(m_list));
    m_list->setFlow(QListView::LeftToRight);
    m_list->setWrapping(false);
    m_list->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFixedHeight(kChip);
    m_list->setMouseTracking(true);
    m_list->setFocusPolicy(Qt::NoFocus); // Enter and the arrows of the line walk it
    m_list->viewport()->setAutoFillBackground(false);
    m_list->setAccessibleName(tr("Tokens that fit"));
    layout->addWidget(m_list);

    m_edit->installEventFilter(this);
    connect(m_edit, &QLineEdit::textEdited, this, [this](const QString& text) {
        m_matches->setWords(text);
        m_row = -1;
        if (m_matches->rowCount() > 0) go(0);
        refresh();
    });
    connect(m_list, &QListView::clicked, this, [this](const QModelIndex& index) { go(index.row()); });
    connect(m_next, &QToolButton::clicked, this, [this] { step(1); });
    connect(m_previous, &QToolButton::clicked, this, [this] { step(-1); });
    connect(m_close, &QToolButton::clicked, this, &TokenBar::shut);
    connect(group, &QButtonGroup::buttonClicked, this, [this] { showSide(); });
    const auto applyTheme = [this] {
        m_previous->setIcon(icon(QStringLiteral("up")));
        m_next->setIcon(icon(QStringLiteral("down")));
        m_close->setIcon(icon(QStringLiteral("close")));
        m_list->viewport()->update();
    };
    connect(&Theme::instance(), &Theme::changed, this, applyTheme);
    applyTheme();
    hide();
    refresh();
}

void TokenBar::setTokens(std::shared_ptr<const Axis> queries, std::shared_ptr<const Axis> keys) {
    if (queries == m_queries && keys == m_keys) return;
    m_queries = std::move(queries);
    m_keys = std::move(keys);
    m_row = -1;
    m_matches->setTokens(isForKeys() ? m_keys : m_queries);
    refresh();
}

bool TokenBar::isForKeys() const {
    return m_columns->isChecked();
}

QString TokenBar::words() const {
    return m_words->text();
}

void TokenBar::open() {
    show();
    m_edit->setFocus(Qt::ShortcutFocusReason);
    m_edit->selectAll();
}

void TokenBar::shut() {
    hide();
    Q_EMIT closed();
}

/// The same words on the other side, at the same match where both sides are one text.
void TokenBar::showSide() {
    const std::optional<std::int64_t> at =
        m_row >= 0 ? std::optional(m_matches->positionAt(m_row)) : std::nullopt;
    m_row = -1;
    m_matches->setTokens(isForKeys() ? m_keys : m_queries);
    const int first = m_matches->rowCount() > 0 ? 0 : -1;
    const int row = at ? m_matches->rowOf(*at).value_or(first) : first;
    if (row >= 0) go(row);
    refresh();
}

void TokenBar::go(int row) {
    m_row = row;
    refresh();
    Q_EMIT tokenChosen(m_matches->positionAt(row), isForKeys());
}

void TokenBar::step(int by) {
    const int count = m_matches->rowCount();
    if (count == 0) return;
    go(m_row < 0 ? (by > 0 ? 0 : count - 1) : (m_row + by + count) % count);
}

void TokenBar::refresh() {
    const int count = m_matches->rowCount();
    const bool asked = !m_edit->text().trimmed().isEmpty();
    m_list->setVisible(count > 0);
    m_next->setEnabled(count > 0);
    m_previous->setEnabled(count > 0);
    if (m_matches->size() == 0) {
        m_words->setText(tr("no text yet"));
    } else if (!asked) {
        m_words->setText({});
    } else if (count == 0) {
        m_words->setText(tr("not in the text"));
    } else if (m_row < 0) {
        m_words->setText(count == 1 ? tr("1 match") : tr("%1 matches").arg(count));
    } else {
        m_words->setText(tr("%1 of %2").arg(m_row + 1).arg(count));
    }
    const QModelIndex current = m_row >= 0 ? m_matches->index(m_row, 0) : QModelIndex();
    m_list->setCurrentIndex(current);
    if (current.isValid()) m_list->scrollTo(current);
}

bool TokenBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_edit || event->type() != QEvent::KeyPress) return QFrame::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    switch (key->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        step((key->modifiers() & Qt::ShiftModifier) != 0 ? -1 : 1);
        return true;
    case Qt::Key_Down:
        step(1);
        return true;
    case Qt::Key_Up:
        step(-1);
        return true;
    default:
        return QFrame::eventFilter(watched, event);
    }
}

void TokenBar::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        shut();
        return;
    }
    QFrame::keyPressEvent(event);
}

} // namespace headscope::ui
