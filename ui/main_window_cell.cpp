// SPDX-License-Identifier: GPL-3.0-or-later
// The window's part about one cell: how its weight came about, which heads have it, and going to a token.
#include "ui/cell_panels.h"
#include "ui/format.h"
#include "ui/heatmap/heatmap_view.h"
#include "ui/main_window.h"
#include "ui/panels/diagnose_page.h"
#include "ui/panels/find_panel.h"
#include "ui/panels/inspector_tabs.h"
#include "ui/panels/map_card.h"
#include "ui/panels/token_bar.h"
#include "ui/panels/token_picker.h"

#include <QAction>
#include <QDockWidget>

#include <cmath>

namespace headscope::ui {

void MainWindow::connectCell() {
    const auto tab = [this](const char* id, InspectorTab which) {
        m_actions.on(QString::fromLatin1(id), [this, which] {
            m_side->choose(which);
            m_inspectorDock->show();
            makeRoomFor(m_inspectorDock);
        });
    };
    tab("view.tab_head", InspectorTab::Head);
    tab("view.tab_weight", InspectorTab::Weight);
    tab("view.tab_find", InspectorTab::Find);
    tab("view.tab_layer", InspectorTab::Layer);
    m_actions.on(QStringLiteral("head.find_by_weight"), [this] {
        m_actions.action(QStringLiteral("view.tab_find"))->trigger();
        TokenPicker* first = m_store.state().query ? m_find->key() : m_find->query();
        first->setFocus(Qt::ShortcutFocusReason);
        first->selectAll();
    });
    m_actions.on(QStringLiteral("head.go_to_token"), [this] {
        if (m_store.state().page == CentrePage::Diagnose) { // there are no tokens there, but heads to find
            m_diagnosePage->focusFilter();
            return;
        }
        choosePage(CentrePage::Explore);
        m_map->tokenBar()->open();
    });
    connect(m_side, &InspectorTabs::chosen, this, &MainWindow::refreshCell);
    connect(m_find, &FindPanel::queryChosen, this,
            [this](qint64 query) { chooseCell(query, m_store.state().key); });
    connect(m_find, &FindPanel::keyChosen, this,
            [this](qint64 key) { chooseCell(m_store.state().query, key); });
    connect(m_find, &FindPanel::headOpened, this, &MainWindow::openFoundHead);
    connect(m_map->tokenBar(), &TokenBar::tokenChosen, this, &MainWindow::goToToken);
    connect(m_map->tokenBar(), &TokenBar::closed, this,
            [this] { m_map->view()->setFocus(Qt::OtherFocusReason); });
}

void MainWindow::refreshCell() {
    m_cell->refresh(m_controller->shown(), m_store.state(), waitsFor());
}

/// The keyboard stays in the list, so that one can go on to the next head.
void MainWindow::openFoundHead(const HeadRef& head) {
    m_store.change(tr("Head %1").arg(QString::fromStdString(headText(head))), MergeGroup::None,
                   [&head](ViewState& state) {
                       state.kind = head.kind;
                       state.layer = head.layer.value;
                       state.head = head.head.value;
                       state.page = CentrePage::Explore;
                   });
    const ViewState& state = m_store.state();
    if (state.query && state.key) m_map->reveal(state.query, state.key);
}

/// Only along the one axis: the other stays where it is.
void MainWindow::goToToken(qint64 token, bool isKey) {
    const ViewState& state = m_store.state();
    const auto query = isKey ? state.query : std::optional<std::int64_t>(token);
    const auto key = isKey ? std::optional<std::int64_t>(token) : state.key;
    if (isKey)
        m_map->reveal(std::nullopt, token);
    else
        m_map->reveal(token, std::nullopt);
    chooseCell(query, key);
}

} // namespace headscope::ui
