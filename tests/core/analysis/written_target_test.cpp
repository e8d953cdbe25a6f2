// SPDX-License-Identifier: GPL-3.0-or-later
// What encoder-decoders write as their own target, against generate() of transformers
// (tests/tools/make_written_targets.py).
#include "core/analysis/written_target.h"
#include "core/base/json.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope {
namespace {

using test::dataPath;
using test::sentenceOf;
using test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::int64_t> idsOf(const Json& list) {
    std::vector<std::int64_t> ids;
    for (const Json& one : list.items()) ids.push_back(one.asInteger());
    return ids;
}

std::string jsonText(const Json& value) {
    if (value.isInteger()) return std::to_string(value.asInteger());
    std::string text = "[";
    for (const Json& one : value.items()) text += (text.size() > 1 ? ", " : "") + jsonText(one);
    return text + "]";
}

/// A fixture's folder with settings in a generation_config.json of its own.
std::filesystem::path withSettings(const TemporaryFolder& place, const std::string& model,
                                   const Json& settings) {
    const auto copy = place / "model";
    std::filesystem::copy(dataPath("families/" + model), copy);
    std::string text = "{";
    for (const auto& [name, value] : settings.members())
        text += (text.size() > 1 ? ", \"" : "\"") + name + "\": " + jsonText(value);
    place.write("model/generation_config.json", text + "}");
    return copy;
}

TEST(WrittenTarget, IsWhatTransformersWrites) {
    const Json cases = parseJson(test::readBytes(dataPath("written_targets.json")), "written_targets.json");
    ASSERT_GE(cases.items().size(), 20U);
    std::size_t ended = 0;
    for (const Json& one : cases.items()) {
        const std::string model = one.find("model")->asString();
        SCOPED_TRACE(model + " " + std::to_string(one.find("settings")->members().size()));
        const TemporaryFolder place;
        const auto opened =
            openModel(withSettings(place, model, *one.find("settings")), {DeviceChoice::Cpu}, {}, {});
        TextInput input;
        input.ids = idsOf(*one.find("source"));
        const WrittenTarget written = writeTarget(*opened, input, {}, {});
        std::vector<std::int64_t> all = written.ids;
        all.push_back(written.last);
        EXPECT_EQ(all, idsOf(*one.find("written")));
        if (written.ended) ++ended;
    }
    EXPECT_GE(ended, 5U) << "some must end by their end token";
}

TEST(WrittenTarget, IsReadInThePass) {
    const auto model = openModel(dataPath("families/t5/plain"), {DeviceChoice::Cpu}, {}, {});
    AnalysisRequest request{model, {}};
    request.input.ids = {4, 5, 8, 13, 20};
    const WrittenTarget written = writeTarget(*model, request.input, {}, {});
    request.input.writeTarget = true;
    const auto analysis = analyse(request, {}, {});
    ASSERT_TRUE(analysis->target.has_value());
    EXPECT_EQ(analysis->input.targetIds, written.ids);
    EXPECT_EQ(analysis->target->axis->size(), static_cast<std::int64_t>(written.ids.size()));
    ASSERT_FALSE(analysis->notes.empty());
    EXPECT_THAT(analysis->notes.front(), HasSubstr("the target was written by the model, "));
    EXPECT_THAT(analysis->notes.front(), HasSubstr("is only predicted and has no row"));
}

TEST(WrittenTarget, WhatCannotWriteIsRefused) {
    const auto bert = openModel(dataPath("families/bert/plain"), {DeviceChoice::Cpu}, {}, {});
    TextInput input;
    input.ids = {4, 5};
    EXPECT_EQ(sentenceOf([&] { writeTarget(*bert, input, {}, {}); }),
              "target: the model has no decoder that could write one; leave it out.");
    const auto t5 = openModel(dataPath("families/t5/plain"), {DeviceChoice::Cpu}, {}, {});
    CancelToken cancel;
    cancel.cancel();
    EXPECT_THAT(sentenceOf([&] { writeTarget(*t5, input, cancel, {}); }), HasSubstr("cancel"));
}

TEST(WrittenTarget, SettingsThatChangeMoreAreNoted) {
    const TemporaryFolder place;
    std::filesystem::copy(dataPath("families/t5/plain"), place / "model");
    place.write(
        "model/generation_config.json",
        R"({"num_beams": 4, "repetition_penalty": 1.5, "min_length": 0, "bad_words_ids": [[1, 2], [3, 4]]})");
    const auto model = openModel(place / "model", {DeviceChoice::Cpu}, {}, {});
    TextInput input;
    input.ids = {4, 5};
    EXPECT_THAT(
        writeTarget(*model, input, {}, {}).notes.back(),
        HasSubstr("the model's settings for writing were not applied: bad_words_ids, repetition_penalty, "
                  "num_beams"));
    place.write("model/generation_config.json", R"({"eos_token_id": "end"})");
    EXPECT_EQ(sentenceOf([&] { writeTarget(*model, input, {}, {}); }),
              "eos_token_id: found a string, expected a token id.");
    place.write("model/generation_config.json", "[]");
    EXPECT_EQ(sentenceOf([&] { writeTarget(*model, input, {}, {}); }),
              "generation_config.json: found an array, expected an object.");
}

} // namespace
} // namespace headscope
