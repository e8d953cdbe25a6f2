// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector_tabs.h"

#include "ui/panels/segments.h"

#include <QAction>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace headscope::ui {

InspectorTabs::InspectorTabs(QWidget* parent)
    : QWidget(parent), m_tabs(new Segments(this)), m_panels(new QStackedWidget(this)) {
    setProperty("role", QByteArray("dock"));
    setAttribute(Qt::WA_StyledBackground); // else the window's colour shows around the tabs
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 12, 0, 0);
    layout->setSpacing(0);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(12, 0, 12, 6); // what is scrolled must not touch the tabs
    m_tabs->setProperty("narrow", true);
    m_tabs->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    row->addWidget(m_tabs);
    layout->addLayout(row);
    layout->addWidget(m_panels, 1);
}

void InspectorTabs::add(QAction* action, QWidget* panel) {
    QToolButton* button = m_tabs->add(action);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_actions.append(action);
    m_panels->addWidget(panel);
    action->setChecked(m_actions.size() == 1);
}

void InspectorTabs::choose(InspectorTab tab) {
    const int index = static_cast<int>(tab);
    m_actions[index]->setChecked(true);
    if (index == m_panels->currentIndex()) return;
    m_panels->setCurrentIndex(index);
    Q_EMIT chosen();
}

InspectorTab InspectorTabs::current() const {
    return static_cast<InspectorTab>(m_panels->currentIndex());
}

QWidget* InspectorTabs::currentPanel() const {
    return m_panels->currentWidget();
}

} // namespace headscope::ui
