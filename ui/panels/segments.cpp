// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/segments.h"

#include <QHBoxLayout>
#include <QToolButton>

namespace headscope::ui {

Segments::Segments(QWidget* parent) : QFrame(parent), m_layout(new QHBoxLayout(this)) {
    setProperty("role", QByteArray("segments"));
    m_layout->setContentsMargins(2, 2, 2, 2);
    m_layout->setSpacing(2);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QToolButton* Segments::add(const QString& text) {
    auto* button = new QToolButton(this);
    button->setText(text);
    button->setCheckable(true);
    button->setProperty("role", QByteArray("segment"));
    button->setFocusPolicy(Qt::TabFocus);
    m_layout->addWidget(button);
    return button;
}

QToolButton* Segments::add(QAction* action) {
    QToolButton* button = add(QString());
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    return button;
}

} // namespace headscope::ui
