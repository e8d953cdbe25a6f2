// SPDX-License-Identifier: GPL-3.0-or-later
// The settings: one page, searched, each change at once, resets that can be taken back; and what is shared by
// windows.
#include "tests/ui/session_support.h"
#include "ui/export/export_dialog.h"
#include "ui/settings_dialog.h"
#include "ui/settings_rows.h"
#include "ui/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDateTime>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QSet>
#include <QSpinBox>
#include <QSplitter>
#include <QTimer>

#include <gmock/gmock.h>

namespace headscope::ui::test {
namespace {

class SettingsPage : public SessionWindow {
  protected:
    SettingsDialog* dialog = nullptr;

    void open() {
        trigger("edit.settings");
        dialog = window->findChild<SettingsDialog*>(QStringLiteral("settings"));
        ASSERT_NE(dialog, nullptr);
    }
    void TearDown() override {
        window.reset();
        Theme::instance().setChoice(ThemeChoice::Light);
    }
    template <typename Control>
    Control* at(const char* row) const {
        auto* control = qobject_cast<Control*>(dialog->control(QString::fromUtf8(row)));
        EXPECT_NE(control, nullptr) << row;
        return control;
    }
    void choose(const char* row, int index) const {
        auto* box = at<QComboBox>(row);
        box->setCurrentIndex(index);
        Q_EMIT box->activated(index); // as a user's choice does
    }
    Preferences now() const { return window->settings().preferences(); }
};

TEST_F(SettingsPage, TheSearchLeavesRowsAndMarksWords) {
    open();
    const QStringList all = dialog->shownRows();
    EXPECT_GE(all.size(), 12);
    QTest::keyClicks(dialog->search(), QStringLiteral("colour"));
    EXPECT_EQ(dialog->shownRows(), (QStringList{"Colour map", "Colour scale"}));
    dialog->search()->setText(QStringLiteral("COLOUR scale"));
    EXPECT_EQ(dialog->shownRows(), (QStringList{"Colour scale"}));
    dialog->search()->setText(QStringLiteral("viridis")); // one of its choices
    EXPECT_EQ(dialog->shownRows(), (QStringList{"Colour map"}));
    dialog->search()->setText(QStringLiteral("lists")); // a section
    EXPECT_EQ(dialog->shownRows().size(), 6);
    QStringList sections;
    for (const QLabel* label : dialog->findChildren<QLabel*>())
        if (label->property("role") == QByteArray("section") && !label->isHidden()) sections << label->text();
    EXPECT_EQ(sections.size(), 1) << "the others have no rows left";
    dialog->search()->setText(QStringLiteral("zebra <b>"));
    EXPECT_TRUE(dialog->shownRows().isEmpty());
    bool said = false;
    for (const QLabel* label : dialog->findChildren<QLabel*>())
        said = said || (!label->isHidden() && label->text() == QStringLiteral("No setting has “zebra <b>”."));
    EXPECT_TRUE(said);
    dialog->search()->clear();
    EXPECT_EQ(dialog->shownRows(), all);
}

TEST(SettingsWords, AreMarkedWhereTheyStand) {
    const ThemeColors& colors = Theme::instance().colors();
    const QString begin = QStringLiteral("<span style=\"background-color: %1; color: %2;\">")
                              .arg(colors.selection.name(), colors.text.name());
    EXPECT_EQ(markedWords(QStringLiteral("Time & time"), {QStringLiteral("time")}),
              begin + QStringLiteral("Time</span> &amp; ") + begin + QStringLiteral("time</span>"));
    EXPECT_EQ(markedWords(QStringLiteral("abc"), {QStringLiteral("ab"), QStringLiteral("bc")}),
              begin + QStringLiteral("abc</span>"));
    EXPECT_EQ(markedWords(QStringLiteral("<x>"), {}), QStringLiteral("&lt;x&gt;"));
}

TEST_F(SettingsPage, ChangesHoldAtOnce) {
    start(alpha, QStringLiteral("one two"));
    open();
    choose("Theme", 2);
    EXPECT_TRUE(Theme::instance().colors().dark);
    EXPECT_TRUE(window->actions().action(QStringLiteral("view.theme_dark"))->isChecked());
    choose("Colour map", 1);
    EXPECT_EQ(state().colormap, Colormap::Magma);
    choose("Colour scale", 3);
    EXPECT_EQ(state().range.mode, RangeMode::Log);
    trigger("edit.undo");
    EXPECT_EQ(state().range.mode, RangeMode::Auto) << "of the view it is a step like any other";
    at<QCheckBox>("Run while typing")->click();
    EXPECT_FALSE(window->actions().action(QStringLiteral("text.while_typing"))->isChecked());
    at<QSpinBox>("Threads")->setValue(1);
    EXPECT_EQ(now().threads, 1);
    ASSERT_TRUE(waitFor([this] { return fake.threads == 1; }));
    const int opens = fake.opens;
    choose("Device", 1);
    ASSERT_TRUE(settled(*window));
    EXPECT_EQ(fake.opens, opens + 1) << "the model is opened again";
    EXPECT_EQ(state().model.device, DeviceChoice::Cpu);
    at<QCheckBox>("Go on where the last window ended")->click();
    EXPECT_FALSE(now().rememberSession);
}

TEST_F(SettingsPage, TheDialogFollowsWhatIsChangedElsewhere) {
    open();
    trigger("view.theme_dark");
    EXPECT_EQ(at<QComboBox>("Theme")->currentIndex(), 2);
    trigger("text.while_typing");
    EXPECT_FALSE(at<QCheckBox>("Run while typing")->isChecked());
    trigger("edit.settings");
    EXPECT_EQ(window->findChildren<SettingsDialog*>().size(), 1) << "there is one";
}

TEST_F(SettingsPage, JudgingKeepsToItsLimit) {
    fake.plannedSeconds = 5.0; // within the default of 10
    open();
    at<QCheckBox>("Judge in the background")->click();
    EXPECT_FALSE(at<QSpinBox>("Time limit")->isEnabled());
    start(alpha, QStringLiteral("one two"));
    ASSERT_TRUE(waitFor([this] { return window->controller().diagnosis().isSettled(); }));
    EXPECT_EQ(window->controller().diagnosis().stage(), JudgingStage::Offered);
    EXPECT_EQ(fake.begunTexts, 0);
    at<QCheckBox>("Judge in the background")->click(); // what waited only for this begins
    ASSERT_TRUE(waitFor([this] { return window->controller().diagnosis().stage() == JudgingStage::Judged; }));
    at<QSpinBox>("Time limit")->setValue(3);
    window->controller().openModel({beta, DeviceChoice::Auto});
    ASSERT_TRUE(settled(*window));
    ASSERT_TRUE(waitFor([this] { return window->controller().diagnosis().isSettled(); }));
    EXPECT_EQ(window->controller().diagnosis().stage(), JudgingStage::Offered);
}

TEST_F(SettingsPage, ResetCanBeTakenBack) {
    open();
    choose("Theme", 2);
    choose("Colour map", 3);
    at<QSpinBox>("Time limit")->setValue(99);
    const Preferences before = now();
    ASSERT_FALSE(before == Preferences());
    dialog->resetButton()->click();
    EXPECT_EQ(now(), Preferences());
    EXPECT_EQ(at<QSpinBox>("Time limit")->value(), 10);
    EXPECT_EQ(dialog->message(), QStringLiteral("All settings are as by default."));
    ASSERT_TRUE(dialog->undoButton()->isVisible());
    dialog->undoButton()->click();
    EXPECT_EQ(now(), before);
    EXPECT_EQ(at<QSpinBox>("Time limit")->value(), 99);
    EXPECT_FALSE(dialog->undoButton()->isVisible());
}

TEST_F(SettingsPage, ListsAreShortenedAndCleared) {
    for (int i = 0; i < 5; ++i) window->settings().addRecentModel(QStringLiteral("/m/%1").arg(i));
    window->history().add({QStringLiteral("a"), {}, false, {}});
    open();
    at<QSpinBox>("Recent models")->setValue(2);
    EXPECT_EQ(window->settings().recentModels(), (QStringList{"/m/4", "/m/3"}));
    at<QPushButton>("Clear the recent models")->click();
    EXPECT_TRUE(window->settings().recentModels().isEmpty());
    dialog->undoButton()->click();
    at<QSpinBox>("Recent models")->setValue(8);
    EXPECT_EQ(window->settings().recentModels().size(), 5);
    at<QPushButton>("Clear the texts that were run")->click();
    EXPECT_TRUE(window->history().texts().empty());
    dialog->undoButton()->click();
    EXPECT_EQ(window->history().texts().size(), 1U);
}

TEST_F(SettingsPage, ExportsBeginAsSet) {
    open();
    choose("Theme of exports", 1);
    choose("Range of exports", 3);
    at<QSpinBox>("Density")->setValue(96);
    at<QCheckBox>("No background")->click();
    at<QCheckBox>("Caption inside the file")->click();
    choose("Preset", 3);
    ExportDefaults expected;
    expected.dark = true;
    expected.range = RangeChoice::PerRow;
    expected.dpi = 96;
    expected.transparent = true;
    expected.described = false;
    expected.preset = "slide";
    EXPECT_EQ(now().exports, expected);
    EXPECT_EQ(Settings().preferences().exports, expected) << "stored";
    EXPECT_FALSE(at<QSpinBox>("Density")->isEnabled()) << "the preset has its own";
    choose("Preset", 0);
    EXPECT_TRUE(at<QSpinBox>("Density")->isEnabled());
    EXPECT_EQ(at<QSpinBox>("Density")->value(), 96);
    dialog->search()->setText(QStringLiteral("transparent"));
    EXPECT_EQ(dialog->shownRows(), (QStringList{"No background"}));
    dialog->search()->setText(QStringLiteral("articles")); // one of the presets
    EXPECT_EQ(dialog->shownRows(), (QStringList{"Preset"}));
}

TEST_F(SettingsPage, WhatTheExportDialogKeepsStandsHere) {
    start(alpha, QStringLiteral("one two"));
    open();
    ExportDialog* asked = nullptr;
    QTimer::singleShot(0, window.get(), [&asked] {
        asked = qobject_cast<ExportDialog*>(QApplication::activeModalWidget());
        if (asked == nullptr) return;
        ExportDefaults defaults;
        defaults.dpi = 123;
        Q_EMIT asked->defaultsChosen(defaults);
        asked->reject();
    });
    trigger("file.export");
    ASSERT_NE(asked, nullptr);
    EXPECT_EQ(now().exports.dpi, 123);
    EXPECT_EQ(at<QSpinBox>("Density")->value(), 123);
}

TEST_F(SettingsPage, EveryControlHasANameAndCanBeReached) {
    open();
    const QStringList rows = dialog->shownRows();
    EXPECT_EQ(QSet<QString>(rows.begin(), rows.end()).size(), rows.size()) << "no two have the same name";
    for (const QString& row : rows) {
        const QWidget* control = dialog->control(row);
        EXPECT_EQ(control->accessibleName(), row);
        EXPECT_NE(control->focusPolicy() & Qt::TabFocus, 0) << row.toStdString();
    }
}

TEST(SettingsStore, WhatIsStoredAndCannotBeIsAsByDefault) {
    QSettings().clear();
    QSettings().setValue(QStringLiteral("exports/described"), true);
    for (const char* key :
         {"exports/theme", "exports/preset", "exports/range", "exports/dpi", "exports/font_size",
          "lists/sessions", "look/theme", "look/colormap", "look/range", "run/device", "run/threads",
          "lists/models", "lists/texts", "judge/seconds"})
        QSettings().setValue(QLatin1String(key), QStringLiteral("nonsense"));
    EXPECT_EQ(Settings().preferences(), Preferences());
    QSettings().setValue(QStringLiteral("run/threads"), -5);
    QSettings().setValue(QStringLiteral("judge/seconds"), 1000000);
    EXPECT_EQ(Settings().preferences().threads, 0);
    EXPECT_EQ(Settings().preferences().judgeSeconds, Preferences::kLongestJudging);
    QSettings().clear();
}

/// What another process writes meanwhile: its file, under our hands.
TEST(SettingsStore, TheListOfAnotherProcessIsNotOverwritten) {
    QSettings().clear();
    Settings settings;
    settings.addRecentModel(QStringLiteral("/m/ours"));
    QSettings().sync();
    QFile ini(QSettings().fileName());
    ASSERT_TRUE(ini.open(QIODevice::ReadWrite));
    QByteArray content = ini.readAll();
    ASSERT_TRUE(content.contains("/m/ours"));
    content.replace("/m/ours", "/m/theirs, /m/ours");
    ini.seek(0);
    ini.write(content);
    ini.close();
    ini.open(QIODevice::ReadWrite);
    ini.setFileTime(QDateTime::currentDateTime().addSecs(5), QFile::FileModificationTime);
    ini.close();
    settings.addRecentModel(QStringLiteral("/m/new"));
    EXPECT_EQ(settings.recentModels(), (QStringList{"/m/new", "/m/theirs", "/m/ours"}));
    QSettings().clear();
}

TEST_F(SessionWindow, TheLayoutComesBackWithItsSplitters) {
    const QString autosave = file("window-0.json");
    window = makeWindow(autosave);
    start(alpha, QStringLiteral("one two"));
    auto* upper = window->findChild<QSplitter*>(QStringLiteral("upper"));
    ASSERT_NE(upper, nullptr);
    const int whole = upper->sizes()[0] + upper->sizes()[1];
    upper->setSizes({whole - 400, 400}); // the map at its narrowest
    const QList<int> sizes = upper->sizes();
    trigger("view.log");
    window->close();
    window = makeWindow(autosave);
    start(alpha, QStringLiteral("one two"));
    EXPECT_EQ(window->findChild<QSplitter*>(QStringLiteral("upper"))->sizes(), sizes);
    EXPECT_TRUE(window->actions().action(QStringLiteral("view.log"))->isChecked());
    window->close();
    QSettings().setValue(QStringLiteral("window/layout_version"), Settings::kLayoutVersion + 1);
    window = makeWindow(autosave);
    start(alpha, QStringLiteral("one two"));
    EXPECT_NE(window->findChild<QSplitter*>(QStringLiteral("upper"))->sizes(), sizes)
        << "of another version it is dropped";
    EXPECT_FALSE(window->actions().action(QStringLiteral("view.log"))->isChecked());
}

} // namespace
} // namespace headscope::ui::test
