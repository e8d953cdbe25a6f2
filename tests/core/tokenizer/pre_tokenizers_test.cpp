// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/tokenizer/stage_results.h"
#include "tests/support/sentence_of.h"

#include <gtest/gtest.h>

namespace headscope {
namespace {

using test::piecesOf;
using test::sentenceOf;

std::string stage(const std::string& type, const std::string& fields = "") {
    return fmt::format(R"({{"type":"{}"{}{}}})", type, fields.empty() ? "" : ",", fields);
}

std::string split(const std::string& pattern, const std::string& behavior, bool invert = false) {
    return stage("Split",
                 fmt::format(R"("pattern":{},"behavior":"{}","invert":{})", pattern, behavior, invert));
}

std::string sequence(const std::string& first, const std::string& second) {
    return stage("Sequence", fmt::format(R"("pretokenizers":[{},{}])", first, second));
}

std::string byteLevel(bool prefix, const std::string& more = "") {
    return stage("ByteLevel", fmt::format(R"("add_prefix_space":{},"trim_offsets":true{})", prefix, more));
}

std::string metaspace(const std::string& more = "") {
    return stage("Metaspace", R"("replacement":"▁")" + more);
}

TEST(BertPreTokenizer, SplitsAtWhiteSpaceAndIsolatesPunctuation) {
    const std::string bert = stage("BertPreTokenizer");
    EXPECT_EQ(piecesOf(bert, " a\u2003b\n"), "a(1,2)|b(3,4)");
    EXPECT_EQ(piecesOf(bert, "a..b$"), "a(0,1)|.(1,2)|.(2,3)|b(3,4)|$(4,5)"); // $ is ASCII, though no P*
    EXPECT_EQ(piecesOf(bert, "a。b€"), "a(0,1)|。(1,2)|b€(2,4)");             // € is no punctuation
    EXPECT_EQ(piecesOf(bert, "a\u2e42b"), "a(0,1)|\u2e42(1,2)|b(2,3)");       // P of Unicode 7.0
    EXPECT_EQ(piecesOf(bert, "a\u2e43b"), "a\u2e43b(0,3)");                   // P of Unicode 9.0
    EXPECT_EQ(piecesOf(bert, "a\u200bb\u001cb"), "a\u200bb\u001cb(0,5)");     // neither is white space
    EXPECT_EQ(piecesOf(bert, ""), "");
    EXPECT_EQ(piecesOf(bert, "   "), "");
}

TEST(Split, BehavesInFiveWays) {
    const std::string text = "-the--final-";
    const std::string dash = R"({"String":"-"})";
    EXPECT_EQ(piecesOf(split(dash, "Removed"), text), "the(1,4)|final(6,11)");
    EXPECT_EQ(piecesOf(split(dash, "Isolated"), text), "-(0,1)|the(1,4)|-(4,5)|-(5,6)|final(6,11)|-(11,12)");
    EXPECT_EQ(piecesOf(split(dash, "Contiguous"), text), "-(0,1)|the(1,4)|--(4,6)|final(6,11)|-(11,12)");
    EXPECT_EQ(piecesOf(split(dash, "MergedWithPrevious"), text), "-(0,1)|the-(1,5)|-(5,6)|final-(6,12)");
    EXPECT_EQ(piecesOf(split(dash, "MergedWithNext"), text), "-the(0,4)|-(4,5)|-final(5,11)|-(11,12)");
}

TEST(Split, InvertSwapsMatchesAndWhatIsBetween) {
    const std::string text = "-the--final-";
    const std::string dash = R"({"String":"-"})";
    EXPECT_EQ(piecesOf(split(dash, "Removed", true), text), "-(0,1)|-(4,5)|-(5,6)|-(11,12)");
    EXPECT_EQ(piecesOf(split(dash, "Contiguous", true), text),
              "-(0,1)|the(1,4)|--(4,6)|final(6,11)|-(11,12)");
    EXPECT_EQ(piecesOf(split(dash, "MergedWithPrevious", true), text),
              "-the(0,4)|-(4,5)|-final(5,11)|-(11,12)");
    EXPECT_EQ(piecesOf(split(dash, "MergedWithNext", true), text), "-(0,1)|the-(1,5)|-(5,6)|final-(6,12)");
}

TEST(Split, EmptyMatchesCut) {
    const std::string before = R"x({"Regex":"(?=[A-Z])"})x";
    EXPECT_EQ(piecesOf(split(before, "Isolated"), "aBcD"), "a(0,1)|Bc(1,3)|D(3,4)");
    EXPECT_EQ(piecesOf(split(before, "Contiguous"), "aBcD"), "a(0,1)|Bc(1,3)|D(3,4)");
    EXPECT_EQ(piecesOf(split(R"({"Regex":"x*"})", "Isolated"), "axxb"), "a(0,1)|xx(1,3)|b(3,4)");
    EXPECT_EQ(piecesOf(split(R"({"String":""})", "Isolated"), "aéc"), "a(0,1)|é(1,2)|c(2,3)");
    EXPECT_EQ(piecesOf(split(R"({"String":"x"})", "Isolated"), ""), "");
}

TEST(Split, LookAroundSeesTheCurrentPieceOnly) {
    const std::string cut = split(R"({"Regex":"^b|(?<=c )d"})", "Isolated");
    EXPECT_EQ(piecesOf(cut, "a bc d"), "a bc (0,5)|d(5,6)");
    EXPECT_EQ(piecesOf(sequence(split(R"({"String":" "})", "Removed"), cut), "a bc d"),
              "a(0,1)|b(2,3)|c(3,4)|d(5,6)");
}

TEST(Split, RequiresItsFields) {
    const std::string subject = "tokenizer.json: pre_tokenizer: ";
    const auto sentence = [](const std::string& fields) {
        return sentenceOf([&] { test::preTokenizerFrom(stage("Split", fields)); });
    };
    EXPECT_EQ(sentence(R"("behavior":"Isolated","invert":false)"), subject + "\"pattern\" is missing.");
    EXPECT_EQ(sentence(R"("pattern":{"String":"a"},"invert":false)"), subject + "\"behavior\" is missing.");
    EXPECT_EQ(sentence(R"("pattern":{"String":"a"},"behavior":"Isolated")"),
              subject + "\"invert\" is missing.");
    EXPECT_EQ(sentence(R"("pattern":{"String":"a"},"behavior":"isolated","invert":false)"),
              subject + "behavior: found \"isolated\", expected Removed, Isolated, MergedWithPrevious, "
                        "MergedWithNext or Contiguous.");
}

TEST(Whitespace, KeepsRunsOfWordsAndOfOtherCharacters) {
    // ½ and ² are no word characters to Rust, ZWJ and ideographs are.
    EXPECT_EQ(piecesOf(stage("Whitespace"), "a½ b.\u00b2_c\u200dd  中1"),
              "a(0,1)|½(1,2)|b(3,4)|.\u00b2(4,6)|_c\u200dd(6,10)|中1(12,14)");
    EXPECT_EQ(piecesOf(stage("Whitespace"), " "), "");
}

TEST(WhitespaceSplit, DropsWhiteSpace) {
    EXPECT_EQ(piecesOf(stage("WhitespaceSplit"), "a\u2003b\u001cc "), "a(0,1)|b\u001cc(2,5)");
}

TEST(Punctuation, IsIsolatedUnlessTheFileSaysOtherwise) {
    EXPECT_EQ(piecesOf(stage("Punctuation"), "a..b$€。"),
              "a(0,1)|.(1,2)|.(2,3)|b(3,4)|$(4,5)|€(5,6)|。(6,7)");
    EXPECT_EQ(piecesOf(stage("Punctuation", R"("behavior":"Contiguous")"), "a..b"), "a(0,1)|..(1,3)|b(3,4)");
    EXPECT_NE(sentenceOf([] { test::preTokenizerFrom(stage("Punctuation", R"("behavior":null)")); }), "");
}

TEST(Digits, AreAllOfN) {
    EXPECT_EQ(piecesOf(stage("Digits", R"("individual_digits":true)"), "a12½Ⅷ一b"),
              "a(0,1)|1(1,2)|2(2,3)|½(3,4)|Ⅷ(4,5)|一b(5,7)");
    EXPECT_EQ(piecesOf(stage("Digits", R"("individual_digits":false)"), "a12½Ⅷ一b"),
              "a(0,1)|12½Ⅷ(1,5)|一b(5,7)");
    EXPECT_EQ(piecesOf(stage("Digits", R"("individual_digits":true)"), "a\U00011de0"),
              "a(0,1)|\U00011de0(1,2)"); // of Unicode 17.0
    EXPECT_EQ(sentenceOf([] { test::preTokenizerFrom(stage("Digits")); }),
              "tokenizer.json: pre_tokenizer: \"individual_digits\" is missing.");
}

TEST(CharDelimiterSplit, DropsItsDelimiter) {
    EXPECT_EQ(piecesOf(stage("CharDelimiterSplit", R"("delimiter":"中")"), "a中中b"), "a(0,1)|b(3,4)");
    for (const char* delimiter : {"\"\"", "\"ab\"", "\"e\\u0301\""})
        EXPECT_NE(sentenceOf([&] {
                      test::preTokenizerFrom(
                          stage("CharDelimiterSplit", fmt::format("\"delimiter\":{}", delimiter)));
                  }),
                  "")
            << delimiter;
}

TEST(FixedLength, CountsCodePoints) {
    EXPECT_EQ(piecesOf(stage("FixedLength"), "abcdefé"), "abcde(0,5)|fé(5,7)");
    EXPECT_EQ(piecesOf(stage("FixedLength", R"("length":2)"), "aé中b1"), "aé(0,2)|中b(2,4)|1(4,5)");
    EXPECT_EQ(sentenceOf([] { test::preTokenizerFrom(stage("FixedLength", R"("length":0)")); }),
              "tokenizer.json: pre_tokenizer: length: found 0, expected an integer from 1 to "
              "9223372036854775807.");
}

TEST(UnicodeScripts, CutsWhereTheScriptChanges) {
    const std::string scripts = stage("UnicodeScripts");
    EXPECT_EQ(piecesOf(scripts, "どこで生れ。Yes カー"), "どこで生れ(0,5)|。(5,6)|Yes (6,10)|カー(10,12)");
    EXPECT_EQ(piecesOf(scripts, "a,b"), "a(0,1)|,(1,2)|b(2,3)");
    EXPECT_EQ(piecesOf(scripts, "e\u0301x"), "e(0,1)|\u0301(1,2)|x(2,3)");
    EXPECT_EQ(piecesOf(scripts, "ab cд"), "ab c(0,4)|д(4,5)");
    EXPECT_EQ(piecesOf(scripts, "a\U0001f9e0b"), "a\U0001f9e0b(0,3)"); // unassigned in 9.0: joins any
}

TEST(UnicodeScripts, LosesWhatStandsBeforeTheFirstScript) {
    EXPECT_EQ(piecesOf(stage("UnicodeScripts"), " a"), "a(1,2)");
    EXPECT_EQ(piecesOf(stage("UnicodeScripts"), " "), "");
}

TEST(ByteLevelPreTokenizer, CutsAsGpt2DoesAndWritesBytes) {
    EXPECT_EQ(piecesOf(byteLevel(false), "it's  IT'S é\n"),
              "it(0,2)|'s(2,4)|Ġ(4,5)|ĠIT(5,8)|'(8,9)|S(9,10)|ĠÃ©(10,12)|Ċ(12,13)");
    EXPECT_EQ(piecesOf(byteLevel(false), ""), "");
}

TEST(ByteLevelPreTokenizer, PutsASpaceBeforeEachPieceThatHasNone) {
    EXPECT_EQ(piecesOf(byteLevel(true), " a"), "Ġa(0,2)");
    EXPECT_EQ(piecesOf(byteLevel(true), "a\u00a0b"), "Ġa(0,1)|Âł(1,2)|b(2,3)");
    EXPECT_EQ(piecesOf(byteLevel(true), "\ta"), "Ġ(0,1)|ĉ(0,1)|a(1,2)");
    EXPECT_EQ(piecesOf(byteLevel(true, R"(,"use_regex":false)"), "a b"), "ĠaĠb(0,3)");
    EXPECT_EQ(piecesOf(sequence(split(R"({"String":"-"})", "Removed"), byteLevel(true)), "é-b"),
              "ĠÃ©(0,1)|Ġb(2,3)");
}

TEST(ByteLevelPreTokenizer, RequiresItsFields) {
    const auto sentence = [](const std::string& fields) {
        return sentenceOf([&] { test::preTokenizerFrom(stage("ByteLevel", fields)); });
    };
    EXPECT_EQ(sentence(R"("trim_offsets":true)"),
              "tokenizer.json: pre_tokenizer: \"add_prefix_space\" is missing.");
    EXPECT_EQ(sentence(R"("add_prefix_space":true)"),
              "tokenizer.json: pre_tokenizer: \"trim_offsets\" is missing.");
    EXPECT_EQ(sentence(R"("add_prefix_space":true,"trim_offsets":true,"use_regex":null)"),
              "tokenizer.json: pre_tokenizer: use_regex: found null, expected true or false.");
}

TEST(ByteLevelPreTokenizer, RefusesWhatStandsBeforeTheText) {
    NormalizedText text("ab", 0);
    NormalizedText inserted = NormalizedText::successorOf(text);
    inserted.append(">", text.originBefore(0));
    inserted.append(text, 0, 2);
    const PreTokenizerPtr stage = test::preTokenizerFrom(byteLevel(false));
    EXPECT_NE(sentenceOf([&] { piecesOf(*stage, inserted); }), "");
    EXPECT_EQ(piecesOf(*test::preTokenizerFrom(metaspace()), inserted),
              "▁>ab(0,2)"); // which does not rewrite
}

TEST(Metaspace, WritesSpacesAndCutsBeforeThem) {
    EXPECT_EQ(piecesOf(metaspace(), "a  b"), "▁a(0,1)|▁(1,2)|▁b(2,4)");
    EXPECT_EQ(piecesOf(metaspace(), " a"), "▁a(0,2)");
    EXPECT_EQ(piecesOf(metaspace(), "▁a ▁b"), "▁a(0,2)|▁(2,3)|▁b(3,5)");
    EXPECT_EQ(piecesOf(metaspace(), "a\u00a0\tb"), "▁a\u00a0\tb(0,4)"); // only U+0020
    EXPECT_EQ(piecesOf(metaspace(R"(,"prepend_scheme":"never")"), "a b"), "a(0,1)|▁b(1,3)");
    EXPECT_EQ(piecesOf(metaspace(R"(,"split":false)"), "a b"), "▁a▁b(0,3)");
}

TEST(Metaspace, FirstMeansAtTheStartOfTheText) {
    const std::string first = metaspace(R"(,"prepend_scheme":"first")");
    EXPECT_EQ(piecesOf(first, "a b"), "▁a(0,1)|▁b(1,3)");
    const std::string removed = sequence(split(R"({"String":" "})", "Removed"), first);
    EXPECT_EQ(piecesOf(removed, "a b"), "▁a(0,1)|b(2,3)");
    EXPECT_EQ(piecesOf(removed, " a b"), "a(1,2)|b(3,4)");
    NormalizedText stripped("  a", 0);
    test::normalizerFrom(R"({"type":"Strip","strip_left":true,"strip_right":false})")->normalize(stripped);
    EXPECT_EQ(piecesOf(*test::preTokenizerFrom(first), stripped), "a(2,3)");
}

TEST(Metaspace, ReadsOldAndNewFields) {
    const auto sentence = [](const std::string& more) {
        return sentenceOf([&] { test::preTokenizerFrom(metaspace(more)); });
    };
    EXPECT_EQ(sentence(R"(,"add_prefix_space":true)"), "");
    EXPECT_EQ(sentence(R"(,"add_prefix_space":null,"split":null,"str_rep":"▁")"), "");
    EXPECT_EQ(sentence(R"(,"add_prefix_space":false,"prepend_scheme":"never")"), "");
    EXPECT_EQ(sentence(R"(,"str_rep":7)"),
              "tokenizer.json: pre_tokenizer: str_rep: found 7, expected a string.");
    EXPECT_EQ(sentence(R"(,"add_prefix_space":false)"),
              "tokenizer.json: pre_tokenizer: add_prefix_space: found false, expected prepend_scheme "
              "\"never\" with it.");
    EXPECT_EQ(
        sentence(R"(,"prepend_scheme":"First")"),
        "tokenizer.json: pre_tokenizer: prepend_scheme: found \"First\", expected always, first or never.");
    EXPECT_EQ(sentenceOf([] { test::preTokenizerFrom(stage("Metaspace", R"("replacement":"__")")); }),
              "tokenizer.json: pre_tokenizer: replacement: 2 characters, expected exactly one.");
}

TEST(PreTokenizers, LeaveAddedTokensAlone) {
    for (const std::string& json :
         {byteLevel(true), metaspace(), stage("UnicodeScripts"), stage("Whitespace")}) {
        Pieces pieces;
        pieces.buffer = NormalizedText("é <x>b", 0);
        pieces.list = {{0, 3, Piece::kNoToken}, {3, 6, 7}, {6, 7, Piece::kNoToken}};
        test::preTokenizerFrom(json)->split(pieces);
        int tokens = 0;
        for (const Piece& piece : pieces.list) {
            if (piece.token != 7) continue;
            ++tokens;
            EXPECT_EQ(pieces.view(piece), "<x>") << json;
            EXPECT_EQ(pieces.buffer.span(piece.begin, piece.end), (Span{2, 5})) << json;
        }
        EXPECT_EQ(tokens, 1) << json;
    }
}

TEST(PreTokenizers, RefuseUnknownTypes) {
    EXPECT_EQ(test::preTokenizerFrom("null"), nullptr);
    EXPECT_EQ(
        sentenceOf([] { test::preTokenizerFrom(stage("Delimiter", R"("delimiter":"a")")); }),
        "tokenizer.json: pre_tokenizer: type \"Delimiter\", expected one of the types that are computed "
        "(BertPreTokenizer, ByteLevel, CharDelimiterSplit, Digits, FixedLength, Metaspace, Punctuation, "
        "Split, UnicodeScripts, Whitespace, WhitespaceSplit, Sequence); give the text as token ids with "
        "--ids, or use another checkpoint.");
    EXPECT_EQ(sentenceOf([] {
                  test::preTokenizerFrom(sequence(stage("BertPreTokenizer"), stage("Digit")));
              }).substr(0, 51),
              "tokenizer.json: pre_tokenizer: 1: type \"Digit\", exp");
    EXPECT_NE(sentenceOf([] { test::preTokenizerFrom(sequence("null", stage("Whitespace"))); }), "");
}

} // namespace
} // namespace headscope
