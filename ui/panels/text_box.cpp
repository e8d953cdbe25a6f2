// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/text_box.h"

#include <QKeyEvent>
#include <QMimeData>
#include <QTextCursor>

#include <algorithm>

namespace headscope::ui {

TextBox::TextBox(QWidget* parent) : QPlainTextEdit(parent) {
    setUndoRedoEnabled(false);
    setTabChangesFocus(true);
    connect(this, &QPlainTextEdit::textChanged, this, [this] {
        if (!m_showing) Q_EMIT edited(toPlainText());
    });
}

void TextBox::showText(const QString& text) {
    const QString old = toPlainText();
    if (old == text) return;
    // The common beginning and end stay, so that the cursor lands where the change was.
    const auto shorter = std::min(old.size(), text.size());
    qsizetype front = 0;
    while (front < shorter && old[front] == text[front]) {
        ++front;
    }
    qsizetype back = 0;
    while (back < shorter - front && old[old.size() - 1 - back] == text[text.size() - 1 - back]) {
        ++back;
    }
    m_showing = true;
    QTextCursor cursor(document());
    cursor.setPosition(static_cast<int>(front));
    cursor.setPosition(static_cast<int>(old.size() - back), QTextCursor::KeepAnchor);
    cursor.insertText(text.mid(front, text.size() - front - back));
    setTextCursor(cursor);
    m_showing = false;
}

bool TextBox::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore();
            return true;
        }
    }
    return QPlainTextEdit::event(event);
}

bool TextBox::canInsertFromMimeData(const QMimeData* source) const {
    return !source->hasUrls() && QPlainTextEdit::canInsertFromMimeData(source);
}

void TextBox::insertFromMimeData(const QMimeData* source) {
    if (source->hasUrls()) {
        Q_EMIT filesPasted(source);
        return;
    }
    if (source->hasText()) {
        QPlainTextEdit::insertFromMimeData(source);
        return;
    }
    Q_EMIT pasteRefused(source->hasImage()            ? tr("The clipboard holds a picture, not a text.")
                        : source->formats().isEmpty() ? tr("The clipboard is empty.")
                                                      : tr("The clipboard holds something that is no text."));
}

} // namespace headscope::ui
