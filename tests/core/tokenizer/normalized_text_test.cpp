// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/byte_characters.h"
#include "core/tokenizer/normalized_text.h"
#include "tests/support/sentence_of.h"

#include <gtest/gtest.h>
#include <set>

namespace headscope {
namespace {

TEST(NormalizedText, TypedTextCountsCodePointsFromTheGivenOne) {
    const NormalizedText text("aé中😀", 7);
    EXPECT_EQ(text.size(), 10u);
    EXPECT_EQ(text.span(0, 1), (Span{7, 8}));
    EXPECT_EQ(text.span(1, 3), (Span{8, 9}));
    EXPECT_EQ(text.span(2, 4), (Span{8, 10})); // a cut inside a character has the whole character's span
    EXPECT_EQ(text.span(6, 10), (Span{10, 11}));
    EXPECT_EQ(text.span(0, 10), (Span{7, 11}));
}

TEST(NormalizedText, EditKeepsOriginsByTheRulesOfTheLibrary) {
    NormalizedText text("xaéb", 0);
    TextEdit edit(text);
    edit.drop(1);        // x
    edit.replace(U'中'); // a -> three bytes with a's origin
    edit.insert(U'-');   // the character before the cursor is a
    edit.keep(2);        // é
    edit.insert(U'+');
    edit.drop(1); // b
    edit.insert(U'!');
    edit.finish();
    EXPECT_EQ(text.text(), "中-é+!");
    EXPECT_EQ(text.span(0, 3), (Span{1, 2}));
    EXPECT_EQ(text.span(3, 4), (Span{1, 2}));
    EXPECT_EQ(text.span(4, 6), (Span{2, 3}));
    EXPECT_EQ(text.span(6, 7), (Span{2, 3}));
    EXPECT_EQ(text.span(7, 8), (Span{3, 4})); // a dropped character counts as the one before the cursor
}

TEST(NormalizedText, WhatIsPutBeforeEverythingStandsBeforeItsPart) {
    NormalizedText text("ab", 5);
    EXPECT_EQ(text.originBefore(0), 5 | NormalizedText::kInserted);
    EXPECT_EQ(text.originBefore(2), 6u);
    TextEdit edit(text);
    edit.insert(U'>');
    edit.keep(2);
    edit.finish();
    EXPECT_EQ(text.text(), ">ab");
    EXPECT_EQ(text.span(0, 1), (Span{5, 5}));
    EXPECT_EQ(text.span(0, 2), (Span{5, 6}));
    EXPECT_EQ(text.originBefore(0), 5 | NormalizedText::kInserted);
}

TEST(NormalizedText, IsNotRewrittenBehindAnInsertionAtItsStart) {
    NormalizedText text("ab", 0);
    text.requireRewritable();
    NormalizedText inserted = NormalizedText::successorOf(text);
    inserted.append("> ", text.originBefore(0));
    inserted.append(text, 0, 2);
    EXPECT_EQ(test::sentenceOf([&] { TextEdit edit(inserted); }),
              "the text: a normalizer put something before its first character, and the next stage rewrites "
              "that; the tokenizers library stops at this too: give the text as token ids with --ids.");
    inserted.requireRewritable(2);
    NormalizedText().requireRewritable();
}

TEST(NormalizedText, ChangesAreAppliedAsTheLibraryCountsThem) {
    NormalizedText text("abéd", 0);
    TextEdit edit(text);
    edit.apply(U'X', 0);  // for a
    edit.apply(U'Y', 1);  // takes a's place too
    edit.apply(U'Z', -1); // for b, and é is dropped
    edit.apply(U'!', -5); // for d, and there is nothing more to drop
    edit.finish();
    EXPECT_EQ(text.text(), "XYZ!");
    EXPECT_EQ(text.span(0, 1), (Span{0, 1}));
    EXPECT_EQ(text.span(1, 2), (Span{0, 1}));
    EXPECT_EQ(text.span(2, 3), (Span{1, 2}));
    EXPECT_EQ(text.span(3, 4), (Span{3, 4}));
}

TEST(NormalizedText, ByteCharactersHaveTheOriginOfTheirByte) {
    const NormalizedText text("a é\n", 0);
    NormalizedText bytes = NormalizedText::successorOf(text);
    bytes.appendByteCharacters(text, 1, text.size());
    EXPECT_EQ(bytes.text(), "ĠÃ©Ċ");
    EXPECT_EQ(bytes.span(0, 2), (Span{1, 2}));
    EXPECT_EQ(bytes.span(2, 4), (Span{2, 3})); // each of é's bytes stands for é
    EXPECT_EQ(bytes.span(4, 6), (Span{2, 3}));
    EXPECT_EQ(bytes.span(6, 8), (Span{3, 4}));
}

TEST(ByteCharacters, AreThoseOfGpt2) {
    // 188 bytes stand for themselves; the others are counted from U+0100.
    const auto utf8 = [](int byte) {
        const ByteCharacter& character = byteCharacter(static_cast<char>(byte));
        return std::string(character.utf8.data(), character.size);
    };
    EXPECT_EQ(utf8('!'), "!");
    EXPECT_EQ(utf8('~'), "~");
    EXPECT_EQ(utf8(' '), "Ġ");
    EXPECT_EQ(utf8('\n'), "Ċ");
    EXPECT_EQ(utf8(0x00), "Ā");
    EXPECT_EQ(utf8(0x7f), "ġ"); // the 34th
    EXPECT_EQ(utf8(0xa1), "¡");
    EXPECT_EQ(utf8(0xad), "Ń"); // the 68th and last
    EXPECT_EQ(utf8(0xff), "ÿ");
    std::set<std::string> all;
    for (int byte = 0; byte < 256; ++byte) all.insert(utf8(byte));
    EXPECT_EQ(all.size(), 256u);
}

TEST(NormalizedText, AppendTakesTextAndOrigins) {
    NormalizedText text("ab", 0);
    text.append(NormalizedText("cde", 10), 1, 3);
    EXPECT_EQ(text.text(), "abde");
    EXPECT_EQ(text.span(1, 3), (Span{1, 12}));
}

TEST(NormalizedText, EverythingDroppedIsEmpty) {
    NormalizedText text("ab", 0);
    TextEdit edit(text);
    edit.drop(2);
    edit.finish();
    EXPECT_TRUE(text.empty());
}

} // namespace
} // namespace headscope
