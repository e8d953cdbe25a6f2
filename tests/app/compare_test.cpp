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

TEST_F(CompareCommand, SidesAreMadeOfLayers) {
    const auto written = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"--text", kSentence});
        more.insert(more.end(), {"--out", file("c.json"), "--quiet"});
        const ProcessResult result = compare(std::move(more));
        EXPECT_EQ(result.code, 0) << result.err;
        return read("c.json");
    };
    const Json layers = written({"--layer", "0,2", "--combine", "mean"});
    EXPECT_EQ(layers.find("first")->find("view")->find("combine")->asString(), "mean");
    EXPECT_EQ(layers.find("second")->find("layer")->asInteger(), 2);
    EXPECT_FALSE(layers.find("numbers")->find("rows_divided")->asBool());
    // A head against the mean of its layer: the difference of the two matrices of two other files.
    const Json both = written({"--head", "1.2", "--combine", "one,mean"});
    EXPECT_EQ(both.find("first")->find("view")->find("combine")->asString(), "one");
    EXPECT_EQ(both.find("second")->find("view")->find("combine")->asString(), "mean");
    const Json heads = written({"--head", "1.0,1.1"});
    const Json others = written({"--head", "1.2,1.3"});
    const double mean = (cell(heads, "first_weights", 4, 2) + cell(heads, "second_weights", 4, 2) +
                         cell(others, "first_weights", 4, 2) + cell(others, "second_weights", 4, 2)) /
                        4.0;
    EXPECT_NEAR(cell(both, "second_weights", 4, 2), mean, 1e-6);
    EXPECT_EQ(cell(both, "first_weights", 4, 2), cell(others, "first_weights", 4, 2));
}

TEST_F(CompareCommand, ViewsAreOfBothSidesOrOfOne) {
    const auto written = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"--text", kSentence, "--head", "0.1,2.3"});
        more.insert(more.end(), {"--out", file("c.json"), "--quiet"});
        const ProcessResult result = compare(std::move(more));
        EXPECT_EQ(result.code, 0) << result.err;
        return read("c.json");
    };
    const Json both = written({"--hide-special", "--value-weighted"});
    EXPECT_TRUE(both.find("numbers")->find("rows_divided")->asBool());
    EXPECT_EQ(both.find("first")->find("queries")->items().at(0).find("index")->asInteger(), 1)
        << "token 0 is left out";
    const Json one = written({"--only-a", "words"});
    EXPECT_EQ(one.find("alignment")->asString(), "none");
    EXPECT_EQ(one.find("note")->asString(),
              "a shows words, b tokens: there is nothing to subtract until both are shown alike.");
    const Json other = written({"--words", "--only-b", "hide-special,hide-first"});
    EXPECT_FALSE(other.find("first")->find("view")->find("hide_special")->asBool());
    EXPECT_TRUE(other.find("second")->find("view")->find("hide_special")->asBool());
    EXPECT_TRUE(other.find("second")->find("view")->find("words")->asBool());
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
    EXPECT_EQ(sentence({"--text", "a", "--head", "0.1,0.2", "--combine", "one,mean,max", "--out", "c.png"}),
              "--combine: found \"one,mean,max\", expected one, mean, max or rollout, or two of them with a "
              "comma for the first and the second side.");
    EXPECT_EQ(
        sentence({"--text", "a", "--head", "0.1,0.2", "--only-a", "words,rows", "--out", "c.png"}),
        "--only-a: found \"rows\", expected words, value-weighted, hide-special or hide-first, with commas "
        "between several.");
    EXPECT_EQ(sentence({"--text", "a", "--layer", "0,1", "--out", "c.png"}),
              "--layer: given for a head by itself, expected --combine mean, max or rollout.");
    EXPECT_EQ(sentence({"--text", "a", "--layer", "1", "--combine", "mean", "--out", "c.png"}),
              "--layer: one layer is given, expected two of them, or --text-b, --model-b or two words of "
              "--combine with one.");
    EXPECT_EQ(sentence({"--text", "a", "--out", "c.png"}),
              "headscope compare: --head is missing, expected one head or two, such as 1.11,3.0.");
}

} // namespace
} // namespace headscope::test
