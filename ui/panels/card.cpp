// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/card.h"

#include "ui/theme.h"

#include <QHBoxLayout>
#include <QStyle>
#include <QVBoxLayout>

namespace headscope::ui {

void setRole(QWidget* widget, const char* role) {
    if (widget->property("role").toByteArray() == role) return;
    widget->setProperty("role", QByteArray(role));
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

QLabel* roleLabel(const QString& text, const char* role, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setProperty("role", QByteArray(role));
    label->setTextFormat(Qt::PlainText); // tokens and names may look like markup: <s>
    return label;
}

QLabel* sectionLabel(const QString& text, QWidget* parent) {
    QLabel* label = roleLabel(text, "section", parent);
    label->setFont(Theme::sectionFont());
    return label;
}

Card::Card(QWidget* parent) : QFrame(parent), m_header(new QHBoxLayout), m_body(new QVBoxLayout) {
    setProperty("role", QByteArray("card"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 12, 14, 12);
    layout->setSpacing(8);
    m_header->setSpacing(8);
    m_body->setSpacing(8);
    layout->addLayout(m_header);
    layout->addLayout(m_body, 1);
}

} // namespace headscope::ui
