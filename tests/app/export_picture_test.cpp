// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/command_line.h"

#include <cstdint>
#include <gtest/gtest.h>

namespace headscope::test {
namespace {

std::uint32_t bigEndian(const std::string& bytes, std::size_t at) {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < 4; ++i) number = number << 8U | static_cast<unsigned char>(bytes[at + i]);
    return number;
}

class ExportPicture : public testing::Test {
  protected:
    void SetUp() override {
        if (!HEADSCOPE_WITH_QT) GTEST_SKIP() << "skipped: built without Qt, so there are no pictures";
    }
    ProcessResult exportTo(const std::string& name, std::vector<std::string> more) const {
        more.insert(more.begin(),
                    {"export", tinyBert(), "--text", kSentence, "--quiet", "--out", file(name)});
        // No display, whatever this test runs under.
        return headscope(more, {.environment = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}});
    }
    std::string file(const std::string& name) const { return (m_place / name).string(); }

    TemporaryFolder m_place;
};

TEST_F(ExportPicture, PngHasTheSizeAskedForAndNeedsNoDisplay) {
    const ProcessResult result =
        exportTo("head.png", {"--head", "1.2", "--width-mm", "127", "--dpi", "200", "--theme", "dark"});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.out + result.err, "");
    const std::string png = readBytes(file("head.png"));
    ASSERT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
    EXPECT_EQ(bigEndian(png, 16), 1000U); // 5 inches
    EXPECT_GT(bigEndian(png, 20), 300U);
    const std::size_t density = png.find("pHYs");
    ASSERT_NE(density, std::string::npos);
    EXPECT_EQ(bigEndian(png, density + 4), 7874U); // 200 dots per inch, in dots per metre
    EXPECT_EQ(namesIn(m_place.path()), std::vector<std::string>{"head.png"});
}

TEST_F(ExportPicture, PdfHoldsNoJpeg) {
    ASSERT_EQ(exportTo("head.pdf", {"--head", "0.0", "--title", "", "--values"}).code, 0);
    const std::string pdf = readBytes(file("head.pdf"));
    EXPECT_EQ(pdf.substr(0, 5), "%PDF-");
    EXPECT_NE(pdf.find("/Image"), std::string::npos);
    EXPECT_EQ(pdf.find("DCTDecode"), std::string::npos);
}

TEST_F(ExportPicture, SvgHasTheTitleAndTheLabelsGiven) {
    ASSERT_EQ(
        exportTo("heads.svg", {"--head", "0.0,2.3", "--title", "Two <heads>", "--x-label", "keys & more"})
            .code,
        0);
    const std::string svg = readBytes(file("heads.svg"));
    EXPECT_EQ(svg.rfind("<?xml", 0), 0U);
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
    EXPECT_NE(svg.find("<title>Two &lt;heads&gt;</title>"), std::string::npos);
    for (const char* label :
         {"(a) Head 0.0", "(b) Head 2.3", "Two &lt;heads&gt;", "keys &amp; more", "animal"})
        EXPECT_NE(svg.find(std::string("aria-label=\"") + label + "\""), std::string::npos) << label;
    EXPECT_EQ(svg.find("<text"), std::string::npos);
}

TEST_F(ExportPicture, TooLargeIsRefusedWithTheLimit) {
    const ProcessResult result =
        exportTo("head.png", {"--head", "0.0", "--width-mm", "5000", "--dpi", "600"});
    EXPECT_EQ(result.code, 1);
    EXPECT_NE(result.err.find("at most 32767 are possible on a side"), std::string::npos) << result.err;
    EXPECT_EQ(namesIn(m_place.path()), std::vector<std::string>());
}

TEST_F(ExportPicture, GalleryHasEveryHeadTheGridAndAPageWithoutNetwork) {
    const std::string folder = file("gallery");
    const ProcessResult result = headscope({"export", tinyBert(), "--text", "<b>The cat</b>", "--all",
                                            "--dpi", "60", "--out-dir", folder, "--quiet"});
    ASSERT_EQ(result.code, 0) << result.err;
    std::vector<std::string> expected = {"grid.png"};
    for (const char* layer : {"0", "1", "2"})
        for (const char* head : {"0", "1", "2", "3"})
            expected.push_back(std::string("head-") + layer + "." + head + ".png");
    expected.emplace_back("index.html");
    EXPECT_EQ(namesIn(folder), expected);
    const std::string page = readBytes(folder + "/index.html");
    EXPECT_EQ(page.find("http"), std::string::npos);
    EXPECT_EQ(page.find("<script"), std::string::npos);
    EXPECT_NE(page.find("&lt;b&gt;The cat&lt;/b&gt;"), std::string::npos);
    for (const std::string& name : expected) {
        if (name == "index.html") continue;
        EXPECT_NE(page.find("src=\"" + name + "\""), std::string::npos) << name;
        EXPECT_EQ(readBytes(folder + "/" + name).substr(1, 3), "PNG");
    }
    // A second time into the same folder; beside it, a folder whose parent is missing is refused.
    EXPECT_EQ(
        headscope({"export", tinyBert(), "--text", "a", "--all", "--dpi", "60", "--out-dir", folder}).code,
        0);
    const ProcessResult deep =
        headscope({"export", tinyBert(), "--text", "a", "--all", "--quiet", "--out-dir", file("no/such")});
    EXPECT_EQ(deep.code, 1);
    EXPECT_NE(deep.err.find("does not exist"), std::string::npos) << deep.err;
    EXPECT_EQ(
        headscope({"export", tinyBert(), "--text", "a", "--all", "--out-dir", tinyBert() + "/all"}).code, 1);
    EXPECT_FALSE(std::filesystem::exists(tinyBert() + "/all"));
}

TEST_F(ExportPicture, AGalleryThatFailsLeavesTheOlderOneWhole) {
    std::filesystem::create_directories(m_place / "gallery" / "index.html"); // keeps the page from its name
    m_place.write("gallery/head-0.0.png", "old");
    const ProcessResult result = headscope({"export", tinyBert(), "--text", "a", "--all", "--dpi", "60",
                                            "--quiet", "--out-dir", file("gallery")});
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(result.err, file("gallery") + "/index.html: this is a folder, expected a file name.\n");
    EXPECT_EQ(namesIn(m_place / "gallery"), (std::vector<std::string>{"head-0.0.png", "index.html"}));
    EXPECT_EQ(readBytes(file("gallery/head-0.0.png")), "old");

    const ProcessResult limited = runProcess(
        {"/bin/sh", "-c", R"(ulimit -f 1; exec "$0" export "$1" --text a --all --quiet --out-dir "$2")",
         HEADSCOPE_BINARY, tinyBert(), file("gallery")});
    EXPECT_EQ(limited.code, 1);
    EXPECT_EQ(limited.err.find(file("gallery") + "/head-0.0.png: cannot be written: "), 0U) << limited.err;
    EXPECT_EQ(namesIn(m_place / "gallery"), (std::vector<std::string>{"head-0.0.png", "index.html"}));
    EXPECT_EQ(readBytes(file("gallery/head-0.0.png")), "old");
}

TEST(ExportWithoutQt, PicturesAreRefusedByName) {
    if (HEADSCOPE_WITH_QT) GTEST_SKIP() << "skipped: built with Qt";
    const TemporaryFolder place;
    const ProcessResult result = headscope({"export", tinyBert(), "--text", "a", "--head", "0.0", "--out",
                                            (place / "a.svg").string(), "--quiet"});
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(result.err,
              "a.svg: pictures need Qt, and this program was built without it; choose .csv, .npy or "
              ".json.\n");
}

} // namespace
} // namespace headscope::test
