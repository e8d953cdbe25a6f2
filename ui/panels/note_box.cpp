// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/note_box.h"

#include "ui/head_notes.h"
#include "ui/panels/card.h"
#include "ui/panels/text_box.h"

#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui {
namespace {
constexpr int kFewestLines = 3;
constexpr int kMostLines = 10;
} // namespace

NoteBox::NoteBox(QWidget* parent)
    : QWidget(parent), m_title(sectionLabel(tr("Note"), this)), m_box(new TextBox(this)),
      m_full(roleLabel(tr("A note has at most %1 characters.").arg(HeadNotes::kLongest), "warning", this)) {
    m_box->setPlaceholderText(tr("What you think of this head. Kept with the session."));
    m_box->setToolTip(tr("A note on this head of this model: it is marked in the overview and the table, and "
                         "kept with the session (N)"));
    m_full->setWordWrap(true);
    m_full->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(m_title);
    layout->addWidget(m_box);
    layout->addWidget(m_full);
    connect(m_box, &TextBox::edited, this, [this](const QString& text) {
        if (text.size() > HeadNotes::kLongest) m_box->showText(text.left(HeadNotes::kLongest));
        m_full->setVisible(text.size() > HeadNotes::kLongest);
        fit();
        Q_EMIT edited(m_box->toPlainText());
    });
    showNote({}, {});
}

void NoteBox::showNote(const QString& head, const QString& text) {
    m_box->setAccessibleName(head.isEmpty() ? tr("Note") : tr("Note on head %1").arg(head));
    if (m_box->toPlainText() != text) m_full->hide();
    m_box->showText(text);
    fit();
}

/// As high as its lines, within limits: the box scrolls beyond.
void NoteBox::fit() {
    const int lines = std::clamp(m_box->document()->lineCount(), kFewestLines, kMostLines);
    const auto margins = m_box->contentsMargins();
    constexpr int kPadding = 20; // border and padding of the style, and the document's own margin
    m_box->setFixedHeight(lines * m_box->fontMetrics().lineSpacing() + kPadding + margins.top() +
                          margins.bottom());
}

void NoteBox::focusText() {
    m_box->setFocus(Qt::ShortcutFocusReason);
}

bool NoteBox::hasTextFocus() const {
    return m_box->hasFocus();
}

} // namespace headscope::ui
