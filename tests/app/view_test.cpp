// SPDX-License-Identifier: GPL-3.0-or-later
// What pictures look like from a session or a preset, and the caption.
#include "tests/app/command_line.h"
#include "tests/support/temporary_folder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class ExportView : public testing::Test {
  protected:
    void SetUp() override {
        if (!HEADSCOPE_WITH_QT) GTEST_SKIP() << "skipped: built without Qt, so there are no sessions";
    }
    std::string file(const std::string& name) const { return (m_place / name).string(); }
    /// A session whose view has these members beside a head.
    std::string session(const std::string& members) const {
        m_place.write(
            "a.headscope",
            fmt::format(R"({{"headscope_session": 1, "view": {{"layer": 1, "head": 2{}}}}})", members));
        return file("a.headscope");
    }
    static std::string model() { return fmt::format(R"(, "model": "{}")", tinyBert()); }
    static std::string text() { return fmt::format(R"(, "text": "{}")", kSentence); }
    static ProcessResult run(const char* command, std::vector<std::string> words) {
        words.insert(words.begin(), command);
        words.emplace_back("--quiet");
        return headscope(words);
    }
    static ProcessResult exportOf(std::vector<std::string> words) { return run("export", std::move(words)); }

    TemporaryFolder m_place;
};

TEST_F(ExportView, GivesModelTextAndHead) {
    ASSERT_EQ(exportOf({"--view", session(model() + text()), "--out", file("a.csv")}).code, 0);
    ASSERT_EQ(exportOf({tinyBert(), "--text", kSentence, "--head", "1.2", "--out", file("b.csv")}).code, 0);
    EXPECT_EQ(readBytes(file("a.csv")), readBytes(file("b.csv")));
    ASSERT_EQ(exportOf({"--view", session(model() + text()), "--text", "a cat", "--layer", "0", "--out",
                        file("c.csv")})
                  .code,
              0);
    ASSERT_EQ(exportOf({tinyBert(), "--text", "a cat", "--layer", "0", "--out", file("d.csv")}).code, 0);
    EXPECT_EQ(readBytes(file("c.csv")), readBytes(file("d.csv")));
}

TEST_F(ExportView, GivesWhichLinesAreDrawn) {
    const auto drawn = [&](const char* lines, std::vector<std::string> more, const char* name) {
        std::vector<std::string> words{
            "--view", session(model() + text() + fmt::format(R"(, "form": "lines", "lines": {})", lines)),
            "--out", file(name)};
        words.insert(words.end(), more.begin(), more.end());
        const ProcessResult result = exportOf(words);
        EXPECT_EQ(result.code, 0) << result.err;
        return readBytes(file(name));
    };
    const auto named = [&](const char* heads, const char* rule, const char* number, const char* name) {
        const ProcessResult result = exportOf({tinyBert(), "--text", kSentence, "--head", heads, "--as",
                                               "lines", rule, number, "--out", file(name)});
        EXPECT_EQ(result.code, 0) << result.err;
        return readBytes(file(name));
    };
    const auto two = named("1.2,1.0", "--strongest", "7", "two.svg");
    EXPECT_EQ(drawn(R"({"strongest": 7, "heads": [2, 0]})", {}, "a.svg"), two);
    EXPECT_EQ(drawn(R"({"from": 0.1})", {}, "a.svg"), named("1.2", "--from", "0.1", "one.svg"));
    // In the second colour, as the window has it.
    EXPECT_NE(drawn(R"({"from": 0.1, "heads": [null, 2]})", {}, "a.svg"), readBytes(file("one.svg")));
    // What is given beside it wins.
    EXPECT_EQ(drawn(R"({"from": 0.1, "heads": [2, 0]})", {"--strongest", "7"}, "a.svg"), two);
    EXPECT_EQ(drawn(R"({"from": 0.1, "heads": [3]})", {"--as", "lines", "--head", "1.2"}, "a.svg"),
              readBytes(file("one.svg")));
}

TEST_F(ExportView, LinesThatCannotBeDrawnAreRefused) {
    const auto error = [&](const char* lines) {
        const ProcessResult result = exportOf(
            {"--view", session(model() + text() + fmt::format(R"(, "form": "lines", "lines": {})", lines)),
             "--out", file("a.svg")});
        EXPECT_EQ(result.code, 1);
        EXPECT_FALSE(std::filesystem::exists(file("a.svg")));
        return result.err;
    };
    EXPECT_EQ(error(R"({"heads": []})"),
              "a.headscope: no head is drawn as lines in it; name heads with --head.\n");
    EXPECT_THAT(error(R"({"heads": [2, 99]})"), HasSubstr("1.99"));
    EXPECT_THAT(error(R"({"strongest": 0})"), HasSubstr("\"view.lines.strongest\" is 0, expected 1 to 3000"));
}

TEST_F(ExportView, WhatIsMissingInItIsSaid) {
    ProcessResult result = exportOf({"--view", session(text()), "--out", file("a.csv")});
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(result.err, "a.headscope: no model is saved in it; give MODEL beside it.\n");
    result = exportOf({"--view", session(model()), "--out", file("a.csv")});
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(result.err, "a.headscope: no text is saved in it; give --text beside it.\n");
    result = run("compare", {"--view", session(model() + text()), "--out", file("a.json")});
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.err, StartsWith("a.headscope: no head is pinned in it"));
    result = exportOf({"--view", session(model() + text() + R"(, "layr": 3)"), "--out", file("a.csv")});
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.err, HasSubstr("layr"));
    result = exportOf({"--view", file("none.headscope"), "--out", file("a.csv")});
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.err, HasSubstr("none.headscope"));
    EXPECT_FALSE(std::filesystem::exists(file("a.csv")));
}

TEST_F(ExportView, IsNoPlaceToWriteTo) {
    m_place.write("a.csv", "{}");
    const std::string view = session(model() + text());
    std::filesystem::copy_file(view, file("b.csv"));
    const ProcessResult result = exportOf({"--view", file("b.csv"), "--out", file("b.csv")});
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(readBytes(file("b.csv")), readBytes(view));
}

TEST_F(ExportView, ComparesThePinnedHeadWithTheShownOne) {
    m_place.write("p.headscope",
                  fmt::format(R"({{"headscope_session": 1, "view": {{"layer": 1, "head": 2{0}{1}}},
                      "pins": [{{"layer": 0, "head": 0{0}{1}}},
                               {{"layer": 2, "head": 3{0}, "text": "The cat sat on the mat."}}],
                      "chosen_pin": 1}})",
                              model(), text()));
    ASSERT_EQ(run("compare", {"--view", file("p.headscope"), "--out", file("a.json")}).code, 0);
    ASSERT_EQ(run("compare", {tinyBert(), "--text", "The cat sat on the mat.", "--text-b", kSentence,
                              "--head", "2.3,1.2", "--out", file("b.json")})
                  .code,
              0);
    EXPECT_EQ(readBytes(file("a.json")), readBytes(file("b.json")));
}

TEST_F(ExportView, TheCaptionIsPrintedOnceTheFileIsWritten) {
    const ProcessResult result = exportOf({tinyBert(), "--text", "a <cat>", "--head", "1.2", "--range", "0:1",
                                           "--caption", "--out", file("a.svg")});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, StartsWith("Attention weights of head 1.2 of tiny-bert for “a <cat>” ("));
    EXPECT_TRUE(result.out.ends_with("Colour scale viridis, 0 to 1 (fixed).\n")) << result.out;
    EXPECT_TRUE(std::filesystem::exists(file("a.svg")));
    const ProcessResult numbers =
        exportOf({tinyBert(), "--text", "a", "--head", "1.2", "--caption", "--out", file("a.csv")});
    EXPECT_EQ(numbers.code, 2);
    EXPECT_THAT(numbers.err, StartsWith("--caption: given for a .csv file"));
    const ProcessResult failed =
        exportOf({tinyBert(), "--text", "a", "--head", "9.2", "--caption", "--out", file("b.svg")});
    EXPECT_EQ(failed.code, 1);
    EXPECT_EQ(failed.out, "");
}

TEST_F(ExportView, AnUnknownPresetIsRefusedWithTheOthers) {
    const ProcessResult result =
        exportOf({tinyBert(), "--text", "a", "--head", "1.2", "--preset", "poster", "--out", file("a.png")});
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err,
                StartsWith("--preset: found \"poster\", expected single, double, slide or article"));
    const ProcessResult help = headscope({"export", "--help"});
    EXPECT_THAT(help.out, HasSubstr("--preset"));
    EXPECT_THAT(help.out, HasSubstr("10 x 8 inches"));
}

TEST_F(ExportView, ATextNeedsATokenAndAPicture) {
    const auto refused = [&](std::vector<std::string> more, const char* name) {
        more.insert(more.begin(), {tinyBert(), "--text", "a cat", "--out", file(name)});
        const ProcessResult result = exportOf(more);
        EXPECT_EQ(result.code, 2) << result.err;
        return result.err;
    };
    EXPECT_THAT(refused({"--head", "1.2", "--as", "text"}, "a.png"),
                StartsWith("--as text: no token is given, expected --query or --key with one"));
    EXPECT_THAT(refused({"--head", "1.2", "--as", "text", "--query", "1"}, "a.csv"),
                StartsWith("--as: given for a .csv file"));
    EXPECT_THAT(refused({"--grid", "--as", "text", "--query", "1"}, "a.png"),
                StartsWith("--as text: given without one head"));
    EXPECT_THAT(refused({"--head", "1.2", "--query", "1"}, "a.png"), StartsWith("--query: given for a map"));
    EXPECT_THAT(refused({"--head", "1.2", "--as", "text", "--query", "1", "--rows", "0:2"}, "a.png"),
                StartsWith("--rows: given for a text"));
    const ProcessResult far = exportOf({tinyBert(), "--text", "a cat", "--head", "1.2", "--as", "text",
                                        "--key", "99", "--out", file("a.png")});
    EXPECT_EQ(far.code, 1);
    EXPECT_THAT(far.err, StartsWith("token 99: there is no such token, the text has "));
    EXPECT_FALSE(std::filesystem::exists(file("a.png")));
}

TEST_F(ExportView, LinesAreRefusedWhereTheyCannotBe) {
    const auto error = [&](std::vector<std::string> more, const char* name, int code = 2) {
        more.insert(more.begin(), {tinyBert(), "--text", "a cat", "--out", file(name)});
        const ProcessResult result = exportOf(more);
        EXPECT_EQ(result.code, code) << result.err;
        return result.err;
    };
    EXPECT_THAT(error({"--head", "1.2", "--as", "lines"}, "a.csv"),
                StartsWith("--as: given for a .csv file"));
    EXPECT_THAT(error({"--grid", "--as", "lines"}, "a.png"), StartsWith("--as lines: given without heads"));
    EXPECT_THAT(error({"--head", "1.2", "--from", "0.1"}, "a.png"),
                StartsWith("--from: given without lines"));
    EXPECT_THAT(error({"--head", "1.2", "--as", "lines", "--from", "0.1", "--strongest", "9"}, "a.png"),
                StartsWith("--from: given together with --strongest"));
    EXPECT_THAT(error({"--head", "1.2", "--as", "lines", "--values"}, "a.png"),
                StartsWith("--values: given for lines"));
    EXPECT_THAT(error({"--head", "1.2", "--as", "lines", "--query", "99"}, "a.png", 1),
                StartsWith("token 99: there is no such token"));
    EXPECT_THAT(error({"--head", "0.0,0.1,0.2,0.3,1.0,1.1,1.2", "--as", "lines"}, "a.png", 1),
                StartsWith("lines: 7 heads were asked for, expected at most 6"));
    EXPECT_FALSE(std::filesystem::exists(file("a.png")));
}

TEST_F(ExportView, ASingleHeadThatIsCombinedStandsForItsLayer) {
    const auto bytes = [&](const std::vector<std::string>& heads) {
        std::vector<std::string> words = {tinyBert(), "--text", "a cat", "--combine", "max", "--quiet"};
        words.insert(words.end(), heads.begin(), heads.end());
        words.insert(words.end(), {"--out", file("a.csv")});
        EXPECT_EQ(exportOf(words).code, 0);
        return headscope::test::readBytes(file("a.csv"));
    };
    const std::string layer = bytes({"--layer", "1"});
    EXPECT_EQ(bytes({"--head", "1.2"}), layer);
    EXPECT_EQ(bytes({"--head", "1.0,1.1,1.2,1.3"}), layer);
    EXPECT_NE(bytes({"--head", "1.0,1.2"}), layer) << "the heads that are named";
}

TEST_F(ExportView, TooWideIsRefusedBeforeTheModelIsRead) {
    const ProcessResult result = exportOf({file("no-model"), "--text", "a", "--head", "0.0", "--width-mm",
                                           "5000", "--dpi", "600", "--out", file("a.png")});
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.err,
                HasSubstr("the picture would be 118110 pixels wide, at most 32767 are possible on a "
                          "side; lower the dots per inch or the width, or choose .svg or .pdf"));
}

TEST(ExportViewWithoutQt, SessionsAreRefusedByName) {
    if (HEADSCOPE_WITH_QT) GTEST_SKIP() << "skipped: built with Qt";
    const TemporaryFolder place;
    place.write("a.headscope", "{}");
    const ProcessResult result = headscope(
        {"export", "--view", (place / "a.headscope").string(), "--out", (place / "a.csv").string()});
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.err, StartsWith("a.headscope: sessions need Qt"));
}

} // namespace
} // namespace headscope::test
