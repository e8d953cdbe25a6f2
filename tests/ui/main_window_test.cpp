// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/temporary_folder.h"
#include "tests/ui/print_qt.h"
#include "tests/ui/ui_support.h"
#include "ui/charts/entropy_chart.h"
#include "ui/heatmap/heatmap_view.h"
#include "ui/heatmap/overview_grid.h"
#include "ui/heatmap/token_strip.h"
#include "ui/main_window.h"
#include "ui/panels/error_banner.h"
#include "ui/panels/inspector.h"
#include "ui/panels/map_card.h"
#include "ui/panels/model_panel.h"
#include "ui/panels/overview_card.h"
#include "ui/panels/pill.h"
#include "ui/panels/status_strip.h"
#include "ui/panels/text_box.h"
#include "ui/panels/text_panel.h"
#include "ui/panels/token_card.h"
#include "ui/samples.h"

#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QDropEvent>
#include <QLabel>
#include <QLayout>
#include <QMimeData>
#include <QPushButton>
#include <QSet>
#include <QSettings>
#include <QTest>
#include <QTextBrowser>

#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

using test::FakeEngine;
using test::waitFor;

const QString kFolder = QStringLiteral("/models/fake");

/// A window over the fake engine.
class Window : public testing::Test {
  protected:
    FakeEngine fake;
    std::unique_ptr<MainWindow> window;

    void SetUp() override {
        QSettings().clear();
        window = std::make_unique<MainWindow>(WindowSetup{fake.engine(), false, {}});
        window->resize(1280, 800);
        window->show();
    }

    void start(const QString& text) const {
        ViewState state;
        state.model.path = kFolder;
        state.text = text;
        window->start(state);
    }
    void startAndSettle(const QString& text) const {
        start(text);
        ASSERT_TRUE(settled());
        ASSERT_NE(window->controller().shown().analysis, nullptr);
    }
    bool settled() const {
        return waitFor([this] { return window->controller().isSettled(); });
    }
    void trigger(const char* id) const { window->actions().action(QString::fromLatin1(id))->trigger(); }
    bool enabled(const char* id) const {
        return window->actions().action(QString::fromLatin1(id))->isEnabled();
    }
    const ViewState& state() const { return window->store().state(); }
    TextBox* textBox() const { return window->textPanel().findChild<TextBox*>(); }
    void clickHead(int layer, int head) const {
        OverviewGrid* grid = window->overview().grid();
        const QRectF cell = grid->cellRect(LayerIndex(layer), HeadIndex(head));
        QTest::mouseClick(grid->viewport(), Qt::LeftButton, {}, cell.center().toPoint());
    }
};

TEST_F(Window, startsEmpty) {
    EXPECT_EQ(window->windowTitle(), QStringLiteral("HeadScope"));
    EXPECT_FALSE(enabled("text.run"));
    EXPECT_FALSE(enabled("file.export"));
    EXPECT_TRUE(window->modelPanel().summary().contains(QStringLiteral("No model open")));
    EXPECT_FALSE(window->map().isVisible()) << "the welcome page is shown";
}

TEST_F(Window, aTargetWrittenForAnotherModelWaitsForIt) {
    ViewState state;
    state.model.path = kFolder; // a model without a decoder
    state.text = QStringLiteral("a b");
    state.target = QStringLiteral("c d");
    window->start(state);
    ASSERT_TRUE(settled());
    ASSERT_NE(window->controller().shown().analysis, nullptr);
    EXPECT_FALSE(window->controller().shown().analysis->input.target.has_value());
    EXPECT_EQ(window->store().state().target, QStringLiteral("c d"));
}

TEST_F(Window, theWelcomePageOpensTheDemoWithATextInItsWords) {
    QPushButton* button = nullptr;
    for (QPushButton* one : window->findChildren<QPushButton*>())
        if (one->isVisible() && one->text() == QStringLiteral("Open the demo")) button = one;
    ASSERT_NE(button, nullptr);
    button->click();
    ASSERT_TRUE(settled());
    EXPECT_EQ(fake.opens, 1);
    EXPECT_EQ(state().model.path, QStringLiteral("demo:constructed"));
    EXPECT_EQ(state().text, demoSample().text);
    EXPECT_EQ(window->windowTitle(), QStringLiteral("demo:constructed — HeadScope"));
    EXPECT_EQ(window->settings().recentModels(), QStringList{QStringLiteral("demo:constructed")});
}

TEST_F(Window, theDemoTakesThePlaceOfASampleButNotOfATextOfOnesOwn) {
    startAndSettle(QStringLiteral("one two three four"));
    trigger("file.open_demo");
    ASSERT_TRUE(settled());
    EXPECT_EQ(state().model.path, QStringLiteral("demo:constructed"));
    EXPECT_EQ(state().text, QStringLiteral("one two three four"));
    trigger("edit.undo"); // the model that was open before
    ASSERT_TRUE(settled());
    EXPECT_EQ(state().model.path, kFolder);

    const Sample& pair = samples()[3];
    ASSERT_FALSE(pair.pair.isEmpty());
    window->store().change(QString(), MergeGroup::None, [&pair](ViewState& s) {
        s.text = pair.text;
        s.pair = pair.pair;
        s.showPair = true;
    });
    trigger("file.open_demo");
    ASSERT_TRUE(settled());
    EXPECT_EQ(state().text, demoSample().text);
    EXPECT_TRUE(state().pair.isEmpty());
    EXPECT_FALSE(state().showPair);
}

TEST_F(Window, theDemoHasAPageOfItsHeads) {
    trigger("help.demo");
    const auto* dialog = window->findChild<QDialog*>(QStringLiteral("demoPage"));
    ASSERT_NE(dialog, nullptr);
    const auto* page = dialog->findChild<QTextBrowser*>();
    ASSERT_NE(page, nullptr);
    for (const char* head : {"0.0", "0.1", "0.2", "0.3", "1.0", "1.1", "1.2", "1.3"})
        EXPECT_TRUE(page->toPlainText().contains(QString::fromLatin1(head))) << head;
    EXPECT_FALSE(dialog->isModal());
}

TEST_F(Window, opensCountsAndRunsByItself) {
    startAndSettle(QStringLiteral("one two three four"));
    EXPECT_EQ(window->windowTitle(), QStringLiteral("fake — HeadScope"));
    EXPECT_EQ(window->textPanel().countText(), QStringLiteral("4 of 40 tokens"));
    EXPECT_EQ(window->map().title(), QStringLiteral("Head 0.0"));
    EXPECT_EQ(window->overview().chart()->pointCount(), 6U);
    EXPECT_TRUE(window->status().text().contains(QStringLiteral("4 tokens in 25 ms on CPU")))
        << window->status().text().toStdString();
    EXPECT_EQ(window->status().checksText(), QStringLiteral("self-checks passed"));
    EXPECT_TRUE(enabled("file.export"));
    EXPECT_EQ(window->settings().recentModels(), QStringList{kFolder});
    EXPECT_EQ(fake.runs, 1);
}

TEST_F(Window, clickingTheGridChangesMapAndInspectorAndUndoGoesBack) {
    startAndSettle(QStringLiteral("one two three four"));
    EXPECT_TRUE(window->map().pills().empty());
    clickHead(1, 1);
    EXPECT_EQ(window->map().title(), QStringLiteral("Head 1.1"));
    ASSERT_EQ(window->map().pills().size(), 1U);
    EXPECT_TRUE(window->map().pills()[0]->text().contains(QStringLiteral("three")));
    EXPECT_TRUE(window->inspector().verdict().contains(QStringLiteral("“three”, token 2 of 4")));
    EXPECT_EQ(window->overview().grid()->selected(), state().headRef());
    trigger("edit.undo");
    EXPECT_EQ(window->map().title(), QStringLiteral("Head 0.0"));
    EXPECT_TRUE(window->map().pills().empty());
    EXPECT_FALSE(window->inspector().verdict().contains(QStringLiteral("three")));
    trigger("edit.redo");
    EXPECT_EQ(window->map().title(), QStringLiteral("Head 1.1"));
}

TEST_F(Window, aNarrowWindowShowsOneSidePanelAtATime) {
    startAndSettle(QStringLiteral("one two three four"));
    const auto hidden = [this](const char* dock) {
        return window->findChild<QDockWidget*>(QString::fromLatin1(dock))->isHidden();
    };
    EXPECT_FALSE(hidden("textDock") || hidden("inspectorDock"));
    window->resize(1024, 700);
    EXPECT_EQ(window->size(), QSize(1024, 700));
    EXPECT_FALSE(hidden("textDock"));
    EXPECT_TRUE(hidden("inspectorDock"));
    QCoreApplication::processEvents();
    for (const QWidget* part :
         {static_cast<QWidget*>(&window->overview()), static_cast<QWidget*>(&window->map())}) {
        EXPECT_GE(part->width(), part->minimumWidth());
        EXPECT_LE(part->mapTo(window.get(), QPoint(part->width(), 0)).x(), 1024);
    }
    trigger("view.inspector");
    EXPECT_TRUE(hidden("textDock"));
    EXPECT_FALSE(hidden("inspectorDock"));
    trigger("text.focus");
    EXPECT_FALSE(hidden("textDock"));
    EXPECT_TRUE(hidden("inspectorDock"));
    window->resize(1280, 800);
    EXPECT_FALSE(hidden("textDock") || hidden("inspectorDock"));
}

TEST_F(Window, aTextThatIsTooLongSaysWhatToDo) {
    QString text;
    for (int i = 0; i < 41; ++i) text += QStringLiteral("word ");
    start(text);
    ASSERT_TRUE(settled());
    EXPECT_FALSE(enabled("text.run"));
    EXPECT_TRUE(window->status().text().startsWith(QStringLiteral("The text is too long")));
    EXPECT_EQ(window->map().view()->accessibleDescription(), window->status().text());
}

TEST_F(Window, keysWalkThroughHeads) {
    startAndSettle(QStringLiteral("one two three"));
    QTest::keyClick(window->overview().grid(), Qt::Key_Right);
    QTest::keyClick(window->overview().grid(), Qt::Key_Down);
    EXPECT_EQ(window->map().title(), QStringLiteral("Head 1.1"));
    trigger("head.next");
    trigger("head.next"); // stays at the last
    EXPECT_EQ(state().head, 2);
    trigger("head.layer_up");
    EXPECT_EQ(state().layer, 0);
    trigger("head.next_flagged");
    EXPECT_EQ(state().headRef(), (HeadRef{AttentionKind::Self, LayerIndex(1), HeadIndex(1)}));
    trigger("head.next_flagged"); // the only one: wraps around to itself
    EXPECT_EQ(state().headRef(), (HeadRef{AttentionKind::Self, LayerIndex(1), HeadIndex(1)}));
}

TEST_F(Window, typingRunsAgainAfterAPause) {
    startAndSettle(QStringLiteral("one"));
    textBox()->moveCursor(QTextCursor::End);
    QTest::keyClicks(textBox(), QStringLiteral(" two three"));
    EXPECT_EQ(state().text, QStringLiteral("one two three"));
    ASSERT_TRUE(settled());
    EXPECT_EQ(window->textPanel().countText(), QStringLiteral("3 of 40 tokens"));
    EXPECT_EQ(window->controller().shown().text->axis->size(), 3);
    EXPECT_EQ(fake.runs, 2) << "one run for all keys";
}

TEST_F(Window, typingWhileItRunsCancelsIt) {
    fake.holdRuns = true;
    start(QStringLiteral("one two"));
    ASSERT_TRUE(waitFor([this] { return window->controller().isRunning(); }));
    QTest::keyClicks(textBox(), QStringLiteral("x"));
    EXPECT_FALSE(window->controller().isRunning());
    fake.holdRuns = false;
    ASSERT_TRUE(settled());
    EXPECT_TRUE(window->controller().shown().analysis);
    EXPECT_FALSE(window->controller().isStale());
    EXPECT_TRUE(window->banner().sentence().isEmpty()) << "a cancel is no error";
}

TEST_F(Window, withoutRunWhileTypingTheOldMapIsCalledOld) {
    startAndSettle(QStringLiteral("one two"));
    trigger("text.while_typing");
    EXPECT_FALSE(window->settings().runWhileTyping());
    textBox()->moveCursor(QTextCursor::Start);
    QTest::keyClicks(textBox(), QStringLiteral("more "));
    ASSERT_TRUE(settled());
    EXPECT_EQ(fake.runs, 1);
    EXPECT_EQ(window->textPanel().countText(), QStringLiteral("3 of 40 tokens")) << "counted before running";
    EXPECT_TRUE(window->controller().isStale());
    bool said = false;
    for (const QLabel* label : window->map().findChildren<QLabel*>()) {
        said |= label->isVisible() && label->text() == QStringLiteral("of the previous text");
    }
    EXPECT_TRUE(said);
    trigger("text.run");
    ASSERT_TRUE(settled());
    EXPECT_FALSE(window->controller().isStale());
}

TEST_F(Window, undoOfTypingBringsTheTextBack) {
    startAndSettle(QStringLiteral("one two"));
    textBox()->moveCursor(QTextCursor::End);
    QTest::keyClicks(textBox(), QStringLiteral("!!"));
    QTest::keyClick(textBox(), Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(textBox()->toPlainText(), QStringLiteral("one two"));
    EXPECT_EQ(state().text, QStringLiteral("one two"));
}

TEST_F(Window, aTextThatIsTooLongIsNotRunUntilAChoiceIsMade) {
    QString text;
    for (int i = 0; i < 90; ++i) {
        text += QStringLiteral("word ");
    }
    start(text);
    ASSERT_TRUE(settled());
    EXPECT_EQ(fake.runs, 0);
    EXPECT_EQ(window->textPanel().countText(), QStringLiteral("90 of 40 tokens: too long"));
    EXPECT_FALSE(enabled("text.run"));
    Q_EMIT window->textPanel().lengthChosen(LengthPolicy::Piece, 2);
    ASSERT_TRUE(settled());
    ASSERT_EQ(fake.runs, 1);
    EXPECT_EQ(window->controller().shown().text->axis->size(), 10);
}

TEST_F(Window, aLongRunFillsLayerByLayer) {
    fake.holdRuns = true;
    start(QStringLiteral("one two three"));
    ASSERT_TRUE(waitFor([this] { return window->controller().shown().layers.size() == 1; }));
    EXPECT_EQ(window->map().title(), QStringLiteral("Head 0.0"));
    EXPECT_EQ(window->controller().shown().analysis, nullptr);
    EXPECT_FALSE(enabled("file.export"));
    EXPECT_TRUE(enabled("text.cancel"));
    EXPECT_TRUE(window->status().text().contains(QStringLiteral("layer 1 of 2")));
    fake.holdRuns = false;
    ASSERT_TRUE(settled());
    EXPECT_NE(window->controller().shown().analysis, nullptr);
}

TEST_F(Window, cancelKeepsTheWindowUsable) {
    fake.holdRuns = true;
    start(QStringLiteral("one two three"));
    ASSERT_TRUE(waitFor([this] { return window->controller().isRunning(); }));
    trigger("text.cancel");
    EXPECT_FALSE(window->controller().isBusy());
    EXPECT_EQ(window->status().text(), QStringLiteral("Cancelled"));
    fake.holdRuns = false;
    trigger("text.run");
    ASSERT_TRUE(settled());
    EXPECT_NE(window->controller().shown().analysis, nullptr);
}

TEST_F(Window, errorsStandInTheBannerAndTheWindowLives) {
    fake.failRuns = true;
    start(QStringLiteral("one two three"));
    ASSERT_TRUE(waitFor([this] { return !window->banner().sentence().isEmpty(); }));
    EXPECT_EQ(window->banner().sentence(), QStringLiteral("text: it cannot be run."));
    EXPECT_EQ(window->banner().hint(), QStringLiteral("Try another text."));
    EXPECT_TRUE(enabled("text.dismiss_error"));
    trigger("text.dismiss_error");
    EXPECT_TRUE(window->banner().sentence().isEmpty());
    fake.failRuns = false;
    trigger("text.run");
    ASSERT_TRUE(settled());
    EXPECT_NE(window->controller().shown().analysis, nullptr);
}

TEST_F(Window, aModelThatCannotBeOpenedLeavesTheOldOne) {
    startAndSettle(QStringLiteral("one two three"));
    fake.failOpens = true;
    window->openPath(QDir::tempPath());
    ASSERT_TRUE(waitFor([this] { return !window->banner().sentence().isEmpty(); }));
    EXPECT_EQ(state().model.path, kFolder);
    EXPECT_EQ(window->windowTitle(), QStringLiteral("fake — HeadScope"));
    EXPECT_NE(window->controller().shown().analysis, nullptr);
}

TEST_F(Window, undoOfOpeningGoesBackToTheOtherModel) {
    startAndSettle(QStringLiteral("one two three"));
    const QString other = QDir::tempPath();
    window->openPath(other);
    ASSERT_TRUE(settled());
    EXPECT_EQ(state().model.path, other);
    trigger("edit.undo");
    ASSERT_TRUE(settled());
    EXPECT_EQ(state().model.path, kFolder);
    EXPECT_EQ(window->controller().model()->name, "fake");
    EXPECT_NE(window->controller().shown().analysis, nullptr);
}

TEST_F(Window, cellsAndTokensAreFollowed) {
    startAndSettle(QStringLiteral("one two three four"));
    Q_EMIT window->map().view()->cellClicked(2, 0);
    EXPECT_EQ(state().query, 2);
    EXPECT_EQ(window->tokens().title(), QStringLiteral("What “three” reads"));
    EXPECT_TRUE(window->tokens().strip()->describe(0).contains(QStringLiteral("0.625")))
        << window->tokens().strip()->describe(0).toStdString();
    Q_EMIT window->tokens().directionChosen(true);
    EXPECT_EQ(window->tokens().title(), QStringLiteral("Who reads “one”"));
    trigger("edit.copy_weight");
    EXPECT_EQ(QApplication::clipboard()->text(),
              QStringLiteral("Head 0.0: “three” (2) reads “one” (0): 0.625"));
    const QRectF token = window->tokens().strip()->tokenRect(3);
    QTest::mouseClick(window->tokens().strip()->viewport(), Qt::LeftButton, {}, token.center().toPoint());
    EXPECT_EQ(state().key, 3);
    trigger("head.clear_selection");
    EXPECT_FALSE(state().query || state().key);
}

TEST_F(Window, aChosenTokenThatIsGoneIsLetGo) {
    startAndSettle(QStringLiteral("one two three four"));
    Q_EMIT window->map().view()->cellClicked(3, 3);
    Q_EMIT window->textPanel().textEdited(QStringLiteral("one two"));
    ASSERT_TRUE(settled());
    EXPECT_FALSE(state().query.has_value());
}

TEST_F(Window, displayFollowsTheMenu) {
    startAndSettle(QStringLiteral("one two three four"));
    trigger("view.range_log");
    EXPECT_EQ(state().range.mode, RangeMode::Log);
    EXPECT_TRUE(window->actions().action(QStringLiteral("view.range_log"))->isChecked());
    trigger("view.colormap_grey");
    EXPECT_EQ(state().colormap, Colormap::Grey);
    trigger("edit.undo");
    EXPECT_EQ(state().colormap, Colormap::Viridis);
    EXPECT_TRUE(window->actions().action(QStringLiteral("view.colormap_viridis"))->isChecked());
    trigger("view.theme_dark");
    EXPECT_TRUE(Theme::instance().colors().dark);
    EXPECT_EQ(window->settings().theme(), ThemeChoice::Dark);
    trigger("view.theme_light");
    EXPECT_FALSE(Theme::instance().colors().dark);
}

TEST_F(Window, zoomIsPartOfTheView) {
    startAndSettle(QStringLiteral("one two three four five six seven eight nine ten"));
    trigger("view.zoom_in");
    trigger("view.zoom_in");
    EXPECT_FALSE(state().viewport.isFit());
    trigger("edit.undo");
    EXPECT_TRUE(state().viewport.isFit());
    EXPECT_TRUE(window->map().view()->mapViewport().isFit() ||
                window->map().view()->mapViewport().width >= 10.0);
}

TEST_F(Window, anotherLengthShowsTheWholeMapAgain) {
    startAndSettle(QStringLiteral("one two three four five six seven eight nine ten"));
    trigger("view.zoom_in");
    trigger("view.zoom_in");
    ASSERT_FALSE(state().viewport.isFit());
    Q_EMIT window->textPanel().textEdited(QStringLiteral("one two three"));
    ASSERT_TRUE(settled());
    EXPECT_TRUE(state().viewport.isFit());
}

TEST_F(Window, filesAreOpenedByKind) {
    startAndSettle(QStringLiteral("one two"));
    const headscope::test::TemporaryFolder folder;
    const auto text = folder.write("a.txt", "from a file\n");
    window->openPath(QString::fromStdString(text.string()));
    EXPECT_EQ(state().text, QStringLiteral("from a file"));
    const auto bad = folder.write("b.txt", "\xFF\xFE");
    window->openPath(QString::fromStdString(bad.string()));
    EXPECT_TRUE(window->banner().sentence().startsWith(QStringLiteral("b.txt")));
    EXPECT_EQ(state().text, QStringLiteral("from a file"));
}

TEST_F(Window, filesCanBeDropped) {
    startAndSettle(QStringLiteral("one two"));
    const headscope::test::TemporaryFolder folder;
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QString::fromStdString(folder.write("a.txt", "dropped").string()))});
    QDragEnterEvent enter({600, 400}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    enter.ignore();
    QCoreApplication::sendEvent(window.get(), &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop({600, 400}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window.get(), &drop);
    EXPECT_EQ(state().text, QStringLiteral("dropped"));
    data.setUrls({QUrl(QStringLiteral("https://example.org/a.txt"))});
    QDragEnterEvent remoteEnter({600, 400}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window.get(), &remoteEnter);
    QDropEvent remote({600, 400}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window.get(), &remote);
    EXPECT_EQ(window->banner().sentence(),
              QStringLiteral("https://example.org/a.txt: this is not a file of this machine."));
    EXPECT_EQ(state().text, QStringLiteral("dropped"));
}

TEST_F(Window, nothingInTheInspectorIsCutAtTheSmallestWidth) {
    window->resize(1280, 800);
    startAndSettle(QStringLiteral("one two three four"));
    QTest::qWait(50);
    EXPECT_LE(window->inspector().widget()->width(), window->inspector().viewport()->width());
    EXPECT_GE(
        window->inspector().widget()->height(),
        window->inspector().widget()->layout()->totalHeightForWidth(window->inspector().widget()->width()));
}

TEST_F(Window, shortcutSheetListsEveryKey) {
    trigger("help.shortcuts");
    auto* sheet = window->findChild<QDialog*>(QStringLiteral("shortcuts"));
    ASSERT_NE(sheet, nullptr);
    QStringList words;
    for (const QLabel* label : sheet->findChildren<QLabel*>()) {
        words << label->text();
    }
    const QString all = words.join(QLatin1Char('\n'));
    for (const ActionSpec& spec : actionTable()) {
        for (const QKeySequence& keys : keysOf(spec)) {
            EXPECT_TRUE(all.contains(keys.toString(QKeySequence::NativeText))) << spec.id;
        }
    }
    sheet->close();
}

TEST_F(Window, everyControlHasANameForScreenReaders) {
    startAndSettle(QStringLiteral("one two three"));
    for (const QWidget* widget : window->findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible()) continue;
        QString name = widget->accessibleName();
        if (QAccessibleInterface* face =
                QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget))) {
            if (name.isEmpty()) name = face->text(QAccessible::Name);
        }
        const QString type = QString::fromLatin1(widget->metaObject()->className());
        if (type == QStringLiteral("QWidget") || type.contains(QStringLiteral("Splitter")) ||
            type.contains(QStringLiteral("Viewport")) || type == QStringLiteral("QTabBar") ||
            widget->objectName().startsWith(QStringLiteral("qt_"))) {
            continue;
        }
        EXPECT_FALSE(name.isEmpty()) << type.toStdString() << " in "
                                     << widget->parentWidget()->metaObject()->className();
    }
}

TEST_F(Window, closesWhileItRuns) {
    fake.holdRuns = true;
    start(QStringLiteral("one two three"));
    ASSERT_TRUE(waitFor([this] { return fake.runs == 1; }));
    window->close();
    window.reset();
    QTest::qWait(20);
    EXPECT_EQ(fake.runs, 1);
}

TEST_F(Window, closesWhileAModelOpens) {
    fake.holdOpens = true;
    start(QStringLiteral("one two three"));
    ASSERT_TRUE(waitFor([this] { return fake.opens == 1; }));
    window.reset();
    EXPECT_EQ(fake.runs, 0);
}

TEST(WindowSession, isSavedOnCloseAndTheTextIsNotLost) {
    const headscope::test::TemporaryFolder folder;
    const QString file = QString::fromStdString((folder / "session.json").string());
    FakeEngine fake;
    {
        MainWindow window({fake.engine(), false, file});
        window.show();
        QTest::keyClicks(window.textPanel().findChild<TextBox*>(), QStringLiteral("half a thought"));
        window.close();
    }
    const auto saved = loadAutosave(file);
    ASSERT_TRUE(saved.has_value());
    EXPECT_EQ(saved->content.view.text, QStringLiteral("half a thought"));
    EXPECT_TRUE(saved->closed);
}

/// The whole way on a real checkpoint: one even head (2.1) and one that rests on a single token.
TEST(WindowOnCheckpoint, flagsAppearAndCanBeFollowed) {
    MainWindow window({Engine::real(), false, {}});
    window.resize(1440, 900);
    window.show();
    ViewState state;
    state.model.path = QString::fromStdString(headscope::test::dataPath("models/flagged-bert").string());
    state.text = QStringLiteral("the cat and the dog ").repeated(10);
    window.start(state);
    ASSERT_TRUE(waitFor([&] { return window.controller().isSettled(); }, 60000));
    ASSERT_TRUE(window.banner().sentence().isEmpty()) << window.banner().sentence().toStdString();
    ASSERT_NE(window.controller().shown().analysis, nullptr);

    QStringList seen;
    for (const Pill* pill : window.overview().pills()) {
        seen << pill->text();
    }
    EXPECT_EQ(seen[1], QStringLiteral("Uniform 1"));
    EXPECT_EQ(seen[2], QStringLiteral("Stuck 1"));
    QSet<Label> labels;
    for (int step = 0; step < 12; ++step) {
        window.actions().action(QStringLiteral("head.next_flagged"))->trigger();
        for (const Pill* pill : window.map().pills()) {
            labels.insert(pill->label());
        }
    }
    EXPECT_TRUE(labels.contains(Label::Uniform));
    EXPECT_TRUE(labels.contains(Label::Stuck));
    EXPECT_EQ(window.status().checksText(), QStringLiteral("self-checks passed"));
    ASSERT_TRUE(waitFor([&] { return window.map().view()->isComplete(); }));
}

TEST(WindowOnCheckpoint, aFolderWithoutAModelIsAnError) {
    const headscope::test::TemporaryFolder folder;
    MainWindow window({Engine::real(), false, {}});
    window.show();
    window.openPath(QString::fromStdString(folder.path().string()));
    ASSERT_TRUE(waitFor([&] { return !window.banner().sentence().isEmpty(); }));
    EXPECT_FALSE(window.controller().isBusy());
    EXPECT_TRUE(window.modelPanel().summary().contains(QStringLiteral("No model open")));
}

} // namespace
} // namespace headscope::ui
