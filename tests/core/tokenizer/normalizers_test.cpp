// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/tokenizer/stage_results.h"
#include "tests/support/sentence_of.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace headscope {
namespace {

using test::normalized;
using test::sentenceOf;

NormalizerPtr stage(const std::string& json) {
    return test::normalizerFrom(json);
}

NormalizerPtr bert(bool clean, bool chinese, const char* accents, bool lower) {
    return stage(fmt::format(R"({{"type":"BertNormalizer","clean_text":{},"handle_chinese_chars":{},)"
                             R"("strip_accents":{},"lowercase":{}}})",
                             clean, chinese, accents, lower));
}

TEST(BertNormalizer, CleansControlCharactersAndWritesWhiteSpaceAsSpaces) {
    const NormalizerPtr clean = bert(true, false, "false", false);
    EXPECT_EQ(normalized(*clean, "a\tb\r\nc"), "a(0,1) (1,2)b(2,3) (3,4) (4,5)c(5,6)");
    // 0B, 0C, 1C and 85 are control characters before they are white space; NUL, FFFD, ZWJ and private use go
    // too.
    EXPECT_EQ(normalized(*clean, std::string_view("a\x0b\x0c\x1c\0b", 6)), "a(0,1)b(5,6)");
    EXPECT_EQ(normalized(*clean, "a\u0085\ufffd\u200d\ue000b"), "a(0,1)b(5,6)");
    EXPECT_EQ(normalized(*clean, "a\u00a0\u3000\u2028b"), "a(0,1) (1,2) (2,3) (3,4)b(4,5)");
    // Unassigned code points stay, and so does a format character that is younger than Unicode 8.0 (U+13430
    // of 12.0).
    EXPECT_EQ(normalized(*clean, "\u0378\U00013430"), "\u0378(0,1)\U00013430(1,2)");
    EXPECT_EQ(normalized(*clean, "\u200b"), "");
    EXPECT_EQ(normalized(*bert(false, false, "false", false), "a\tb\ufffd"),
              "a(0,1)\t(1,2)b(2,3)\ufffd(3,4)");
}

TEST(BertNormalizer, PutsSpacesAroundChineseWithTheSourceSpan) {
    const NormalizerPtr chinese = bert(false, true, "false", false);
    EXPECT_EQ(normalized(*chinese, "a中b"), "a(0,1) (1,2)中(1,2) (1,2)b(2,3)");
    EXPECT_EQ(normalized(*chinese, "\U0002b820"),
              "\U0002b820(0,1)"); // the block starts at 2B920 in the library
    EXPECT_EQ(normalized(*chinese, "\U0002b920"), " (0,1)\U0002b920(0,1) (0,1)");
    EXPECT_EQ(normalized(*chinese, "かア한"), "か(0,1)ア(1,2)한(2,3)");
}

TEST(BertNormalizer, AccentsFollowLowercaseWhenNull) {
    EXPECT_EQ(normalized(*bert(false, false, "null", true), "Éé"), "e(0,1)e(1,2)");
    EXPECT_EQ(normalized(*bert(false, false, "null", false), "Éé"), "É(0,1)é(1,2)");
    EXPECT_EQ(normalized(*bert(false, false, "true", false), "Éé"), "E(0,1)e(1,2)");
    EXPECT_EQ(normalized(*bert(false, false, "false", true), "Éé"), "é(0,1)é(1,2)");
}

TEST(BertNormalizer, StripsNonspacingMarksOnly) {
    const NormalizerPtr strip = bert(false, false, "true", false);
    EXPECT_EQ(normalized(*strip, "e\u0301x"), "e(0,1)x(2,3)");
    EXPECT_EQ(normalized(*strip, "\u0301"), "");
    EXPECT_EQ(normalized(*strip, "\u0301a"), "a(1,2)");
    EXPECT_EQ(normalized(*strip, "क\u093f"), "क(0,1)\u093f(1,2)");            // Mc stays
    EXPECT_EQ(normalized(*strip, "a\u20dd"), "a(0,1)\u20dd(1,2)");            // Me stays
    EXPECT_EQ(normalized(*strip, "각"), "\u1100(0,1)\u1161(0,1)\u11a8(0,1)"); // Hangul stays as jamo
    EXPECT_EQ(normalized(*strip, "\u1885"), "\u1885(0,1)");                   // Mn since 9.0
    EXPECT_EQ(normalized(*strip, "\u1734"), "");                              // Mn until 14.0
}

TEST(Lowercase, MapsCharacterByCharacter) {
    const NormalizerPtr lower = stage(R"({"type":"Lowercase"})");
    EXPECT_EQ(normalized(*lower, "AbÉ"), "a(0,1)b(1,2)é(2,3)");
    EXPECT_EQ(normalized(*lower, "İx"), "i(0,1)\u0307(0,1)x(1,2)");
    EXPECT_EQ(normalized(*lower, "ΑΣ"), "α(0,1)σ(1,2)"); // no final sigma
    EXPECT_EQ(normalized(*lower, "ẞ"), "ß(0,1)");
    EXPECT_EQ(normalized(*lower, "\ua7dc\U00016ea0"),
              "\u019b(0,1)\U00016ebb(1,2)"); // of Unicode 16.0 and 17.0
}

TEST(StripAccents, DropsEveryMarkAndDecomposesNothing) {
    const NormalizerPtr strip = stage(R"({"type":"StripAccents"})");
    EXPECT_EQ(normalized(*strip, "e\u0301é\u093f\u20ddx"), "e(0,1)é(2,3)x(5,6)");
}

TEST(NormalizerSequence, RunsItsStagesInOrder) {
    const NormalizerPtr sequence = stage(
        R"({"type":"Sequence","normalizers":[{"type":"NFD"},{"type":"Lowercase"},{"type":"StripAccents"}]})");
    EXPECT_EQ(normalized(*sequence, "É\u0323İ"), "e(0,1)i(2,3)");
    EXPECT_EQ(normalized(*stage(R"({"type":"Sequence","normalizers":[]})"), "É"), "É(0,1)");
}

TEST(Normalizers, RefuseWhatIsUnknownOrIncomplete) {
    EXPECT_EQ(stage("null"), nullptr);
    const std::string known = ", expected one of the types that are computed (BertNormalizer, Bert, "
                              "ByteLevel, Lowercase, NFC, NFD, "
                              "NFKC, NFKD, Nmt, Precompiled, Prepend, Replace, Strip, StripAccents, "
                              "Sequence); give the text as token "
                              "ids with --ids, or use another checkpoint.";
    EXPECT_EQ(sentenceOf([] { stage(R"({"type":"nfc"})"); }),
              "tokenizer.json: normalizer: type \"nfc\"" + known);
    EXPECT_EQ(
        sentenceOf([] { stage(R"({"type":"Sequence","normalizers":[{"type":"NFD"},{"type":"Odd\n"}]})"); }),
        "tokenizer.json: normalizer: 1: type \"Odd\\x0a\"" + known);
    EXPECT_EQ(sentenceOf([] { stage(R"({"type":"Sequence","normalizers":[null]})"); }),
              "tokenizer.json: normalizer: 0: found null, expected an object.");
    EXPECT_EQ(sentenceOf([] { stage(R"({"type":"BertNormalizer","clean_text":true,"lowercase":true})"); }),
              "tokenizer.json: normalizer: \"handle_chinese_chars\" is missing.");
    EXPECT_EQ(sentenceOf([] {
                  stage(R"({"type":"Bert","clean_text":1,"handle_chinese_chars":true,"lowercase":true})");
              }),
              "tokenizer.json: normalizer: clean_text: found 1, expected true or false.");
    EXPECT_EQ(sentenceOf([] { stage("[]"); }),
              "tokenizer.json: normalizer: found an array, expected an object.");
    EXPECT_EQ(sentenceOf([] { stage("{}"); }), "tokenizer.json: normalizer: \"type\" is missing.");
}

} // namespace
} // namespace headscope
