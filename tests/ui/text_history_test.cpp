// SPDX-License-Identifier: GPL-3.0-or-later
// The texts that were run: kept, listed, searched, removed; and what is dropped or pasted.
#include "tests/ui/session_support.h"
#include "ui/panels/history_popup.h"
#include "ui/panels/model_panel.h"
#include "ui/panels/text_box.h"
#include "ui/panels/text_panel.h"
#include "ui/text_file.h"
#include "ui/text_history.h"

#include <QApplication>
#include <QClipboard>
#include <QDropEvent>
#include <QFile>
#include <QImage>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMimeData>
#include <QSignalSpy>

#include <gmock/gmock.h>

namespace headscope::ui::test {
namespace {

PastText past(const char* text) {
    return {QString::fromUtf8(text), {}, false, {}};
}

class History : public SessionWindow {
  protected:
    QString texts = file("texts.json");

    QStringList kept() const {
        QStringList list;
        for (const PastText& text : TextHistory(texts).texts()) list << text.text;
        return list;
    }
    HistoryPopup* popup() const {
        const auto found = window->findChildren<HistoryPopup*>();
        for (HistoryPopup* one : found)
            if (one->isVisible()) return one;
        return nullptr;
    }
    static QStringList shown(const HistoryPopup* popup) {
        QStringList list;
        for (int row = 0; row < popup->list()->count(); ++row)
            if (!popup->list()->item(row)->isHidden()) list << popup->list()->item(row)->text();
        return list;
    }
    void run(const char* text) const {
        window->store().change(QString(), MergeGroup::None,
                               [text](ViewState& s) { s.text = QString::fromUtf8(text); });
        ASSERT_TRUE(settled(*window));
        trigger("text.run");
        ASSERT_TRUE(settled(*window));
    }
};

TEST_F(History, TheNewestIsFirstAndStandsThereOnce) {
    TextHistory history(texts);
    for (const char* text : {"a", "b", "c", "a"}) history.add(past(text));
    EXPECT_EQ(kept(), (QStringList{"a", "c", "b"}));
    history.add(past("  \n"));
    EXPECT_EQ(kept().size(), 3);
    const PastText pair{QStringLiteral("a"), QStringLiteral("second"), true, QStringLiteral("target")};
    history.add(pair);
    EXPECT_EQ(TextHistory(texts).texts().front(), pair) << "with its pair it is another";
    EXPECT_EQ(kept().size(), 4);
}

TEST_F(History, ThirtyAreKept) {
    TextHistory history(texts);
    for (int i = 0; i < 35; ++i) history.add(past(std::to_string(i).c_str()));
    ASSERT_EQ(kept().size(), 30);
    EXPECT_EQ(kept().front(), QStringLiteral("34"));
    EXPECT_EQ(kept().back(), QStringLiteral("5"));
    history.setMost(2);
    EXPECT_EQ(history.texts().size(), 2U);
    EXPECT_EQ(kept().size(), 30) << "nothing goes before the next text comes";
    history.add(past("new"));
    EXPECT_EQ(kept(), (QStringList{"new", "34"}));
}

TEST_F(History, WhatWasOnlyOnTheWayGoes) {
    TextHistory history(texts);
    history.add(past("The"), true);
    history.add(past("The cat"), true);
    history.add(past("The cat sat"), true);
    EXPECT_EQ(kept(), (QStringList{"The cat sat"}));
    history.add(past("The"), true);
    EXPECT_EQ(kept(), (QStringList{"The", "The cat sat"})) << "what was longer stays";
    history.add(past("The end"), false);
    history.add(past("The end of it"), true);
    EXPECT_EQ(kept().size(), 4) << "what was asked for stays";
}

TEST_F(History, TwoWindowsShareOneList) {
    TextHistory one(texts);
    TextHistory two(texts);
    one.add(past("of one"));
    two.add(past("of two"));
    one.add(past("of one again"));
    EXPECT_EQ(kept(), (QStringList{"of one again", "of two", "of one"}));
    two.remove(past("of one"));
    EXPECT_EQ(kept(), (QStringList{"of one again", "of two"}));
}

TEST_F(History, WhatIsPutBackDoesNotHideWhatCameSince) {
    TextHistory history(texts);
    history.add(past("a"));
    history.add(past("b"));
    const auto before = history.texts();
    history.clear();
    EXPECT_TRUE(kept().isEmpty());
    history.add(past("c"));
    history.putBack(before);
    EXPECT_EQ(kept(), (QStringList{"c", "b", "a"}));
}

TEST_F(History, AFileThatCannotBeReadIsPutAside) {
    folder.write("texts.json", "{\"headscope_texts\": 7}");
    TextHistory history(texts);
    EXPECT_TRUE(history.texts().empty());
    history.add(past("a"));
    EXPECT_EQ(kept(), (QStringList{"a"}));
    EXPECT_EQ(headscope::test::readBytes(folder / "texts.json.old"), "{\"headscope_texts\": 7}");
}

TEST_F(History, WhatCannotBeWrittenIsSaid) {
    folder.write("file", "");
    TextHistory history(file("file/texts.json"));
    QSignalSpy failed(&history, &TextHistory::failed);
    history.add(past("a"));
    EXPECT_EQ(failed.size(), 1);
}

TEST_F(History, ARunThatWasAskedForIsKeptAtOnceAndTypingWhenItRests) {
    window = makeWindow({}, texts);
    start(alpha, QStringLiteral("first"));
    run("asked for");
    EXPECT_EQ(kept().front(), QStringLiteral("asked for"));
    QTest::keyClicks(window->textPanel().findChild<TextBox*>(), QStringLiteral("x"));
    ASSERT_TRUE(settled(*window));
    EXPECT_EQ(state().text, QStringLiteral("asked forx"));
    EXPECT_EQ(kept().front(), QStringLiteral("asked for")) << "not yet";
    ASSERT_TRUE(waitFor([this] { return kept().front() == QStringLiteral("asked forx"); }));
    EXPECT_EQ(kept()[1], QStringLiteral("asked for")) << "what was asked for is not only on the way";
}

TEST_F(History, WhatIsReplacedIsKeptFirst) {
    window = makeWindow({}, texts);
    start(alpha, QStringLiteral("mine alone"));
    Q_EMIT window->textPanel().sampleChosen(0);
    EXPECT_EQ(kept(), (QStringList{"mine alone"}));
    ASSERT_TRUE(settled(*window));
    window->close();
    EXPECT_EQ(kept().size(), 2) << "and the last one when the window closes";
}

TEST_F(History, ThePopupSearchesAndTakes) {
    window = makeWindow({}, texts);
    start(alpha, QStringLiteral("now"));
    TextHistory history(texts);
    history.add({QStringLiteral("the cat"), QStringLiteral("and a Dog"), true, {}});
    history.add(past("a bird"));
    history.add(past("a cat and a bird"));
    trigger("text.history");
    ASSERT_NE(popup(), nullptr);
    EXPECT_EQ(shown(popup()), (QStringList{"a cat and a bird", "a bird", "the cat"}));
    EXPECT_TRUE(popup()->search()->hasFocus() || !popup()->isActiveWindow());
    QTest::keyClicks(popup()->search(), QStringLiteral("bird cat"));
    EXPECT_EQ(shown(popup()), (QStringList{"a cat and a bird"}));
    EXPECT_EQ(popup()->message(), QStringLiteral("1 of 3 texts"));
    popup()->search()->setText(QStringLiteral("zebra"));
    EXPECT_EQ(popup()->message(), QStringLiteral("No text has these words."));
    QTest::keyClick(popup()->search(), Qt::Key_Return);
    ASSERT_NE(popup(), nullptr) << "there is nothing to take";
    popup()->search()->setText(QStringLiteral("dog"));
    QTest::keyClick(popup()->search(), Qt::Key_Return);
    EXPECT_EQ(popup(), nullptr);
    EXPECT_EQ(state().text, QStringLiteral("the cat"));
    EXPECT_EQ(state().pair, QStringLiteral("and a Dog"));
    EXPECT_TRUE(state().showPair);
    ASSERT_TRUE(settled(*window));
    trigger("edit.undo");
    EXPECT_EQ(state().text, QStringLiteral("now"));
    EXPECT_FALSE(state().showPair);
}

TEST_F(History, ThePopupIsForTheKeyboardAndForgivesRemoving) {
    window = makeWindow({}, texts);
    start(alpha, QStringLiteral("now"));
    TextHistory history(texts);
    for (const char* text : {"three", "two", "one"}) history.add(past(text));
    trigger("text.history");
    QLineEdit* search = popup()->search();
    QTest::keyClick(search, Qt::Key_Down);
    QTest::keyClick(search, Qt::Key_Delete);
    EXPECT_EQ(kept(), (QStringList{"one", "three"}));
    ASSERT_TRUE(popup()->undoButton()->isVisible());
    popup()->undoButton()->click();
    EXPECT_EQ(kept(), (QStringList{"one", "two", "three"}));
    popup()->clearButton()->click();
    EXPECT_TRUE(kept().isEmpty());
    EXPECT_EQ(popup()->message(), QStringLiteral("No texts are left."));
    popup()->undoButton()->click();
    EXPECT_EQ(kept(), (QStringList{"one", "two", "three"}));
    QTest::keyClick(popup()->search(), Qt::Key_Escape);
    EXPECT_EQ(popup(), nullptr);
}

TEST_F(History, BeforeAnyTextItSaysWhatComes) {
    trigger("text.history");
    ASSERT_NE(popup(), nullptr);
    EXPECT_EQ(popup()->message(), QStringLiteral("Texts appear here once they were run."));
    EXPECT_FALSE(popup()->clearButton()->isEnabled());
    popup()->close();
}

TEST_F(History, WhatIsDroppedOpensOrIsSaid) {
    start(alpha, QStringLiteral("as it was"));
    const auto drop = [this](QMimeData& data) {
        QDragEnterEvent enter({600, 400}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window.get(), &enter);
        EXPECT_TRUE(enter.isAccepted());
        QDropEvent event({600, 400}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window.get(), &event);
        EXPECT_TRUE(settled(*window));
        return window->banner().sentence();
    };
    QMimeData picture;
    picture.setImageData(QImage(4, 4, QImage::Format_RGB32));
    EXPECT_EQ(drop(picture), QStringLiteral("A picture was dropped, expected a file, a folder or a text."));
    QMimeData two;
    two.setUrls({QUrl::fromLocalFile(alpha), QUrl::fromLocalFile(beta)});
    EXPECT_EQ(drop(two), QStringLiteral("2 files were dropped, expected one."));
    QMimeData odd;
    odd.setData(QStringLiteral("application/x-odd"), "1");
    EXPECT_EQ(drop(odd), QStringLiteral("What was dropped is neither a file nor a text."));
    QMimeData binary;
    binary.setUrls({QUrl::fromLocalFile(pathOf(folder.write("weights.bin", "\x80\x81\x82")))});
    EXPECT_THAT(drop(binary).toStdString(), testing::StartsWith("weights.bin: "));
    EXPECT_EQ(state().text, QStringLiteral("as it was"));
    QMimeData large;
    large.setText(QString(kLargestTextFile + 1, QLatin1Char('a')));
    EXPECT_THAT(drop(large).toStdString(), testing::HasSubstr("larger than 1 MB"));
    QMimeData text;
    text.setText(QStringLiteral("dropped words"));
    drop(text);
    EXPECT_EQ(state().text, QStringLiteral("dropped words"));
    QMimeData model;
    model.setUrls({QUrl::fromLocalFile(beta)});
    drop(model);
    EXPECT_EQ(state().model.path, beta);
}

TEST_F(History, APasteWithoutTextIsSaid) {
    start(alpha, QStringLiteral("as it was"));
    auto* box = window->textPanel().findChild<TextBox*>();
    auto* data = new QMimeData;
    data->setImageData(QImage(4, 4, QImage::Format_RGB32));
    QApplication::clipboard()->setMimeData(data);
    box->paste();
    EXPECT_EQ(window->banner().sentence(), QStringLiteral("The clipboard holds a picture, not a text."));
    auto* files = new QMimeData;
    files->setUrls({QUrl::fromLocalFile(pathOf(folder.write("a.txt", "from a file")))});
    QApplication::clipboard()->setMimeData(files);
    box->paste();
    EXPECT_EQ(state().text, QStringLiteral("from a file"));
    QApplication::clipboard()->setText(QStringLiteral("words "));
    box->moveCursor(QTextCursor::Start);
    box->paste();
    EXPECT_EQ(state().text, QStringLiteral("words from a file"));
}

TEST_F(History, RecentModelsThatAreGoneSaySo) {
    open(alpha);
    open(beta);
    std::filesystem::remove(beta.toStdString());
    QMenu* menu = window->modelPanel().recentMenu();
    Q_EMIT menu->aboutToShow();
    ASSERT_EQ(menu->actions().size(), 4) << "two models, a line and what clears the list";
    EXPECT_TRUE(menu->actions()[0]->text().endsWith(QStringLiteral("beta (missing)")));
    EXPECT_FALSE(menu->actions()[0]->isEnabled());
    EXPECT_TRUE(menu->actions()[1]->isEnabled());
    EXPECT_TRUE(menu->actions()[1]->text().endsWith(QStringLiteral("alpha")));
    menu->actions()[3]->trigger();
    EXPECT_TRUE(window->settings().storedModels().isEmpty());
    EXPECT_TRUE(menu->actions().isEmpty());
}

} // namespace
} // namespace headscope::ui::test
