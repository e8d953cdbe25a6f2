// SPDX-License-Identifier: GPL-3.0-or-later
// What windows save by themselves: each to a file of its own, found again after a crash.
#include "core/base/error.h"
#include "tests/ui/session_support.h"
#include "ui/autosave.h"
#include "ui/panels/text_box.h"
#include "ui/panels/text_panel.h"

#include <QDateTime>
#include <QFile>

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

namespace headscope::ui::test {
namespace {

using Take = AutosaveSlot::Take;

class Autosaves : public SessionWindow {
  protected:
    QString slots_ = file("data/windows");

    std::unique_ptr<AutosaveSlot> claim(Take take = Take::Last) const {
        return AutosaveSlot::claim(slots_, take);
    }
    static Autosave ofText(const char* text, bool closed = true) {
        Autosave autosave;
        autosave.content.view.text = QString::fromLatin1(text);
        autosave.closed = closed;
        return autosave;
    }
    static QString textIn(const QString& file) { return loadAutosave(file)->content.view.text; }
};

TEST_F(Autosaves, ComeBackWithFileAndEnd) {
    Autosave autosave = ofText("never lost", false);
    autosave.file = QStringLiteral("/somewhere/a.headscope");
    autosave.content.notes.set(QStringLiteral("m"), head(0, 1), QStringLiteral("note"));
    const QString to = file("sub/window-0.json");
    EXPECT_FALSE(loadAutosave(to).has_value());
    saveAutosave(to, autosave);
    EXPECT_EQ(loadAutosave(to), autosave);
}

TEST_F(Autosaves, AnUnknownOneIsKeptBesideAndNeverOverwritten) {
    for (const char* name : {"session.json.old", "session.json.old2"}) {
        const auto path = folder.write("session.json", R"({"headscope_session": 99, "text": "precious"})");
        try {
            loadAutosave(pathOf(path));
            FAIL() << "it was read";
        } catch (const Error& error) {
            EXPECT_THAT(error.sentence(),
                        testing::HasSubstr(std::string("it was put aside as ") + name + ", and"));
        }
        EXPECT_FALSE(std::filesystem::exists(path));
        EXPECT_THAT(headscope::test::readBytes(folder / name), testing::HasSubstr("precious"));
    }
}

TEST_F(Autosaves, TwoWindowsHaveTwoFiles) {
    auto one = claim();
    auto two = claim();
    ASSERT_TRUE(one && two);
    EXPECT_NE(one->file(), two->file());
    auto first = makeWindow(one->file());
    auto second = makeWindow(two->file());
    QTest::keyClicks(first->textPanel().findChild<TextBox*>(), QStringLiteral("of the first"));
    QTest::keyClicks(second->textPanel().findChild<TextBox*>(), QStringLiteral("of the second"));
    first->saveNow();
    second->saveNow();
    first->saveNow();
    EXPECT_EQ(textIn(one->file()), QStringLiteral("of the first"));
    EXPECT_EQ(textIn(two->file()), QStringLiteral("of the second"));
}

TEST_F(Autosaves, TheNextWindowGoesOnWithTheLastThatRunsNoMore) {
    QString first;
    {
        const auto slot = claim();
        first = slot->file();
        saveAutosave(first, ofText("first"));
        const auto other = claim();
        saveAutosave(other->file(), ofText("second"));
        EXPECT_NE(other->file(), first);
    }
    // The first is the last that was written to.
    saveAutosave(first, ofText("first again"));
    QFile later(first); // whatever the clock of the file system tells apart
    ASSERT_TRUE(later.open(QIODevice::ReadWrite));
    ASSERT_TRUE(later.setFileTime(QDateTime::currentDateTime().addSecs(10), QFile::FileModificationTime));
    later.close();
    const auto next = claim();
    EXPECT_EQ(next->file(), first);
    const auto afterIt = claim();
    EXPECT_EQ(textIn(afterIt->file()), QStringLiteral("second")) << "the first is taken";
    const auto fresh = claim();
    EXPECT_FALSE(QFile::exists(fresh->file()));
}

TEST_F(Autosaves, WhatACrashLeftComesFirst) {
    QString crashed;
    {
        const auto one = claim();
        const auto two = claim();
        crashed = one->file();
        saveAutosave(crashed, ofText("crashed", false));
        saveAutosave(two->file(), ofText("closed later"));
    }
    EXPECT_EQ(claim()->file(), crashed);
}

TEST_F(Autosaves, AFreshOneLeavesTheOthersAlone) {
    {
        const auto slot = claim();
        saveAutosave(slot->file(), ofText("precious"));
    }
    const auto fresh = claim(Take::Fresh);
    EXPECT_FALSE(QFile::exists(fresh->file()));
    EXPECT_EQ(textIn(claim()->file()), QStringLiteral("precious"));
}

TEST_F(Autosaves, WhereNothingIsRememberedOnlyACrashIs) {
    QString closed;
    QString crashed;
    {
        const auto one = claim();
        const auto two = claim();
        closed = one->file();
        crashed = two->file();
        saveAutosave(crashed, ofText("crashed", false));
        saveAutosave(closed, ofText("closed", true));
    }
    const auto slot = claim(Take::Crashed);
    EXPECT_EQ(slot->file(), crashed);
    const auto other = claim(Take::Crashed);
    EXPECT_NE(other->file(), closed);
    EXPECT_EQ(textIn(closed), QStringLiteral("closed")) << "it is not overwritten";
}

TEST_F(Autosaves, AProcessThatDiedLetsGo) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        const auto slot = claim();
        if (slot) saveAutosave(slot->file(), ofText("of the dead", false));
        _exit(slot && slot->file().endsWith(QStringLiteral("window-0.json")) ? 0 : 1); // no destructor runs
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
    ASSERT_TRUE(QFile::exists(slots_ + QStringLiteral("/window-0.json.lock")));
    const auto slot = claim();
    ASSERT_NE(slot, nullptr);
    EXPECT_EQ(textIn(slot->file()), QStringLiteral("of the dead"));
}

TEST_F(Autosaves, TheOneSessionOfFormerTimesIsTakenOver) {
    std::filesystem::create_directory(folder / "data");
    ViewState view;
    view.text = QStringLiteral("written before");
    folder.write("data/session.json", toJson(view).toStdString());
    const auto slot = claim();
    EXPECT_EQ(textIn(slot->file()), QStringLiteral("written before"));
    EXPECT_FALSE(QFile::exists(file("data/session.json")));
}

TEST_F(Autosaves, AfterACrashEverythingIsThere) {
    const auto slot = claim();
    window = makeWindow(slot->file());
    makeMuch();
    const SessionContent before = window->keeper().content();
    ASSERT_TRUE(waitFor([&] { // by itself, without closing
        return QFile::exists(slot->file()) && loadAutosave(slot->file())->content == before;
    }));
    const auto saved = loadAutosave(slot->file());
    EXPECT_FALSE(saved->closed);
    window.reset(); // without a close: as in a crash, nothing more is written
    window = makeWindow(slot->file());
    window->start(*saved);
    ASSERT_TRUE(settled(*window));
    EXPECT_EQ(window->keeper().content(), before);
    EXPECT_NE(pins()[1].side.analysis, nullptr) << "of the open model: run again by itself";
    EXPECT_EQ(pins()[0].run, PinRun::Waiting) << "of another model: waits to be asked for";
}

TEST_F(Autosaves, TheNameOfTheSessionAndItsStarComeBack) {
    const auto slot = claim();
    window = makeWindow(slot->file());
    start(alpha, QStringLiteral("one two"));
    ASSERT_TRUE(window->saveSessionTo(file("mine.headscope")));
    change([](ViewState& s) { s.head = 2; });
    window->saveNow();
    const auto saved = loadAutosave(slot->file());
    window = makeWindow(slot->file());
    window->start(*saved);
    ASSERT_TRUE(settled(*window));
    EXPECT_EQ(window->keeper().name(), QStringLiteral("mine"));
    EXPECT_TRUE(window->keeper().isModified());
    change([](ViewState& s) { s.head = 0; });
    EXPECT_FALSE(window->isWindowModified()) << "as in the file again";
}

TEST_F(Autosaves, NotesInNoFileAreNotTakenForDoneWith) {
    const auto slot = claim();
    window = makeWindow(slot->file());
    start(alpha, QStringLiteral("one two"));
    window->close();
    EXPECT_TRUE(loadAutosave(slot->file())->closed);
    window = makeWindow(slot->file());
    start(alpha, QStringLiteral("one two"));
    window->keeper().setNote(head(0, 0), QStringLiteral("x"));
    window->close();
    EXPECT_FALSE(loadAutosave(slot->file())->closed);
    ASSERT_TRUE(window->saveSessionTo(file("a.headscope")));
    window->keeper().autosaveNow(true);
    EXPECT_TRUE(loadAutosave(slot->file())->closed) << "now they are in one";
}

TEST_F(Autosaves, WhoChangesWithoutAPauseIsSavedToo) {
    const auto slot = claim();
    window = makeWindow(slot->file());
    int changes = 0;
    ASSERT_TRUE(waitFor([&] { // far more often than the pause
        window->store().change(QString(), MergeGroup::None, [&](ViewState& s) { s.layer = ++changes; });
        return QFile::exists(slot->file());
    }));
    EXPECT_GT(changes, 2);
}

} // namespace
} // namespace headscope::ui::test
