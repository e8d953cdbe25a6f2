// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reading/quiet_line.h"

namespace headscope::ui {

QuietLine::QuietLine(QWidget* parent) : QLabel(parent) {
    setProperty("role", QByteArray("muted"));
    setTextFormat(Qt::PlainText); // tokens may look like markup: <s>
    // The window does not grow with long tokens.
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void QuietLine::setWords(const QString& words) {
    if (words == m_words) return;
    m_words = words;
    setAccessibleName(words);
    fit();
}

void QuietLine::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    fit();
}

void QuietLine::fit() {
    const QString shown = fontMetrics().elidedText(m_words, Qt::ElideRight, width());
    // An empty line keeps its height: nothing jumps when words come.
    setText(shown.isEmpty() ? QStringLiteral(" ") : shown);
    setToolTip(shown == m_words ? QString() : m_words);
}

} // namespace headscope::ui
