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
