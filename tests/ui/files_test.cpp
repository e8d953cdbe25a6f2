// SPDX-License-Identifier: GPL-3.0-or-later
// Samples, text files and settings.
#include "core/base/error.h"
#include "tests/support/temporary_folder.h"
#include "tests/ui/print_qt.h"
#include "ui/samples.h"
#include "ui/settings.h"
#include "ui/text_file.h"

#include <QFile>
#include <QSettings>
#include <QSignalSpy>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

using test::TemporaryFolder;

QString pathOf(const std::filesystem::path& path) {
    return QString::fromStdString(path.string());
}

std::string sentenceOf(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.sentence();
    }
    return "no error";
}

TEST(Samples, holdTheFirstWalkAndALongText) {
    EXPECT_EQ(samples().front().text,
              QStringLiteral("The animal didn't cross the street because it was too tired."));
    // More than 64 words are more than 64 tokens in any tokenizer.
    EXPECT_GT(firstSample().text.split(QLatin1Char(' ')).size(), 64);
    int pairs = 0;
    for (const Sample& sample : samples()) {
        EXPECT_FALSE(sample.title.isEmpty());
        EXPECT_FALSE(sample.text.isEmpty());
        pairs += sample.pair.isEmpty() ? 0 : 1;
    }
    EXPECT_EQ(pairs, 1);
}

TEST(Samples, areParsed) {
    const auto parsed = parseSamples(QStringLiteral("ignored\n## One\na\nb\n## Two\nc\n--\nd\n"));
    ASSERT_EQ(parsed.size(), 2U);
    EXPECT_EQ(parsed[0].text, QStringLiteral("a\nb"));
    EXPECT_EQ(parsed[0].pair, QString());
    EXPECT_EQ(parsed[1].title, QStringLiteral("Two"));
    EXPECT_EQ(parsed[1].pair, QStringLiteral("d"));
}

TEST(TextFile, isReadAsUtf8) {
    const TemporaryFolder folder;
    EXPECT_EQ(readTextFile(pathOf(folder.write("a.txt", "caf\xC3\xA9\n"))), QStringLiteral("café"));
    EXPECT_EQ(readTextFile(pathOf(folder.write("b.txt", "\xEF\xBB\xBFx\r\n"))), QStringLiteral("x"));
    EXPECT_EQ(readTextFile(pathOf(folder.write("c.txt", ""))), QString());
}

TEST(TextFile, whatCannotBeReadIsSaid) {
    const TemporaryFolder folder;
    const auto bad = pathOf(folder.write("bad.txt", "abc\xFFxyz"));
    EXPECT_THAT(sentenceOf([&] { readTextFile(bad); }),
                testing::AllOf(testing::HasSubstr("bad.txt"), testing::HasSubstr("3")));
    const auto large = pathOf(folder.write("large.txt", std::string(kLargestTextFile + 1, 'a')));
    EXPECT_THAT(sentenceOf([&] { readTextFile(large); }), testing::HasSubstr("larger than 1 MB"));
    EXPECT_THAT(sentenceOf([&] { readTextFile(pathOf(folder / "none.txt")); }),
                testing::HasSubstr("cannot be read"));
}

TEST(Settings, recentModelsAreShortAndUnique) {
    Settings settings;
    QSettings().clear();
    QSignalSpy spy(&settings, &Settings::recentModelsChanged);
    for (int i = 0; i < 12; ++i) {
        settings.addRecentModel(QStringLiteral("/m/%1").arg(i));
    }
    EXPECT_EQ(settings.recentModels().size(), Preferences().recentModels);
    EXPECT_EQ(settings.recentModels().front(), QStringLiteral("/m/11"));
    settings.addRecentModel(QStringLiteral("/m/9"));
    EXPECT_EQ(settings.recentModels().front(), QStringLiteral("/m/9"));
    EXPECT_EQ(settings.recentModels().count(QStringLiteral("/m/9")), 1);
    const auto signals_ = spy.size();
    settings.addRecentModel(QStringLiteral("/m/9"));
    EXPECT_EQ(spy.size(), signals_) << "no change, no signal";
}

TEST(Settings, emitOnlyOnChangeAndOutliveTheObject) {
    {
        Settings settings;
        settings.setTheme(ThemeChoice::Light);
        QSignalSpy spy(&settings, &Settings::themeChanged);
        settings.setTheme(ThemeChoice::Dark);
        settings.setTheme(ThemeChoice::Dark);
        EXPECT_EQ(spy.size(), 1);
        settings.setRunWhileTyping(false);
    }
    Settings again;
    EXPECT_EQ(again.theme(), ThemeChoice::Dark);
    EXPECT_FALSE(again.runWhileTyping());
    again.setRunWhileTyping(true);
    again.setTheme(ThemeChoice::System);
}

TEST(Settings, aLayoutOfAnotherVersionIsDropped) {
    Settings settings;
    settings.saveLayout("geometry", "layout");
    EXPECT_EQ(settings.geometry(), QByteArray("geometry"));
    QSettings().setValue(QStringLiteral("window/layout_version"), Settings::kLayoutVersion + 1);
    EXPECT_TRUE(settings.geometry().isEmpty());
    EXPECT_TRUE(settings.layout().isEmpty());
    QSettings().remove(QStringLiteral("window"));
}

} // namespace
} // namespace headscope::ui
