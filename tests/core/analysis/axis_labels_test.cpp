// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/analysis.h"

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
