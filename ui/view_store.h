// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/view_state.h"

#include <QObject>
#include <QUndoStack>

#include <functional>

namespace headscope::ui {

/// Changes of one group that follow each other within kMergeMs become one undo step (typing, dragging, arrow
/// keys).
enum class MergeGroup { None, Text, Viewport, Selection, Head };
inline constexpr int kMergeMs = 300;

/// Owns the ViewState. Every change goes through change() and is one undo step, or through replace() and is
/// none.
class ViewStore final : public QObject {
    Q_OBJECT

  public:
    explicit ViewStore(QObject* parent = nullptr);

    const ViewState& state() const { return m_state; }
    QUndoStack& undoStack() { return m_stack; }

    /// Applies `edit`, and lets go of the lines of other heads where it chooses another one; nothing happens
    /// when it changes nothing. `label` names the step in Edit > Undo.
    void change(const QString& label, MergeGroup group, const std::function<void(ViewState&)>& edit);
    /// Sets the state without an undo step and forgets the steps so far (session restore).
    void replace(const ViewState& state);
    /// Corrects the state to what exists (a head of a smaller model, say) without an undo step; undo steps
    /// stay.
    void adjust(const std::function<void(ViewState&)>& edit);

  Q_SIGNALS:
    void changed(const headscope::ui::ViewState& before, const headscope::ui::ViewState& after);

  private:
    friend class ViewCommand;
    void assign(const ViewState& state);

    ViewState m_state;
    QUndoStack m_stack;
};

} // namespace headscope::ui
