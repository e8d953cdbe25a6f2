// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions.h"

#include "core/base/check.h"
#include "ui/icons.h"

#include <QAction>
#include <QActionGroup>
#include <QCoreApplication>
#include <QMenu>
#include <QMenuBar>

#include <cstring>

namespace headscope::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Actions", text);
}

QString withoutMnemonic(QString text) {
    return text.remove(QLatin1Char('&'));
}

} // namespace

QList<QKeySequence> keysOf(const ActionSpec& spec) {
    QList<QKeySequence> keys;
    const QString text = QString::fromLatin1(spec.keys);
    for (const QString& one : text.split(QStringLiteral("; "), Qt::SkipEmptyParts)) {
        keys.append(QKeySequence(one, QKeySequence::PortableText));
    }
    return keys;
}

QString tooltipOf(const ActionSpec& spec) {
    const auto keys = keysOf(spec);
    QString tip = tr(spec.tip);
    if (!keys.isEmpty()) {
        tip += QStringLiteral(" (") + keys.front().toString(QKeySequence::NativeText) + QStringLiteral(")");
    }
    return tip;
}

Actions::Actions(QObject* parent) : QObject(parent) {
    for (const ActionSpec& spec : actionTable()) {
        auto* action = new QAction(tr(spec.text), this);
        action->setObjectName(QString::fromLatin1(spec.id));
        action->setShortcuts(keysOf(spec));
        action->setToolTip(tooltipOf(spec));
        action->setStatusTip(tr(spec.tip));
        if (std::strcmp(spec.id, "file.quit") == 0) action->setMenuRole(QAction::QuitRole);
        if (std::strcmp(spec.id, "help.about") == 0) action->setMenuRole(QAction::AboutRole);
        if (spec.choice != nullptr) {
            action->setCheckable(true);
            if (*spec.choice != '\0') {
                QActionGroup*& group = m_groups[QString::fromLatin1(spec.choice)];
                if (group == nullptr) group = new QActionGroup(this);
                group->addAction(action);
            }
        }
        m_actions.insert(action->objectName(), action);
    }
    refreshIcons();
    setContext({});
}

QAction* Actions::action(const QString& id) const {
    QAction* found = m_actions.value(id);
    HS_CHECK(found != nullptr);
    return found;
}

void Actions::on(const QString& id, std::function<void()> handler) {
    connect(action(id), &QAction::triggered, this, [handler = std::move(handler)] { handler(); });
}

void Actions::setContext(const ActionContext& context) {
    for (const ActionSpec& spec : actionTable()) {
        m_actions.value(QString::fromLatin1(spec.id))->setEnabled(spec.enabled(context));
    }
}

void Actions::fill(QMenuBar& bar) {
    for (const ActionSpec& spec : actionTable()) {
        QMenu*& menu = m_menus[static_cast<int>(spec.menu)];
        if (menu == nullptr) menu = bar.addMenu(menuTitle(spec.menu));
        if (spec.startsGroup) menu->addSeparator();
        QMenu* target = menu;
        if (spec.submenu != nullptr) {
            QMenu*& sub = m_submenus[withoutMnemonic(tr(spec.submenu))];
            if (sub == nullptr) sub = menu->addMenu(tr(spec.submenu));
            target = sub;
        }
        target->addAction(m_actions.value(QString::fromLatin1(spec.id)));
    }
}

void Actions::refreshIcons() {
    for (const ActionSpec& spec : actionTable()) {
        if (spec.icon != nullptr) {
            m_actions.value(QString::fromLatin1(spec.id))->setIcon(icon(QString::fromLatin1(spec.icon)));
        }
    }
}

} // namespace headscope::ui
