// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"
#include "tests/support/sentence_of.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace headscope::test {
namespace {

Json parse(std::string_view text, const JsonOptions& options = {}) {
    return parseJson(text, "f.json", options);
}

std::string refusal(std::string_view text, const JsonOptions& options = {}) {
    return sentenceOf([&] { parse(text, options); });
}

constexpr JsonOptions kPython{.allowNonFinite = true, .allowByteOrderMark = true};

TEST(Json, ReadsEveryKindOfValue) {
    const Json json = parse(R"( {"a": [null, true, false, -3, 2.5, "x"], "b": {}, "": []} )");
    ASSERT_TRUE(json.isObject());
    ASSERT_EQ(json.members().size(), 3U);
    const auto& items = json.find("a")->items();
    EXPECT_TRUE(items[0].isNull());
    EXPECT_TRUE(items[1].asBool());
    EXPECT_FALSE(items[2].asBool());
    EXPECT_EQ(items[3].asInteger(), -3);
    EXPECT_EQ(items[4].asReal(), 2.5);
    EXPECT_EQ(items[5].asString(), "x");
    EXPECT_TRUE(json.find("b")->members().empty());
    EXPECT_TRUE(json.find("")->items().empty());
    EXPECT_EQ(json.find("c"), nullptr);
    EXPECT_EQ(items[0].find("a"), nullptr); // no object
}

TEST(Json, AnyValueMayBeTheRoot) {
    EXPECT_EQ(parse("7").asInteger(), 7);
    EXPECT_EQ(parse(" \"x\"\n").asString(), "x");
    EXPECT_TRUE(parse("null").isNull());
}

TEST(Json, ObjectsKeepOrderAndRepeatedKeys) {
    const Json json = parse(R"({"b":1,"a":2,"b":3})");
    ASSERT_EQ(json.members().size(), 3U);
    EXPECT_EQ(json.members()[0].first, "b");
    EXPECT_EQ(json.members()[1].first, "a");
    EXPECT_EQ(json.members()[2].first, "b");
    EXPECT_EQ(json.find("b")->asInteger(), 3);
}

TEST(Json, IntegersThatFitAreExactAndOthersAreReal) {
    EXPECT_EQ(parse("9223372036854775807").asInteger(), std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(parse("-9223372036854775808").asInteger(), std::numeric_limits<std::int64_t>::min());
    const Json above = parse("9223372036854775808");
    EXPECT_EQ(above.type(), Json::Type::Real);
    EXPECT_EQ(above.asReal(), 9223372036854775808.0);
    EXPECT_EQ(parse("18446744073709551616").asReal(), 18446744073709551616.0);
    EXPECT_EQ(parse("-9223372036854775809").type(), Json::Type::Real);
    EXPECT_EQ(parse("1000000000000000019884624838656").asReal(), 1e30);
    EXPECT_EQ(parse("1.0").type(), Json::Type::Real);
    EXPECT_EQ(parse("1e2").type(), Json::Type::Real);
    EXPECT_TRUE(std::signbit(parse("-0.0").asReal()));
    EXPECT_EQ(parse("5e-324").asReal(), 5e-324);
    EXPECT_EQ(parse("0.1").asReal(), 0.1);
    EXPECT_EQ(parse("5").asReal(), 5.0); // an integer read as a number
}

TEST(Json, ARealKnowsHowItIsWritten) {
    const auto written = [](std::string_view text) { return parse(text).decimal(); };
    const auto decimal = [](std::uint64_t digits, std::int32_t exponent, bool negative = false) {
        return std::optional(JsonDecimal{.digits = digits, .exponent = exponent, .negative = negative});
    };
    EXPECT_EQ(written("0.5"), decimal(5, -1));
    EXPECT_EQ(written("-12.3400"), decimal(123400, -4, true));
    EXPECT_EQ(written("-10.250912345678901"), decimal(10250912345678901, -15, true));
    EXPECT_EQ(written("1e5"), decimal(1, 5));
    EXPECT_EQ(written("1.5E+7"), decimal(15, 6));
    EXPECT_EQ(written("-1.5e-7"), decimal(15, -8, true));
    EXPECT_EQ(written("-0.0"), decimal(0, -1, true));
    // Once a digit does not fit, none behind it is taken.
    EXPECT_EQ(written("0.18446744073709551615"), decimal(18446744073709551615U, -20));
    EXPECT_EQ(written("0.18446744073709551616"), decimal(1844674407370955161U, -19));
    EXPECT_EQ(written("0.184467440737095516160001e3"), decimal(1844674407370955161U, -16));
    EXPECT_EQ(written("18446744073709551615"), decimal(18446744073709551615U, 0));
    EXPECT_EQ(written("-9223372036854775809"), decimal(9223372036854775809U, 0, true));
    EXPECT_EQ(written("18446744073709551616"), std::nullopt); // does not fit
    EXPECT_EQ(written("1e-99999999999999999999"), decimal(1, -JsonDecimal::kMaxExponent));
    EXPECT_EQ(written("5"), std::nullopt); // an integer is exact
    EXPECT_EQ(written("\"0.5\""), std::nullopt);
    EXPECT_EQ(parse("NaN", kPython).decimal(), std::nullopt);
    EXPECT_EQ(parse("[NaN, 0.5]", kPython).items()[1].decimal(), decimal(5, -1));
    EXPECT_EQ(Json(0.5).decimal(), std::nullopt);
}

TEST(Json, StringsAreUnescaped) {
    EXPECT_EQ(parse(R"("\"\\\/\b\f\n\r\t\u00e9\u65e5")").asString(), "\"\\/\b\f\n\r\té日");
    EXPECT_EQ(parse(R"("\ud83d\ude42")").asString(), "🙂"); // a surrogate pair
    EXPECT_EQ(parse(R"("\u0000")").asString(), std::string(1, '\0'));
}

TEST(Json, LoneSurrogatesAreRefused) {
    for (const char* text :
         {R"("\ud83d")", R"("\ude42")", R"("\ud83d\u0041")", R"("\ude42\ud83d")", R"("\ud83dx")"})
        EXPECT_NE(refusal(text).find("the JSON is malformed"), std::string::npos) << text;
}

TEST(Json, MalformedTextIsRefusedWithItsOffset) {
    EXPECT_EQ(refusal(""), "f.json: the JSON is malformed (at byte 0).");
    EXPECT_EQ(refusal("{\"a\": }"), "f.json: the JSON is malformed (at byte 6).");
    for (const char* text :
         {"{",       "[1,]",     "{\"a\":1,}", "[1 2]", "{a:1}",    "'x'",       "01",
          "+1",      ".5",       "1.",         "1e",    "tru",      "nul",       "\"x",
          "\"\\x\"", "\"a\nb\"", "\"\\u12\"",  "{} {}", "[1]]",     "// c\n1",   "/* c */ 1",
          "{\"a\"}", "{1:2}",    "--1",        "NaN",   "Infinity", "-Infinity", "[NaN]"})
        EXPECT_NE(refusal(text).find("the JSON is malformed (at byte "), std::string::npos) << text;
    // A NUL is no end: what stands behind it would go unread.
    for (const std::string& text :
         {std::string("{}\0", 3), std::string("{}\0{", 4), std::string("{}\0\0", 4)})
        EXPECT_EQ(refusal(text), "f.json: the JSON is malformed (at byte 2).");
    EXPECT_EQ(refusal(std::string("[1,\0]", 5)), "f.json: the JSON is malformed (at byte 3).");
    EXPECT_EQ(refusal(std::string("\0{}", 3)), "f.json: the JSON is malformed (at byte 0).");
}

TEST(Json, InvalidUtf8IsRefusedWithItsOffset) {
    EXPECT_EQ(refusal("{\"a\": \"\xff\"}"), "f.json: the JSON is not valid UTF-8 (at byte 7).");
    EXPECT_EQ(refusal("\"\xed\xa0\x80\""), "f.json: the JSON is not valid UTF-8 (at byte 1).");
}

TEST(Json, DepthIsLimited) {
    const auto nested = [](int depth) {
        return std::string(static_cast<std::size_t>(depth), '[') +
               std::string(static_cast<std::size_t>(depth), ']');
    };
    EXPECT_EQ(refusal(nested(512)), "");
    EXPECT_EQ(refusal(nested(513)), "f.json: the JSON is nested deeper than 512 levels.");
    EXPECT_EQ(refusal(nested(3), {.maxDepth = 2}), "f.json: the JSON is nested deeper than 2 levels.");
    std::string objects;
    for (int i = 0; i < 1'000'000; ++i) objects += "{\"a\":";
    EXPECT_EQ(refusal(objects), "f.json: the JSON is nested deeper than 512 levels.");
}

TEST(Json, PythonsNonFiniteNumbersAreReadWhereAllowed) {
    const Json json =
        parse(R"({"a":NaN,"b":[Infinity,-Infinity],"c":"NaN","d":"\"NaN","NaN":1,"e":-1})", kPython);
    EXPECT_TRUE(std::isnan(json.find("a")->asReal()));
    EXPECT_EQ(json.find("b")->items()[0].asReal(), std::numeric_limits<double>::infinity());
    EXPECT_EQ(json.find("b")->items()[1].asReal(), -std::numeric_limits<double>::infinity());
    EXPECT_EQ(json.find("c")->asString(), "NaN");
    EXPECT_EQ(json.find("d")->asString(), "\"NaN");
    EXPECT_EQ(json.find("NaN")->asInteger(), 1);
    EXPECT_EQ(json.find("e")->asInteger(), -1);
    EXPECT_STREQ(json.find("a")->typeName(), "NaN");
    for (const char* text : {"NaNs", "nan", "Inf", "+Infinity", "[Na]", "{NaN:1}", "-NaN"})
        EXPECT_NE(refusal(text, kPython), "") << text;
}

TEST(Json, NoStringIsTakenForANonFiniteNumber) {
    for (const char* text : {R"("\u0001NaN")", R"("\u0001+Inf")", R"("\u0001-Inf")"})
        EXPECT_TRUE(parse(text, kPython).isString()) << text;
    EXPECT_TRUE(parse(R"([NaN, "\u0001NaN"])", kPython).items()[1].isString());
}

TEST(Json, OffsetsCountFromTheStartOfTheText) {
    EXPECT_EQ(refusal("\xef\xbb\xbf{\"a\": }", kPython), "f.json: the JSON is malformed (at byte 9).");
    EXPECT_EQ(refusal("\xef\xbb\xbf\"\xff\"", kPython), "f.json: the JSON is not valid UTF-8 (at byte 4).");
    EXPECT_EQ(refusal("[NaN, NaN, ?]", kPython), "f.json: the JSON is malformed (at byte 11).");
}

TEST(Json, ByteOrderMarkIsReadWhereAllowed) {
    EXPECT_EQ(parse("\xef\xbb\xbf{\"a\":1}", kPython).find("a")->asInteger(), 1);
    EXPECT_EQ(refusal("\xef\xbb\xbf{}"), "f.json: the JSON starts with a byte order mark.");
    EXPECT_NE(refusal("{}\xef\xbb\xbf", kPython), "");
}

TEST(Json, TypesAreNamedInPlainWords) {
    EXPECT_STREQ(parse("null").typeName(), "null");
    EXPECT_STREQ(parse("true").typeName(), "a boolean");
    EXPECT_STREQ(parse("1").typeName(), "an integer");
    EXPECT_STREQ(parse("1.5").typeName(), "a number");
    EXPECT_STREQ(parse("\"x\"").typeName(), "a string");
    EXPECT_STREQ(parse("[]").typeName(), "an array");
    EXPECT_STREQ(parse("{}").typeName(), "an object");
}

TEST(JsonDeathTest, AccessorsCheckTheType) {
    const Json text = parse("\"x\"");
    EXPECT_DEATH(text.asInteger(), "isInteger");
    EXPECT_DEATH(text.items(), "isArray");
    EXPECT_DEATH(text.members(), "isObject");
    EXPECT_DEATH(text.asBool(), "isBool");
    EXPECT_DEATH(parse("1").asString(), "isString");
    EXPECT_DEATH(parse("null").asReal(), "isNumber");
}

} // namespace
} // namespace headscope::test
