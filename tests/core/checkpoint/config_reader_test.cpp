// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/config_reader.h"
#include "tests/support/sentence_of.h"

#include <gtest/gtest.h>

namespace headscope::test {
namespace {

class ConfigReaderTest : public testing::Test {
  protected:
    const Json m_json = parseJson(R"({
        "layers": 12, "negative": -1, "whole_real": 12.0, "eps": 1e-12, "huge": 1000000000000000000000000000000,
        "nan": NaN, "infinite": -Infinity, "text": "12", "act": "gelu", "yes": true, "no": false, "none": null,
        "list": [1], "twice": 1, "twice": 2, "break\nin name": "x"})",
                                  "config.json", {.allowNonFinite = true, .allowByteOrderMark = true});
    const ConfigReader m_config{m_json, "config.json"};

    std::string integer(const char* key) const {
        return sentenceOf([&] { m_config.integer(key, 0, 1, 100); });
    }
    std::string real(const char* key) const {
        return sentenceOf([&] { m_config.real(key, 0, 0, 1); });
    }
};

TEST_F(ConfigReaderTest, ReadsFieldsOfTheRightType) {
    EXPECT_EQ(m_config.integer("layers", 0, 1, 100), 12);
    EXPECT_EQ(m_config.integer("layers", 0, 12, 12), 12);
    EXPECT_EQ(m_config.real("eps", 0, 0, 1), 1e-12);
    EXPECT_EQ(m_config.real("layers", 0, 0, 100), 12.0); // an integer is a number
    EXPECT_TRUE(m_config.boolean("yes", false));
    EXPECT_FALSE(m_config.boolean("no", true));
    EXPECT_EQ(m_config.string("act", ""), "gelu");
    EXPECT_EQ(m_config.integer("twice", 0, 0, 9), 2); // as Python reads it
    EXPECT_EQ(m_config.real("huge", 0, 0, 1e40), 1e30);
    EXPECT_EQ(m_config.subject(), "config.json");
}

TEST_F(ConfigReaderTest, AbsentAndNullGiveTheFallback) {
    for (const char* key : {"none", "missing"}) {
        EXPECT_FALSE(m_config.has(key));
        EXPECT_EQ(m_config.integer(key, 7, 10, 20), 7); // the fallback is ours and is not checked
        EXPECT_EQ(m_config.real(key, 0.5, 2, 3), 0.5);
        EXPECT_TRUE(m_config.boolean(key, true));
        EXPECT_EQ(m_config.string(key, "x"), "x");
        m_config.requireFalse(key);
        m_config.requireString(key, "gelu");
    }
    EXPECT_TRUE(m_config.has("no"));
    EXPECT_TRUE(m_config.has("nan"));
}

TEST_F(ConfigReaderTest, IntegersOfOtherTypesOrOutOfRangeAreRefused) {
    EXPECT_EQ(integer("negative"), "config.json: negative: found -1, expected a whole number from 1 to 100.");
    EXPECT_EQ(integer("whole_real"),
              "config.json: whole_real: found 12.0, expected a whole number from 1 to 100.");
    EXPECT_EQ(integer("huge"), "config.json: huge: found 1e+30, expected a whole number from 1 to 100.");
    EXPECT_EQ(integer("nan"), "config.json: nan: found NaN, expected a whole number from 1 to 100.");
    EXPECT_EQ(integer("text"),
              "config.json: text: found the string \"12\", expected a whole number from 1 to 100.");
    EXPECT_EQ(integer("yes"), "config.json: yes: found true, expected a whole number from 1 to 100.");
    EXPECT_EQ(integer("list"), "config.json: list: found an array, expected a whole number from 1 to 100.");
}

TEST_F(ConfigReaderTest, NonFiniteAndOtherTypesAreNoReals) {
    EXPECT_EQ(real("nan"), "config.json: nan: found NaN, expected a number from 0 to 1.");
    EXPECT_EQ(real("infinite"), "config.json: infinite: found -Infinity, expected a number from 0 to 1.");
    EXPECT_EQ(real("layers"), "config.json: layers: found 12, expected a number from 0 to 1.");
    EXPECT_EQ(real("text"), "config.json: text: found the string \"12\", expected a number from 0 to 1.");
    EXPECT_EQ(real("no"), "config.json: no: found false, expected a number from 0 to 1.");
}

TEST_F(ConfigReaderTest, BooleansAreNotNumbersNorStrings) {
    EXPECT_EQ(sentenceOf([&] { m_config.boolean("twice", false); }),
              "config.json: twice: found 2, expected true or false.");
    EXPECT_EQ(sentenceOf([&] { m_config.boolean("act", false); }),
              "config.json: act: found the string \"gelu\", expected true or false.");
    EXPECT_EQ(sentenceOf([&] { m_config.string("yes", ""); }),
              "config.json: yes: found true, expected a string.");
}

TEST_F(ConfigReaderTest, FieldsThatChangeTheMathsAreRefusedByName) {
    m_config.requireString("act", "gelu");
    m_config.requireFalse("no");
    EXPECT_EQ(
        sentenceOf([&] { m_config.requireString("act", "relu"); }),
        "config.json: act: found the string \"gelu\", expected \"relu\", the only value that is supported.");
    EXPECT_EQ(sentenceOf([&] { m_config.requireString("layers", "12"); }),
              "config.json: layers: found 12, expected \"12\", the only value that is supported.");
    EXPECT_EQ(sentenceOf([&] { m_config.requireFalse("yes"); }),
              "config.json: yes: found true, expected false, the only value that is supported.");
    EXPECT_EQ(sentenceOf([&] { m_config.requireFalse("twice"); }),
              "config.json: twice: found 2, expected false, the only value that is supported.");
}

TEST_F(ConfigReaderTest, NamesInMessagesAreEscaped) {
    EXPECT_EQ(sentenceOf([&] { m_config.boolean("break\nin name", false); }),
              "config.json: break\\x0ain name: found the string \"x\", expected true or false.");
}

class ConfigReaderFields : public testing::Test {
  protected:
    const Json m_json = parseJson(R"({
        "n_layer": 12, "num_layers": 12, "n_head": 8, "num_heads": 9, "none": null, "d_model": null, "n_embd": 768,
        "ids": [1, 2, 3], "other_ids": [1, 2], "same_ids": [1, 2, 3], "eps": 1e-5, "rates": [0.5, 1], "types": ["a", "b"],
        "mixed": [1, "x"], "flag": true, "act": "gelu", "eos": 7, "far": [1, 200], "nan": [NaN],
        "one": {"x": 1}, "another": {"x": 2},
        "text_config": {"hidden_size": 64, "inner": {"depth": 1, "rest": 2}, "extra": 0}, "unread": {"deep": 1}})",
                                  "config.json", {.allowNonFinite = true, .allowByteOrderMark = true});
    const ConfigReader m_config{m_json, "config.json"};
};

TEST_F(ConfigReaderFields, AreFoundUnderAnyOfTheirNames) {
    EXPECT_EQ(m_config.integer({"num_hidden_layers", "n_layer"}, 0, 1, 100), 12);
    EXPECT_EQ(m_config.integer({"d_model", "n_embd"}, 0, 1, 1000), 768); // null is absent
    EXPECT_EQ(m_config.integer({"n_layer", "num_layers"}, 0, 1, 100), 12);
    EXPECT_EQ(m_config.integer({"none", "missing"}, 5, 1, 100), 5);
    EXPECT_TRUE(m_config.has({"none", "n_head"}));
}

TEST_F(ConfigReaderFields, NamesThatDisagreeAreRefused) {
    EXPECT_EQ(sentenceOf([&] {
                  m_config.integer({"n_head", "num_heads"}, 0, 1, 100);
              }),
              "config.json: n_head is 8 but num_heads, another name for it, is 9, expected one of them, or "
              "both the same.");
    EXPECT_EQ(sentenceOf([&] {
                  m_config.integers({"ids", "other_ids"}, 0, 9);
              }),
              "config.json: ids is an array but other_ids, another name for it, is an array, expected one of "
              "them, or both "
              "the same.");
    EXPECT_EQ(m_config.integers({"ids", "same_ids"}, 0, 9), (std::vector<std::int64_t>{1, 2, 3}));
    EXPECT_NE(sentenceOf([&] { m_config.object({"one", "another"}); }), "");
}

TEST_F(ConfigReaderFields, OptionalOnesAreNulloptWhenAbsentOrNull) {
    EXPECT_EQ(m_config.optionalInteger("n_layer", 1, 100), 12);
    EXPECT_EQ(m_config.optionalReal("eps", 0, 1), 1e-5);
    EXPECT_EQ(m_config.optionalBoolean("flag"), true);
    EXPECT_EQ(m_config.optionalString("act"), "gelu");
    for (const char* key : {"none", "missing"}) {
        EXPECT_EQ(m_config.optionalInteger(key, 1, 100), std::nullopt);
        EXPECT_EQ(m_config.optionalReal(key, 0, 1), std::nullopt);
        EXPECT_EQ(m_config.optionalBoolean(key), std::nullopt);
        EXPECT_EQ(m_config.optionalString(key), std::nullopt);
        EXPECT_EQ(m_config.integers(key, 0, 1), std::nullopt);
        EXPECT_EQ(m_config.reals(key, 0, 1), std::nullopt);
        EXPECT_EQ(m_config.strings(key), std::nullopt);
        EXPECT_FALSE(m_config.object(key).has_value());
        EXPECT_EQ(m_config.value(key), nullptr);
    }
    EXPECT_EQ(sentenceOf([&] { m_config.optionalBoolean("act"); }),
              "config.json: act: found the string \"gelu\", expected true or false.");
}

TEST_F(ConfigReaderFields, ListsAreReadWhole) {
    EXPECT_EQ(m_config.integers("ids", 1, 3), (std::vector<std::int64_t>{1, 2, 3}));
    EXPECT_EQ(m_config.reals("rates", 0, 1), (std::vector<double>{0.5, 1}));
    EXPECT_EQ(m_config.strings("types"), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(m_config.integersOrOne("ids", 1, 3), (std::vector<std::int64_t>{1, 2, 3}));
    EXPECT_EQ(m_config.integersOrOne("eos", 0, 9), std::vector<std::int64_t>{7});
    EXPECT_EQ(m_config.integersOrOne("none", 0, 9), std::nullopt);
}

TEST_F(ConfigReaderFields, ListsWithOneWrongEntryAreRefused) {
    EXPECT_EQ(sentenceOf([&] { m_config.integers("mixed", 0, 9); }),
              "config.json: mixed: found the string \"x\", expected a list of whole numbers from 0 to 9.");
    EXPECT_EQ(sentenceOf([&] { m_config.integers("far", 0, 9); }),
              "config.json: far: found 200, expected a list of whole numbers from 0 to 9.");
    EXPECT_EQ(sentenceOf([&] { m_config.reals("nan", 0, 1); }),
              "config.json: nan: found NaN, expected a list of numbers from 0 to 1.");
    EXPECT_EQ(sentenceOf([&] { m_config.strings("mixed"); }),
              "config.json: mixed: found 1, expected a list of strings.");
    EXPECT_EQ(sentenceOf([&] { m_config.strings("act"); }),
              "config.json: act: found the string \"gelu\", expected a list of strings.");
    EXPECT_EQ(sentenceOf([&] { m_config.integersOrOne("act", 0, 9); }),
              "config.json: act: found the string \"gelu\", expected a whole number from 0 to 9.");
    EXPECT_EQ(sentenceOf([&] { m_config.integersOrOne("far", 0, 9); }),
              "config.json: far: found 200, expected a list of whole numbers from 0 to 9.");
}

TEST_F(ConfigReaderFields, ClosedChoicesNameWhatIsAllowed) {
    EXPECT_EQ(m_config.oneOf("act", "relu", {"relu", "gelu"}), "gelu");
    EXPECT_EQ(m_config.oneOf("missing", "relu", {"relu", "gelu"}), "relu");
    EXPECT_EQ(sentenceOf([&] {
                  m_config.oneOf("act", "relu", {"relu", "silu"});
              }),
              "config.json: act: found the string \"gelu\", expected one of \"relu\", \"silu\".");
    EXPECT_EQ(sentenceOf([&] { m_config.oneOf("eos", "relu", {"relu"}); }),
              "config.json: eos: found 7, expected one of \"relu\".");
}

TEST_F(ConfigReaderFields, WhatIsNotComputedIsRefusedByName) {
    m_config.requireTrue("flag");
    m_config.requireInteger("n_layer", 12);
    m_config.requireReal("eps", 1e-5);
    for (const char* key : {"none", "missing"}) {
        m_config.requireTrue(key);
        m_config.requireInteger(key, 1);
        m_config.requireReal(key, 1);
        m_config.requireAbsent(key);
    }
    EXPECT_EQ(sentenceOf([&] { m_config.requireTrue("eos"); }),
              "config.json: eos: found 7, expected true, the only value that is supported.");
    EXPECT_EQ(sentenceOf([&] { m_config.requireInteger("n_layer", 1); }),
              "config.json: n_layer: found 12, expected 1, the only value that is supported.");
    EXPECT_EQ(sentenceOf([&] { m_config.requireReal("eps", 1); }),
              "config.json: eps: found 1e-05, expected 1, the only value that is supported.");
    EXPECT_EQ(sentenceOf([&] { m_config.requireAbsent("one"); }),
              "config.json: one: found an object, expected none, since it is not supported.");
    EXPECT_EQ(sentenceOf([&] { m_config.refuse("act", "something else"); }),
              "config.json: act: found the string \"gelu\", expected something else.");
}

TEST_F(ConfigReaderFields, ObjectsInsideAreReadInTheirOwnName) {
    const auto text = m_config.object("text_config");
    ASSERT_TRUE(text.has_value());
    EXPECT_EQ(text->integer("hidden_size", 0, 1, 100), 64);
    EXPECT_EQ(sentenceOf([&] { text->boolean("hidden_size", false); }),
              "config.json: text_config: hidden_size: found 64, expected true or false.");
    EXPECT_EQ(sentenceOf([&] { m_config.object("act"); }),
              "config.json: act: found the string \"gelu\", expected an object.");
}

TEST(ConfigReader, ListsTheFieldsThatWereNeverAskedFor) {
    const Json json = parseJson(
        R"({"a": 1, "b": null, "c": 2, "text": {"x": 1, "y": 2, "inner": {"z": 3}}, "shut": {"x": 1}, "text2": 1})",
        "config.json");
    const ConfigReader config(json, "config.json");
    EXPECT_EQ(config.unreadFields(), (std::vector<std::string>{"a", "b", "c", "text", "shut", "text2"}));
    config.has("a");
    config.has("b");
    config.has("nowhere");
    config.object("shut");
    const auto text = config.object("text");
    text->has("y");
    text->object("inner")->has("z");
    EXPECT_EQ(config.unreadFields(), (std::vector<std::string>{"c", "text.x", "shut.x", "text2"}));
    EXPECT_EQ(text->unreadFields(), std::vector<std::string>{"text.x"});
}

TEST(ConfigReader, KnowsTheTypeOfTheWeights) {
    const auto typeOf = [](const char* text) {
        const Json json = parseJson(text, "config.json");
        return ConfigReader(json, "config.json").weightsType();
    };
    EXPECT_EQ(typeOf("{}"), std::nullopt);
    EXPECT_EQ(typeOf(R"({"torch_dtype": "bfloat16"})"), "bfloat16");
    EXPECT_EQ(typeOf(R"({"torch_dtype": "torch.float16"})"), "float16");
    EXPECT_EQ(typeOf(R"({"dtype": "float32", "torch_dtype": "float16"})"), "float32");
    EXPECT_EQ(typeOf(R"({"dtype": null, "torch_dtype": "float16"})"), "float16");
}

TEST_F(ConfigReaderTest, NullIsToldFromAbsent) {
    EXPECT_TRUE(m_config.isNull("none"));
    EXPECT_FALSE(m_config.isNull("absent"));
    EXPECT_FALSE(m_config.isNull("layers"));
    EXPECT_TRUE(m_config.isNull({"absent", "none"}));
    EXPECT_FALSE(m_config.isNull({"none", "layers"}));
}

TEST(ConfigReader, NamesFromFilesAreEscapedEverywhere) {
    const Json json = parseJson(R"({"a\nb": 1, "c": 2, "d\u001be": {"x": 1}})", "config.json");
    const ConfigReader config(json, "config.json");
    EXPECT_EQ(sentenceOf([&] {
                  config.integer({"c", "a\nb"}, 0, 0, 9);
              }),
              "config.json: c is 2 but a\\x0ab, another name for it, is 1, expected one of them, or both the "
              "same.");
    EXPECT_EQ(sentenceOf([&] {
                  config.integer({"a\nb", "c"}, 0, 0, 9);
              }),
              "config.json: a\\x0ab is 1 but c, another name for it, is 2, expected one of them, or both the "
              "same.");
    EXPECT_EQ(sentenceOf([&] {
                  config
                      .object("d\x1b"
                              "e")
                      ->boolean("x", false);
              }),
              "config.json: d\\x1be: x: found 1, expected true or false.");
}

TEST(ConfigReader, NeedsAnObject) {
    const Json list = Json::array();
    EXPECT_EQ(sentenceOf([&] { ConfigReader(list, "config.json: text_config"); }),
              "config.json: text_config: this is an array, expected an object.");
}

} // namespace
} // namespace headscope::test
