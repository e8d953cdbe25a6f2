// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf8.h"
#include "tests/support/sentence_of.h"

#include <gtest/gtest.h>

namespace headscope::test {
namespace {

using Offset = std::optional<std::size_t>;

TEST(Utf8, AcceptsTheEdgesOfEveryLength) {
    for (const std::string_view text : {"", "\x7f", "\u0080", "\u07ff", "\u0800", "\xed\x9f\xbf", "\ue000",
                                        "\uffff", "\U00010000", "\U0010ffff", "a\u00e9\u65e5\U0001f642"})
        EXPECT_EQ(firstInvalidUtf8(text), std::nullopt) << text;
    EXPECT_EQ(firstInvalidUtf8(std::string_view("\0", 1)), std::nullopt);
}

TEST(Utf8, FindsTheFirstIllFormedByte) {
    EXPECT_EQ(firstInvalidUtf8("ab\x80"), Offset(2));           // continuation without a lead
    EXPECT_EQ(firstInvalidUtf8("\xc0\x80"), Offset(0));         // overlong
    EXPECT_EQ(firstInvalidUtf8("\xc1\xbf"), Offset(0));         // overlong
    EXPECT_EQ(firstInvalidUtf8("\xe0\x9f\xbf"), Offset(0));     // overlong
    EXPECT_EQ(firstInvalidUtf8("\xf0\x8f\xbf\xbf"), Offset(0)); // overlong
    EXPECT_EQ(firstInvalidUtf8("a\xed\xa0\x80"), Offset(1));    // surrogate
    EXPECT_EQ(firstInvalidUtf8("a\xed\xbf\xbf"), Offset(1));    // surrogate
    EXPECT_EQ(firstInvalidUtf8("\xf4\x90\x80\x80"), Offset(0)); // above U+10FFFF
    EXPECT_EQ(firstInvalidUtf8("\xf5\x80\x80\x80"), Offset(0)); // above U+10FFFF
    EXPECT_EQ(firstInvalidUtf8("\u65e5\xe6\x97"), Offset(3));   // cut short
    EXPECT_EQ(firstInvalidUtf8("\xc3"), Offset(0));             // cut short
    EXPECT_EQ(firstInvalidUtf8("\xf0\x9f\x99"), Offset(0));     // cut short
    EXPECT_EQ(firstInvalidUtf8("\xe6\x97\x41"), Offset(0));     // continuation missing
}

TEST(Utf8, AgreesWithADecoderWrittenFromTheDefinition) {
    // Every sequence of one to three bytes: well-formed exactly when it is the encoding of some code points.
    const auto encodes = [](std::string_view bytes) {
        std::size_t at = 0;
        while (at < bytes.size()) {
            bool matched = false;
            for (std::size_t length = 1; length <= 3 && at + length <= bytes.size() && !matched; ++length) {
                const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[at + i]); };
                char32_t c = 0;
                if (length == 1) c = byte(0);
                if (length == 2) c = ((byte(0) & 0x1fU) << 6U) | (byte(1) & 0x3fU);
                if (length == 3)
                    c = ((byte(0) & 0xfU) << 12U) | ((byte(1) & 0x3fU) << 6U) | (byte(2) & 0x3fU);
                if (c >= 0xd800 && c <= 0xdfff) continue;
                if (length == 1 && c >= 0x80) continue;
                std::string encoded;
                appendUtf8(encoded, c);
                if (encoded == bytes.substr(at, length)) {
                    at += length;
                    matched = true;
                }
            }
            if (!matched) return false;
        }
        return true;
    };
    for (unsigned value = 0; value < 0x1000000; value += value < 0x20000 ? 1 : 97) {
        const std::string bytes{static_cast<char>(value & 0xffU), static_cast<char>((value >> 8U) & 0xffU),
                                static_cast<char>((value >> 16U) & 0xffU)};
        const bool fourByteLead = (value & 0xffU) >= 0xf0 || ((value >> 8U) & 0xffU) >= 0xf0;
        if (fourByteLead) continue; // never complete in three bytes
        ASSERT_EQ(!firstInvalidUtf8(bytes).has_value(), encodes(bytes)) << value;
    }
}

TEST(Utf8, RequireNamesSubjectAndOffset) {
    requireUtf8("plain", "input.txt");
    EXPECT_EQ(sentenceOf([] { requireUtf8("caf\xe9", "input.txt"); }),
              "input.txt: the text is not valid UTF-8 (at byte 3); save it as UTF-8.");
}

TEST(Utf8, EveryCodePointSurvivesTheRoundTrip) {
    std::u32string all;
    for (char32_t c = 0; c <= 0x10ffff; ++c)
        if (c < 0xd800 || c > 0xdfff) all += c;
    const std::string utf8 = toUtf8(all);
    EXPECT_EQ(firstInvalidUtf8(utf8), std::nullopt);
    EXPECT_TRUE(toCodePoints(utf8) == all);
    EXPECT_EQ(countCodePoints(utf8), 0x110000 - 0x800);
}

TEST(Utf8, CountsAndLocatesCodePoints) {
    const std::string text = "a\u00e9\u65e5\U0001f642";
    EXPECT_EQ(countCodePoints(text), 4);
    EXPECT_EQ(codePointOffsets(text), (std::vector<std::size_t>{0, 1, 3, 6, 10}));
    EXPECT_EQ(codePointOffsets(""), std::vector<std::size_t>{0});
    EXPECT_EQ(toCodePoints(text), U"a\u00e9\u65e5\U0001f642");
}

} // namespace
} // namespace headscope::test
