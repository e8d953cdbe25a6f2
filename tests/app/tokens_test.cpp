// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"
#include "tests/app/command_line.h"

#include <gtest/gtest.h>
#include <sstream>

namespace headscope::test {
namespace {

TEST(Tokens, JsonIsTheContract) {
    const ProcessResult result = headscope({"tokens", tinyBert(), "The cat", "--pair", "dog", "--json"});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    const std::string version =
        firstLine(headscope({"--version"}).out).substr(std::string("headscope ").size());
    EXPECT_EQ(
        result.out,
        "{\"headscope\": \"" + version +
            "\", \"tokens\": ["
            "{\"id\": 2, \"piece\": \"[CLS]\", \"start\": 0, \"end\": 0, \"special\": true, \"text\": null}, "
            "{\"id\": 100, \"piece\": \"the\", \"start\": 0, \"end\": 3, \"special\": false, \"text\": 0}, "
            "{\"id\": 189, \"piece\": \"cat\", \"start\": 4, \"end\": 7, \"special\": false, \"text\": 0}, "
            "{\"id\": 3, \"piece\": \"[SEP]\", \"start\": 0, \"end\": 0, \"special\": true, \"text\": null}, "
            "{\"id\": 190, \"piece\": \"dog\", \"start\": 0, \"end\": 3, \"special\": false, \"text\": 1}, "
            "{\"id\": 3, \"piece\": \"[SEP]\", \"start\": 0, \"end\": 0, \"special\": true, \"text\": "
            "null}]}\n");
}

TEST(Tokens, TableHasOneLineAToken) {
    const ProcessResult result = headscope({"tokens", tinyBert(), "The cat", "--no-special"});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.out, " index       id   start    end  from     piece\n"
                          "     0      100       0      3  first    the\n"
                          "     1      189       4      7  first    cat\n");
}

TEST(Tokens, AFileHasOneTextALineAndLinesEndAtLineFeedOnly) {
    const TemporaryFolder place;
    // The second line is empty; U+2028, form feed and CR do not end one; the last has no line feed.
    const auto file = place.write("lines.txt", "the cat\n\nthe\xe2\x80\xa8"
                                               "dog\f\r\na");
    const ProcessResult result = headscope({"tokens", tinyBert(), "--text-file", file.string(), "--json"});
    ASSERT_EQ(result.code, 0) << result.err;
    std::istringstream lines(result.out);
    std::vector<std::size_t> counts;
    for (std::string line; std::getline(lines, line);)
        counts.push_back(parseJson(line, "line").find("tokens")->items().size());
    EXPECT_EQ(counts, (std::vector<std::size_t>{4, 2, 4, 3}));
}

TEST(Tokens, LengthRulesFollowTheModel) {
    std::string words;
    for (int i = 0; i < 200; ++i) words += "the ";
    const auto count = [&](const std::vector<std::string>& more) {
        std::vector<std::string> command = {"tokens", tinyBert(), words, "--json"};
        command.insert(command.end(), more.begin(), more.end());
        const ProcessResult result = headscope(command);
        EXPECT_EQ(result.code, 0) << result.err;
        return parseJson(result.out, "tokens").find("tokens")->items().size();
    };
    EXPECT_EQ(count({}), 202U);
    EXPECT_EQ(count({"--truncate"}), 128U);
    EXPECT_EQ(count({"--piece", "0"}), 128U);
    EXPECT_EQ(count({"--piece", "1"}), 76U);
    const ProcessResult beyond = headscope({"tokens", tinyBert(), words, "--piece", "2"});
    EXPECT_EQ(beyond.code, 1);
    EXPECT_EQ(beyond.out, "");
}

TEST(Tokens, AClosedOutputIsAnErrorNotASignal) {
    const ProcessResult result = headscope({"tokens", tinyBert(), "the cat"}, {.outputFile = "/dev/full"});
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(result.err, "standard output: cannot be written: the disk is full.\n");
    const ProcessResult closed =
        runProcess({"/bin/sh", "-c", R"(exec "$0" tokens "$1" a >&-)", HEADSCOPE_BINARY, tinyBert()});
    EXPECT_EQ(closed.code, 1);
    EXPECT_EQ(closed.err, "standard output: cannot be written: it is closed.\n");
}

} // namespace
} // namespace headscope::test
