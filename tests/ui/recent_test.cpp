// SPDX-License-Identifier: GPL-3.0-or-later
// Models and sessions that were opened before: where they are listed, and what a session that is refused
// leaves.
#include "tests/ui/session_support.h"
#include "ui/panels/recent.h"
#include "ui/panels/welcome.h"

#include <QLabel>
#include <QMenu>

#include <gmock/gmock.h>

namespace headscope::ui::test {
namespace {

class Recent : public SessionWindow {
  protected:
    /// A submenu of the menu File, as it is when that is opened.
    QMenu* listed(const char* title) const {
        QMenu* file = window->actions().menu(MenuId::File);
        Q_EMIT file->aboutToShow();
        for (const QAction* action : file->actions())
            if (QString(action->text()).remove(QLatin1Char('&')) == QLatin1String(title))
                return action->menu();
        ADD_FAILURE() << title;
        return nullptr;
    }
    /// What a menu offers, by the last part of each path.
    static QStringList words(const QMenu* menu) {
        QStringList all;
        for (const QAction* action : menu->actions())
            if (!action->isSeparator()) all << action->text().section(QLatin1Char('/'), -1);
        return all;
    }
    QList<QPushButton*> offered() const {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QCoreApplication::processEvents(); // new ones are shown by then
        QList<QPushButton*> buttons;
        for (auto* button : window->findChild<Welcome*>()->findChildren<QPushButton*>())
            if (button->isVisible() && button->accessibleName().startsWith(QLatin1String("Open ")))
                buttons << button;
        return buttons;
    }
    /// A session of `model` with head `layer`.0 and a note.
    QString session(const char* name, const QString& model, int layer) const {
        folder.write(name, QStringLiteral("{\"headscope_session\": 1, \"view\": {\"model\": \"%1\", "
                                          "\"text\": \"of the session\", \"layer\": %2, \"head\": 0, "
                                          "\"kind\": \"attentions\"}}")
                               .arg(model)
                               .arg(layer)
                               .toStdString());
        return file(name);
    }
    /// A run of "one two" that does not end by itself.
    void hold() {
        start(alpha, QStringLiteral("zero"));
        fake.holdRuns = true;
        window->store().change(QString(), MergeGroup::None,
                               [](ViewState& s) { s.text = QStringLiteral("one two"); });
        ASSERT_TRUE(waitFor([this] { return fake.runs == 2; }));
        ASSERT_TRUE(window->controller().isRunning());
    }
    std::string shownText() const {
        const auto& analysis = window->controller().shown().analysis;
        return analysis ? analysis->input.text : std::string();
    }
};

TEST_F(Recent, SavedAndOpenedSessionsAreInTheMenuLatestFirst) {
    EXPECT_FALSE(listed("Recent sessions")->menuAction()->isEnabled()) << "there are none";
    start(alpha, QStringLiteral("one two"));
    ASSERT_TRUE(window->saveSessionTo(file("a.headscope")));
    ASSERT_TRUE(window->saveSessionTo(file("b.headscope")));
    EXPECT_EQ(words(listed("Recent sessions")),
              (QStringList{"b.headscope", "a.headscope", "&Clear the list"}));
    EXPECT_EQ(words(listed("Recent models")), (QStringList{"alpha", "&Clear the list"}));
    change([](ViewState& s) { s.text = QStringLiteral("another"); });
    listed("Recent sessions")->actions()[1]->trigger();
    answer(QMessageBox::Discard);
    ASSERT_TRUE(settled(*window));
    EXPECT_EQ(state().text, QStringLiteral("one two"));
    EXPECT_EQ(window->settings().recentSessions(), (QStringList{file("a.headscope"), file("b.headscope")}));
    listed("Recent sessions")->actions().back()->trigger();
    EXPECT_TRUE(window->settings().storedSessions().isEmpty());
    EXPECT_EQ(window->settings().storedModels(), QStringList{alpha}) << "the other list stays";
}

TEST_F(Recent, WhatIsGoneIsGreyedWithTheReason) {
    for (const char* name : {"a.headscope", "b.headscope"})
        window->settings().addRecentSession(session(name, alpha, 0));
    std::filesystem::remove(folder / "b.headscope");
    const QMenu* menu = listed("Recent sessions");
    EXPECT_EQ(words(menu), (QStringList{"b.headscope (missing)", "a.headscope", "&Clear the list"}));
    EXPECT_FALSE(menu->actions()[0]->isEnabled());
    EXPECT_EQ(menu->actions()[0]->toolTip(), file("b.headscope") + QStringLiteral(" is not there any more"));
    EXPECT_TRUE(menu->actions()[1]->isEnabled());
    EXPECT_EQ(menu->actions()[1]->toolTip(), file("a.headscope"));
}

TEST_F(Recent, TheEmptyStateOffersBothKinds) {
    window->settings().addRecentModel(beta);
    window->settings().addRecentModel(file("gone"));
    window->settings().addRecentSession(session("mine.headscope", alpha, 0));
    QStringList names;
    for (const QPushButton* button : offered()) names << button->accessibleName();
    ASSERT_EQ(names, (QStringList{"Open gone", "Open beta", "Open mine"}));
    EXPECT_FALSE(offered()[0]->isEnabled());
    EXPECT_TRUE(offered()[0]->toolTip().endsWith(QStringLiteral("gone is not there any more")));
    offered()[2]->click();
    ASSERT_TRUE(settled(*window));
    EXPECT_EQ(shownText(), "of the session");
}

TEST_F(Recent, TheListHasTheLengthThatIsSet) {
    for (int i = 0; i < 40; ++i)
        window->settings().addRecentSession(QStringLiteral("/s/%1.headscope").arg(i));
    EXPECT_EQ(window->settings().storedSessions().size(), Preferences::kMostRecent);
    Preferences set = window->settings().preferences();
    set.recentSessions = 2;
    window->settings().setPreferences(set);
    EXPECT_EQ(words(listed("Recent sessions")),
              (QStringList{"39.headscope (missing)", "38.headscope (missing)", "&Clear the list"}));
}

TEST(RecentNames, AreToldApartByTheirFolders) {
    EXPECT_EQ(
        recentNames({"/x/one/minilm", "/x/two/minilm", "/x/a.headscope", "/x/bert.v2", "demo:constructed"}),
        (QStringList{"minilm in one", "minilm in two", "a", "bert.v2", "demo:constructed"}));
}

TEST_F(Recent, ASessionThatIsRefusedLeavesTheRunGoing) {
    hold();
    window->openSession(session("bad.headscope", alpha, 7));
    EXPECT_THAT(window->banner().sentence().toStdString(), testing::HasSubstr("the view is of head 7.0"));
    EXPECT_TRUE(window->controller().isRunning());
    fake.holdRuns = false;
    ASSERT_TRUE(settled(*window));
    EXPECT_EQ(fake.runs, 2) << "it was not begun again";
    EXPECT_EQ(fake.stoppedRuns, 0);
    EXPECT_EQ(shownText(), "one two");
    EXPECT_THAT(window->banner().sentence().toStdString(), testing::HasSubstr("the view is of head 7.0"))
        << "the end of the run does not take it away";
}

TEST_F(Recent, ASessionOfAnotherModelThatIsRefusedTakesTheRunUpAgain) {
    hold();
    window->openSession(session("bad.headscope", beta, 7)); // refused when the model is open
    fake.holdRuns = false;
    ASSERT_TRUE(settled(*window));
    EXPECT_EQ(window->controller().model()->name, "alpha");
    EXPECT_EQ(shownText(), "one two");
    EXPECT_THAT(window->banner().sentence().toStdString(), testing::HasSubstr("the view is of head 7.0"));
}

TEST_F(Recent, AModelThatCannotBeOpenedTakesTheRunUpAgain) {
    hold();
    fake.failOpens = true;
    fake.holdRuns = false;
    window->openPath(beta);
    ASSERT_TRUE(settled(*window));
    EXPECT_EQ(shownText(), "one two");
    EXPECT_EQ(window->banner().sentence(), QStringLiteral("beta: there is no config.json."));
}

TEST_F(Recent, WhatIsStoppedByHandStaysStopped) {
    hold();
    fake.holdOpens = true;
    window->openPath(beta);
    trigger("text.cancel");
    fake.holdOpens = false;
    fake.holdRuns = false;
    ASSERT_TRUE(settled(*window));
    EXPECT_EQ(window->controller().model()->name, "alpha");
    EXPECT_EQ(fake.runs, 2);
}

TEST_F(Recent, ATextTypedWhileAModelIsOpenedRunsWhereNoneComesOfIt) {
    start(alpha, QStringLiteral("zero"));
    fake.holdOpens = true;
    fake.failOpens = true;
    window->openPath(beta);
    const int counts = fake.counts;
    window->store().change(QString(), MergeGroup::None,
                           [](ViewState& s) { s.text = QStringLiteral("typed"); });
    ASSERT_TRUE(waitFor([&] { return fake.counts > counts; }));
    fake.holdOpens = false;
    ASSERT_TRUE(waitFor([this] { return shownText() == "typed"; }));
}

TEST_F(Recent, ASessionThatIsRefusedLeavesTheOneThatIsOnItsWay) {
    start(alpha, QStringLiteral("zero"));
    fake.holdOpens = true;
    window->openSession(session("coming.headscope", beta, 1));
    window->openSession(session("bad.headscope", alpha, 7)); // alpha is still the model that is open
    fake.holdOpens = false;
    ASSERT_TRUE(settled(*window));
    EXPECT_EQ(window->controller().model()->name, "beta");
    EXPECT_EQ(window->keeper().name(), QStringLiteral("coming"));
    EXPECT_EQ(state().layer, 1);
    EXPECT_FALSE(window->isWindowModified());
}

} // namespace
} // namespace headscope::ui::test
