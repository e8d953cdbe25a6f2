// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/analysis.h"
#include "core/base/utf8.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace headscope {
namespace {

Token token(std::string piece, std::int64_t start = 0, std::int64_t end = 0, int text = 0) {
    Token result;
    result.id = 7;
    result.piece = std::move(piece);
    result.start = start;
    result.end = end;
    result.text = text;
    return result;
}

std::string label(const Token& one, std::vector<std::string> texts = {}) {
    return makeAxis({one}, std::move(texts), nullptr).entries[0].label;
}

TEST(AxisLabels, PiecesStayAsTheVocabularySpellsThem) {
    EXPECT_EQ(label(token("street")), "street");
    EXPECT_EQ(label(token("##ing")), "##ing");
    EXPECT_EQ(label(token("[CLS]")), "[CLS]");
    EXPECT_EQ(label(token("猫")), "猫");
}

TEST(AxisLabels, WhatWouldNotShowGetsAMark) {
    EXPECT_EQ(label(token(" a b")), "␣a␣b");
    EXPECT_EQ(label(token("a\n")), "a↵");
    EXPECT_EQ(label(token("\t")), "⇥");
    EXPECT_EQ(label(token("\x01")), "␁");
    EXPECT_EQ(label(token("\x7f")), "␡");
    EXPECT_EQ(label(token("\u200b")), "<U+200B>");
    EXPECT_EQ(label(token("\u200d")), "<U+200D>");
    EXPECT_EQ(label(token("a\u200db")), "a<U+200D>b");
    EXPECT_EQ(label(token("👩\u200d🔬")), "👩\u200d🔬") << "one pictograph of two";
    EXPECT_EQ(label(token("🏳\ufe0f\u200d🌈\u200d")), "🏳\ufe0f\u200d🌈<U+200D>");
    EXPECT_EQ(label(token("\u202e")), "<U+202E>") << "must not turn the axis around";
    EXPECT_EQ(label(token("\xff")), "\\xff");
}

TEST(AxisLabels, SpacesOfEveryWidthAndHiddenCharactersGetTheirNumber) {
    EXPECT_EQ(label(token("a\u00a0b")), "a<U+00A0>b");
    EXPECT_EQ(label(token("\u3000")), "<U+3000>");
    for (const char32_t c :
         {U'\u0085', U'\u00ad', U'\u034f', U'\u061c', U'\u1160',     U'\u1680',     U'\u180e',    U'\u2000',
          U'\u2003', U'\u200a', U'\u2028', U'\u202f', U'\u205f',     U'\u2060',     U'\u2800',    U'\u3164',
          U'\ufe0f', U'\ufeff', U'\uffa0', U'\ufffe', U'\U0001d173', U'\U000e0067', U'\U000e0100'}) {
        std::string piece;
        appendUtf8(piece, c);
        EXPECT_EQ(label(token(piece)), fmt::format("<U+{:04X}>", static_cast<std::uint32_t>(c)));
    }
    EXPECT_EQ(label(token("☺\ufe0e")), "☺\ufe0e") << "a selector shows by what it selects";
}

TEST(AxisLabels, AccentsWithoutALetterStandOnACircle) {
    EXPECT_EQ(label(token("\u0301")), "◌\u0301");
    EXPECT_EQ(label(token("\u05b8\u05c1")), "◌\u05b8\u05c1") << "one circle for all of them";
    EXPECT_EQ(label(token("\u093e")), "◌\u093e") << "a vowel sign beside its letter";
    EXPECT_EQ(label(token(" \u0301a")), "␣◌\u0301a") << "not on the mark for the space";
    EXPECT_EQ(label(token("e\u0301")), "e\u0301");
}

TEST(AxisLabels, UnknownTokensShowTheirText) {
    EXPECT_EQ(label(token("[UNK]", 4, 5), {"cat 🐱 x"}), "[UNK] 🐱");
    EXPECT_EQ(label(token("[UNK]", 0, 2, 1), {"cat", "東京"}), "[UNK] 東京");
    EXPECT_EQ(label(token("[UNK]", 0, 25), {"abcdefghijklmnopqrstuvwxyz"}), "[UNK] abcdefghijklmnopqrst…");
    EXPECT_EQ(label(token("[UNK]", 0, 99), {"short"}), "[UNK]") << "a span outside the text is not read";
    EXPECT_EQ(label(token("[UNK]", 0, 3, -1), {"cat"}), "[UNK]");
}

TEST(AxisLabels, PiecesInDisguiseShowTheirText) {
    EXPECT_EQ(label(token("Ġthe", 3, 7), {"see the"}), "␣the");
    EXPECT_EQ(label(token("Ġsee", 0, 3), {"see the"}), "see") << "the space was only put before the text";
    EXPECT_EQ(label(token("Ċ", 1, 2), {"a\nb"}), "↵");
    EXPECT_EQ(label(token("Ã©", 0, 1), {"é"}), "é");
    EXPECT_EQ(label(token("▁the", 3, 7), {"see the"}), "␣the");
    EXPECT_EQ(label(token("▁see", 0, 3), {"see the"}), "see");
    EXPECT_EQ(label(token("the", 0, 3), {"The"}), "the")
        << "what a normalizer changed stays as the piece says";
    EXPECT_EQ(label(token("<0x41>", 0, 1), {"A"}), "A");
}

TEST(AxisLabels, PartsOfACharacterAreNumbered) {
    const auto labels = [](const std::vector<Token>& tokens, const std::string& text) {
        std::vector<std::string> all;
        for (const AxisEntry& entry : makeAxis(tokens, {text}, nullptr).entries) all.push_back(entry.label);
        return all;
    };
    // The four bytes of a cat in three tokens of a byte-level vocabulary, and in four of a SentencePiece one.
    EXPECT_EQ(labels({token("a", 0, 1), token("ðŁ", 1, 2), token("Ĳ", 1, 2), token("±", 1, 2)}, "a🐱"),
              (std::vector<std::string>{"a", "🐱 1/3", "🐱 2/3", "🐱 3/3"}));
    EXPECT_EQ(labels({token("<0xE4>", 0, 1), token("<0xB8>", 0, 1), token("<0xAD>", 0, 1)}, "中"),
              (std::vector<std::string>{"中 1/3", "中 2/3", "中 3/3"}));
    EXPECT_EQ(
        labels({token("<0xC3>", 0, 1), token("<0xA9>", 0, 1), token("<0xC3>", 1, 2), token("<0xA9>", 1, 2)},
               "éé"),
        (std::vector<std::string>{"é 1/2", "é 2/2", "é 1/2", "é 2/2"}));
}

/// A pipeline in which é and 👩 are spelled with byte characters, "🎈" is cut, and "<né>" is an added token.
std::shared_ptr<const Tokenizer> byteLevelTokenizer(const std::string& normalizer, bool trimsOffsets) {
    return parseTokenizer(
        R"({"normalizer": )" + normalizer +
            R"(, "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true},
        "post_processor": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": )" +
            (trimsOffsets ? "true" : "false") + R"(},
        "added_tokens": [{"id": 9, "content": "<né>", "single_word": false, "lstrip": false, "rstrip": false,
                          "normalized": false, "special": false}],
        "model": {"type": "BPE", "vocab": {"Ã": 0, "©": 1, "Ã©": 2, "Ġ": 3, "b": 4, "Ġb": 5, "ð": 6, "Ł": 7,
                                           "ðŁ": 8},
                  "merges": [["Ã", "©"], ["Ġ", "b"], ["ð", "Ł"]]}})",
        "tokenizer.json", {});
}

std::vector<std::string> labels(const Tokenizer& tokenizer, const std::string& text) {
    std::vector<std::string> all;
    for (const AxisEntry& entry : makeAxis(tokenizer.encode(text, {}, {}), {text}, &tokenizer).entries)
        all.push_back(entry.label);
    return all;
}

using Words = std::vector<std::string>;

TEST(AxisLabels, BytePiecesAreReadWhateverANormalizerMadeOfTheText) {
    EXPECT_EQ(labels(*byteLevelTokenizer(R"({"type": "NFC"})", false), "e\u0301 b"), (Words{"é", "␣b"}));
    EXPECT_EQ(labels(*byteLevelTokenizer(R"({"type": "Lowercase"})", false), "ÉB"), (Words{"é", "b"}));
    EXPECT_EQ(labels(*byteLevelTokenizer("null", false), "<né>é"), (Words{"<né>", "é"}));
}

TEST(AxisLabels, SpacesOfTheTextShowWhereTheSpanLeavesThemOut) {
    const auto tokenizer = byteLevelTokenizer("null", true);
    const std::vector<Token> tokens = tokenizer->encode("b  b", {}, {});
    ASSERT_EQ(tokens.size(), 3U);
    EXPECT_EQ(tokens[1].start, tokens[1].end) << "a space alone, trimmed to nothing";
    EXPECT_EQ(labels(*tokenizer, "b  b"), (Words{"b", "␣", "␣b"}));
    EXPECT_EQ(label(token("▁the", 4, 7), {"see the"}), "␣the");
    EXPECT_EQ(label(token("▁the", 4, 7), {"see\nthe"}), "the");
    EXPECT_EQ(label(token("▁", 4, 5), {"see the"}), "␣");
    EXPECT_EQ(label(token("▁", 0, 1), {"see the"}), "▁") << "no space stands there";
}

TEST(AxisLabels, IdsOfBytePiecesAreReadWithoutAText) {
    const auto tokenizer = byteLevelTokenizer("null", false);
    const auto ofIds = [&](const std::vector<std::int64_t>& ids) {
        std::vector<Token> tokens;
        for (const std::int64_t id : ids) {
            tokens.push_back(token(tokenizer->piece(id).value(), 0, 0, -1));
            tokens.back().id = id;
        }
        Words all;
        for (const AxisEntry& entry : makeAxis(tokens, {}, tokenizer.get()).entries)
            all.push_back(entry.label);
        return all;
    };
    EXPECT_EQ(ofIds({2, 5, 9}), (Words{"é", "␣b", "<né>"}));
    EXPECT_EQ(ofIds({4, 0, 1, 4}), (Words{"b", "é 1/2", "é 2/2", "b"}));
    EXPECT_EQ(ofIds({0, 4, 1, 8}), (Words{R"(\xc3)", "b", R"(\xa9)", R"(\xf0\x9f)"}));
}

TEST(AxisLabels, TokensWithoutAPieceShowTheirId) {
    EXPECT_EQ(label(token("")), "#7");
}

TEST(AxisLabels, EntriesCarryWhatTheTokensSay) {
    Token one = token("a", 2, 3, 1);
    one.special = true;
    const Axis axis = makeAxis({one}, {"x", "yza"}, nullptr);
    ASSERT_EQ(axis.size(), 1);
    EXPECT_EQ(axis.entries[0].id, 7);
    EXPECT_EQ(axis.entries[0].start, 2);
    EXPECT_EQ(axis.entries[0].end, 3);
    EXPECT_EQ(axis.entries[0].text, 1);
    EXPECT_TRUE(axis.entries[0].special);
    EXPECT_EQ(axis.texts.size(), 2U);
}

} // namespace
} // namespace headscope
