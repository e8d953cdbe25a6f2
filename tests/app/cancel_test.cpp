// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/command_line.h"

#include <csignal>
#include <gtest/gtest.h>
#include <memory>

namespace headscope::test {
namespace {

/// Sends `number` once, as soon as `text` stands on standard error.
ProcessOptions signalAt(const std::string& text, int number) {
    ProcessOptions options;
    auto sent = std::make_shared<bool>(false);
    options.onError = [text, number, sent](pid_t child, const std::string& err) {
        if (*sent || err.find(text) == std::string::npos) return;
        *sent = true;
        ::kill(child, number);
    };
    return options;
}

TEST(Cancel, AStoppedExportLeavesNothingPartial) {
    const TemporaryFolder place;
    std::string words;
    for (int i = 0; i < 120; ++i) words += "the ";
    for (const int number : {SIGINT, SIGTERM}) {
        const std::string out = (place / "a.csv").string();
        const ProcessResult result =
            headscope({"export", tinyBert(), "--text", words, "--grid", "--out", out},
                      signalAt("layer 1 of 3", number));
        // The pass may have ended before the signal arrived: then the file is whole. Never is anything
        // partial left.
        if (result.code == 0) {
            EXPECT_EQ(namesIn(place.path()), std::vector<std::string>{"a.csv"});
            std::filesystem::remove(out);
        } else {
            EXPECT_EQ(result.code, 1);
            EXPECT_TRUE(result.err.ends_with("cancelled.\n")) << result.err;
            EXPECT_EQ(namesIn(place.path()), std::vector<std::string>());
        }
    }
}

TEST(Cancel, AStoppedGalleryLeavesNoFolder) {
    if (!HEADSCOPE_WITH_QT) GTEST_SKIP() << "skipped: built without Qt, so there is no gallery";
    const TemporaryFolder place;
    const ProcessResult result = headscope({"export", tinyBert(), "--text", kSentence, "--all", "--dpi",
                                            "600", "--out-dir", (place / "all").string()},
                                           signalAt("layer 3 of 3", SIGINT));
    EXPECT_EQ(result.code, 1);
    EXPECT_TRUE(result.err.ends_with("cancelled.\n")) << result.err;
    EXPECT_EQ(namesIn(place.path()), std::vector<std::string>());
}

} // namespace
} // namespace headscope::test
