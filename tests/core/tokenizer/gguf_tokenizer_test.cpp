// SPDX-License-Identifier: GPL-3.0-or-later
// The vocabulary of a GGUF file against the folder that it was made of, whose tokenizer other tests hold
// against transformers.
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/gguf/gguf_source.h"
#include "core/tokenizer/forms/sentence_piece_model.h"
#include "tests/core/checkpoint/gguf_bytes_builder.h"
#include "tests/core/tokenizer/corpus_hashes.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sstream>

namespace headscope::test {
namespace {

std::string formFile(const std::string& name) {
    return readBytes(dataPath("tokenizer/forms/" + name));
}

/// A vocabulary as llama.cpp's converters write it.
struct Vocabulary {
    std::string model;
    std::string pre;
    std::vector<std::string> tokens;
    std::vector<std::int32_t> kinds;
    std::vector<float> scores;
    std::vector<std::string> merges;

    std::int64_t idOf(const std::string& token) const {
        return std::ranges::find(tokens, token) - tokens.begin();
    }
};

std::string array(std::uint32_t type, std::uint64_t count) {
    return raw(type) + raw(count);
}

std::string textArray(const std::vector<std::string>& texts) {
    std::string bytes = array(8, texts.size());
    for (const std::string& text : texts) bytes.append(ggufText(text));
    return bytes;
}

template <typename T>
std::string numberArray(std::uint32_t type, const std::vector<T>& numbers) {
    std::string bytes = array(type, numbers.size());
    for (const T number : numbers) bytes.append(raw(number));
    return bytes;
}

GgufBuilder fileOf(const Vocabulary& vocabulary) {
    GgufBuilder file;
    file.text("tokenizer.ggml.model", vocabulary.model);
    if (!vocabulary.pre.empty()) file.text("tokenizer.ggml.pre", vocabulary.pre);
    file.keys.push_back(ggufKey("tokenizer.ggml.tokens", 9, textArray(vocabulary.tokens)));
    if (!vocabulary.kinds.empty())
        file.keys.push_back(ggufKey("tokenizer.ggml.token_type", 9, numberArray(5, vocabulary.kinds)));
    if (!vocabulary.scores.empty())
        file.keys.push_back(ggufKey("tokenizer.ggml.scores", 9, numberArray(6, vocabulary.scores)));
    if (!vocabulary.merges.empty())
        file.keys.push_back(ggufKey("tokenizer.ggml.merges", 9, textArray(vocabulary.merges)));
    return file;
}

/// A folder with a model's tokenizer, and a GGUF file.
class GgufTokenizer : public ::testing::Test {
  protected:
    GgufTokenizer() { m_folder.write("model.safetensors", std::string("\2\0\0\0\0\0\0\0{}", 10)); }

    Checkpoint opened(const GgufBuilder& file, const char* modelType = "llama") const {
        Checkpoint checkpoint;
        checkpoint.gguf = std::make_shared<const GgufSource>(m_folder.write("a.gguf", file.bytes()));
        checkpoint.config = parseJson(fmt::format(R"({{"model_type": "{}"}})", modelType), "config.json");
        return checkpoint;
    }
    std::string sentence(const GgufBuilder& file) const {
        return sentenceOf([&] { loadTokenizer(opened(file), {}); });
    }
    /// Equal on every fourth line of the corpus, on two texts and without special tokens.
    void compare(const GgufBuilder& file, const char* modelType) const {
        m_folder.write("config.json", fmt::format(R"({{"model_type": "{}"}})", modelType));
        const auto expected = loadTokenizer(openCheckpoint(m_folder.path()), {});
        const auto found = loadTokenizer(opened(file, modelType), {});
        EXPECT_EQ(found->idLimit(), expected->idLimit());
        const std::vector<std::string>& lines = corpusLines();
        for (std::size_t i = 0; i < lines.size(); i += 4) {
            const auto ours = found->encode(lines[i], std::nullopt, {});
            const auto theirs = expected->encode(lines[i], std::nullopt, {});
            ASSERT_EQ(shown(ours), shown(theirs)) << lines[i];
        }
        EXPECT_EQ(shown(found->encode("one", "two", {})), shown(expected->encode("one", "two", {})));
        EXPECT_EQ(shown(found->encode("one", {}, {.addSpecial = false})),
                  shown(expected->encode("one", {}, {.addSpecial = false})));
    }

    TemporaryFolder m_folder;
};

Vocabulary sentencePieces(const std::string& name) {
    const SentencePieceModel model(formFile(name), name);
    Vocabulary vocabulary{
        .model = "llama", .pre = "default", .tokens = {}, .kinds = {}, .scores = {}, .merges = {}};
    for (const SentencePiece& piece : model.pieces) {
        vocabulary.tokens.push_back(piece.text);
        vocabulary.kinds.push_back(static_cast<std::int32_t>(piece.kind));
        vocabulary.scores.push_back(piece.score);
    }
    return vocabulary;
}

TEST_F(GgufTokenizer, LlamaIsThatOfItsSentencePieceModel) {
    m_folder.write("tokenizer.model", formFile("llama.model"));
    const Vocabulary vocabulary = sentencePieces("llama.model");
    GgufBuilder file = fileOf(vocabulary);
    compare(file, "llama");
    m_folder.write("tokenizer_config.json",
                   R"({"add_bos_token": false, "add_eos_token": true, "add_prefix_space": false})");
    file.keys.push_back(ggufKey("tokenizer.ggml.add_bos_token", 7, std::string(1, '\0')));
    file.keys.push_back(ggufKey("tokenizer.ggml.add_eos_token", 7, "\1"));
    file.keys.push_back(ggufKey("tokenizer.ggml.add_space_prefix", 7, std::string(1, '\0')));
    file.number("tokenizer.ggml.eos_token_id", static_cast<std::uint32_t>(vocabulary.idOf("</s>")));
    compare(file, "llama");
}

TEST_F(GgufTokenizer, GemmaIsThatOfItsSentencePieceModel) {
    m_folder.write("tokenizer.model", formFile("gemma.model"));
    compare(fileOf(sentencePieces("gemma.model")), "gemma");
}

Vocabulary byteLevel(const std::string& pre) {
    Vocabulary vocabulary{.model = "gpt2", .pre = pre, .tokens = {}, .kinds = {}, .scores = {}, .merges = {}};
    const Json pieces = parseJson(formFile("byte_level.vocab.json"), "vocab.json");
    for (const auto& [piece, id] : pieces.members()) {
        const auto place = static_cast<std::size_t>(id.asInteger());
        if (vocabulary.tokens.size() <= place) vocabulary.tokens.resize(place + 1);
        vocabulary.tokens[place] = piece;
    }
    vocabulary.kinds.assign(vocabulary.tokens.size(), 1);
    std::istringstream lines(formFile("byte_level.merges.txt"));
    for (std::string line; std::getline(lines, line);)
        if (!line.starts_with('#')) vocabulary.merges.push_back(line);
    return vocabulary;
}

TEST_F(GgufTokenizer, ByteLevelVocabulariesAreCutAsTheirNameSays) {
    m_folder.write("vocab.json", formFile("byte_level.vocab.json"));
    m_folder.write("merges.txt", formFile("byte_level.merges.txt"));
    for (const auto& [pre, className, modelType] :
         {std::tuple{"gpt-2", "GPT2Tokenizer", "gpt2"}, {"qwen2", "Qwen2Tokenizer", "qwen2"}}) {
        Vocabulary vocabulary = byteLevel(pre);
        const std::string end = "<|endoftext|>";
        if (vocabulary.idOf(end) == static_cast<std::int64_t>(vocabulary.tokens.size())) {
            vocabulary.tokens.push_back(end);
            vocabulary.kinds.push_back(1);
        }
        vocabulary.kinds[static_cast<std::size_t>(vocabulary.idOf(end))] = 3;
        m_folder.write("tokenizer_config.json", fmt::format(R"({{"tokenizer_class": "{}"}})", className));
        compare(fileOf(vocabulary), modelType);
    }
}

/// Three digits at most, and a word that is a piece whole: by hand, on a vocabulary of letters.
TEST_F(GgufTokenizer, Llama3KeepsWholeWordsAndThreeDigits) {
    Vocabulary vocabulary{
        .model = "gpt2", .pre = "llama-bpe", .tokens = {}, .kinds = {}, .scores = {}, .merges = {}};
    vocabulary.tokens = {"a", "b", "c", "1", "12", "123", "abc", "ab", "<s>", "\xc4\xa0"};
    vocabulary.kinds = {1, 1, 1, 1, 1, 1, 1, 1, 3, 1};
    vocabulary.merges = {"a b"};
    GgufBuilder file = fileOf(vocabulary);
    file.number("tokenizer.ggml.bos_token_id", 8);
    const auto tokenizer = loadTokenizer(opened(file), {});
    std::vector<std::int64_t> ids;
    for (const Token& token : tokenizer->encode("abc12312", std::nullopt, {})) ids.push_back(token.id);
    EXPECT_EQ(ids, (std::vector<std::int64_t>{8, 6, 5, 4})); // without the rule: ab c, and no 123
    EXPECT_TRUE(tokenizer->isSpecial(8));
}

TEST_F(GgufTokenizer, WordPiecesAreToldFromBeginnings) {
    m_folder.write("vocab.txt", formFile("vocab.txt"));
    Vocabulary vocabulary{
        .model = "bert", .pre = "bert-bge", .tokens = {}, .kinds = {}, .scores = {}, .merges = {}};
    std::istringstream lines(formFile("vocab.txt"));
    for (std::string line; std::getline(lines, line);) {
        const bool isControl = line.starts_with('[') && line.ends_with(']') && line.size() > 2;
        vocabulary.kinds.push_back(isControl ? 3 : 1);
        vocabulary.tokens.push_back(isControl                ? line
                                    : line.starts_with("##") ? line.substr(2)
                                                             : "\xe2\x96\x81" + line);
    }
    compare(fileOf(vocabulary), "bert");
}

TEST_F(GgufTokenizer, WhatIsNotKnownIsRefusedByKey) {
    const std::string ids = "; give the text as token ids with --ids.";
    Vocabulary vocabulary = byteLevel("mystery");
    EXPECT_EQ(
        sentence(fileOf(vocabulary)),
        "a.gguf: tokenizer.ggml.pre: \"mystery\" is not supported, expected one of: gpt-2, phi-2, llama-bpe, "
        "llama-v3, llama3, qwen2" +
            ids);
    vocabulary.pre.clear();
    EXPECT_TRUE(
        sentence(fileOf(vocabulary)).starts_with("a.gguf: tokenizer.ggml.pre: it is missing, expected"));
    vocabulary = byteLevel("gpt-2");
    vocabulary.merges[1] = "one";
    EXPECT_EQ(sentence(fileOf(vocabulary)),
              "a.gguf: tokenizer.ggml.merges: entry 1 is \"one\", expected two pieces.");
    vocabulary.merges.clear();
    EXPECT_EQ(sentence(fileOf(vocabulary)),
              "a.gguf: tokenizer.ggml.merges: there are none, expected those of the vocabulary.");
    vocabulary.model = "rwkv";
    EXPECT_EQ(sentence(fileOf(vocabulary)),
              "a.gguf: tokenizer.ggml.model: \"rwkv\" is not supported, expected "
              "\"llama\", \"gpt2\" or \"bert\"" +
                  ids);
    vocabulary.model = "bert";
    EXPECT_EQ(sentence(fileOf(vocabulary)),
              "a.gguf: tokenizer.ggml.pre: \"gpt-2\" is not supported, expected \"bert-bge\"" + ids);
}

TEST_F(GgufTokenizer, MalformedVocabulariesAreRefusedByKey) {
    Vocabulary vocabulary = sentencePieces("llama.model");
    const std::size_t count = vocabulary.tokens.size();
    vocabulary.scores.pop_back();
    EXPECT_EQ(sentence(fileOf(vocabulary)),
              fmt::format("a.gguf: tokenizer.ggml.scores: {} entries, expected {}, one for "
                          "each token.",
                          count - 1, count));
    vocabulary.scores.clear();
    EXPECT_TRUE(
        sentence(fileOf(vocabulary)).starts_with("a.gguf: tokenizer.ggml.scores: there are none, expected"));
    vocabulary = sentencePieces("llama.model");
    vocabulary.kinds.push_back(1);
    EXPECT_EQ(sentence(fileOf(vocabulary)),
              fmt::format("a.gguf: tokenizer.ggml.token_type: {} entries, expected {}, one "
                          "for each token.",
                          count + 1, count));
    vocabulary = sentencePieces("llama.model");
    vocabulary.tokens[5] = "\xff";
    EXPECT_EQ(sentence(fileOf(vocabulary)),
              "a.gguf: tokenizer.ggml.tokens: entry 5 is no valid UTF-8, expected a text.");
    vocabulary.tokens[5] = vocabulary.tokens[6];
    EXPECT_NE(sentence(fileOf(vocabulary)), "");
    vocabulary.tokens.clear();
    EXPECT_EQ(sentence(fileOf(vocabulary)),
              "a.gguf: tokenizer.ggml.tokens: there are none, expected the texts of the vocabulary.");
    GgufBuilder file = fileOf(byteLevel("gpt-2"));
    file.keys.push_back(ggufKey("tokenizer.ggml.add_bos_token", 7, "\1"));
    EXPECT_EQ(sentence(file), "a.gguf: tokenizer.ggml.bos_token_id: it is missing, expected an id.");
}

TEST_F(GgufTokenizer, AFileWithoutAVocabularyHasNone) {
    GgufBuilder file;
    file.number("llama.block_count", 1);
    EXPECT_FALSE(holdsTokenizer(opened(file)));
    EXPECT_TRUE(holdsTokenizer(opened(fileOf(byteLevel("mystery")))));
}

} // namespace
} // namespace headscope::test
