// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <functional>

class QMenu;

namespace headscope::ui {

/// Models and sessions that were opened before, for menus and the empty state.

/// It is not there any more. Embedded models always are.
bool isMissing(const QString& path);

/// The names of what stands at `paths`, in their order, a session's without its ending; where two are the
/// same, with their folders.
QStringList recentNames(const QStringList& paths);

/// What says that `path` is gone, or where it is.
QString recentTip(const QString& path);

struct RecentHandlers {
    std::function<void(const QString& path)> chosen;
    std::function<void()> cleared;
};

/// Fills a menu anew, latest first, what is missing greyed, and at its end a way to clear the list. Without
/// `paths` the menu rests.
void fillRecentMenu(QMenu& menu, const QStringList& paths, const RecentHandlers& handlers);

} // namespace headscope::ui
