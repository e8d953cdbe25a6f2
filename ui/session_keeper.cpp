// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session_keeper.h"

#include "core/base/error.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QUndoCommand>

#include <utility>

namespace headscope::ui {

/// One step of the note on a head.
class NoteCommand final : public QUndoCommand {
  public:
    NoteCommand(SessionKeeper& keeper, HeadNotes::Note before, QString after)
        : m_keeper(keeper), m_before(std::move(before)), m_after(std::move(after)) {
        setText(SessionKeeper::tr("Note"));
        m_age.start();
    }
    int id() const override { return 1000; } // apart from the groups of the view
    void undo() override {
        m_closed = true;
        m_keeper.assignNote(m_before.model, m_before.head, m_before.text);
    }
    void redo() override { m_keeper.assignNote(m_before.model, m_before.head, m_after); }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* next = static_cast<const NoteCommand*>(other);
        const bool sameHead = next->m_before.model == m_before.model && next->m_before.head == m_before.head;
        if (m_closed || !sameHead || m_age.elapsed() > kMergeMs) return false;
        m_after = next->m_after;
        m_age.restart();
        if (m_after == m_before.text) setObsolete(true);
        return true;
    }

  private:
    SessionKeeper& m_keeper;
    HeadNotes::Note m_before;
    QString m_after;
    QElapsedTimer m_age;
    bool m_closed = false;
};

SessionKeeper::SessionKeeper(ViewStore& store, const CompareController& comparing, QString autosaveFile,
                             QObject* parent)
    : QObject(parent), m_store(store), m_comparing(comparing), m_autosaveFile(std::move(autosaveFile)) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(kSavePause);
    connect(&m_timer, &QTimer::timeout, this, [this] { autosaveNow(); });
    connect(&m_store, &ViewStore::changed, this, &SessionKeeper::changed);
    connect(&m_comparing, &CompareController::changed, this, &SessionKeeper::changed);
}

SessionContent SessionKeeper::content() const {
    SessionContent content;
    content.view = m_store.state();
    for (const PinnedHead& pin : m_comparing.pins())
        content.pins.push_back(pinOf(pin.input, pin.side.head, pin.side.view));
    content.chosenPin = m_comparing.chosen();
    content.notes = m_notes;
    return content;
}

void SessionKeeper::begin(const HeadNotes& notes, const QString& file,
                          const std::optional<SessionContent>& saved) {
    m_notes = notes;
    m_file = file;
    m_saved = saved.value_or(SessionContent());
    m_wasModified = isModified();
    Q_EMIT notesChanged();
    Q_EMIT titleChanged();
    changed();
}

void SessionKeeper::setNote(const HeadRef& head, const QString& text) {
    const QString& model = m_store.state().model.path;
    const QString before = m_notes.of(model, head);
    const QString after = text.trimmed().isEmpty() ? QString() : text.left(HeadNotes::kLongest);
    if (after == before) return;
    m_store.undoStack().push(new NoteCommand(*this, {model, head, before}, after)); // calls redo()
}

void SessionKeeper::assignNote(const QString& model, const HeadRef& head, const QString& text) {
    m_notes.set(model, head, text);
    Q_EMIT notesChanged();
    changed();
}

QString SessionKeeper::name() const {
    return QFileInfo(m_file).completeBaseName();
}

bool SessionKeeper::isModified() const {
    return !m_file.isEmpty() && content() != m_saved;
}

bool SessionKeeper::hasUnsavedWork() const {
    if (!m_file.isEmpty()) return isModified();
    return !m_notes.empty() || !m_comparing.pins().empty();
}

void SessionKeeper::save(const QString& file) {
    const SessionContent now = content();
    saveSessionFile(file, now);
    m_file = file;
    m_saved = now;
    m_wasModified = false;
    Q_EMIT titleChanged();
    changed();
}

void SessionKeeper::discard() {
    m_discarded = content();
}

void SessionKeeper::changed() {
    if (const bool modified = isModified(); modified != m_wasModified) {
        m_wasModified = modified;
        Q_EMIT titleChanged();
    }
    // Not later with every further change: who types without a pause is saved too.
    if (isAutosaved() && !m_timer.isActive()) m_timer.start();
}

void SessionKeeper::autosaveNow(bool closed) {
    m_timer.stop();
    if (!isAutosaved()) return;
    try {
        const SessionContent now = content();
        const bool asInFile = m_discarded && now == *m_discarded && !m_file.isEmpty();
        // Notes that are in no file, and changes that nobody was asked about, come back like after a crash.
        const bool unsaved = m_file.isEmpty() ? !m_notes.empty() : now != m_saved && !asInFile;
        saveAutosave(m_autosaveFile, {asInFile ? m_saved : now, m_file, closed && !unsaved});
    } catch (const Error& error) {
        Q_EMIT autosaveFailed(QString::fromStdString(error.sentence()));
    }
}

} // namespace headscope::ui
