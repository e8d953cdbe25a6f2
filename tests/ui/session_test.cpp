// SPDX-License-Identifier: GPL-3.0-or-later
// Session files: what comes back from them, and what is said of those that cannot be used.
#include "core/base/error.h"
#include "tests/support/temporary_folder.h"
#include "tests/ui/print_qt.h"
#include "ui/autosave.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace headscope::ui {
namespace {

using headscope::test::TemporaryFolder;

QString pathOf(const std::filesystem::path& path) {
    return QString::fromStdString(path.string());
}

HeadRef headOf(int layer, int head) {
    return {AttentionKind::Self, LayerIndex(layer), HeadIndex(head)};
}

SessionContent much() {
    SessionContent content;
    content.view.model.path = QStringLiteral("/models/a \"b\" é");
    content.view.text = QStringLiteral("tab\tline\nnul") + QChar(0) + QStringLiteral("東京 🙂 \\ end");
    content.view.layer = 5;
    content.view.head = 11;
    content.view.query = 7;
    content.view.viewport = {0.1, 2.25, 1e-3, 12345.678};
    content.view.range = {RangeMode::Fixed, 0.1F, 0.35F};
    content.view.page = CentrePage::Compare;
    ViewState input;
    input.model.path = QStringLiteral("demo:constructed");
    input.text = QStringLiteral("x");
    input.target = QStringLiteral("y");
    input.length = LengthPolicy::Piece;
    input.piece = 2;
    content.pins = {pinOf(content.view, headOf(1, 2), {.heads = HeadsShown::Mean, .words = true}),
                    pinOf(input, {AttentionKind::Cross, LayerIndex(0), HeadIndex(3)})};
    content.chosenPin = 1;
    content.notes.set(content.view.model.path, headOf(5, 11), QStringLiteral("two\nlines"));
    content.notes.set(content.view.model.path, {AttentionKind::Cross, LayerIndex(5), HeadIndex(11)},
                      QStringLiteral("of the other kind"));
    content.notes.set(QStringLiteral("demo:constructed"), headOf(0, 0), QStringLiteral("demo"));
    return content;
}

std::string sentenceOf(const QByteArray& json) {
    try {
        sessionFromJson(json, QStringLiteral("s.headscope"));
    } catch (const Error& error) {
        return error.sentence();
    }
    return "no error";
}

std::string sentenceOfFile(const QString& path) {
    try {
        loadSessionFile(path);
    } catch (const Error& error) {
        return error.sentence();
    }
    return "no error";
}

TEST(SessionFile, ComesBackAsItWas) {
    const TemporaryFolder folder;
    const QString file = pathOf(folder / "a.headscope");
    saveSessionFile(file, much());
    EXPECT_EQ(loadSessionFile(file), much());
    saveSessionFile(file, {});
    EXPECT_EQ(loadSessionFile(file), SessionContent()) << "a file that is there is replaced";
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1)
        << "nothing is left beside it";
}

TEST(SessionFile, IsSmallAndSaysItsVersion) {
    const QJsonObject object = QJsonDocument::fromJson(sessionJson(much())).object();
    EXPECT_EQ(object.value(QStringLiteral("headscope_session")).toInt(), 1);
    const QJsonObject pin = object.value(QStringLiteral("pins")).toArray().at(0).toObject();
    EXPECT_EQ(pin.value(QStringLiteral("head")).toInt(), 2);
    EXPECT_FALSE(pin.contains(QStringLiteral("colormap"))) << "a pin is an input, a head and its view";
    EXPECT_EQ(pin.value(QStringLiteral("view")).toObject().value(QStringLiteral("combine")).toString(),
              QStringLiteral("mean"));
}

TEST(SessionFile, PinsOfOlderSessionsAreHeadsByThemselves) {
    const SessionContent old = sessionFromJson(
        R"({"headscope_session": 1, "view": {"view": {"combine": "mean"}},
            "pins": [{"model": "a", "layer": 1, "head": 2}]})",
        QStringLiteral("s"));
    ASSERT_EQ(old.pins.size(), 1U);
    EXPECT_TRUE(old.pins[0].view.isPlain());
    EXPECT_EQ(old.pins[0].headRef(), headOf(1, 2));
}

TEST(SessionFile, HalfACharacterDoesNotMakeItUnreadable) {
    SessionContent content;
    content.view.text = QStringLiteral("a") + QChar(0xD83D) + QStringLiteral("b"); // no UTF-8 has this
    const SessionContent back = sessionFromJson(sessionJson(content), QStringLiteral("x"));
    EXPECT_EQ(back.view.text.size(), 3);
    EXPECT_TRUE(back.view.text.startsWith(QLatin1Char('a')) && back.view.text.endsWith(QLatin1Char('b')));
}

TEST(SessionFile, AViewAloneIsOneToo) {
    ViewState view = much().view;
    EXPECT_EQ(sessionFromJson(toJson(view), QStringLiteral("x")).view, view);
}

struct BadFile {
    const char* json;
    const char* sentence; ///< all of it
};

#define HEAD "{\"headscope_session\": 1, "
#define VIEW HEAD "\"view\": "

const BadFile kBad[] = {
    {"", "s.headscope: the JSON is malformed (at byte 0)."},
    {"hello", "s.headscope: the JSON is malformed (at byte 0)."},
    {"{\"headscope_session\": 1, \"view\": {\"text\": \"half",
     "s.headscope: the JSON is malformed (at byte 47)."},
    {"\xFF\xFE{}", "s.headscope: the JSON is not valid UTF-8 (at byte 0)."},
    {"{\"headscope_session\": 1} {}", "s.headscope: the JSON is malformed (at byte 25)."},
    {"[1, 2]", "s.headscope: the file is an array, expected a JSON object that HeadScope has written."},
    {"{}", "s.headscope: there is no version number (\"headscope_session\"), expected a JSON object that "
           "HeadScope has written."},
    {"{\"model_type\": \"bert\", \"hidden_size\": 384}",
     "s.headscope: there is no version number (\"headscope_session\"), expected a JSON object that HeadScope "
     "has "
     "written."},
    {"{\"headscope_session\": \"1\"}", "s.headscope: there is no version number (\"headscope_session\"), "
                                       "expected a JSON object that HeadScope has "
                                       "written."},
    {"{\"headscope_session\": 2}",
     "s.headscope: \"headscope_session\" is 2, expected version 1; it was written by "
     "another HeadScope."},
    {"{\"headscope_session\": 0}",
     "s.headscope: \"headscope_session\" is 0, expected version 1; it was written by "
     "another HeadScope."},
    {HEAD "\"shape\": 3}",
     "s.headscope: the field \"shape\" is not known, expected only fields of this version; "
     "it may come from a newer HeadScope."},
    {VIEW "{\"angle\": 1}}",
     "s.headscope: the field \"view.angle\" is not known, expected only fields of this "
     "version; it may come from a newer HeadScope."},
    {VIEW "{\"viewport\": {\"depth\": 1}}}",
     "s.headscope: the field \"view.viewport.depth\" is not known, expected "
     "only fields of this version; it may come from a newer HeadScope."},
    {VIEW "{\"layer\": 1, \"layer\": 2}}",
     "s.headscope: the field \"view.layer\" stands there twice, expected it once."},
    {VIEW "7}", "s.headscope: view is an integer, expected a JSON object."},
    {VIEW "{\"headscope_view\": 9}}",
     "s.headscope: \"headscope_view\" is 9, expected version 1; it was written by another HeadScope."},
    {VIEW "{\"layer\": -1}}",
     "s.headscope: the field \"view.layer\" is -1, expected a whole number from 0 to 2147483647."},
    {VIEW "{\"layer\": 1.5}}",
     "s.headscope: the field \"view.layer\" is 1.5, expected a whole number from 0 to 2147483647."},
    {VIEW "{\"head\": 99999999999999999999}}",
     "s.headscope: the field \"view.head\" is 1e+20, expected a whole number from 0 to 2147483647."},
    {VIEW "{\"head\": \"3\"}}",
     "s.headscope: the field \"view.head\" is \"3\", expected a whole number from 0 to 2147483647."},
    {VIEW "{\"viewport\": {\"left\": -1e300, \"top\": 0, \"width\": 1, \"height\": 1}}}",
     "s.headscope: the field \"view.viewport\" is an object, expected a part of the map."},
    {VIEW "{\"viewport\": {\"left\": 0, \"top\": 0, \"width\": -4, \"height\": 1}}}",
     "s.headscope: the field \"view.viewport\" is an object, expected a width and a height above 0."},
    {VIEW "{\"kind\": \"sideways\"}}",
     "s.headscope: the field \"view.kind\" is \"sideways\", expected a kind of attention."},
    {VIEW "{\"range\": \"5:1\"}}",
     "s.headscope: the field \"view.range\" is \"5:1\", expected auto, row, log or A:B."},
    {VIEW "{\"text\": [\"a\"]}}", "s.headscope: the field \"view.text\" is an array, expected a string."},
    {VIEW "{\"show_pair\": 1}}", "s.headscope: the field \"view.show_pair\" is 1, expected true or false."},
    {VIEW "{\"page\": \"cellar\"}}",
     "s.headscope: the field \"view.page\" is \"cellar\", expected one of its known words."},
    {HEAD "\"pins\": {}}", "s.headscope: the field \"pins\" is an object, expected a list."},
    {HEAD "\"pins\": [{}, {}, {}, {}]}",
     "s.headscope: the field \"pins\" has 4 entries, expected at most 3."},
    {HEAD "\"pins\": [{\"model\": \"a\"}, {}]}",
     "s.headscope: the field \"pins[1].model\" is empty, expected the model of the pinned head."},
    {HEAD "\"pins\": [{\"model\": \"a\", \"layer\": -3}]}",
     "s.headscope: the field \"pins[0].layer\" is -3, expected a whole number from 0 to 2147483647."},
    {HEAD "\"chosen_pin\": 1}",
     "s.headscope: the field \"chosen_pin\" is 1, expected one of the pins, counted from 0."},
    {HEAD "\"notes\": [3]}", "s.headscope: notes[0] is an integer, expected a JSON object."},
    {HEAD "\"notes\": [{\"text\": \"x\"}]}",
     "s.headscope: the field \"notes[0].model\" is missing, expected the model of the head."},
    {HEAD "\"notes\": [{\"model\": \"a\", \"text\": \"x\"}, {\"model\": \"a\", \"text\": \"y\"}]}",
     "s.headscope: the field \"notes[1].head\" is of head 0.0 again, expected one note a head."},
    {HEAD "\"notes\": [{\"model\": \"a\", \"text\": \"x\", \"colour\": \"red\"}]}",
     "s.headscope: the field \"notes[0].colour\" is not known, expected only fields of this version; it may "
     "come "
     "from a newer HeadScope."},
};

TEST(SessionFile, WhatCannotBeUsedIsSaidInOneSentence) {
    static_assert(std::size(kBad) >= 25);
    for (const BadFile& bad : kBad) EXPECT_EQ(sentenceOf(bad.json), bad.sentence) << bad.json;
}

TEST(SessionFile, NumbersThatAreNoneAreRefused) {
    for (const char* number : {"1e9999", "-1e9999", "NaN", "Infinity", "0x10", "01"})
        EXPECT_THAT(sentenceOf(QByteArray(VIEW "{\"query\": ") + number + "}}"),
                    testing::StartsWith("s.headscope: the JSON is malformed (at byte 4"))
            << number;
}

TEST(SessionFile, TooDeepIsRefusedAndNotFollowed) {
    const QByteArray deep = QByteArray(HEAD "\"view\": ") + QByteArray(200000, '[');
    EXPECT_EQ(sentenceOf(deep), "s.headscope: the JSON is nested deeper than 512 levels.");
}

TEST(SessionFile, ANoteHasItsLength) {
    const QByteArray json = QByteArray(HEAD "\"notes\": [{\"model\": \"a\", \"text\": \"") +
                            QByteArray(HeadNotes::kLongest + 1, 'x') + "\"}]}";
    EXPECT_EQ(sentenceOf(json),
              "s.headscope: the field \"notes[0].text\" has 4001 characters, expected at most 4000.");
}

TEST(SessionFile, LongNamesAndControlCharactersStayOutOfTheSentence) {
    const QByteArray json = QByteArray(HEAD "\"a\\u0007b") + QByteArray(5000, 'n') + QByteArray("\": 1}");
    const std::string sentence = sentenceOf(json);
    EXPECT_LT(sentence.size(), 300U);
    EXPECT_THAT(sentence, testing::HasSubstr("a\\x07b"));
}

TEST(SessionFile, WhatIsNoFileOfItsSizeIsSaid) {
    const TemporaryFolder folder;
    EXPECT_THAT(sentenceOfFile(pathOf(folder / "none.headscope")),
                testing::EndsWith("none.headscope: cannot be opened: there is no such file or folder."));
    std::filesystem::create_directory(folder / "dir.headscope");
    EXPECT_EQ(sentenceOfFile(pathOf(folder / "dir.headscope")),
              "dir.headscope: this is a folder, expected a session file.");
    const auto large = folder.write("large.headscope", "{");
    std::filesystem::resize_file(large, 1'000'000'000); // a sparse file: no disk is used
    EXPECT_EQ(sentenceOfFile(pathOf(large)),
              "large.headscope: the file has 1000000000 bytes, at most 67108864 are read.");
    const std::string pipe = (folder / "pipe.headscope").string();
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_THAT(sentenceOfFile(QString::fromStdString(pipe)), testing::HasSubstr("not a regular file"));
}

TEST(SessionFile, WithoutPermissionItSaysSo) {
    if (geteuid() == 0) GTEST_SKIP() << "everything is permitted to this user";
    const TemporaryFolder folder;
    const auto file = folder.write("a.headscope", "{}");
    std::filesystem::permissions(file, std::filesystem::perms::none);
    EXPECT_THAT(sentenceOfFile(pathOf(file)), testing::HasSubstr("permission was denied"));
}

TEST(SessionFile, WhatCannotBeReadBackIsNotWritten) {
    const TemporaryFolder folder;
    SessionContent content;
    content.view.text = QString(kLargestSession + 1, QLatin1Char('a'));
    const QString file = pathOf(folder / "a.headscope");
    EXPECT_THROW(saveSessionFile(file, content), Error);
    EXPECT_FALSE(QFile::exists(file));
    EXPECT_THROW(saveSessionFile(pathOf(folder / "none/a.headscope"), {}), Error);
}

TEST(HeadNotes, AreOfOneHeadOfOneModel) {
    HeadNotes notes;
    notes.set(QStringLiteral("a"), headOf(1, 2), QStringLiteral("x"));
    notes.set(QStringLiteral("b"), headOf(0, 0), QStringLiteral("y"));
    EXPECT_EQ(notes.of(QStringLiteral("a"), headOf(1, 2)), QStringLiteral("x"));
    EXPECT_EQ(notes.of(QStringLiteral("a"), headOf(2, 1)), QString());
    ASSERT_EQ(notes.ofModel(QStringLiteral("a")).size(), 1U);
    notes.set(QStringLiteral("a"), headOf(1, 2), QStringLiteral("  \n"));
    EXPECT_EQ(notes.size(), 1U);
    notes.renameModel(QStringLiteral("b"), QStringLiteral("c"));
    EXPECT_EQ(notes.of(QStringLiteral("c"), headOf(0, 0)), QStringLiteral("y"));
    EXPECT_TRUE(notes.ofModel(QStringLiteral("b")).empty());
}

} // namespace
} // namespace headscope::ui
