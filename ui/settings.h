// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme.h"

#include <QByteArray>
#include <QObject>
#include <QSettings>
#include <QStringList>

namespace headscope::ui {

/// What outlives the window and is no part of a view: recent models, theme, layout. Setters save, and emit
/// only on change. Where it is stored follows QCoreApplication's organisation and application names, so that
/// tests can choose their own.
class Settings final : public QObject {
    Q_OBJECT

  public:
    /// Raised whenever docks or toolbars change so that an older layout is dropped instead of restored
    /// wrongly.
    static constexpr int kLayoutVersion = 1;
    static constexpr int kRecentLimit = 8;

    explicit Settings(QObject* parent = nullptr);

    QStringList recentModels() const;
    void addRecentModel(const QString& folder); ///< to the front; known ones move

    ThemeChoice theme() const;
    void setTheme(ThemeChoice choice);

    bool runWhileTyping() const;
    void setRunWhileTyping(bool on);

    /// Empty when none was saved with this layout version.
    QByteArray geometry() const;
    QByteArray layout() const;
    void saveLayout(const QByteArray& geometry, const QByteArray& layout);

  Q_SIGNALS:
    void recentModelsChanged();
    void themeChanged(headscope::ui::ThemeChoice choice);
    void runWhileTypingChanged(bool on);

  private:
    bool layoutFits() const;
    QSettings m_store;
};

} // namespace headscope::ui
