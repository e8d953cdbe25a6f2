// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/imported/array_axes.h"
#include "ui/preferences.h"

#include <QByteArray>
#include <QObject>
#include <QSettings>
#include <QStringList>

namespace headscope::ui {

/// What outlives the window and is no part of a view: preferences, recent models and sessions, layout.
/// Setters save, and emit only on change. Several windows share it: what they write goes together key by key,
/// and lists are changed as they stand on the disk at that moment. Where it is stored follows
/// QCoreApplication's organisation and application names, so that tests can choose their own.
class Settings final : public QObject {
    Q_OBJECT

  public:
    /// Raised whenever docks or toolbars change so that an older layout is dropped instead of restored
    /// wrongly.
    static constexpr int kLayoutVersion = 1;

    explicit Settings(QObject* parent = nullptr);

    /// What is stored and cannot be is as by default.
    Preferences preferences() const;
    void setPreferences(const Preferences& wanted);

    QStringList recentModels() const;           ///< at most preferences().recentModels
    QStringList storedModels() const;           ///< all that are remembered
    void addRecentModel(const QString& folder); ///< to the front; known ones move
    void clearRecentModels();
    void setRecentModels(const QStringList& folders); ///< an undone clearing
    /// How an attention file among these was last said to be read; nothing is said of others.
    ReadingRules readingOf(const QString& file) const;
    void setReading(const QString& file, const ReadingRules& reading);
    /// Session files that were opened or saved; otherwise as the models.
    QStringList recentSessions() const;
    QStringList storedSessions() const;
    void addRecentSession(const QString& file);
    void clearRecentSessions();
    void setRecentSessions(const QStringList& files);

    ThemeChoice theme() const { return preferences().theme; }
    void setTheme(ThemeChoice choice);
    bool runWhileTyping() const { return preferences().runWhileTyping; }
    void setRunWhileTyping(bool on);

    /// Empty when none was saved with this layout version.
    QByteArray geometry() const;
    QByteArray layout() const;
    QByteArray splitter(const QString& name) const;
    void saveLayout(const QByteArray& geometry, const QByteArray& layout);
    void saveSplitter(const QString& name, const QByteArray& state);

  Q_SIGNALS:
    void recentModelsChanged();
    void recentSessionsChanged();
    void themeChanged(headscope::ui::ThemeChoice choice);
    void runWhileTypingChanged(bool on);
    void preferencesChanged(const headscope::ui::Preferences& before,
                            const headscope::ui::Preferences& after);

  private:
    ExportDefaults exports() const;
    bool layoutFits() const;
    bool addRecent(const QString& key, const QString& path); ///< whether the list is another now
    bool setRecent(const QString& key, const QStringList& paths);
    QSettings m_store;
};

} // namespace headscope::ui
