// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions in the window: saved, opened again, asked about, refused.
#include "tests/ui/session_support.h"
#include "ui/heatmap/overview_grid.h"
#include "ui/models/head_filter.h"
#include "ui/models/head_table.h"
#include "ui/panels/compare_page.h"
#include "ui/panels/diagnose_page.h"
#include "ui/panels/inspector.h"
#include "ui/panels/note_box.h"
#include "ui/panels/overview_card.h"
#include "ui/panels/status_strip.h"
#include "ui/panels/text_box.h"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QMimeData>

#include <gmock/gmock.h>

namespace headscope::ui::test {
namespace {

TEST_F(SessionWindow, ReopensToTheSamePictureWithPinsAndNotes) {
    makeMuch();
    const SessionContent saved = window->keeper().content();
    ASSERT_EQ(saved.pins.size(), 3U);
    ASSERT_EQ(saved.notes.size(), 2U);
    ASSERT_TRUE(window->saveSessionTo(file("a.headscope")));
    // Another window, which shows something else.
    window = makeWindow();
    start(beta, QStringLiteral("something else"));
    window->openSession(file("a.headscope"));
    ASSERT_TRUE(settled(*window));
    EXPECT_EQ(window->keeper().content(), saved);
    EXPECT_EQ(window->banner().sentence(), QString());
    EXPECT_FALSE(window->store().undoStack().canUndo());
    EXPECT_FALSE(window->isWindowModified());
    const auto& analysis = window->controller().shown().analysis;
    ASSERT_NE(analysis, nullptr);
    EXPECT_EQ(analysis->input.text, saved.view.text.toStdString());
    EXPECT_EQ(window->controller().model()->name, "alpha");
    EXPECT_EQ(pins()[2].side.analysis, analysis) << "the pin of the text that is shown has its run";
    EXPECT_EQ(pins()[1].side.analysis->input.text, "one two three");
}

TEST_F(SessionWindow, TheSameModelIsNotOpenedAgainAndTheViewportStays) {
    makeMuch();
    const SessionContent saved = window->keeper().content();
    ASSERT_TRUE(window->saveSessionTo(file("a.headscope")));
    change([](ViewState& s) {
        s.text = QStringLiteral("a b");
        s.viewport = {};
        s.page = CentrePage::Explore;
    });
    trigger("head.unpin_all");
    window->keeper().setNote(head(0, 0), QStringLiteral("later"));
    const int opens = fake.opens;
    window->openSession(file("a.headscope"));
    answer(QMessageBox::Discard);
    ASSERT_TRUE(settled(*window));
    EXPECT_EQ(window->keeper().content(), saved);
    EXPECT_EQ(fake.opens, opens) << "but for pins, which wait";
}

TEST_F(SessionWindow, PinsOfAnotherModelAreRunWhenAsked) {
    makeMuch();
    ASSERT_TRUE(window->saveSessionTo(file("a.headscope")));
    window = makeWindow();
    window->openSession(file("a.headscope"));
    ASSERT_TRUE(settled(*window));
    ComparePanel* panel = window->comparePage().panel(0);
    EXPECT_EQ(panel->title(), QStringLiteral("Head 0.2"));
    EXPECT_EQ(panel->origin(), QStringLiteral("pinned · beta · self-attention · “words of beta”"));
    EXPECT_FALSE(window->comparePage().panel(1)->runButton()->isVisible());
    ASSERT_TRUE(panel->runButton()->isVisible());
    EXPECT_EQ(panel->runButton()->text(), QStringLiteral("Run it"));
    const int opens = fake.opens;
    panel->runButton()->click();
    ASSERT_TRUE(settled(*window));
    EXPECT_EQ(fake.opens, opens + 1);
    ASSERT_NE(pins()[0].side.analysis, nullptr);
    EXPECT_EQ(pins()[0].side.analysis->model->name, "beta");
    EXPECT_FALSE(panel->runButton()->isVisible());
    EXPECT_EQ(window->controller().model()->name, "alpha") << "the window's own model stays";
    EXPECT_FALSE(window->isWindowModified());
}

TEST_F(SessionWindow, PinsThatRunSaySoAndCanBeStopped) {
    makeMuch();
    ASSERT_TRUE(window->saveSessionTo(file("a.headscope")));
    window = makeWindow();
    window->openSession(file("a.headscope"));
    ASSERT_TRUE(settled(*window));
    fake.holdOpens = true;
    window->comparePage().panel(0)->runButton()->click();
    EXPECT_EQ(pins()[0].run, PinRun::Running);
    EXPECT_EQ(window->status().judgingText(), QStringLiteral("Running the texts of pinned heads"));
    ASSERT_TRUE(window->actions().action(QStringLiteral("text.cancel"))->isEnabled());
    trigger("text.cancel");
    EXPECT_EQ(pins()[0].run, PinRun::Waiting);
    EXPECT_TRUE(window->comparePage().panel(0)->runButton()->isVisible());
    EXPECT_EQ(window->status().judgingText(), QString());
    fake.holdOpens = false;
}

TEST_F(SessionWindow, APinThatCannotBeRunSaysWhyAndCanBeTriedAgain) {
    makeMuch();
    ASSERT_TRUE(window->saveSessionTo(file("a.headscope")));
    window = makeWindow();
    window->openSession(file("a.headscope"));
    ASSERT_TRUE(settled(*window));
    fake.failOpens = true;
    ComparePanel* panel = window->comparePage().panel(0);
    panel->runButton()->click();
    ASSERT_TRUE(settled(*window));
    EXPECT_EQ(pins()[0].run, PinRun::Failed);
    EXPECT_THAT(pins()[0].reason.toStdString(), testing::HasSubstr("beta: there is no config.json"));
    EXPECT_EQ(panel->runButton()->text(), QStringLiteral("Try again"));
    EXPECT_EQ(window->banner().sentence(), QString()) << "the window's own run is as it was";
    fake.failOpens = false;
    panel->runButton()->click();
    ASSERT_TRUE(settled(*window));
    EXPECT_NE(pins()[0].side.analysis, nullptr);
}

TEST_F(SessionWindow, TypingGoesBeforePinsThatRun) {
    makeMuch();
    ASSERT_TRUE(window->saveSessionTo(file("a.headscope")));
    window = makeWindow();
    window->openSession(file("a.headscope"));
    ASSERT_TRUE(settled(*window));
    fake.holdOpens = true;
    window->comparePage().panel(0)->runButton()->click();
    window->store().change(QString(), MergeGroup::None, [](ViewState& s) { s.text = QStringLiteral("now"); });
    ASSERT_TRUE(waitFor([this] {
        const auto& shown = window->controller().shown().analysis;
        return shown && shown->input.text == "now";
    })) << "while the pin's model is still being opened";
    EXPECT_EQ(pins()[0].run, PinRun::Running);
    fake.holdOpens = false;
    ASSERT_TRUE(settled(*window));
    EXPECT_NE(pins()[0].side.analysis, nullptr) << "and begun again afterwards";
}

TEST_F(SessionWindow, TheTitleSaysNameAndChanges) {
    start(alpha, QStringLiteral("one two"));
    EXPECT_EQ(window->windowTitle(), QStringLiteral("alpha — HeadScope"));
    ASSERT_TRUE(window->saveSessionTo(file("mine.headscope")));
    EXPECT_EQ(window->windowTitle(), QStringLiteral("mine[*] — alpha — HeadScope"));
    EXPECT_FALSE(window->isWindowModified());
    change([](ViewState& s) { s.head = 1; });
    EXPECT_TRUE(window->isWindowModified());
    trigger("edit.undo");
    ASSERT_TRUE(settled(*window));
    EXPECT_FALSE(window->isWindowModified()) << "undone, it is as saved";
    trigger("head.pin");
    EXPECT_TRUE(window->isWindowModified());
    trigger("file.save_session"); // there is a name: nothing is asked
    EXPECT_FALSE(window->isWindowModified());
    EXPECT_EQ(loadSessionFile(file("mine.headscope")).pins.size(), 1U);
}

TEST_F(SessionWindow, ClosingAsksOnlyForWhatANamedSessionLacks) {
    start(alpha, QStringLiteral("one two"));
    ASSERT_TRUE(window->saveSessionTo(file("mine.headscope")));
    change([](ViewState& s) { s.head = 1; });
    EXPECT_FALSE(window->close());
    answer(QMessageBox::Cancel);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    EXPECT_TRUE(window->isVisible());
    EXPECT_FALSE(window->close());
    answer(QMessageBox::Save);
    EXPECT_FALSE(window->isVisible());
    EXPECT_EQ(loadSessionFile(file("mine.headscope")).view.head, 1);

    window = makeWindow();
    start(alpha, QStringLiteral("one two"));
    window->keeper().setNote(head(0, 0), QStringLiteral("unnamed: saved by itself"));
    EXPECT_TRUE(window->close());
    EXPECT_EQ(askingBox(), nullptr);
}

TEST_F(SessionWindow, WhatIsNotWantedIsGoneAfterClosing) {
    const QString autosave = file("window-0.json");
    window = makeWindow(autosave);
    start(alpha, QStringLiteral("one two"));
    ASSERT_TRUE(window->saveSessionTo(file("mine.headscope")));
    change([](ViewState& s) { s.head = 1; });
    EXPECT_FALSE(window->close());
    answer(QMessageBox::Discard);
    EXPECT_FALSE(window->isVisible());
    EXPECT_EQ(loadSessionFile(file("mine.headscope")).view.head, 0);
    EXPECT_EQ(loadAutosave(autosave)->content, loadSessionFile(file("mine.headscope")));
}

TEST_F(SessionWindow, AnotherSessionAsksBeforePinsAndNotesGo) {
    start(alpha, QStringLiteral("one two"));
    ASSERT_TRUE(window->saveSessionTo(file("a.headscope")));
    window = makeWindow();
    start(beta, QStringLiteral("x y"));
    window->keeper().setNote(head(0, 2), QStringLiteral("in no file"));
    window->openSession(file("a.headscope"));
    answer(QMessageBox::Cancel);
    EXPECT_EQ(state().model.path, beta);
    EXPECT_EQ(window->keeper().noteOf(head(0, 2)), QStringLiteral("in no file"));
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    window->openSession(file("a.headscope"));
    answer(QMessageBox::Discard);
    ASSERT_TRUE(settled(*window));
    EXPECT_EQ(state().model.path, alpha);
    EXPECT_TRUE(window->keeper().notes().empty());
}

TEST_F(SessionWindow, WhatCannotBeOpenedLeavesAllAsItWas) {
    makeMuch();
    ASSERT_TRUE(window->saveSessionTo(file("mine.headscope")));
    const SessionContent before = window->keeper().content();
    const auto analysis = window->controller().shown().analysis;
    const auto session = [](const QString& model, int layer, int number, const char* kind) {
        return QStringLiteral("{\"headscope_session\": 1, \"view\": {\"model\": \"%1\", \"text\": \"t\", "
                              "\"layer\": %2, \"head\": %3, \"kind\": \"%4\"}}")
            .arg(model)
            .arg(layer)
            .arg(number)
            .arg(QLatin1String(kind))
            .toStdString();
    };
    const struct {
        std::string content;
        const char* sentence;
    } cases[] = {
        {"no", "bad.headscope: the JSON is malformed (at byte 1)."},
        {"{\"headscope_session\": 1}",
         "bad.headscope: the field \"view.model\" is empty or missing, expected the model of the session."},
        {session(alpha, 2, 0, "attentions"),
         "bad.headscope: the view is of head 2.0, expected layers 0 to 1 and heads 0 to 2 of alpha."},
        {session(beta, 0, 3, "attentions"),
         "bad.headscope: the view is of head 0.3, expected layers 0 to 1 and heads 0 to 2 of beta."},
        {session(beta, 0, 0, "cross_attentions"),
         "bad.headscope: the view is of cross-attention, which beta does not have."},
    };
    for (const auto& one : cases) {
        folder.write("bad.headscope", one.content);
        window->openPath(file("bad.headscope"));
        ASSERT_TRUE(settled(*window));
        EXPECT_EQ(window->banner().sentence().toLower(), QString::fromUtf8(one.sentence).toLower());
        EXPECT_EQ(window->keeper().content(), before);
        EXPECT_EQ(window->controller().shown().analysis, analysis);
        EXPECT_EQ(window->controller().model()->name, "alpha");
        EXPECT_FALSE(window->isWindowModified());
        EXPECT_EQ(window->keeper().name(), QStringLiteral("mine"));
    }
    fake.failOpens = true;
    folder.write("bad.headscope", session(beta, 0, 0, "attentions"));
    window->openPath(file("bad.headscope"));
    ASSERT_TRUE(settled(*window));
    EXPECT_EQ(window->banner().sentence(), QStringLiteral("beta: there is no config.json."));
    EXPECT_EQ(window->keeper().content(), before);
}

TEST_F(SessionWindow, AModelThatIsGoneIsNamedAndCanBeLocated) {
    start(alpha, QStringLiteral("one two"));
    trigger("head.pin");
    window->keeper().setNote(head(1, 1), QStringLiteral("stays"));
    ASSERT_TRUE(window->saveSessionTo(file("a.headscope")));
    std::filesystem::rename(alpha.toStdString(), folder / "moved");
    window = makeWindow();
    start(beta, QStringLiteral("x y"));
    window->openSession(file("a.headscope"));
    EXPECT_EQ(window->banner().sentence(),
              QStringLiteral("a.headscope: its model, %1, is not there.").arg(alpha));
    ASSERT_TRUE(window->banner().button()->isVisible());
    EXPECT_EQ(window->banner().button()->text(), QStringLiteral("Locate…"));
    EXPECT_EQ(state().model.path, beta);
    window->openSessionWithModel(file("moved"));
    ASSERT_TRUE(settled(*window));
    EXPECT_EQ(state().model.path, file("moved"));
    EXPECT_EQ(state().text, QStringLiteral("one two"));
    EXPECT_EQ(window->keeper().noteOf(head(1, 1)), QStringLiteral("stays"));
    ASSERT_EQ(pins().size(), 1U);
    EXPECT_NE(pins()[0].side.analysis, nullptr);
    EXPECT_TRUE(window->isWindowModified()) << "the file still names the former place";
    EXPECT_EQ(window->banner().sentence(), QString());
}

TEST_F(SessionWindow, ASessionFileCanBeDropped) {
    start(alpha, QStringLiteral("one two"));
    ASSERT_TRUE(window->saveSessionTo(file("a.headscope")));
    window = makeWindow();
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file("a.headscope"))});
    QDragEnterEvent enter({600, 400}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window.get(), &enter);
    QDropEvent drop({600, 400}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window.get(), &drop);
    ASSERT_TRUE(settled(*window));
    EXPECT_EQ(window->banner().sentence(), QString());
    EXPECT_EQ(state().text, QStringLiteral("one two"));
    EXPECT_EQ(window->keeper().name(), QStringLiteral("a"));
}

TEST_F(SessionWindow, WhatCannotBeSavedIsSaidAndStaysModified) {
    start(alpha, QStringLiteral("one two"));
    EXPECT_FALSE(window->saveSessionTo(file("none/a.headscope")));
    EXPECT_THAT(window->banner().sentence().toStdString(), testing::HasSubstr("does not exist"));
    EXPECT_EQ(window->keeper().file(), QString());
    EXPECT_FALSE(window->saveSessionTo(alpha + QStringLiteral("/a.headscope")));
    EXPECT_FALSE(QFile::exists(alpha + QStringLiteral("/a.headscope")))
        << "nothing goes into a model's folder";
}

TEST_F(SessionWindow, AModelOpenedInBetweenWins) {
    start(alpha, QStringLiteral("one two"));
    ASSERT_TRUE(window->saveSessionTo(file("a.headscope")));
    window = makeWindow();
    fake.holdOpens = true;
    window->openSession(file("a.headscope"));
    window->controller().openModel({beta, DeviceChoice::Auto});
    fake.holdOpens = false;
    ASSERT_TRUE(settled(*window));
    EXPECT_EQ(window->controller().model()->name, "beta");
    EXPECT_EQ(window->keeper().file(), QString()) << "it is not the session's view";
}

TEST_F(SessionWindow, ANoteIsWrittenMarkedAndUndone) {
    start(alpha, QStringLiteral("one two three"));
    change([](ViewState& s) { s.layer = 1; });
    trigger("head.note");
    NoteBox* note = window->inspector().note();
    ASSERT_TRUE(note->isVisible());
    TextBox* box = note->box();
    window->activateWindow();
    QTest::keyClicks(box, QStringLiteral("copies"));
    EXPECT_EQ(window->keeper().noteOf(head(1, 0)), QStringLiteral("copies"));
    OverviewGrid* grid = window->overview().grid();
    EXPECT_TRUE(grid->describe(head(1, 0)).contains(QStringLiteral("your note: copies")));
    EXPECT_FALSE(grid->describe(head(0, 0)).contains(QStringLiteral("note")));
    trigger("head.layer_up");
    EXPECT_EQ(box->toPlainText(), QString()) << "another head, another note";
    trigger("head.layer_down");
    EXPECT_EQ(box->toPlainText(), QStringLiteral("copies"));
    QTest::qWait(kMergeMs + 80); // else it is one step with the typing
    window->keeper().setNote(head(1, 0), QString());
    EXPECT_FALSE(grid->describe(head(1, 0)).contains(QStringLiteral("note")));
    trigger("edit.undo");
    EXPECT_EQ(box->toPlainText(), QStringLiteral("copies"));
    open(beta);
    EXPECT_EQ(window->keeper().noteOf(head(1, 0)), QString()) << "of another model";
}

TEST_F(SessionWindow, TheMarkIsInTheCornerOfItsCellAlone) {
    start(alpha, QStringLiteral("one two three"));
    OverviewGrid* grid = window->overview().grid();
    // How many pixels of the lower left corner of a cell have the colour of the mark.
    const auto marked = [grid](int layer, int number) {
        const QRectF cell = grid->cellRect(LayerIndex(layer), HeadIndex(number));
        const QRect box = QRectF(cell.left(), cell.bottom() - 12.0, 12.0, 12.0).toAlignedRect();
        const QImage corner = grid->viewport()->grab(box).toImage();
        int count = 0;
        for (int y = 0; y < corner.height(); ++y)
            for (int x = 0; x < corner.width(); ++x)
                count += corner.pixelColor(x, y) == Theme::instance().colors().accent ? 1 : 0;
        return count;
    };
    change([](ViewState& s) { s.layer = 0; }); // the outline of the chosen head has that colour too
    EXPECT_EQ(marked(1, 2), 0);
    window->keeper().setNote(head(1, 2), QStringLiteral("x"));
    EXPECT_GE(marked(1, 2), 15);
    EXPECT_EQ(marked(1, 1), 0);
    window->keeper().setNote(head(1, 2), QString());
    EXPECT_EQ(marked(1, 2), 0);
}

TEST_F(SessionWindow, ALongNoteIsCutAndSaysSo) {
    start(alpha, QStringLiteral("one two three"));
    TextBox* box = window->inspector().note()->box();
    box->setPlainText(QString(HeadNotes::kLongest + 5, QLatin1Char('x')));
    EXPECT_EQ(window->keeper().noteOf(head(0, 0)).size(), HeadNotes::kLongest);
    EXPECT_EQ(box->toPlainText().size(), HeadNotes::kLongest);
}

TEST_F(SessionWindow, TheTableMarksAndFindsNotes) {
    start(alpha, QStringLiteral("one two three"));
    window->keeper().setNote(head(1, 2), QStringLiteral("Curious thing"));
    trigger("head.judge");
    ASSERT_TRUE(waitFor([this] { return window->diagnosePage().isTableShown(); }));
    HeadFilter* filter = window->diagnosePage().filter();
    const QModelIndex noted = filter->indexOf(head(1, 2), HeadTable::Head);
    EXPECT_EQ(noted.data(HeadTable::NoteRole).toString(), QStringLiteral("Curious thing"));
    EXPECT_TRUE(noted.data(Qt::ToolTipRole).toString().contains(QStringLiteral("Your note: Curious thing")));
    filter->setWords(QStringLiteral("curious"));
    EXPECT_EQ(filter->rowCount(), 1);
    window->keeper().setNote(head(1, 2), QString());
    EXPECT_EQ(filter->rowCount(), 0);
    window->keeper().setNote(head(0, 0), QStringLiteral("curious too"));
    EXPECT_EQ(filter->rowCount(), 1);
}

} // namespace
} // namespace headscope::ui::test
