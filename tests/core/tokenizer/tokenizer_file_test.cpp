// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint.h"
#include "core/tokenizer/pipeline.h"
#include "tests/core/tokenizer/model_json.h"
#include "tests/core/tokenizer/tokenizer_json.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <thread>

namespace headscope {
namespace {

using test::addedToken;
using test::encoded;
using test::sentenceOf;
using test::TokenizerJson;
using test::tokenizerOf;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
}

std::string sentenceFor(const std::string& json) {
    return sentenceOf([&] { parseTokenizer(json, "tokenizer.json", {}); });
}

TEST(TokenizerFile, RefusesWhatTheLibraryRefuses) {
    const std::string good = TokenizerJson().text();
    EXPECT_EQ(sentenceFor(good), "");
    EXPECT_EQ(sentenceFor("[]"), "tokenizer.json: found an array, expected an object.");
    EXPECT_EQ(sentenceFor("{}"), "tokenizer.json: \"model\" is missing.");
    EXPECT_EQ(sentenceFor(replaced(good, "\"version\"", "\"Version\"")),
              "tokenizer.json: the unknown key \"Version\", expected the keys version, truncation, padding, "
              "added_tokens, "
              "normalizer, pre_tokenizer, post_processor, decoder, model.");
    EXPECT_EQ(sentenceFor(replaced(good, "\"1.0\"", "\"2.0\"")),
              "tokenizer.json: version: found \"2.0\", expected \"1.0\".");
    EXPECT_EQ(sentenceFor(replaced(good, "\"1.0\"", "1")),
              "tokenizer.json: version: found an integer, expected \"1.0\".");
    EXPECT_EQ(sentenceFor(replaced(good, "\"WordPiece\"", "\"Other\"")),
              "tokenizer.json: model: type \"Other\", expected one of the types that are computed (BPE, "
              "WordPiece, WordLevel, Unigram); give the text as token ids with --ids, or use another "
              "checkpoint.");
    EXPECT_EQ(sentenceFor(replaced(good, "\"max_input_chars_per_word\":100,", "")),
              "tokenizer.json: model: \"max_input_chars_per_word\" is missing.");
    EXPECT_NE(sentenceFor(good.substr(0, good.size() / 2)), "");
    EXPECT_NE(sentenceFor("\xef\xbb\xbf" + good), "");
    EXPECT_NE(sentenceFor(std::string(100000, '[')), "");
}

TEST(TokenizerFile, AModelWithoutTypeIsTheFirstThatTheFieldsFit) {
    const auto tokens = [](const std::string& model, const char* text) {
        return encoded(*tokenizerOf(model), text);
    };
    EXPECT_EQ(tokens(R"({"vocab":{"a":0,"b":1,"ab":2},"merges":["a b"]})", "ab"), "2(0,2)");
    EXPECT_EQ(
        tokens(R"({"vocab":{"a":0,"b":1,"ab":2,"##b":3},"unk_token":"a","continuing_subword_prefix":"##",)"
               R"("max_input_chars_per_word":100})",
               "abb"),
        "2(0,2) 3(2,3)");
    EXPECT_EQ(tokens(R"({"vocab":{"a":0,"b":1,"ab":2},"unk_token":"a"})", "aab"), "0(0,3)");
    EXPECT_EQ(tokens(R"({"vocab":[["a",0.0],["b",-1.0]]})", "ab"), "0(0,1) 1(1,2)");
    // A BPE model with a bad merge is none, and what is left of it fits another.
    EXPECT_EQ(tokens(R"({"vocab":{"a":0,"b":1,"ab":2},"merges":["a c"],"unk_token":"a"})", "abab"), "0(0,4)");
}

TEST(TokenizerFile, SaysWhyNoModelFits) {
    EXPECT_EQ(sentenceOf([] { tokenizerOf(R"({"vocab":{"a":0}})"); }),
              "tokenizer.json: model: \"type\" is missing and the fields fit no model (BPE: \"merges\" is "
              "missing; "
              "WordPiece: \"unk_token\" is missing; WordLevel: \"unk_token\" is missing; Unigram: found an "
              "object).");
}

TEST(TokenizerFile, ChecksTheAddedTokens) {
    const auto sentence = [](const std::string& entry) {
        TokenizerJson json;
        json.addedTokens = "[" + entry + "]";
        return sentenceFor(json.text());
    };
    EXPECT_EQ(sentence(replaced(addedToken(6, "x"), "\"lstrip\":false,", "")),
              "tokenizer.json: added_tokens: 0: \"lstrip\" is missing.");
    EXPECT_EQ(sentence(addedToken(-6, "x")),
              "tokenizer.json: added_tokens: 0: id: found -6, expected an integer from 0 to 4294967295.");
    EXPECT_EQ(sentence(addedToken(6, "x") + ",7"),
              "tokenizer.json: added_tokens: 1: found 7, expected an object.");
    EXPECT_EQ(sentence(addedToken(6, std::string(4097, 'x'))),
              "tokenizer.json: added_tokens: 0: content: 4097 bytes, expected at most 4096.");
    TokenizerJson json;
    json.addedTokens = "7";
    EXPECT_EQ(sentenceFor(json.text()), "tokenizer.json: added_tokens: found 7, expected an array.");
}

TEST(TokenizerFile, NotesWhatIsLeftAside) {
    TokenizerJson json;
    json.addedTokens = "[" + addedToken(6, "<x>") + "," + addedToken(9, "<y>") + "]";
    std::string text = replaced(json.text(), "\"truncation\":null", R"("truncation":{"max_length":2})");
    text = replaced(text, "\"padding\":null", R"("padding":{"strategy":"BatchLongest"})");
    std::vector<std::string> notes;
    const auto tokenizer =
        parseTokenizer(text, "tokenizer.json", [&](const std::string& note) { notes.push_back(note); });
    EXPECT_EQ(notes, (std::vector<std::string>{"tokenizer.json: the added token \"<y>\" has id 9 in the file "
                                               "and gets 7, as in the tokenizers library",
                                               "tokenizer.json: the truncation in the file is ignored",
                                               "tokenizer.json: the padding in the file is ignored"}));
    EXPECT_EQ(encoded(*tokenizer, "a b c"), "1(0,1) 2(2,3) 5(4,5)");
}

TEST(Tokenizer, RefusesTextThatIsNoUtf8OrTooLong) {
    const auto tokenizer = TokenizerJson().tokenizer();
    EXPECT_EQ(sentenceOf([&] { tokenizer->encode("ab\xff", std::nullopt, {}); }),
              "the text: not valid UTF-8 (at byte 2); save it as UTF-8.");
    EXPECT_EQ(sentenceOf([&] { tokenizer->encode("ab", "a\xed\xa0\x80", {}); }),
              "the second text: not valid UTF-8 (at byte 1); save it as UTF-8.");
    EXPECT_EQ(sentenceOf([&] {
                  tokenizer->encode(std::string(kMaxTextBytes + 1, 'a'), std::nullopt, {});
              }),
              "the text: 64000001 bytes, expected at most 64000000 (64 MB); use a shorter text.");
}

TEST(Tokenizer, LooksUpPiecesAndIds) {
    TokenizerJson json;
    json.addedTokens = "[" + addedToken(6, "<x>", "special") + "]";
    const auto tokenizer = json.tokenizer();
    EXPECT_EQ(tokenizer->piece(3), "##b");
    EXPECT_EQ(tokenizer->piece(6), "<x>");
    EXPECT_EQ(tokenizer->piece(7), std::nullopt);
    EXPECT_EQ(tokenizer->piece(-1), std::nullopt);
    EXPECT_EQ(tokenizer->id("##b"), 3);
    EXPECT_EQ(tokenizer->id("<x>"), 6);
    EXPECT_EQ(tokenizer->id("zz"), std::nullopt);
    EXPECT_EQ(tokenizer->idLimit(), 7);
}

TEST(Tokenizer, NulAndLineBreaksAreText) {
    TokenizerJson json;
    json.vocab = R"({"[UNK]":0,"a":1,"b":2})";
    EXPECT_EQ(encoded(*json.tokenizer(), std::string_view("a\0b", 3)), "0(0,3)");
    EXPECT_EQ(encoded(*json.tokenizer(), "a\nb\r\na"), "1(0,1) 2(2,3) 1(5,6)");
}

TEST(Tokenizer, EncodesFromSeveralThreadsAtOnce) {
    const std::string json = test::readBytes(test::dataPath("tokenizer/wordpiece_added.json"));
    const auto tokenizer = parseTokenizer(json, "tokenizer.json", {});
    const std::string text = "Été 中文 the [MASK] É\u0323 10 ing";
    const std::string want = encoded(*tokenizer, text);
    std::vector<std::string> found(4);
    std::vector<std::thread> threads;
    for (std::string& result : found)
        threads.emplace_back([&] {
            for (int i = 0; i < 50; ++i) result = encoded(*tokenizer, text);
        });
    for (std::thread& thread : threads) thread.join();
    for (const std::string& result : found) EXPECT_EQ(result, want);
}

Checkpoint checkpointIn(const test::TemporaryFolder& folder) {
    Checkpoint checkpoint;
    checkpoint.folder = folder.path();
    checkpoint.config = parseJson(R"({"model_type":"bert"})", "config.json");
    return checkpoint;
}

TEST(LoadTokenizer, SaysWhatIsMissing) {
    const test::TemporaryFolder folder;
    Checkpoint checkpoint = checkpointIn(folder);
    EXPECT_EQ(sentenceOf([&] { loadTokenizer(checkpoint, {}); }),
              folder.path().string() + ": no tokenizer.json, and no older vocabulary file; give the text as "
                                       "token ids with --ids.");
    checkpoint.tokenizerFile = folder.write("spiece.model", "");
    EXPECT_EQ(sentenceOf([&] { loadTokenizer(checkpoint, {}); }),
              folder.path().string() + ": there is no vocab.txt, expected it, since the tokenizer is a "
                                       "BertTokenizer; give the text as token ids with --ids.");
    checkpoint.config = parseJson(R"({"model_type":"falcon"})", "config.json");
    EXPECT_EQ(sentenceOf([&] { loadTokenizer(checkpoint, {}); }),
              folder.path().string() +
                  ": no tokenizer.json, expected it, since a PreTrainedTokenizer is read "
                  "from nothing else; give the text as token ids with --ids.");
}

TEST(LoadTokenizer, ReadsTheFilesBesideIt) {
    const test::TemporaryFolder folder;
    Checkpoint checkpoint = checkpointIn(folder);
    checkpoint.tokenizerFile = folder.write("tokenizer.json", TokenizerJson().text());
    folder.write("special_tokens_map.json", R"({"bos_token":"<bos>"})");
    folder.write("added_tokens.json", R"({"<old>":50})");
    const auto tokenizer = loadTokenizer(checkpoint, {});
    // 6 pieces, [UNK] among them: then <old>, <bos> and the class's [SEP], [PAD], [CLS], [MASK].
    EXPECT_EQ(encoded(*tokenizer, "<old><bos>[MASK]"), "6(0,5) 7(5,10) 11(10,16)");
    EXPECT_TRUE(tokenizer->isSpecial(7));
    EXPECT_FALSE(tokenizer->isSpecial(6));
    folder.write("added_tokens.json", "[]");
    EXPECT_EQ(sentenceOf([&] { loadTokenizer(checkpoint, {}); }),
              "added_tokens.json: found an array, expected an object.");
}

TEST(LoadTokenizer, MiniLm) {
    const std::filesystem::path folder = test::minilmFolder();
    if (folder.empty()) GTEST_SKIP() << "skipped: the MiniLM checkpoint is not there";
    std::vector<std::string> notes;
    const auto tokenizer =
        loadTokenizer(openCheckpoint(folder), [&](const std::string& note) { notes.push_back(note); });
    EXPECT_EQ(notes, (std::vector<std::string>{"tokenizer.json: the truncation in the file is ignored",
                                               "tokenizer.json: the padding in the file is ignored"}));
    EXPECT_EQ(tokenizer->idLimit(), 30522);
    const std::vector<Token> tokens = tokenizer->encode("The animal's tired.", "Ok", {});
    EXPECT_EQ(test::shown(tokens),
              "101(0,0) 1996(0,3) 4111(4,10) 1005(10,11) 1055(11,12) 5458(13,18) 1012(18,19) 102(0,0) "
              "7929(0,2) 102(0,0)");
    EXPECT_EQ(tokens.back().typeId, 1);
}

} // namespace
} // namespace headscope
