// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/recent.h"

#include "ui/session.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QMenu>

namespace headscope::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Recent", text);
}

/// "…/models/minilm": the end of a path tells models apart.
QString shortPath(const QString& path) {
    constexpr qsizetype kLongest = 56;
    const QString home = QDir::homePath();
    QString shown =
        path.startsWith(home + QLatin1Char('/')) ? QLatin1Char('~') + path.mid(home.size()) : path;
    if (shown.size() > kLongest) shown = QChar(0x2026) + shown.right(kLongest - 1);
    return shown.replace(QLatin1Char('&'), QStringLiteral("&&"));
}

} // namespace

bool isMissing(const QString& path) {
    return !path.startsWith(QLatin1String("demo:")) && !QFileInfo::exists(path);
}

QStringList recentNames(const QStringList& paths) {
    QStringList names;
    for (const QString& path : paths) {
        const QFileInfo info(path);
        names << (isSessionName(path) ? info.completeBaseName() : info.fileName());
    }
    const QStringList plain = names;
    for (qsizetype i = 0; i < names.size(); ++i)
        if (plain.count(plain[i]) > 1)
            names[i] = tr("%1 in %2").arg(plain[i], QFileInfo(paths[i]).dir().dirName());
    return names;
}

QString recentTip(const QString& path) {
    return isMissing(path) ? tr("%1 is not there any more").arg(path) : path;
}

void fillRecentMenu(QMenu& menu, const QStringList& paths, const RecentHandlers& handlers) {
    const auto former = menu.actions();
    for (QAction* action : former) {
        menu.removeAction(action);
        action->deleteLater(); // it may be the one that was just chosen
    }
    menu.setToolTipsVisible(true);
    menu.menuAction()->setEnabled(!paths.isEmpty());
    for (const QString& path : paths) {
        const bool missing = isMissing(path);
        auto* action =
            new QAction(missing ? tr("%1 (missing)").arg(shortPath(path)) : shortPath(path), &menu);
        action->setToolTip(recentTip(path));
        action->setEnabled(!missing);
        QObject::connect(action, &QAction::triggered, &menu,
                         [chosen = handlers.chosen, path] { chosen(path); });
        menu.addAction(action);
    }
    if (paths.isEmpty()) return;
    auto* clear = new QAction(tr("&Clear the list"), &menu);
    QObject::connect(clear, &QAction::triggered, &menu, handlers.cleared);
    menu.addSeparator();
    menu.addAction(clear);
}

} // namespace headscope::ui
