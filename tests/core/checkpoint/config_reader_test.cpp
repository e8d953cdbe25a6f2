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

TEST(ConfigReader, NeedsAnObject) {
    const Json list = Json::array();
    EXPECT_EQ(sentenceOf([&] { ConfigReader(list, "config.json: text_config"); }),
              "config.json: text_config: this is an array, expected an object.");
}

} // namespace
} // namespace headscope::test
