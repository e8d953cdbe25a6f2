// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QKeySequence>
#include <QObject>
#include <QString>

#include <functional>
#include <span>

class QAction;
class QActionGroup;
class QMenu;
class QMenuBar;

namespace headscope::ui {

/// What is there to act on. Enabled states of all actions derive from it.
struct ActionContext {
    bool model = false;
    bool weights = false; ///< the model has some: it is no file of maps
    bool adapter = false; ///< one is added to them
    bool canRun = false;  ///< a model, and a text that fits
    bool busy = false;    ///< opening or analysing
    bool analysis = false;
    bool map = false;  ///< a map is on screen
    bool view = false; ///< the page shows maps, and how can be chosen
    bool cell = false; ///< a query and a key are chosen
    bool canUndo = false;
    bool canRedo = false;
    bool error = false;
    bool judging = false;     ///< of all heads, in the background
    bool comparing = false;   ///< heads with each other, or a map that is being made
    bool pins = false;        ///< some head is pinned
    bool canJudge = false;    ///< by the texts of the program
    bool canJudgeOwn = false; ///< by texts of the user's own
};

enum class MenuId { File, Edit, Text, View, Head, Help };

/// One action of the program. The table of these is the only place where actions are described: menus,
/// toolbar, shortcuts, tooltips and the shortcut sheet are all made from it.
struct ActionSpec {
    const char* id; ///< "head.next"
    MenuId menu;
    const char* submenu; ///< title of a submenu, or nullptr
    const char* text;    ///< with mnemonic
    const char* icon;    ///< resource name, or nullptr
    const char* keys;    ///< portable key sequence, alternatives separated by "; ", or ""
    const char* tip;
    bool (*enabled)(const ActionContext&);
    bool startsGroup = false;     ///< separator before it
    const char* choice = nullptr; ///< exclusive group it is a choice of; "" = a switch of its own
};

std::span<const ActionSpec> actionTable();
QString menuTitle(MenuId menu);
/// The key sequences of a spec.
QList<QKeySequence> keysOf(const ActionSpec& spec);

/// The QActions of the table.
class Actions final : public QObject {
    Q_OBJECT

  public:
    explicit Actions(QObject* parent = nullptr);

    QAction* action(const QString& id) const; ///< CHECKs that it exists
    void on(const QString& id, std::function<void()> handler);
    void setContext(const ActionContext& context);
    /// Fills the bar with all menus.
    void fill(QMenuBar& bar);
    QMenu* menu(MenuId id) const { return m_menus.value(static_cast<int>(id)); }
    QMenu* submenu(const QString& title) const { return m_submenus.value(title); }
    /// Gives icons the theme's colour.
    void refreshIcons();

  private:
    QHash<QString, QAction*> m_actions;
    QHash<QString, QActionGroup*> m_groups;
    QHash<int, QMenu*> m_menus;
    QHash<QString, QMenu*> m_submenus;
};

/// "Open model folder… (Ctrl+O)": what tooltips say.
QString tooltipOf(const ActionSpec& spec);

} // namespace headscope::ui
