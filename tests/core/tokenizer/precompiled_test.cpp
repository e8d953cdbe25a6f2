// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/base64.h"
#include "core/tokenizer/grapheme_clusters.h"
#include "core/tokenizer/normalizers/charsmap.h"
#include "tests/core/tokenizer/charsmap_builder.h"
#include "tests/core/tokenizer/stage_results.h"
#include "tests/support/sentence_of.h"

#include <gtest/gtest.h>
#include <map>

namespace headscope {
namespace {

using test::CharsmapBuilder;
using test::normalized;
using test::sentenceOf;

std::string base64(std::string_view bytes) {
    static constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string result;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < 3; ++i)
            bits = bits << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U);
        for (std::size_t i = 0; i < 4; ++i)
            result += at + i > bytes.size() ? '=' : kDigits[bits >> (18 - 6 * i) & 0x3f];
    }
    return result;
}

std::string precompiled(const std::string& charsmap) {
    return fmt::format(R"({{"type":"Precompiled","precompiled_charsmap":"{}"}})", base64(charsmap));
}

const std::map<std::string, std::string>& rules() {
    static const std::map<std::string, std::string> result = {
        {"é", "e"},     {"e\u0301", "é"}, {"ﬁ", "fi"},    {"\u212b", "Å"}, {"½", "1⁄2"},
        {"\u0001", ""}, {"\r\n", " "},    {"q", "queue"}, {"w", ""}};
    return result;
}

std::string withRules(std::string_view typed) {
    return normalized(precompiled(CharsmapBuilder(rules()).bytes()), typed);
}

TEST(Precompiled, ReplacesClustersByTheirShortestPrefix) {
    EXPECT_EQ(withRules("e\u0301\u0323"), "é(0,1)"); // five bytes: looked up whole, and the dot is lost
    EXPECT_EQ(withRules("\u212b\u0301"), "Å(0,1)");
    EXPECT_EQ(withRules("ﬁ\u0301"), "f(0,1)i(1,2)");
    EXPECT_EQ(withRules("½\ufe0f"), "1(0,1)⁄(1,2)2(1,2)");
    EXPECT_EQ(withRules("a\r\nb"), "a(0,1) (1,2)b(3,4)");
    // Six bytes and more: character by character.
    EXPECT_EQ(withRules("e\u0301\ufe0f"), "e(0,1)\u0301(1,2)\ufe0f(2,3)");
    EXPECT_EQ(withRules("abc"), "a(0,1)b(1,2)c(2,3)");
}

TEST(Precompiled, AlignsAsTheLibraryDoes) {
    EXPECT_EQ(withRules("aqb"), "a(0,1)q(1,2)u(1,2)e(1,2)u(1,2)e(1,2)b(2,3)");
    // What becomes nothing goes to the character written before it, which may be an inserted one.
    EXPECT_EQ(withRules("ﬁ\u0001x"), "f(0,1)i(1,2)x(2,3)");
    EXPECT_EQ(withRules("xw"), "x(0,1)");
    EXPECT_EQ(withRules("x\u0001\u0001y"), "x(0,1)y(3,4)");
    EXPECT_EQ(withRules("qw"), "q(0,1)u(0,1)e(0,1)u(0,1)e(1,2)");
    EXPECT_EQ(withRules("awéb"), "a(0,1)e(2,3)b(3,4)");
    // At the start it is forgotten: all later spans are one too low.
    EXPECT_EQ(withRules("\u0001ab"), "a(0,1)b(1,2)");
    EXPECT_EQ(withRules("\u0001éb"), "e(0,1)b(1,2)");
    EXPECT_EQ(withRules("wq\u0001"), "q(0,1)u(0,1)e(0,1)u(0,1)e(1,2)");
    EXPECT_EQ(withRules("w"), "");
}

TEST(Precompiled, RefusesWhatIsNoCharsmap) {
    const std::string subject = "tokenizer.json: normalizer: precompiled_charsmap: ";
    const auto sentence = [](const std::string& value) {
        return sentenceOf([&] {
            test::normalizerFrom(fmt::format(R"({{"type":"Precompiled","precompiled_charsmap":{}}})", value));
        });
    };
    EXPECT_EQ(sentence("null"), subject + "found null, expected a string.");
    EXPECT_EQ(sentence("\"\""), subject + "0 bytes, expected at least 4.");
    EXPECT_EQ(sentence("\"AAA\""), subject + "text that is no base64.");
    EXPECT_EQ(sentence("\"/wAAAAAA\""), subject + "6 bytes, expected a trie of 252.");
    EXPECT_NE(sentence("\"AAAAAP8=\""), ""); // replacements that are no UTF-8
}

TEST(Charsmap, IsRefusedWhereItLeadsOutsideItself) {
    const auto lookUp = [](std::vector<std::uint32_t> units, const std::string& texts) {
        std::string bytes = CharsmapBuilder::littleEndian(static_cast<std::uint32_t>(4 * units.size()));
        for (const std::uint32_t unit : units) bytes += CharsmapBuilder::littleEndian(unit);
        const Charsmap map(bytes + texts, "map");
        return sentenceOf([&] { map.replacement("a"); });
    };
    const std::string sentence =
        "map: a table that leads outside itself; the file is damaged: fetch it again, "
        "or give the text as token ids with --ids.";
    EXPECT_EQ(lookUp({}, ""), sentence);
    EXPECT_EQ(lookUp({0xffffffffU}, ""), sentence);
    std::vector<std::uint32_t> units(128);
    EXPECT_EQ(lookUp(units, ""), ""); // the unit of 'a' has another label
    units['a'] = 0x100 | 'a' | ('a' ^ 5U) << 10;
    units[5] = 1;
    EXPECT_EQ(lookUp(units, "x"), ""); // the end of the replacements is one
    units[5] = 2;
    EXPECT_EQ(lookUp(units, "x"), sentence);
    units[5] = 1;
    EXPECT_EQ(lookUp(units, "é"), sentence); // inside of a character
    units['a'] = 0x100 | 'a' | 0x3ffU << 10;
    EXPECT_EQ(lookUp(units, "x"), sentence);
}

TEST(Charsmap, ReplacementsEndAtTheirNul) {
    const Charsmap map(CharsmapBuilder(rules()).bytes(), "map");
    EXPECT_EQ(map.replacement("ﬁ"), "fi");
    EXPECT_EQ(map.replacement("\u0001"), "");
    EXPECT_EQ(map.replacement("x"), std::nullopt);
    EXPECT_EQ(map.replacement(std::string_view("\0", 1)), std::nullopt);
}

TEST(Base64, IsReadStrictly) {
    EXPECT_EQ(decodeBase64(""), "");
    EXPECT_EQ(decodeBase64("TQ=="), "M");
    EXPECT_EQ(decodeBase64("TWE="), "Ma");
    EXPECT_EQ(decodeBase64("TWFu"), "Man");
    EXPECT_EQ(decodeBase64("+/+/"), "\xfb\xff\xbf");
    for (const char* text :
         {"T", "TWF", "TR==", "TWF=", "T===", "====", "TW u", "TW-u", "TWFuTQ", "TQ==TWFu"})
        EXPECT_EQ(decodeBase64(text), std::nullopt) << text;
    std::string all;
    for (int i = 0; i < 512; ++i) all += static_cast<char>(i * 37);
    EXPECT_EQ(decodeBase64(base64(all)), all);
}

/// The clusters, separated by bars.
std::string clusters(std::string_view text) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = graphemeClusterEnd(text, at);
        result += fmt::format("{}{}", result.empty() ? "" : "|", text.substr(at, end - at));
        at = end;
    }
    return result;
}

TEST(GraphemeClusters, FollowTheRulesOfUnicode16) {
    EXPECT_EQ(clusters("ab"), "a|b");
    EXPECT_EQ(clusters("\r\n\n\r"), "\r\n|\n|\r");
    EXPECT_EQ(clusters("e\u0301\u0323x"), "e\u0301\u0323|x");
    EXPECT_EQ(clusters("\n\u0301"), "\n|\u0301");          // nothing joins a control character
    EXPECT_EQ(clusters("\u0600\u0600a"), "\u0600\u0600a"); // Prepend
    EXPECT_EQ(clusters("क\u0903"), "क\u0903");             // SpacingMark
    EXPECT_EQ(clusters("\u1100\u1161\u11a8\u1100"), "\u1100\u1161\u11a8|\u1100");
    EXPECT_EQ(clusters("가\u11a8각\u1161"), "가\u11a8|각|\u1161");
    EXPECT_EQ(clusters("👩\u200d👧x"), "👩\u200d👧|x");
    EXPECT_EQ(clusters("a\u200d👧"), "a\u200d|👧");
    EXPECT_EQ(clusters("©\u0301\u200d©"), "©\u0301\u200d©");
    EXPECT_EQ(clusters("क\u094d\u200dक"), "क\u094d\u200dक"); // joined by a linker,
    EXPECT_EQ(clusters("क\u0301क"), "क\u0301|क");            // and by nothing else
    EXPECT_EQ(clusters("क\u094d\u0903क"), "क\u094d\u0903|क");
    EXPECT_EQ(clusters("a\u094dक"), "a\u094d|क");
    EXPECT_EQ(clusters("\u0cc0\u0897"), "\u0cc0\u0897");
}

} // namespace
} // namespace headscope
