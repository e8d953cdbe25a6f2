// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"
#include "tests/app/command_line.h"
#include "tests/app/json_schema.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

namespace headscope::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::string kPage = std::string(HEADSCOPE_SOURCE_DIR) + "/resources/help/diagnose-json.md";
const char* const kLong =
    "The animal did not cross the street because it was too tired. A dog sat in the sun and "
    "looked at the street, and a cat looked at the dog; then it was dark, and all of them "
    "went home to eat and to sleep. The street was quiet.";

const Json& headOf(const Json& json, std::int64_t layer, std::int64_t head) {
    for (const Json& one : json.find("heads")->items())
        if (one.find("layer")->asInteger() == layer && one.find("head")->asInteger() == head) return one;
    ADD_FAILURE() << layer << '.' << head << " is missing";
    return json;
}

std::vector<std::string> labelsOf(const Json& head) {
    std::vector<std::string> names;
    for (const Json& label : head.find("labels")->items()) names.push_back(label.find("name")->asString());
    return names;
}

TEST(Diagnose, JsonIsWhatTheHelpPageSays) {
    const ProcessResult result = headscope({"diagnose", flaggedBert(), "--json", "--quiet"});
    ASSERT_EQ(result.code, 0) << result.err;
    JsonSchema schema(readBytes(kPage));
    ASSERT_GT(schema.size(), 60U);
    const Json json = parseJson(result.out, "diagnose");
    EXPECT_EQ(schema.problems(json), "");
    EXPECT_GT(json.find("texts")->items().size(), 8U);
    EXPECT_EQ(json.find("heads")->items().size(), 12U);
    EXPECT_EQ(json.find("layers")->items().size(), 3U);
    // The fixture's two made heads, confirmed by every text that comes with the program.
    const Json& stuck = headOf(json, 0, 1);
    EXPECT_EQ(stuck.find("primary")->asString(), "stuck");
    const Json& label = stuck.find("labels")->items().at(0);
    EXPECT_EQ(label.find("confidence")->asString(), "confirmed");
    EXPECT_EQ(label.find("texts_fired")->asInteger(), label.find("texts_tested")->asInteger());
    EXPECT_EQ(label.find("token")->asString(), "[CLS]");
    EXPECT_EQ(headOf(json, 1, 2).find("primary")->asString(), "uniform");
}

TEST(Diagnose, OneTextIsObservedAtMost) {
    const ProcessResult result = headscope({"diagnose", flaggedBert(), "--text", kLong, "--json", "--quiet"});
    ASSERT_EQ(result.code, 0) << result.err;
    const Json json = parseJson(result.out, "diagnose");
    ASSERT_EQ(json.find("texts")->items().size(), 1U);
    EXPECT_EQ(json.find("texts")->items().at(0).find("name")->asString(), "input");
    for (const Json& head : json.find("heads")->items())
        for (const Json& label : head.find("labels")->items())
            EXPECT_EQ(label.find("confidence")->asString(), "observed");
    EXPECT_THAT(labelsOf(headOf(json, 0, 1)), ::testing::Contains("stuck"));
}

TEST(Diagnose, ShortTextsTestNothingAndSayWhy) {
    const ProcessResult result = headscope({"diagnose", tinyBert(), "--text", "a cat", "--json", "--quiet"});
    ASSERT_EQ(result.code, 0) << result.err;
    const Json json = parseJson(result.out, "diagnose");
    for (const Json& head : json.find("heads")->items()) {
        EXPECT_EQ(head.find("primary")->asString(), "insufficient_evidence");
        EXPECT_THAT(labelsOf(head), IsEmpty());
        EXPECT_TRUE(head.find("metrics")->find("entropy")->isNull()) << "no row counts: not 0";
    }
    std::vector<std::string> untested;
    for (const Json& one : json.find("not_tested")->items())
        untested.push_back(one.find("label")->asString());
    EXPECT_THAT(untested, ::testing::UnorderedElementsAre(
                              "uniform", "sink", "stuck", "previous_token", "next_token", "self",
                              "fixed_offset", "local", "delimiter", "duplicate_token", "block", "broad",
                              "broadcast", "active_dormant", "inactive", "redundant", "collapsed"));
    // The table says a reason once.
    const ProcessResult table = headscope({"diagnose", tinyBert(), "--text", "a cat", "--quiet"});
    EXPECT_THAT(table.out, HasSubstr("not tested\nuniform, sink, stuck, previous token, "));
    EXPECT_THAT(table.out, Not(HasSubstr("\nsink (all heads)")));
}

TEST(Diagnose, ATextsFileHasOneTextALine) {
    const TemporaryFolder place;
    const auto file = place.write("texts.txt", fmt::format("{}\n\n  \n{}\r\n{}", kLong, kLong, "a cat"));
    const ProcessResult result =
        headscope({"diagnose", flaggedBert(), "--texts-file", file.string(), "--json", "--quiet"});
    ASSERT_EQ(result.code, 0) << result.err;
    const Json json = parseJson(result.out, "diagnose");
    std::vector<std::string> names;
    for (const Json& text : json.find("texts")->items()) names.push_back(text.find("name")->asString());
    EXPECT_THAT(names, ::testing::ElementsAre("line 1", "line 4", "line 5"));
    const Json& label = headOf(json, 0, 1).find("labels")->items().at(0);
    EXPECT_EQ(label.find("texts_tested")->asInteger(), 2); // the third is too short
}

TEST(Diagnose, TheTableFitsEightyColumns) {
    const ProcessResult result = headscope({"diagnose", flaggedBert(), "--quiet"});
    ASSERT_EQ(result.code, 0) << result.err;
    std::istringstream lines(result.out);
    int heads = 0;
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), 80U) << line;
        if (line.size() > 1 && line[1] == '.') ++heads;
    }
    EXPECT_EQ(heads, 12);
    EXPECT_THAT(result.out, HasSubstr("\n0.1    stuck on [CLS]"));
    EXPECT_THAT(result.out, HasSubstr("\n1.2    uniform"));
    EXPECT_THAT(result.out, HasSubstr("not tested\n"));
}

TEST(Diagnose, WrongUseAndBadFilesAreOneSentence) {
    const TemporaryFolder place;
    const auto empty = place.write("empty.txt", " \n\n");
    const auto latin = place.write("latin.txt", "caf\xe9\n");
    const auto run = [](std::vector<std::string> words) {
        words.insert(words.begin(), {"diagnose", tinyBert(), "--quiet"});
        return headscope(words);
    };
    EXPECT_EQ(run({"--texts-file", empty.string()}).err,
              "empty.txt: it holds no text, expected one text a line.\n");
    EXPECT_EQ(run({"--texts-file", latin.string()}).code, 1);
    EXPECT_EQ(run({"--texts-file", (place / "none").string()}).code, 1);
    EXPECT_EQ(run({"--texts-file", empty.string(), "--text", "a"}).code, 2);
    EXPECT_EQ(run({"--text", "a", "--ids", "1"}).code, 2);
    const ProcessResult far = run({"--ids", "1,2,99999"});
    EXPECT_EQ(far.code, 1);
    EXPECT_EQ(far.out, "");
}

TEST(Diagnose, IdsAreEnough) {
    std::string ids = "1";
    for (int i = 0; i < 60; ++i) ids += fmt::format(",{}", 3 + i * 7 % 40);
    const ProcessResult result = headscope({"diagnose", flaggedBert(), "--ids", ids, "--json", "--quiet"});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(parseJson(result.out, "diagnose").find("texts")->items().at(0).find("tokens")->asInteger(), 61);
}

} // namespace
} // namespace headscope::test
