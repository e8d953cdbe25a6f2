// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"
#include "tests/app/json_schema.h"
#include "tests/app/refused.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
