// SPDX-License-Identifier: GPL-3.0-or-later
// How large the files of a tokenizer and what they hold may be.
#include "core/checkpoint/checkpoint.h"
#include "core/tokenizer/forms/form.h"
#include "core/tokenizer/models/symbol_chain.h"
#include "tests/core/tokenizer/tokenizer_json.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace headscope {
namespace {

using test::addedToken;
using test::sentenceOf;
using test::TokenizerJson;

/// A folder of a class with small files, one of which is then replaced.
class TokenizerFolder : public testing::Test {
  protected:
    TokenizerFolder() {
        m_folder.write("model.safetensors", std::string("\2\0\0\0\0\0\0\0{}", 10));
        config("gpt2");
    }
    void config(const std::string& modelType) {
        m_folder.write("config.json", R"({"model_type":")" + modelType + "\"}");
    }
    void writeGpt2() {
        m_folder.write("vocab.json", R"({"a":0,"b":1,"ab":2})");
        m_folder.write("merges.txt", "#version\na b\n");
    }
    /// What loading says.
    std::string sentence() const {
        return sentenceOf([&] { loadTokenizer(openCheckpoint(m_folder.path()), {}); });
    }
    /// A file of that size that takes no room on the disk.
    void writeHole(const std::string& name, std::uint64_t bytes) {
        std::filesystem::resize_file(m_folder.write(name, ""), bytes);
    }

    test::TemporaryFolder m_folder;
};

TEST_F(TokenizerFolder, FilesOfMoreThan128Megabytes) {
    for (const std::string name :
         {"vocab.json", "merges.txt", "special_tokens_map.json", "added_tokens.json", "tokenizer.json"}) {
        writeGpt2();
        writeHole(name, kMaxTokenizerFileBytes + 1);
        EXPECT_EQ(sentence(), name + ": the file has 128000001 bytes, at most 128000000 are read.");
        std::filesystem::remove(m_folder / name);
    }
    config("llama");
    writeHole("tokenizer.model", kMaxTokenizerFileBytes + 1);
    EXPECT_EQ(sentence(), "tokenizer.model: the file has 128000001 bytes, at most 128000000 are read.");
    config("marian");
    m_folder.write("vocab.json", R"({"</s>":0,"<unk>":1,"<pad>":2})");
    writeHole("source.spm", kMaxTokenizerFileBytes + 1);
    EXPECT_EQ(sentence(), "source.spm: the file has 128000001 bytes, at most 128000000 are read.");
}

TEST_F(TokenizerFolder, WhatADownloadLeftInPlaceOfAFile) {
    const std::string pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:53aa\nsize 612\n";
    for (const std::string name :
         {"vocab.json", "merges.txt", "special_tokens_map.json", "added_tokens.json", "tokenizer.json"}) {
        writeGpt2();
        m_folder.write(name, pointer);
        EXPECT_EQ(sentence(), name +
                                  ": the file is a Git LFS pointer (68 bytes of text), not a tokenizer; run "
                                  "\"git lfs pull\" in the folder.");
        m_folder.write(name, "<!DOCTYPE html><html></html>");
        EXPECT_EQ(sentence(), name + ": the file is a web page (HTML), not a tokenizer; the download was "
                                     "answered by a login or error page: get the file again.");
        std::filesystem::remove(m_folder / name);
    }
}

TEST_F(TokenizerFolder, SettingsThatAskForMuch) {
    writeGpt2();
    m_folder.write("tokenizer_config.json", R"({"bos_token":")" + std::string(4097, 'x') + "\"}");
    EXPECT_EQ(sentence(), "tokenizer_config.json: bos_token: 4097 bytes, expected at most 4096.");
    m_folder.write("tokenizer_config.json", R"({"bos_token":")" + std::string(4096, 'x') + "\"}");
    EXPECT_EQ(sentence(), "");
    m_folder.write("tokenizer_config.json", R"({"added_tokens_decoder":{"4294967296":{"content":"x"}}})");
    EXPECT_EQ(sentence(), "tokenizer_config.json: added_tokens_decoder: the key \"4294967296\", expected a "
                          "token id.");
    config("pegasus");
    m_folder.write("tokenizer.json", TokenizerJson().text());
    m_folder.write("tokenizer_config.json", R"({"offset":100001})");
    EXPECT_EQ(sentence(),
              "tokenizer_config.json: offset: found 100001, expected an integer from 0 to 100000.");
}

TEST(TokenizerLimits, IdsOfAddedTokensAndTypes) {
    TokenizerJson json;
    json.addedTokens = R"([{"id":4294967296,"content":"x","single_word":false,"lstrip":false,"rstrip":false,)"
                       R"("normalized":false,"special":false}])";
    EXPECT_EQ(sentenceOf([&] { json.tokenizer(); }),
              "tokenizer.json: added_tokens: 0: id: found 4294967296, expected an integer from 0 to "
              "4294967295.");
    TokenizerJson types;
    types.postProcessor = R"({"type":"TemplateProcessing","single":[{"Sequence":{"id":"A",)"
                          R"("type_id":2147483648}}],"pair":[],"special_tokens":{}})";
    EXPECT_EQ(sentenceOf([&] { types.tokenizer(); }),
              "tokenizer.json: post_processor: single: 0: Sequence: type_id: found 2147483648, expected an "
              "integer from 0 to 2147483647.");
}

/// Forty contents of 4 MB each, once they are normalised.
TEST(TokenizerLimits, AddedTokensThatGrow) {
    TokenizerJson json;
    json.normalizer = fmt::format(R"({{"type":"Replace","pattern":{{"String":"a"}},"content":"{}"}})",
                                  std::string(1000, 'x'));
    std::string list;
    for (int i = 0; i < 40; ++i) {
        if (i > 0) list += ',';
        list += addedToken(6 + i, fmt::format("{}{}", i, std::string(4000, 'a')), "normalized");
    }
    json.addedTokens = fmt::format("[{}]", list);
    EXPECT_EQ(sentenceOf([&] { json.tokenizer(); }),
              "the added tokens: more than 128 MB after normalisation, expected at most that, all together.");
}

TEST(TokenizerLimits, SymbolsOfAWord) {
    SymbolChain chain(3);
    chain.startWord(4);
    for (int i = 0; i < 3; ++i) chain.add(0, 1);
    EXPECT_EQ(sentenceOf([&] { chain.add(0, 1); }),
              "the text: a word of more than 3 symbols, expected at most that; use a shorter text.");
    EXPECT_EQ(chain.symbols().size(), 3U);
}

} // namespace
} // namespace headscope
