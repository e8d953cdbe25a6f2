// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf8.h"
#include "tests/core/tokenizer/stage_results.h"

#include <gtest/gtest.h>

namespace headscope {
namespace {

using test::normalized;

const char* const kNfc = R"({"type":"NFC"})";
const char* const kNfd = R"({"type":"NFD"})";
const char* const kNfkc = R"({"type":"NFKC"})";
const char* const kNfkd = R"({"type":"NFKD"})";

TEST(Nfc, AComposedCharacterKeepsTheSpanOfItsFirstSource) {
    EXPECT_EQ(normalized(kNfc, "e\u0301x"), "é(0,1)x(2,3)");
    EXPECT_EQ(normalized(kNfc, "\u1100\u1161\u11a8x"), "각(0,1)x(3,4)");
    EXPECT_EQ(normalized(kNfc, "각\u1100\u1161"), "각(0,1)가(1,2)");
    EXPECT_EQ(normalized(kNfc, "\u212b\u0301"), "Ǻ(0,1)");
    EXPECT_EQ(normalized(kNfc, "\u0958"), "क(0,1)\u093c(0,1)"); // excluded from composition
    EXPECT_EQ(normalized(kNfc, "plain"), "p(0,1)l(1,2)a(2,3)i(3,4)n(4,5)");
    EXPECT_EQ(normalized(kNfc, "é中"), "é(0,1)中(1,2)");
}

TEST(Nfc, MarksThatAreNotComposedTakeWhatIsLeft) {
    // The a takes U+0328 and, as the library counts, the place of the mark behind it.
    EXPECT_EQ(normalized(kNfc, "a\u0328\u0301\u0323x"), "ą(0,1)\u0323(2,3)\u0301(3,4)x(4,5)");
    EXPECT_EQ(normalized(kNfc, "a\u0301\u0301"), "á(0,1)\u0301(2,3)"); // blocked by a mark of its own class
    EXPECT_EQ(normalized(kNfc, "a\u0315\u0300\u05ae\u0300b"),
              "à(0,1)\u05ae(2,3)\u0300(3,4)\u0315(4,5)b(5,6)");
    EXPECT_EQ(normalized(kNfc, "\u0301a"), "\u0301(0,1)a(1,2)");
}

TEST(Nfc, KnowsUnicode9) {
    EXPECT_EQ(normalized(kNfc, "\U00011935\U00011930"),
              "\U00011935(0,1)\U00011930(1,2)");     // U+11938 is of 13.0
    EXPECT_EQ(normalized(kNfkc, "㋿"), "㋿(0,1)"); // of 12.1
}

TEST(Nfkc, ComposesWhatItHasTakenApart) {
    EXPECT_EQ(normalized(kNfkc, "ﬁ\u0301"), "f(0,1)í(1,2)");
    EXPECT_EQ(normalized(kNfkc, "½x"), "1(0,1)⁄(0,1)2(0,1)x(1,2)");
    EXPECT_EQ(normalized(kNfkc, "ﷺ").size(), 18 * 5 + 15 * 2 + 3u); // 18 characters, three of them spaces
}

TEST(Nfkd, GivesEveryPartTheSpanOfItsSource) {
    EXPECT_EQ(normalized(kNfkd, "ﬁ½"), "f(0,1)i(0,1)1(1,2)⁄(1,2)2(1,2)");
}

TEST(NormalizationForms, ReorderMarksTogetherWithTheirOrigins) {
    EXPECT_EQ(normalized(kNfd, "é\u0323"), "e(0,1)\u0323(1,2)\u0301(1,2)");
    EXPECT_EQ(normalized(kNfd, "\u0344\u0323x"), "\u0323(0,1)\u0308(1,2)\u0301(1,2)x(2,3)");
    EXPECT_EQ(normalized(kNfd, "ab"), "a(0,1)b(1,2)");
    EXPECT_EQ(normalized(kNfd, "a\u0301\u0323"), "a(0,1)\u0323(1,2)\u0301(2,3)");
    EXPECT_EQ(normalized(kNfd, "\U00011938"), "\U00011938(0,1)"); // decomposes since 13.0, not in 9.0
    // A mark of Unicode 14.0 has class 0 in 9.0: it does not move, and nothing moves past it.
    EXPECT_EQ(normalized(kNfd, "a\u0301\u0898\u0323"), "a(0,1)\u0301(1,2)\u0898(2,3)\u0323(3,4)");
}

TEST(NormalizationForms, ComposingWhatIsDecomposedIsComposing) {
    const NormalizerPtr nfc = test::normalizerFrom(kNfc);
    const NormalizerPtr nfd = test::normalizerFrom(kNfd);
    for (char32_t c = 0xa0; c < 0x30000; ++c) {
        if (c >= 0xd800 && c < 0xe000) continue;
        std::string typed;
        appendUtf8(typed, c);
        NormalizedText once(typed, 0);
        nfc->normalize(once);
        NormalizedText twice(typed, 0);
        nfd->normalize(twice);
        nfc->normalize(twice);
        ASSERT_EQ(once.text(), twice.text()) << static_cast<std::uint32_t>(c);
    }
}

TEST(NormalizationForms, LongRunsOfMarksAreSortedOnce) {
    std::string marks = "a";
    for (int i = 0; i < 300'000; ++i) marks += i % 2 == 0 ? "\u0301" : "\u0323";
    NormalizedText text(marks, 0);
    test::normalizerFrom(kNfc)->normalize(text);
    // ạ takes the first U+0323; what blocks the others is the next one.
    EXPECT_TRUE(text.text().starts_with("ạ\u0323"));
    EXPECT_TRUE(text.text().ends_with("\u0301\u0301"));
}

} // namespace
} // namespace headscope
