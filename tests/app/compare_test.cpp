// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"
#include "tests/app/command_line.h"
#include "tests/app/json_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope::test {
namespace {

using testing::HasSubstr;

class CompareCommand : public testing::Test {
  protected:
    TemporaryFolder m_place;

    std::string file(const std::string& name) const { return (m_place / name).string(); }
    ProcessResult compare(std::vector<std::string> words) const {
        words.insert(words.begin(), {"compare", tinyBert()});
        return headscope(words);
    }
    Json read(const std::string& name) const { return parseJson(readBytes(file(name)), name); }
};

float cell(const Json& document, const char* member, std::size_t row, std::size_t column) {
    return static_cast<float>(document.find(member)->items().at(row).items().at(column).asReal());
}

TEST_F(CompareCommand, JsonIsWhatTheHelpPageSays) {
    JsonSchema schema(readBytes(std::string(HEADSCOPE_SOURCE_DIR) + "/resources/help/compare-json.md"));
    ASSERT_GT(schema.size(), 40U);
    const ProcessResult result =
        compare({"--text", kSentence, "--head", "0.1,2.3", "--out", file("c.json"), "--quiet"});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, "");
    const Json json = read("c.json");
    EXPECT_EQ(schema.problems(json), "");
    EXPECT_EQ(json.find("alignment")->asString(), "tokens");
    EXPECT_EQ(json.find("note")->asString(), "");
    EXPECT_EQ(json.find("first")->find("head")->asInteger(), 1);
    EXPECT_EQ(json.find("second")->find("layer")->asInteger(), 2);
    EXPECT_EQ(json.find("numbers")->find("rows")->asInteger(), 15);
    const Json& farthest = json.find("numbers")->find("farthest_rows")->items().at(0);
    const auto row = static_cast<std::size_t>(farthest.find("row")->asInteger());
    const auto key = static_cast<std::size_t>(farthest.find("key")->asInteger());
    EXPECT_EQ(static_cast<float>(farthest.find("first")->asReal()), cell(json, "first_weights", row, key));
    EXPECT_EQ(static_cast<float>(farthest.find("second")->asReal()), cell(json, "second_weights", row, key));
    double variation = 0.0;
    for (std::size_t k = 0; k < 15; ++k)
        variation +=
            0.5 * std::abs(cell(json, "first_weights", row, k) - cell(json, "second_weights", row, k));
    EXPECT_NEAR(farthest.find("total_variation")->asReal(), variation, 1e-7);
}

TEST_F(CompareCommand, OneHeadOfTwoTexts) {
    const ProcessResult result = compare(
        {"--text", "the cat sat", "--text-b", "the dog ran", "--head", "0.1", "--out", file("c.json")});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr("note: The texts differ"));
    EXPECT_EQ(read("c.json").find("second")->find("queries")->items().at(2).find("piece")->asString(), "dog");
}

TEST_F(CompareCommand, TwoModelsAreComparedByWordsWhereTokenizersDiffer) {
    const ProcessResult result = compare({"--text", "the cat sat on the matting.", "--model-b",
                                          "demo:constructed", "--head", "0.1", "--out", file("c.json")});
    ASSERT_EQ(result.code, 0) << result.err;
    const Json json = read("c.json");
    EXPECT_EQ(json.find("alignment")->asString(), "words");
    EXPECT_EQ(json.find("first_weights")->items().size(), 7U);
    EXPECT_NE(json.find("first")->find("model")->asString(), json.find("second")->find("model")->asString());
}

TEST_F(CompareCommand, LengthsThatDifferAreWrittenWithoutNumbers) {
    const ProcessResult result = compare(
        {"--text", "the cat", "--text-b", "the cat sat on it", "--head", "0.1", "--out", file("c.json")});
    ASSERT_EQ(result.code, 0) << result.err;
    const Json json = read("c.json");
    EXPECT_EQ(json.find("alignment")->asString(), "none");
    EXPECT_TRUE(json.find("numbers")->find("divergence")->isNull());
    EXPECT_EQ(json.find("first_weights")->items().size(), 4U);
}

TEST_F(CompareCommand, PicturesAreWrittenInAllFormats) {
    for (const auto& [name, start] :
         {std::pair("c.png", "\x89PNG"), std::pair("c.svg", "<?xml"), std::pair("c.pdf", "%PDF")}) {
        const ProcessResult result =
            compare({"--text", kSentence, "--head", "0.1,2.3", "--out", file(name), "--quiet"});
        if (!HEADSCOPE_WITH_QT) {
            EXPECT_EQ(result.code, 1);
            continue;
        }
        ASSERT_EQ(result.code, 0) << result.err;
        EXPECT_TRUE(readBytes(file(name)).starts_with(start)) << name;
    }
}

TEST_F(CompareCommand, AHeadThatIsNotThereLeavesNothingBehind) {
    const ProcessResult result =
        compare({"--text", kSentence, "--head", "0.1,9.0", "--out", file("c.json"), "--quiet"});
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.err, HasSubstr("9.0"));
    EXPECT_TRUE(namesIn(m_place.path()).empty());
}

TEST_F(CompareCommand, WrongUseIsSaidInOneSentence) {
    const auto sentence = [&](std::vector<std::string> words) {
        const ProcessResult result = compare(std::move(words));
        EXPECT_EQ(result.code, 2);
        return firstLine(result.err);
    };
    EXPECT_EQ(sentence({"--text", "a", "--head", "0.1", "--out", "c.png"}),
              "--head: one head is given, expected two of them, or --text-b or --model-b with one.");
    EXPECT_EQ(sentence({"--text", "a", "--head", "0.1,0.2,0.3", "--out", "c.png"}),
              "--head: more than two are given, expected one or two.");
    EXPECT_EQ(sentence({"--text", "a", "--head", "0.1,0.2", "--out", "c.json", "--dpi", "300"}),
              "--dpi: given for a .json file, only pictures (.png, .svg, .pdf) have it.");
    EXPECT_EQ(sentence({"--text", "a", "--head", "0.1,0.2", "--out", "c.csv"}),
              "--out: found \"c.csv\", expected a file name that ends in .png, .svg, .pdf or .json.");
    EXPECT_EQ(sentence({"--text", "a", "--out", "c.png"}),
              "headscope compare: --head is missing, expected one head or two, such as 1.11,3.0.");
}

} // namespace
} // namespace headscope::test
