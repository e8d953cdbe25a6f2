// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "tests/app/json_schema.h"
#include "tests/app/refused.h"

#include <array>
#include <bit>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

namespace headscope::test {
namespace {

using ::testing::HasSubstr;

const char* const kLong =
    "The animal did not cross the street because it was too tired. A dog sat in the sun and looked at the "
    "street, and a cat looked at the dog; then it was dark, and all of them went home to eat and to sleep.";

/// Maps of the fixture with a stuck and a uniform head.
class DiagnoseFileCommand : public ::testing::Test {
  protected:
    std::string written(const char* name) const {
        const std::string out = (place / name).string();
        const ProcessResult result =
            headscope({"run", flaggedBert(), "--text", kLong, "--out", out, "--quiet"});
        EXPECT_EQ(result.code, 0) << result.err;
        return out;
    }

    TemporaryFolder place;
};

/// Labels of every head but `inactive`, which takes values.
std::vector<std::string> labelsOf(const Json& json) {
    std::vector<std::string> all;
    for (const Json& head : json.find("heads")->items()) {
        all.push_back("primary " + head.find("primary")->asString());
        for (const Json& label : head.find("labels")->items())
            if (label.find("name")->asString() != "inactive")
                all.push_back(label.find("name")->asString() + " " + label.find("confidence")->asString());
    }
    return all;
}

TEST_F(DiagnoseFileCommand, SaysOfWrittenMapsWhatItSaysOfTheModel) {
    const ProcessResult model = headscope({"diagnose", flaggedBert(), "--text", kLong, "--json", "--quiet"});
    ASSERT_EQ(model.code, 0) << model.err;
    JsonSchema schema(readBytes(std::string(HEADSCOPE_SOURCE_DIR) + "/resources/help/diagnose-json.md"));
    for (const char* name : {"maps.npz", "maps.safetensors"}) {
        SCOPED_TRACE(name);
        const ProcessResult result = headscope({"diagnose", written(name), "--json"});
        ASSERT_EQ(result.code, 0) << result.err;
        EXPECT_THAT(result.err, HasSubstr("layer 3 of 3\n"));
        const Json json = parseJson(result.out, "diagnose");
        EXPECT_EQ(schema.problems(json), "");
        EXPECT_EQ(json.find("model")->asString(), name);
        EXPECT_EQ(labelsOf(json), labelsOf(parseJson(model.out, "diagnose")));
    }
    const ProcessResult table = headscope({"diagnose", written("maps.npz"), "--quiet"});
    EXPECT_EQ(table.err, "");
    EXPECT_THAT(table.out, HasSubstr("\n0.1    stuck on [CLS]"));
    EXPECT_THAT(table.out, HasSubstr("inactive (all heads): "));
}

TEST_F(DiagnoseFileCommand, ItsOwnOutputMayStandBesideTheFile) {
    const std::string maps = written("maps.npz");
    // The shell makes maps.json before the program reads it.
    const ProcessResult first =
        headscope({"diagnose", maps, "--json"}, {.outputFile = (place / "maps.json").string()});
    EXPECT_EQ(first.code, 0) << first.err;
    const ProcessResult second = headscope({"diagnose", maps, "--json"});
    EXPECT_EQ(second.code, 0) << second.err;
    EXPECT_THAT(second.err, HasSubstr("note: input: maps.json: \"headscope\" means nothing here\n"));
}

TEST_F(DiagnoseFileCommand, TakesNoInput) {
    const std::string maps = written("maps.npz");
    using Words = std::vector<std::string>;
    for (const Words& input : {Words{"--text", "a"},
                               {"--ids", "1"},
                               {"--text-file", maps},
                               {"--texts-file", maps},
                               {"--pair", "a"},
                               {"--truncate"},
                               {"--piece", "0"},
                               {"--no-special"}}) {
        Words words{"diagnose", maps, "--quiet"};
        words.insert(words.end(), input.begin(), input.end());
        const ProcessResult result = headscope(words);
        EXPECT_EQ(result.code, 2) << input.front();
        EXPECT_EQ(result.out, "");
        EXPECT_EQ(firstLine(result.err),
                  "input: given together with an attention file, its maps are of a text already.");
    }
    EXPECT_EQ(headscope({"diagnose", maps, "--target", "a", "--quiet"}).code, 2);
    EXPECT_EQ(headscope({"diagnose", flaggedBert(), "--target-ids", "1", "--quiet"}).code, 2);
}

/// A file of one layer with two heads over `tokens`: 0.7 of every row on key 5, and all of it there.
std::string sinkFile(const std::vector<std::string>& tokens) {
    const std::size_t count = tokens.size();
    std::vector<std::string> pieces;
    for (const std::string& token : tokens) pieces.push_back(fmt::format("\\\"{}\\\"", token));
    const std::string header = fmt::format(
        R"({{"__metadata__":{{"tokens":"[{}]","causal":"false"}},"attentions.0":{{"dtype":"F32","shape":[2,{},{}],)"
        R"("data_offsets":[0,{}]}}}})",
        fmt::join(pieces, ","), count, count, 8 * count * count);
    std::string bytes(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(header.size() >> (8 * i) & 0xFFU);
    bytes += header;
    for (const float onKey : {0.7F, 1.0F})
        for (std::size_t cell = 0; cell < count * count; ++cell) {
            const float weight = cell % count == 5 ? onKey : (1.0F - onKey) / static_cast<float>(count - 1);
            const auto raw = std::bit_cast<std::array<char, sizeof weight>>(weight);
            bytes.append(raw.begin(), raw.end());
        }
    return bytes;
}

TEST_F(DiagnoseFileCommand, LongAndWideTokensFitTheTable) {
    const auto table = [&](const std::string& token) {
        std::vector<std::string> tokens;
        for (int i = 0; i < 40; ++i) tokens.push_back(fmt::format("{}{}", token, i));
        const std::string name = fmt::format("{:n>60} {:m>100}.safetensors", "", "");
        const ProcessResult result =
            headscope({"diagnose", place.write(name, sinkFile(tokens)).string(), "--quiet"});
        EXPECT_EQ(result.code, 0) << result.err;
        std::istringstream lines(result.out);
        for (std::string line; std::getline(lines, line);) EXPECT_LE(countCodePoints(line), 80) << line;
        return result.out;
    };
    EXPECT_THAT(table(std::string(200, 'y')),
                HasSubstr("\n0.0    sink on yyyyyyyyyyyy…   0.70    1/1  observed\n"
                          "0.1    stuck on yyyyyyyyyyyy…  1.00    1/1  observed"
                          "        sink on\n                                                            "
                          "yyyyyyyyyyyy…\n"));
    // Two columns each.
    EXPECT_THAT(table("漢字漢字漢字漢字"),
                HasSubstr("\n0.0    sink on 漢字漢字漢字…   0.70    1/1  observed\n"));
    EXPECT_THAT(table("e\u0301"), HasSubstr("\n0.0    sink on e\u03015              0.70    1/1  observed\n"));
}

TEST_F(DiagnoseFileCommand, WhatIsNoAttentionFileIsRefused) {
    expectRefused(headscope({"diagnose", (place / "none.npz").string(), "--quiet"}), {"none.npz: "});
    expectRefused(headscope({"diagnose", place.write("text.npz", "hello").string(), "--quiet"}),
                  {"text.npz: the file is of an unknown form, expected an .npz archive"});
    expectRefused(headscope({"diagnose", flaggedBert() + "/model.safetensors", "--quiet"}),
                  {"model.safetensors: it holds no attention maps but \"", " more, expected attentions.0",
                   "a model is opened by its folder"});
}

} // namespace
} // namespace headscope::test
