// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session.h"

#include <QString>

#include <filesystem>
#include <memory>
#include <optional>

class QLockFile;

namespace headscope::ui {

/// What a window saves by itself, so that neither a crash nor closing loses anything.
struct Autosave {
    SessionContent content;
    QString file;        ///< the session file that the window has open; empty: none
    bool closed = false; ///< the window was closed as usual, and nothing in it was left unsaved

    friend bool operator==(const Autosave&, const Autosave&) = default;
};

/// AppDataLocation/windows: a file for each window that runs or has run.
QString autosaveFolder();
/// Where diagnoses outlast a session (AppDataLocation/diagnoses).
std::filesystem::path diagnosesFolder();

/// nullopt when there is none. Throws Error for a file that cannot be used; it is kept beside under another
/// name
/// (".old"), so that no text in it is lost.
std::optional<Autosave> loadAutosave(const QString& file);
/// Whole or not at all; makes the folder. Throws Error when it cannot be written.
void saveAutosave(const QString& file, const Autosave& autosave);

/// The file that one window saves to, locked as long as this lives: two windows never write the same one.
class AutosaveSlot {
  public:
    static constexpr int kMost = 64; ///< windows that run or have run; beyond it the oldest is put aside

    /// Whose file: of the window that was last seen and runs no more, one that was not closed first; only of
    /// one that was not closed; or one of its own, whatever earlier windows left (it is not to be
    /// overwritten).
    enum class Take { Last, Crashed, Fresh };
    /// The one session of former times (session.json beside the folder) is taken over. nullptr when the
    /// folder cannot be written.
    static std::unique_ptr<AutosaveSlot> claim(const QString& folder, Take take);
    ~AutosaveSlot();

    const QString& file() const { return m_file; }

  private:
    AutosaveSlot(QString file, std::unique_ptr<QLockFile> lock);

    QString m_file;
    std::unique_ptr<QLockFile> m_lock;
};

} // namespace headscope::ui
