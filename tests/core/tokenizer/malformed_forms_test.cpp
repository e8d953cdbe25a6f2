// SPDX-License-Identifier: GPL-3.0-or-later
// What the older vocabulary files are refused for: one sentence each.
#include "core/checkpoint/checkpoint.h"
#include "core/tokenizer/forms/piece_encoder.h"
#include "core/tokenizer/forms/sentence_piece_model.h"
#include "core/tokenizer/tokenizer.h"
#include "tests/core/tokenizer/protobuf_text.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <limits>
#include <map>

namespace headscope {
namespace {

using namespace test::protobuf;
using test::sentenceOf;

const std::string kUnknown = piece("<unk>", 0.0F, 2);

std::string modelError(const std::string& bytes) {
    return sentenceOf([&] { const SentencePieceModel model(bytes, "a.model"); });
}

struct Malformed {
    std::string bytes;
    std::string sentence;
};

TEST(MalformedForms, ModelFiles) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::string again = "; download the file again.";
    const std::vector<Malformed> table = {
        {"", "a.model: no pieces, expected a sentencepiece model."},
        {"\x0a", "a.model: a number without its end (at byte 1)" + again},
        {"\x0a\x05"
         "abc",
         "a.model: field 1 of 5 bytes, where 3 are left (at byte 0)" + again},
        {std::string("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11),
         "a.model: field 1 of 18446744073709551615 bytes, where 0 are left (at byte 0)" + again},
        {"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
         "a.model: a number of more than 10 bytes (at byte 1)" + again},
        {"\x0b\x0b\x0b",
         "a.model: field 1 is of type 3, expected a number, a string or a message (at byte 0)" + again},
        {"\x0f",
         "a.model: field 1 is of type 7, expected a number, a string or a message (at byte 0)" + again},
        {std::string("\0\1", 2), "a.model: field number 0 (at byte 0)" + again},
        {"\xff\xff\xff\xff\xff\x01", "a.model: field number 8589934591 (at byte 0)" + again},
        {kUnknown + field(1, std::string("\x15\x00\x00", 3)),
         "a.model: 2 bytes are left, expected a number of 4 (at byte 19)" + again},
        {kUnknown + "\x09"
                    "1234567",
         "a.model: 7 bytes are left, expected a number of 8 (at byte 17)" + again},
        {number(1, 3), "a.model: field 1 is a number, expected a string or message" + again},
        {field(1, number(1, 3)), "a.model: field 1 is a number, expected a string or message" + again},
        {field(1, number(2, 3)), "a.model: field 2 is a number, expected a number of 4 bytes" + again},
        {field(1, field(1, "a") + field(3, "1")),
         "a.model: field 3 is a string or message, expected a number" + again},
        {kUnknown + field(1, field(1, "a") + number(3, 0)),
         "a.model: piece 1: it is of type 0, expected 1 to 6."},
        {kUnknown + field(1, field(1, "a") + number(3, 7)),
         "a.model: piece 1: it is of type 7, expected 1 to 6."},
        {kUnknown + piece("", -1.0F), "a.model: piece 1: it is empty."},
        {kUnknown + piece("a\xff", -1.0F), "a.model: piece 1: it is not valid UTF-8."},
        {kUnknown + piece("a", nan), "a.model: piece 1: the score of \"a\" is nan."},
        {kUnknown + piece("a", -std::numeric_limits<float>::infinity()),
         "a.model: piece 1: the score of \"a\" is -inf."},
        {kUnknown + piece("a", -1.0F) + piece("a", -2.0F), "a.model: piece 2: \"a\" stands there twice."},
        {kUnknown + piece("<u>", 0.0F, 2), "a.model: piece 1: a second unknown piece, \"<u>\"."},
        {piece("a", -1.0F), "a.model: no unknown piece, expected one."},
        {kUnknown + piece("<0x41>", 0.0F, 6),
         "a.model: piece 1: a byte piece, expected none, since byte_fallback is false."},
        {kUnknown + piece("<0x4g>", 0.0F, 6),
         "a.model: piece 1: the byte piece \"<0x4g>\", expected <0x00> to <0xFF>."},
        {kUnknown + piece("<0x00>", 0.0F, 6) + field(2, number(35, 1)),
         "a.model: no byte piece <0x01>, expected all 256, since byte_fallback is true."},
        {kUnknown + field(2, number(3, 3)),
         "a.model: a sentencepiece model of type 3, expected 1 (unigram) or 2 (bpe)."},
        {kUnknown + field(2, number(3, 77)),
         "a.model: a sentencepiece model of type 77, expected 1 (unigram) or 2 (bpe)."},
        {kUnknown + field(2, field(45, "\xc0")),
         "a.model: the text is not valid UTF-8 (at byte 0); save it as UTF-8."},
        {kUnknown + field(3, number(2, 1)),
         "a.model: field 2 is a number, expected a string or message" + again},
    };
    for (const Malformed& one : table) EXPECT_EQ(modelError(one.bytes), one.sentence);
}

TEST(MalformedForms, EncodersOfModels) {
    const std::string long1025(1025, 'a');
    const auto error = [](const std::string& bytes, const std::string& text) {
        return sentenceOf([&] {
            const PieceEncoder encoder(bytes, "a.model");
            encoder.encode(NormalizedText(text, 0));
        });
    };
    EXPECT_EQ(error(kUnknown + piece(long1025, -1.0F), "a"),
              "a.model: piece 1: 1025 bytes, expected at most 1024.");
    EXPECT_EQ(error(kUnknown + field(3, field(2, std::string("\x09\0\0\0", 4))), "a"),
              "a.model: 4 bytes, expected a trie of 8.");
    // One unit that leads to unit 97.
    EXPECT_EQ(error(kUnknown + field(3, field(2, std::string("\x04\0\0\0\0\0\0\0", 8))), "a"),
              "a.model: a table that leads outside itself; the file is damaged: fetch it again, or give the "
              "text as "
              "token ids with --ids.");
    const std::string control = kUnknown + piece("ab", 0.0F, 3) + piece("ab", -1.0F) + field(2, number(3, 2));
    EXPECT_EQ(
        error(control + field(3, number(3, 0)), "ab"),
        "a.model: the text makes the control piece \"ab\"; the sentencepiece library stops at this too: "
        "change the text.");
}

/// What loading a folder says; its path is left out.
std::string folderError(const std::string& modelType, const std::map<std::string, std::string>& files) {
    const test::TemporaryFolder folder;
    folder.write("config.json", R"({"model_type":")" + modelType + "\"}");
    folder.write("model.safetensors", std::string("\2\0\0\0\0\0\0\0{}", 10));
    for (const auto& [name, content] : files) folder.write(name, content);
    std::string sentence = sentenceOf([&] { loadTokenizer(openCheckpoint(folder.path()), {}); });
    const std::string path = folder.path().string() + ": ";
    return sentence.starts_with(path) ? sentence.substr(path.size()) : sentence;
}

std::string gpt2Error(const std::string& vocab, const std::string& merges, const std::string& config = "{}") {
    return folderError("gpt2",
                       {{"vocab.json", vocab}, {"merges.txt", merges}, {"tokenizer_config.json", config}});
}

TEST(MalformedForms, VocabulariesAndMerges) {
    const std::string good = R"({"a":0,"b":1,"ab":2})";
    EXPECT_EQ(gpt2Error(good, "#version\na b\n"), "");
    EXPECT_EQ(gpt2Error(good, "#version\na b\nab\n"),
              "merges.txt: line 3 has 1 words, expected the two pieces of a merge.");
    EXPECT_EQ(gpt2Error(good, "#version\na b c\n"),
              "merges.txt: line 2 has 3 words, expected the two pieces of a merge.");
    EXPECT_EQ(gpt2Error(good, "#version\n\na b\n"),
              "merges.txt: line 2 has 0 words, expected the two pieces of a merge.");
    EXPECT_EQ(gpt2Error(good, "#version\na \xff\n"),
              "merges.txt: the text is not valid UTF-8 (at byte 11); save it as UTF-8.");
    EXPECT_EQ(gpt2Error(good, "#version\na c\n"), "vocab.json: model: merges: 0: \"c\" is not in the "
                                                  "vocabulary, expected both pieces of a merge and the one "
                                                  "they make there.");
    EXPECT_EQ(gpt2Error(R"({"a":-1})", ""),
              "vocab.json: model: vocab: the id of \"a\" is -1, expected an integer from 0 to 4294967295.");
    EXPECT_EQ(gpt2Error(R"({"a":4294967296})", ""),
              "vocab.json: model: vocab: the id of \"a\" is 4294967296, expected an integer from 0 to "
              "4294967295.");
    EXPECT_EQ(
        gpt2Error(R"({"a":"0"})", ""),
        "vocab.json: model: vocab: the id of \"a\" is a string, expected an integer from 0 to 4294967295.");
    EXPECT_EQ(
        gpt2Error(R"({"a":1,"b":1})", ""),
        "vocab.json: model: vocab: \"a\" and \"b\" have the same id 1, expected one id for each piece.");
    EXPECT_EQ(gpt2Error("[]", ""), "vocab.json: found an array, expected an object of pieces and ids.");
    EXPECT_EQ(gpt2Error("{}", ""), "vocab.json: model: vocab: no pieces, expected at least one.");
    EXPECT_EQ(gpt2Error(good, "", R"({"add_prefix_space":"yes"})"),
              "tokenizer_config.json: add_prefix_space: found \"yes\", expected true or false.");
    EXPECT_EQ(
        gpt2Error(good, "", R"({"fast_tokenizer_files":["tokenizer.4.0.0.json"]})"),
        "tokenizer_config.json: fast_tokenizer_files: \"tokenizer.4.0.0.json\", expected tokenizer.json "
        "alone, which is what is read; give the text as token ids with --ids.");
    EXPECT_EQ(
        folderError("gpt2", {{"vocab.json", good}}),
        "there is no merges.txt, expected it, since the tokenizer is a GPT2Tokenizer; give the text as token "
        "ids with --ids.");
    EXPECT_EQ(
        folderError("whisper", {{"vocab.json", good}, {"merges.txt", ""}}),
        "vocab.json: there is no \"<|startoftranscript|>\", expected it, as WhisperTokenizer adds it to "
        "every text.");
    EXPECT_EQ(folderError("bert", {{"vocab.txt", ""}}),
              "vocab.txt: model: vocab: no pieces, expected at least one.");
    EXPECT_EQ(folderError("bert", {{"vocab.txt", "a\nb\xc3\n"}}),
              "vocab.txt: the text is not valid UTF-8 (at byte 3); save it as UTF-8.");
}

TEST(MalformedForms, SentencePieceFolders) {
    const std::string pad = piece("<pad>", 0.0F, 3) + piece("</s>", 0.0F, 3);
    const std::string good = pad + kUnknown + piece("a", -1.0F);
    const auto t5 = [](const std::string& model, const std::string& config = "{}") {
        return folderError("t5", {{"spiece.model", model}, {"tokenizer_config.json", config}});
    };
    EXPECT_EQ(t5(good + field(2, number(40, 2))), "");
    EXPECT_EQ(t5(good + field(2, number(40, UINT64_MAX)), R"({"extra_ids":0})"),
              "spiece.model: model: unk_id: found -1, expected an integer from 0 to 3.");
    EXPECT_EQ(t5(good, R"({"extra_ids":1000000000})"),
              "tokenizer_config.json: extra_ids: found 1000000000, expected an integer from 0 to 100000.");
    EXPECT_EQ(t5(good + field(3, field(2, "ab"))),
              "spiece.model: normalizer: 0: precompiled_charsmap: 2 bytes, expected at least 4.");
    EXPECT_EQ(folderError("llama", {{"tokenizer.model", kUnknown + piece("a", -1.0F)}}),
              "tokenizer.model: 2 pieces, expected at least three.");
    EXPECT_EQ(folderError("llama", {{"tokenizer.model",
                                     good + piece(std::string(1025, 'b'), -1.0F) + field(2, number(3, 2))}}),
              "tokenizer.model: a piece of 1025 bytes, expected at most 1024.");
    EXPECT_EQ(
        folderError("llama", {{"tokenizer.model", "version https://git-lfs.github.com/spec/v1\n"}}),
        "tokenizer.model: the file is a Git LFS pointer (43 bytes of text), not a tokenizer; run \"git lfs "
        "pull\" in the folder.");
}

TEST(MalformedForms, Marian) {
    const std::string spm = kUnknown + piece("a", -1.0F);
    const auto marian = [&](const std::string& vocab, const std::string& config = "{}") {
        return folderError("marian", {{"source.spm", spm},
                                      {"target.spm", spm},
                                      {"vocab.json", vocab},
                                      {"tokenizer_config.json", config}});
    };
    const std::string good = R"({"</s>":0,"<unk>":1,"<pad>":2})";
    EXPECT_EQ(marian(good), "");
    EXPECT_EQ(marian(R"({"</s>":0,"<pad>":2})"),
              "vocab.json: there is no \"<unk>\", expected the unknown token.");
    EXPECT_EQ(marian(R"({"</s>":0,"<unk>":2})"),
              "vocab.json: there is no \"<pad>\", expected the padding token.");
    EXPECT_EQ(marian(R"({"<unk>":-2})"),
              "vocab.json: \"<unk>\": found -2, expected an integer from 0 to 4294967295.");
    EXPECT_EQ(marian(R"({"<unk>":2,"a":2})"),
              "vocab.json: \"<unk>\" and \"a\" have the same id 2, expected one id for each piece.");
    EXPECT_EQ(marian("{}"), "vocab.json: no pieces, expected at least one.");
    EXPECT_EQ(
        marian(good, R"({"separate_vocabs":true})"),
        "there is no target_vocab.json, expected it, since the tokenizer is a MarianTokenizer; give the text "
        "as token ids with --ids.");
    EXPECT_EQ(
        marian(good, R"({"sp_model_kwargs":{"alpha":0.1}})"),
        "tokenizer_config.json: sp_model_kwargs: options of the sentencepiece library, expected none, which "
        "is what is computed.");
}

} // namespace
} // namespace headscope
