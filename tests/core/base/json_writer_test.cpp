// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace headscope::test {
namespace {

template <typename T>
std::string written(T value) {
    JsonWriter writer;
    writer.value(value);
    return writer.finish();
}

TEST(JsonWriter, WritesIndentedDocumentsInTheOrderOfTheCalls) {
    JsonWriter writer;
    writer.beginObject();
    writer.member("headscope", "0.1.0");
    writer.key("layers");
    writer.beginArray();
    writer.value(1);
    writer.beginObject();
    writer.endObject();
    writer.beginArray();
    writer.endArray();
    writer.null();
    writer.endArray();
    writer.member("uniform", true);
    writer.endObject();
    EXPECT_EQ(writer.finish(), "{\n"
                               "  \"headscope\": \"0.1.0\",\n"
                               "  \"layers\": [\n"
                               "    1,\n"
                               "    {},\n"
                               "    [],\n"
                               "    null\n"
                               "  ],\n"
                               "  \"uniform\": true\n"
                               "}\n");
}

TEST(JsonWriter, NumbersSurviveTheRoundTrip) {
    for (const double number : {0.1, 1.0 / 3.0, 1e-300, 5e-324, std::numeric_limits<double>::max(),
                                123456789.125, static_cast<double>(0.1F)})
        EXPECT_EQ(parseJson(written(number), "x").asReal(), number);
    EXPECT_EQ(parseJson(written(std::numeric_limits<std::int64_t>::min()), "x").asInteger(),
              std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(written(0.1), "0.1\n");
    EXPECT_EQ(written(-7), "-7\n");
}

TEST(JsonWriter, NonFiniteNumbersAreNull) {
    EXPECT_EQ(written(std::nan("")), "null\n");
    EXPECT_EQ(written(-std::numeric_limits<double>::infinity()), "null\n");
}

TEST(JsonWriter, StringsAreEscapedAndSurviveTheRoundTrip) {
    std::string text = "\"quotes\" \\ / é 日 🙂";
    for (char c = 1; c < 0x20; ++c) text += c;
    text += '\0';
    text += '\x7f';
    EXPECT_EQ(parseJson(written(std::string_view(text)), "x").asString(), text);
    EXPECT_EQ(written("a\"b\\c\n\x01"), "\"a\\\"b\\\\c\\n\\u0001\"\n");
    JsonWriter writer;
    writer.beginObject();
    writer.member("a\"b", 1);
    writer.endObject();
    EXPECT_EQ(parseJson(writer.finish(), "x").find("a\"b")->asInteger(), 1);
}

TEST(JsonWriter, CanBeUsedAgainAfterFinish) {
    JsonWriter writer;
    writer.value(1);
    EXPECT_EQ(writer.finish(), "1\n");
    writer.value(2);
    EXPECT_EQ(writer.finish(), "2\n");
}

TEST(JsonWriterDeathTest, CallsOutOfOrderAreProgrammersErrors) {
    const auto misuse = [](auto calls) {
        JsonWriter writer;
        calls(writer);
    };
    EXPECT_DEATH(misuse([](JsonWriter& w) { w.beginArray(), w.finish(); }), "this should hold");
    EXPECT_DEATH(misuse([](JsonWriter& w) { w.beginObject(), w.value(1); }), "this should hold");
    EXPECT_DEATH(misuse([](JsonWriter& w) { w.beginArray(), w.key("a"); }), "this should hold");
    EXPECT_DEATH(misuse([](JsonWriter& w) { w.beginObject(), w.key("a"), w.endObject(); }),
                 "this should hold");
    EXPECT_DEATH(misuse([](JsonWriter& w) { w.beginObject(), w.endArray(); }), "this should hold");
    EXPECT_DEATH(misuse([](JsonWriter& w) { w.value(1), w.value(2); }), "this should hold");
}

} // namespace
} // namespace headscope::test
