// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/autosave.h"
#include "ui/compare_controller.h"
#include "ui/view_store.h"

#include <QObject>
#include <QTimer>

namespace headscope::ui {

/// Keeps what a user made in a window: view, pins and notes as one value, the session file they are of, what
/// of them is not in that file yet, and a copy on the disk a moment after every change.
class SessionKeeper final : public QObject {
    Q_OBJECT

  public:
    static constexpr int kSavePause = 1500; ///< from the first change to its copy on the disk, ms

    /// `autosaveFile`: empty: no copy is made.
    SessionKeeper(ViewStore& store, const CompareController& comparing, QString autosaveFile,
                  QObject* parent = nullptr);

    SessionContent content() const;
    /// Begins with notes (and what the window has by then of view and pins); `saved` is what stands in
    /// `file`.
    void begin(const HeadNotes& notes, const QString& file, const std::optional<SessionContent>& saved);

    const HeadNotes& notes() const { return m_notes; }
    QString noteOf(const HeadRef& head) const { return m_notes.of(m_store.state().model.path, head); }
    /// An undo step; what is typed on one head without a pause is one.
    void setNote(const HeadRef& head, const QString& text);

    const QString& file() const { return m_file; } ///< empty: none
    QString name() const;                          ///< of the file, without its ending
    bool isModified() const;                       ///< there is a file, and it says something else
    /// Something that is in no file: pins or notes.
    bool hasUnsavedWork() const;
    void save(const QString& file); ///< throws Error
    /// What is not in the file is not wanted: what is saved by itself is what stands there.
    void discard();

    void changed();                        ///< something that content() is made of
    void autosaveNow(bool closed = false); ///< at once
    bool isAutosaved() const { return !m_autosaveFile.isEmpty(); }

  Q_SIGNALS:
    void notesChanged();
    void titleChanged();
    void autosaveFailed(const QString& sentence);

  private:
    friend class NoteCommand;
    void assignNote(const QString& model, const HeadRef& head, const QString& text);

    ViewStore& m_store;
    const CompareController& m_comparing;
    HeadNotes m_notes;
    QString m_file;
    SessionContent m_saved; ///< what stands in m_file
    bool m_wasModified = false;
    std::optional<SessionContent> m_discarded; ///< what is not wanted
    QString m_autosaveFile;
    QTimer m_timer;
};

} // namespace headscope::ui
