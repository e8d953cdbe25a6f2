// SPDX-License-Identifier: GPL-3.0-or-later
// The window's part that goes from head to head.
#include "core/maps/attention_kind.h"
#include "ui/format.h"
#include "ui/heatmap/heatmap_view.h"
#include "ui/heatmap/overview_grid.h"
#include "ui/main_window.h"
#include "ui/panels/map_card.h"
#include "ui/panels/overview_card.h"
#include "ui/panels/status_strip.h"

#include <QInputDialog>

#include <algorithm>

namespace headscope::ui {

void MainWindow::connectHeadActions() {
    m_actions.on(QStringLiteral("head.go_to"), [this] { askForHead(); });
    m_actions.on(QStringLiteral("head.next_kind"), [this] { chooseNextKind(); });
    m_actions.on(QStringLiteral("head.next"), [this] { moveHead(0, 1); });
    m_actions.on(QStringLiteral("head.previous"), [this] { moveHead(0, -1); });
    m_actions.on(QStringLiteral("head.layer_down"), [this] { moveHead(1, 0); });
    m_actions.on(QStringLiteral("head.layer_up"), [this] { moveHead(-1, 0); });
    m_actions.on(QStringLiteral("head.next_flagged"), [this] { moveToFlagged(1); });
    m_actions.on(QStringLiteral("head.previous_flagged"), [this] { moveToFlagged(-1); });
    m_actions.on(QStringLiteral("head.focus_grid"), [this] {
        choosePage(CentrePage::Explore);
        m_overview->grid()->setFocus(Qt::ShortcutFocusReason);
    });
    m_actions.on(QStringLiteral("head.focus_map"), [this] {
        if (m_store.state().page == CentrePage::Diagnose) choosePage(CentrePage::Explore);
        if (m_store.state().page == CentrePage::Explore)
            m_map->focusForm();
        else
            shownView()->setFocus(Qt::ShortcutFocusReason);
    });
    m_actions.on(QStringLiteral("head.clear_selection"), [this] { chooseCell(std::nullopt, std::nullopt); });
}

void MainWindow::askForHead() {
    const StackSpec* stack = m_controller->stack();
    if (stack == nullptr) return;
    bool chosen = false;
    const QString text = QInputDialog::getText(
        this, tr("Go to head"),
        tr("layer.head, both counted from 0 (%1 layers, %2 heads):").arg(stack->layers).arg(stack->heads),
        QLineEdit::Normal, QString::fromStdString(headText(m_store.state().headRef())), &chosen);
    if (!chosen) return;
    const auto head = parseHead(text.trimmed().toStdString());
    if (head && head->first.value < stack->layers && head->second.value < stack->heads) {
        chooseHead({stack->kind, head->first, head->second});
        return;
    }
    showFailure({tr("“%1” is no head of this model: it has layers 0 to %2 and heads 0 to %3.")
                     .arg(text.left(20))
                     .arg(stack->layers - 1)
                     .arg(stack->heads - 1),
                 tr("Write layer.head, 5.11 for example."), false});
}

void MainWindow::chooseHead(const HeadRef& head) {
    m_store.change(tr("Head %1").arg(QString::fromStdString(headText(head))), MergeGroup::Head,
                   [&head](ViewState& state) {
                       state.kind = head.kind;
                       state.layer = head.layer.value;
                       state.head = head.head.value;
                   });
}

void MainWindow::chooseKind(AttentionKind kind) {
    const auto& model = m_controller->model();
    if (!model || !model->model || kind == m_store.state().kind) return;
    for (const StackSpec& stack : model->spec().stacks) {
        if (stack.kind != kind) continue;
        // The rows and columns of another kind may be other tokens.
        m_store.change(kindText(kind), MergeGroup::None, [&stack](ViewState& state) {
            state.kind = stack.kind;
            state.layer = std::min(state.layer, stack.layers - 1);
            state.head = std::min(state.head, stack.heads - 1);
            state.query.reset();
            state.key.reset();
            state.viewport = {};
        });
    }
}

/// The kind after the one that is shown, wrapping around.
void MainWindow::chooseNextKind() {
    const auto& model = m_controller->model();
    if (!model || !model->model) return;
    const std::vector<StackSpec>& stacks = model->spec().stacks;
    for (std::size_t i = 0; i < stacks.size(); ++i) {
        if (stacks[i].kind != m_store.state().kind) continue;
        chooseKind(stacks[(i + 1) % stacks.size()].kind);
        return;
    }
}

void MainWindow::moveHead(int layers, int heads) {
    const StackSpec* stack = m_controller->stack();
    if (stack == nullptr) return;
    HeadRef head = m_store.state().headRef();
    head.layer.value = std::clamp(head.layer.value + layers, 0, stack->layers - 1);
    head.head.value = std::clamp(head.head.value + heads, 0, stack->heads - 1);
    chooseHead(head);
}

void MainWindow::moveToFlagged(int direction) {
    const StackSpec* stack = m_controller->stack();
    if (stack == nullptr) return;
    const ShownRun& shown = m_controller->shown();
    const int total = stack->layers * stack->heads;
    int at = m_store.state().layer * stack->heads + m_store.state().head;
    for (int step = 0; step < total; ++step) {
        at = (at + direction + total) % total;
        const HeadRef head{stack->kind, LayerIndex(at / stack->heads), HeadIndex(at % stack->heads)};
        const HeadResult* result = shown.find(head);
        if (result == nullptr) continue;
        if (!result->verdict.flags().empty()) {
            chooseHead(head);
            return;
        }
    }
    m_status->showMessage(tr("No head has a flag on this text"), 4000);
}

} // namespace headscope::ui
