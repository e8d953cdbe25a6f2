// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/cancel.h"
#include "core/base/check.h"
#include "core/base/error.h"
#include "tests/support/sentence_of.h"

#include <gtest/gtest.h>
#include <thread>

namespace headscope::test {
namespace {

TEST(Error, IsOneSentenceOfItsParts) {
    EXPECT_EQ(Error({.subject = "config.json",
                     .found = "found 3",
                     .expected = "expected 4",
                     .hint = "get it again",
                     .byteOffset = 17})
                  .sentence(),
              "config.json: found 3, expected 4 (at byte 17); get it again.");
    EXPECT_EQ(Error({.subject = "a", .found = "b", .expected = {}, .hint = {}}).sentence(), "a: b.");
    EXPECT_EQ(Error({.subject = "a", .found = "b", .expected = "c", .hint = {}}).sentence(), "a: b, c.");
    EXPECT_EQ(Error({.subject = "a", .found = "b", .expected = {}, .hint = "d"}).sentence(), "a: b; d.");
    EXPECT_EQ(Error({.subject = {}, .found = "b", .expected = {}, .hint = {}}).sentence(), "b.");
    EXPECT_EQ(Error({.subject = "a", .found = "b", .expected = {}, .hint = {}, .byteOffset = 0}).sentence(),
              "a: b (at byte 0).");
}

TEST(Error, KeepsItsPartsAndKind) {
    const Error error(
        {.subject = "--threads", .found = "x", .expected = "y", .hint = "z", .kind = ErrorKind::Usage});
    EXPECT_EQ(error.parts().subject, "--threads");
    EXPECT_EQ(error.parts().kind, ErrorKind::Usage);
    EXPECT_STREQ(error.what(), error.sentence().c_str());
    EXPECT_EQ(Error({.subject = "a", .found = "b", .expected = {}, .hint = {}}).parts().kind,
              ErrorKind::Failed);
}

TEST(Error, FailThrowsIt) {
    EXPECT_EQ(sentenceOf([] { fail("subject", "found", "expected", "hint"); }),
              "subject: found, expected; hint.");
    EXPECT_EQ(sentenceOf([] { fail("subject", "found"); }), "subject: found.");
}

TEST(EscapeForMessage, LeavesPlainTextOfAnyScriptAlone) {
    EXPECT_EQ(escapeForMessage(""), "");
    EXPECT_EQ(escapeForMessage("model.safetensors"), "model.safetensors");
    EXPECT_EQ(escapeForMessage("naïve 日本語 🙂 \"quoted\" \\"), "naïve 日本語 🙂 \"quoted\" \\");
}

TEST(EscapeForMessage, ShowsControlCharactersAsBytes) {
    EXPECT_EQ(escapeForMessage("a\nb\tc\x1b[31m\x7f"), "a\\x0ab\\x09c\\x1b[31m\\x7f");
    EXPECT_EQ(escapeForMessage(std::string_view("a\0b", 3)), "a\\x00b");
    EXPECT_EQ(escapeForMessage("\u0085\u2028"), "\\xc2\\x85\\xe2\\x80\\xa8"); // line breaks beyond ASCII
    EXPECT_EQ(escapeForMessage("abc\u202e"), "abc\\xe2\\x80\\xae");           // would reverse the line
}

TEST(EscapeForMessage, ShowsInvalidUtf8AsBytes) {
    EXPECT_EQ(escapeForMessage("\xff"), "\\xff");
    EXPECT_EQ(escapeForMessage("a\x80"
                               "b"),
              "a\\x80b"); // only the stray byte
    EXPECT_EQ(escapeForMessage("\xe2\x82"), "\\xe2\\x82");
    EXPECT_EQ(escapeForMessage("\xc0\xaf"), "\\xc0\\xaf");
    EXPECT_EQ(escapeForMessage("\xed\xa0\x80"), "\\xed\\xa0\\x80");
    EXPECT_EQ(escapeForMessage("é\x80"), "é\\x80");
}

TEST(EscapeForMessage, CutsLongTextAtCodePoints) {
    EXPECT_EQ(escapeForMessage("日本語", 2), "日本…");
    EXPECT_EQ(escapeForMessage("日本語", 3), "日本語");
    EXPECT_EQ(escapeForMessage(std::string(300, 'x')), std::string(200, 'x') + "…");
}

TEST(CancelToken, CopiesShareOneFlag) {
    const CancelToken token;
    const CancelToken copy =
        token; // NOLINT(performance-unnecessary-copy-initialization): that is what is tested
    token.throwIfCancelled();
    EXPECT_FALSE(copy.isCancelled());
    std::thread([&] { copy.cancel(); }).join();
    EXPECT_TRUE(token.isCancelled());
    EXPECT_FALSE(CancelToken().isCancelled());
    try {
        token.throwIfCancelled();
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.parts().kind, ErrorKind::Cancelled);
        EXPECT_EQ(error.sentence(), "cancelled.");
    }
}

TEST(CheckDeathTest, NamesTheConditionAndBothValues) {
    const int rows = 3;
    const int columns = 4;
    HS_CHECK(rows < columns);
    HS_CHECK_EQ(rows + 1, columns);
    HS_CHECK_LE(rows, columns);
    HS_CHECK_LT(rows, columns);
    EXPECT_DEATH(HS_CHECK(rows > columns), "error_test.cpp:[0-9]+: .*rows > columns");
    EXPECT_DEATH(HS_CHECK_EQ(rows, columns), "rows == columns \\(3 against 4\\)");
    EXPECT_DEATH(HS_CHECK_LE(columns, rows), "columns <= rows \\(4 against 3\\)");
    EXPECT_DEATH(HS_CHECK_LT(rows, rows), "rows < rows \\(3 against 3\\)");
}

TEST(Check, EvaluatesItsArgumentsOnce) {
    int calls = 0;
    HS_CHECK_EQ(++calls, 1);
    HS_CHECK(++calls == 2);
    EXPECT_EQ(calls, 2);
}

} // namespace
} // namespace headscope::test
