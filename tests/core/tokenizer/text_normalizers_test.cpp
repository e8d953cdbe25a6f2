// SPDX-License-Identifier: GPL-3.0-or-later
// Strip, Replace, Prepend, ByteLevel and Nmt.
#include "tests/core/tokenizer/stage_results.h"
#include "tests/support/sentence_of.h"

#include <gtest/gtest.h>

namespace headscope {
namespace {

using test::normalized;
using test::sentenceOf;

std::string strip(bool left, bool right) {
    return fmt::format(R"({{"type":"Strip","strip_left":{},"strip_right":{}}})", left, right);
}

std::string replace(const std::string& pattern, const std::string& content) {
    return fmt::format(R"({{"type":"Replace","pattern":{},"content":"{}"}})", pattern, content);
}

std::string replaceString(const std::string& text, const std::string& content) {
    return replace(fmt::format(R"({{"String":"{}"}})", text), content);
}

std::string replaceRegex(const std::string& regex, const std::string& content) {
    return replace(fmt::format(R"({{"Regex":"{}"}})", regex), content);
}

std::string prepend(const std::string& text) {
    return fmt::format(R"({{"type":"Prepend","prepend":"{}"}})", text);
}

std::string sequence(const std::string& first, const std::string& second) {
    return fmt::format(R"({{"type":"Sequence","normalizers":[{},{}]}})", first, second);
}

TEST(Strip, DropsWhiteSpaceAtTheEnds) {
    EXPECT_EQ(normalized(strip(true, true), "\u3000 a b\u0085"), "a(2,3) (3,4)b(4,5)");
    EXPECT_EQ(normalized(strip(true, false), " a "), "a(1,2) (2,3)");
    EXPECT_EQ(normalized(strip(false, true), " a "), " (0,1)a(1,2)");
    EXPECT_EQ(normalized(strip(false, false), " a "), " (0,1)a(1,2) (2,3)");
    EXPECT_EQ(normalized(strip(true, true), "  "), "");
    EXPECT_EQ(normalized(strip(false, true), "\u001ca\u200b\u00a0"), "\u001c(0,1)a(1,2)\u200b(2,3)");
}

TEST(Replace, GivesAllOfTheContentTheSpanOfTheLastCharacterMatched) {
    EXPECT_EQ(normalized(replaceString("ab", "X"), "cabd"), "c(0,1)X(2,3)d(3,4)");
    EXPECT_EQ(normalized(replaceString("ab", "XYZ"), "abab"), "X(1,2)Y(1,2)Z(1,2)X(3,4)Y(3,4)Z(3,4)");
    EXPECT_EQ(normalized(replaceString("ab", ""), "abcab"), "c(2,3)");
    EXPECT_EQ(normalized(replaceString("é", "e"), "aéa"), "a(0,1)e(1,2)a(2,3)");
    EXPECT_EQ(normalized(replaceString("z", "y"), "ab"), "a(0,1)b(1,2)");
    EXPECT_EQ(normalized(replaceString(".", "-"), "a.b"), "a(0,1)-(1,2)b(2,3)"); // a string is no regex
}

TEST(Replace, EmptyMatchesTakeTheSpanBeforeThem) {
    EXPECT_EQ(normalized(replaceRegex("x*", "-"), "axxb"), "-(0,0)a(0,1)-(2,3)b(3,4)-(3,4)");
    EXPECT_EQ(normalized(replaceRegex("^", "> "), "a\nb"), ">(0,0) (0,0)a(0,1)\n(1,2)>(1,2) (1,2)b(2,3)");
    EXPECT_EQ(normalized(replaceRegex("$", "!"), "ab"), "a(0,1)b(1,2)!(1,2)");
    EXPECT_EQ(normalized(replaceString("", "-"), "ab"), "-(0,0)a(0,1)-(0,1)b(1,2)-(1,2)");
    EXPECT_EQ(normalized(replaceRegex("^", ">"), ""), "");
    // In a part that begins at code point 7 of the text the start is there.
    EXPECT_EQ(normalized(replaceRegex("^", ">"), "a", 7), ">(7,7)a(7,8)");
}

TEST(Replace, ContentIsLiteral) {
    EXPECT_EQ(normalized(replaceRegex("(a)b", R"($1\\1)"), "abc"), "$(1,2)1(1,2)\\(1,2)1(1,2)c(2,3)");
}

TEST(Replace, BehindAnInsertionAtTheStart) {
    const std::string start = replaceRegex("^", ">");
    EXPECT_EQ(normalized(sequence(start, replaceString(">a", "zz")), "ab"), "z(0,1)z(0,1)b(1,2)");
    EXPECT_EQ(normalized(sequence(start, prepend("_")), "ab"), "_(0,0)>(0,0)a(0,1)b(1,2)");
    EXPECT_EQ(normalized(sequence(strip(true, false), start), "  ab"), ">(0,0)a(2,3)b(3,4)");
    EXPECT_EQ(normalized(sequence(start, strip(true, true)), "ab"), ">(0,0)a(0,1)b(1,2)"); // nothing to strip
    // The library stops at these, or writes the inserted text twice.
    for (const char* type : {"Lowercase", "NFC", "ByteLevel", "StripAccents", "Nmt"})
        EXPECT_NE(
            sentenceOf([&] { normalized(sequence(start, fmt::format(R"({{"type":"{}"}})", type)), "ab"); }),
            "")
            << type;
    EXPECT_NE(sentenceOf([&] { normalized(sequence(start, strip(true, true)), "ab "); }), "");
}

TEST(Replace, RefusesPatternsOfAnotherForm) {
    const std::string form = "tokenizer.json: normalizer: pattern: an object of another form, expected "
                             "{\"String\": ...} or {\"Regex\": ...}.";
    EXPECT_EQ(sentenceOf([] { test::normalizerFrom(replace("{}", "x")); }), form);
    EXPECT_EQ(sentenceOf([] { test::normalizerFrom(replace(R"({"Str":"a"})", "x")); }), form);
    EXPECT_EQ(sentenceOf([] { test::normalizerFrom(replace(R"({"String":"a","Regex":"b"})", "x")); }), form);
    EXPECT_EQ(sentenceOf([] { test::normalizerFrom(replace(R"("a")", "x")); }),
              "tokenizer.json: normalizer: pattern: found \"a\", expected an object.");
    EXPECT_EQ(sentenceOf([] { test::normalizerFrom(R"({"type":"Replace","pattern":{"String":"a"}})"); }),
              "tokenizer.json: normalizer: \"content\" is missing.");
}

TEST(Prepend, TakesTheSpanOfTheFirstCharacter) {
    EXPECT_EQ(normalized(prepend("▁x"), "ab"), "▁(0,1)x(0,1)a(0,1)b(1,2)");
    EXPECT_EQ(normalized(prepend("▁"), "éb", 4), "▁(4,5)é(4,5)b(5,6)");
    EXPECT_EQ(normalized(prepend("▁"), ""), "");
    EXPECT_EQ(normalized(prepend(""), "éb", 4), "é(4,4)b(5,6)"); // the first character loses its own
}

TEST(ByteLevelNormalizer, WritesACharacterForEachByte) {
    EXPECT_EQ(normalized(R"({"type":"ByteLevel"})", "a é\n"), "a(0,1)Ġ(1,2)Ã(2,3)©(2,3)Ċ(3,4)");
}

TEST(Nmt, DropsSomeControlCharactersAndWritesSpaces) {
    EXPECT_EQ(normalized(R"({"type":"Nmt"})", "\u0001a\tb\u200bc\u2581\u00a0\u0085\ufffd"),
              "a(1,2) (2,3)b(3,4) (4,5)c(5,6) (6,7)\u00a0(7,8)\u0085(8,9) (9,10)");
    EXPECT_EQ(normalized(R"({"type":"Nmt"})", std::string_view("a\0\x0b\x7f", 4)),
              std::string("a(0,1)\0(1,2)", 12));
}

TEST(TextNormalizers, RequireTheirFields) {
    EXPECT_EQ(sentenceOf([] { test::normalizerFrom(R"({"type":"Strip","strip_left":true})"); }),
              "tokenizer.json: normalizer: \"strip_right\" is missing.");
    EXPECT_EQ(sentenceOf([] { test::normalizerFrom(R"({"type":"Prepend"})"); }),
              "tokenizer.json: normalizer: \"prepend\" is missing.");
    EXPECT_EQ(sentenceOf([] { test::normalizerFrom(R"({"type":"Prepend","prepend":null})"); }),
              "tokenizer.json: normalizer: prepend: found null, expected a string.");
}

} // namespace
} // namespace headscope
