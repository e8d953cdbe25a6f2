// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/print_qt.h"
#include "ui/actions.h"

#include <QAction>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QSet>

#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

void collect(const QMenu* menu, QSet<QAction*>& out) {
    for (QAction* action : menu->actions()) {
        out.insert(action);
        if (action->menu() != nullptr) collect(action->menu(), out);
    }
}

TEST(ActionTable, idsAreUnique) {
    QSet<QString> seen;
    for (const ActionSpec& spec : actionTable()) {
        const QString id = QString::fromLatin1(spec.id);
        EXPECT_FALSE(seen.contains(id)) << spec.id;
        seen.insert(id);
    }
    EXPECT_GT(seen.size(), 30);
}

TEST(ActionTable, noTwoActionsShareAKey) {
    QHash<QString, QString> owner;
    for (const ActionSpec& spec : actionTable()) {
        for (const QKeySequence& keys : keysOf(spec)) {
            const QString name = keys.toString(QKeySequence::PortableText);
            EXPECT_FALSE(name.isEmpty()) << spec.id;
            EXPECT_FALSE(owner.contains(name))
                << spec.id << " and " << owner[name].toStdString() << ": " << name.toStdString();
            owner.insert(name, QString::fromLatin1(spec.id));
        }
    }
}

TEST(ActionTable, everyActionSaysWhatItDoes) {
    for (const ActionSpec& spec : actionTable()) {
        EXPECT_NE(std::string(spec.text), "") << spec.id;
        EXPECT_NE(std::string(spec.tip), "") << spec.id;
        EXPECT_NE(spec.enabled, nullptr) << spec.id;
        const auto keys = keysOf(spec);
        if (!keys.isEmpty()) {
            EXPECT_TRUE(tooltipOf(spec).contains(keys.front().toString(QKeySequence::NativeText))) << spec.id;
        }
    }
}

TEST(ActionTable, mnemonicsAreUniqueWithinAMenu) {
    QHash<QString, QString> owner;
    for (const ActionSpec& spec : actionTable()) {
        const QString text = QString::fromUtf8(spec.text);
        const auto at = text.indexOf(QLatin1Char('&'));
        ASSERT_GE(at, 0) << spec.id;
        const QString key = QString::number(static_cast<int>(spec.menu)) +
                            QLatin1String(spec.submenu ? spec.submenu : "") + text.mid(at + 1, 1).toLower();
        EXPECT_FALSE(owner.contains(key)) << spec.id << " and " << owner[key].toStdString();
        owner.insert(key, QString::fromLatin1(spec.id));
    }
}

TEST(Actions, everyActionIsInAMenu) {
    QMainWindow window;
    Actions actions;
    actions.fill(*window.menuBar());
    QSet<QAction*> reachable;
    for (QAction* top : window.menuBar()->actions()) {
        collect(top->menu(), reachable);
    }
    for (const ActionSpec& spec : actionTable()) {
        EXPECT_TRUE(reachable.contains(actions.action(QString::fromLatin1(spec.id)))) << spec.id;
    }
}

TEST(Actions, iconsExist) {
    Actions actions; // an icon that is missing ends the program
    EXPECT_FALSE(actions.action(QStringLiteral("text.run"))->icon().isNull());
}

TEST(Actions, enabledFollowsTheContext) {
    Actions actions;
    const auto enabled = [&actions](const char* id) {
        return actions.action(QString::fromLatin1(id))->isEnabled();
    };
    EXPECT_TRUE(enabled("file.open_model"));
    EXPECT_FALSE(enabled("file.export"));
    EXPECT_FALSE(enabled("text.run"));
    EXPECT_FALSE(enabled("text.cancel"));
    ActionContext context;
    context.model = true;
    context.canRun = true;
    context.analysis = true;
    actions.setContext(context);
    EXPECT_TRUE(enabled("file.export"));
    EXPECT_TRUE(enabled("text.run"));
    EXPECT_FALSE(enabled("edit.copy_weight"));
    context.cell = true;
    context.busy = true;
    actions.setContext(context);
    EXPECT_TRUE(enabled("edit.copy_weight"));
    EXPECT_TRUE(enabled("text.cancel"));
}

} // namespace
} // namespace headscope::ui
