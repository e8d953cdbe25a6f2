// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/view_store.h"

#include <QElapsedTimer>
#include <QUndoCommand>

namespace headscope::ui {

/// One step: the whole state before and after it.
class ViewCommand final : public QUndoCommand {
  public:
    ViewCommand(ViewStore& store, ViewState before, ViewState after, MergeGroup group)
        : m_store(store), m_before(std::move(before)), m_after(std::move(after)), m_group(group) {
        m_age.start();
    }

    int id() const override { return m_group == MergeGroup::None ? -1 : static_cast<int>(m_group); }
    void undo() override {
        // After an undo the step is closed: what follows is a new one.
        m_closed = true;
        m_store.assign(m_before);
    }
    void redo() override { m_store.assign(m_after); }

    bool mergeWith(const QUndoCommand* other) override {
        const auto* next = static_cast<const ViewCommand*>(other);
        if (m_closed || m_age.elapsed() > kMergeMs) return false;
        m_after = next->m_after;
        m_age.restart();
        if (m_after == m_before) setObsolete(true);
        return true;
    }

  private:
    ViewStore& m_store;
    ViewState m_before;
    ViewState m_after;
    MergeGroup m_group;
    QElapsedTimer m_age;
    bool m_closed = false;
};

ViewStore::ViewStore(QObject* parent) : QObject(parent) {
    m_stack.setUndoLimit(500);
}

namespace {

/// The heads that lines were drawn of beside one head are not those beside another.
void forgetOtherLines(const ViewState& before, ViewState& after) {
    if (after.headRef() != before.headRef() && after.lines.heads == before.lines.heads)
        after.lines.heads.reset();
}

} // namespace

void ViewStore::change(const QString& label, MergeGroup group, const std::function<void(ViewState&)>& edit) {
    ViewState after = m_state;
    edit(after);
    forgetOtherLines(m_state, after);
    if (after == m_state) return;
    auto* command = new ViewCommand(*this, m_state, std::move(after), group);
    command->setText(label);
    m_stack.push(command); // calls redo()
}

void ViewStore::replace(const ViewState& state) {
    m_stack.clear();
    assign(state);
}

void ViewStore::adjust(const std::function<void(ViewState&)>& edit) {
    ViewState after = m_state;
    edit(after);
    forgetOtherLines(m_state, after);
    assign(after);
}

void ViewStore::assign(const ViewState& state) {
    if (state == m_state) return;
    const ViewState before = m_state;
    m_state = state;
    Q_EMIT changed(before, m_state);
}

} // namespace headscope::ui
