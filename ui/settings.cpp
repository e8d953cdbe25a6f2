// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings.h"

namespace headscope::ui {
namespace {
const QString kRecent = QStringLiteral("models/recent");
const QString kTheme = QStringLiteral("look/theme");
const QString kTyping = QStringLiteral("run/while_typing");
const QString kLayoutVersionKey = QStringLiteral("window/layout_version");
const QString kGeometry = QStringLiteral("window/geometry");
const QString kLayout = QStringLiteral("window/layout");
} // namespace

Settings::Settings(QObject* parent) : QObject(parent) {}

QStringList Settings::recentModels() const {
    return m_store.value(kRecent).toStringList();
}

void Settings::addRecentModel(const QString& folder) {
    QStringList list = recentModels();
    const QStringList before = list;
    list.removeAll(folder);
    list.prepend(folder);
    if (list.size() > kRecentLimit) list.resize(kRecentLimit);
    if (list == before) return;
    m_store.setValue(kRecent, list);
    Q_EMIT recentModelsChanged();
}

ThemeChoice Settings::theme() const {
    return themeChoiceOf(m_store.value(kTheme).toString());
}

void Settings::setTheme(ThemeChoice choice) {
    if (choice == theme()) return;
    m_store.setValue(kTheme, nameOf(choice));
    Q_EMIT themeChanged(choice);
}

bool Settings::runWhileTyping() const {
    return m_store.value(kTyping, true).toBool();
}

void Settings::setRunWhileTyping(bool on) {
    if (on == runWhileTyping()) return;
    m_store.setValue(kTyping, on);
    Q_EMIT runWhileTypingChanged(on);
}

bool Settings::layoutFits() const {
    return m_store.value(kLayoutVersionKey).toInt() == kLayoutVersion;
}

QByteArray Settings::geometry() const {
    return layoutFits() ? m_store.value(kGeometry).toByteArray() : QByteArray();
}

QByteArray Settings::layout() const {
    return layoutFits() ? m_store.value(kLayout).toByteArray() : QByteArray();
}

void Settings::saveLayout(const QByteArray& geometry, const QByteArray& layout) {
    m_store.setValue(kLayoutVersionKey, kLayoutVersion);
    m_store.setValue(kGeometry, geometry);
    m_store.setValue(kLayout, layout);
}

} // namespace headscope::ui
