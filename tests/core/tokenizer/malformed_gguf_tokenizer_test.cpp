// SPDX-License-Identifier: GPL-3.0-or-later
// Every way in which the vocabulary of a GGUF file can be wrong, and the sentence that says so.
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/gguf/gguf_source.h"
#include "core/tokenizer/tokenizer.h"
#include "tests/core/checkpoint/gguf_bytes_builder.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <ostream>

namespace headscope::test {
namespace {

template <typename T>
std::string numbers(std::uint32_t type, const std::vector<T>& values) {
    std::string bytes = raw(std::uint32_t{type}) + raw(std::uint64_t{values.size()});
    for (const T value : values) bytes.append(raw(value));
    return bytes;
}

std::string texts(const std::vector<std::string>& values) {
    std::string bytes = raw(std::uint32_t{8}) + raw(std::uint64_t{values.size()});
    for (const std::string& value : values) bytes.append(ggufText(value));
    return bytes;
}

/// Values below tokenizer.ggml by key, each with its type.
using Keys = std::map<std::string, std::pair<std::uint32_t, std::string>>;

Keys llama() {
    return {{"model", {8, ggufText("llama")}},
            {"tokens", {9, texts({"<unk>", "<s>", "</s>", "a", "b", "ab"})}},
            {"token_type", {9, numbers<std::int32_t>(5, {2, 3, 3, 1, 1, 1})}},
            {"scores", {9, numbers<float>(6, {0, 0, 0, -1, -2, -1.5F})}},
            {"bos_token_id", {4, raw(std::uint32_t{1})}},
            {"eos_token_id", {4, raw(std::uint32_t{2})}}};
}

Keys byteLevel() {
    Keys keys = llama();
    keys.erase("scores");
    keys["model"] = {8, ggufText("gpt2")};
    keys["pre"] = {8, ggufText("gpt-2")};
    keys["merges"] = {9, texts({"a b"})};
    return keys;
}

Keys wordPieces() {
    Keys keys = byteLevel();
    keys["model"] = {8, ggufText("bert")};
    keys["pre"] = {8, ggufText("bert-bge")};
    return keys;
}

struct Case {
    const char* name;
    Keys keys;
    std::string sentence; ///< after "a.gguf: "

    friend void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }
};

Keys with(Keys keys, const std::string& key, std::uint32_t type, const std::string& value) {
    keys[key] = {type, value};
    return keys;
}

Keys without(Keys keys, const std::string& key) {
    keys.erase(key);
    return keys;
}

std::string refusalOf(const Keys& keys) {
    GgufBuilder file;
    for (const auto& [key, value] : keys)
        file.keys.push_back(ggufKey("tokenizer.ggml." + key, value.first, value.second));
    const TemporaryFolder folder;
    const auto path = folder.write("a.gguf", file.bytes());
    return sentenceOf([&] {
        Checkpoint checkpoint;
        checkpoint.gguf = std::make_shared<const GgufSource>(path);
        checkpoint.config = parseJson(R"({"model_type": "llama"})", "config.json");
        loadTokenizer(checkpoint, {});
    });
}

std::vector<Case> cases() {
    constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
    const std::string three = numbers<std::int32_t>(5, {1, 1, 1});
    return {
        {"ModelIsANumber", with(llama(), "model", 4, raw(std::uint32_t{1})),
         "tokenizer.ggml.model: found 1, expected a string."},
        {"ModelUnknown", with(llama(), "model", 8, ggufText("t5")),
         "tokenizer.ggml.model: \"t5\" is not supported, expected \"llama\", \"gpt2\" or \"bert\"; give the "
         "text as token ids with --ids."},
        {"ModelIsNotUtf8", with(llama(), "model", 8, ggufText("\xff\n")),
         "tokenizer.ggml.model: \"\\xff\\x0a\" is not supported, expected \"llama\", \"gpt2\" or \"bert\"; "
         "give the text as token ids with --ids."},
        {"TokensMissing", without(llama(), "tokens"),
         "tokenizer.ggml.tokens: there are none, expected the texts of the vocabulary."},
        {"TokensEmpty", with(llama(), "tokens", 9, texts({})),
         "tokenizer.ggml.tokens: there are none, expected the texts of the vocabulary."},
        {"TokensAreAText", with(llama(), "tokens", 8, ggufText("a b")),
         "tokenizer.ggml.tokens: found a string, expected an array."},
        {"TokensAreNumbers", with(llama(), "tokens", 9, three),
         "tokenizer.ggml.tokens: entry 0 is an integer, expected a text."},
        {"TokenIsNotUtf8", with(llama(), "tokens", 9, texts({"<unk>", "\xc3", "c", "a", "b", "ab"})),
         "tokenizer.ggml.tokens: entry 1 is no valid UTF-8, expected a text."},
        {"TokenTwice", with(llama(), "tokens", 9, texts({"<unk>", "<s>", "</s>", "a", "a", "ab"})),
         "piece 4: \"a\" stands there twice."},
        {"NewlineInAWordPiece",
         with(wordPieces(), "tokens", 9, texts({"[UNK]", "[CLS]", "[SEP]", "a\nb", "c", "d"})),
         "tokenizer.ggml.tokens: entry 3 is \"a\\x0ab\", expected a piece of one line; give the text as "
         "token ids with --ids."},
        {"KindsMissing", without(llama(), "token_type"),
         "tokenizer.ggml.token_type: no token is of type 2, the unknown one, expected one; give the text as "
         "token ids with --ids."},
        {"KindsOfAnotherCount", with(llama(), "token_type", 9, three),
         "tokenizer.ggml.token_type: 3 entries, expected 6, one for each token."},
        {"KindOf0", with(llama(), "token_type", 9, numbers<std::int32_t>(5, {0, 3, 3, 1, 1, 1})),
         "tokenizer.ggml.token_type: found 0, expected a list of whole numbers from 1 to 6."},
        {"KindOf7", with(llama(), "token_type", 9, numbers<std::int32_t>(5, {2, 3, 3, 7, 1, 1})),
         "tokenizer.ggml.token_type: found 7, expected a list of whole numbers from 1 to 6."},
        {"KindsAreFractions", with(llama(), "token_type", 9, numbers<float>(6, {1.5F, 3, 3, 1, 1, 1})),
         "tokenizer.ggml.token_type: found 1.5, expected a list of whole numbers from 1 to 6."},
        {"ScoresMissing", without(llama(), "scores"),
         "tokenizer.ggml.scores: there are none, expected one for each token; give the text as token ids "
         "with --ids."},
        {"ScoresOfAnotherCount", with(llama(), "scores", 9, numbers<float>(6, {0, 0})),
         "tokenizer.ggml.scores: 2 entries, expected 6, one for each token."},
        {"ScoreIsNaN", with(llama(), "scores", 9, numbers<float>(6, {0, 0, 0, kNaN, -2, -1})),
         "tokenizer.ggml.scores: found NaN, expected a list of numbers from -1e+30 to 1e+30."},
        {"ScoresAreTexts", with(llama(), "scores", 9, texts({"0", "0", "0", "0", "0", "0"})),
         "tokenizer.ggml.scores: found the string \"0\", expected a list of numbers from -1e+30 to 1e+30."},
        {"BeginBeyondTheVocabulary", with(llama(), "bos_token_id", 4, raw(std::uint32_t{6})),
         "tokenizer.ggml.bos_token_id: found 6, expected a whole number from 0 to 5."},
        {"BeginIsNegative", with(llama(), "bos_token_id", 5, raw(std::int32_t{-1})),
         "tokenizer.ggml.bos_token_id: found -1, expected a whole number from 0 to 5."},
        {"EndIsAText", with(llama(), "eos_token_id", 8, ggufText("</s>")),
         "tokenizer.ggml.eos_token_id: found the string \"</s>\", expected a whole number from 0 to 5."},
        {"AddBeginIsANumber", with(llama(), "add_bos_token", 4, raw(std::uint32_t{1})),
         "tokenizer.ggml.add_bos_token: found 1, expected true or false."},
        {"RuleMissing", without(byteLevel(), "pre"),
         "tokenizer.ggml.pre: it is missing, expected one of: gpt-2, phi-2, llama-bpe, llama-v3, llama3, "
         "qwen2; give the text as token ids with --ids."},
        {"RuleUnknown", with(byteLevel(), "pre", 8, ggufText("tekken")),
         "tokenizer.ggml.pre: \"tekken\" is not supported, expected one of: gpt-2, phi-2, llama-bpe, "
         "llama-v3, llama3, qwen2; give the text as token ids with --ids."},
        {"RuleOfWordPiecesUnknown", with(wordPieces(), "pre", 8, ggufText("jina-v2")),
         "tokenizer.ggml.pre: \"jina-v2\" is not supported, expected \"bert-bge\"; give the text as token "
         "ids with --ids."},
        {"MergesMissing", without(byteLevel(), "merges"),
         "tokenizer.ggml.merges: there are none, expected those of the vocabulary."},
        {"MergesAreNumbers", with(byteLevel(), "merges", 9, three),
         "tokenizer.ggml.merges: entry 0 is an integer, expected a text."},
        {"MergeOfOnePiece", with(byteLevel(), "merges", 9, texts({"ab"})),
         "tokenizer.ggml.merges: entry 0 is \"ab\", expected two pieces."},
        {"MergeOfThreePieces", with(byteLevel(), "merges", 9, texts({"a b ab"})),
         "tokenizer.ggml.merges: entry 0 is \"a b ab\", expected two pieces."},
        {"MergeOfAnUnknownPiece", with(byteLevel(), "merges", 9, texts({"a z"})),
         "model: merges: 0: \"z\" is not in the vocabulary, expected both pieces of a merge and the one they "
         "make there."},
        {"MergeIsNotUtf8", with(byteLevel(), "merges", 9, texts({"a \xff"})),
         "tokenizer.ggml.merges: entry 0 is no valid UTF-8, expected a text."},
        {"BeginWantedAndMissing",
         with(without(byteLevel(), "bos_token_id"), "add_bos_token", 7, std::string(1, '\1')),
         "tokenizer.ggml.bos_token_id: it is missing, expected an id."},
    };
}

class MalformedGgufTokenizer : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, MalformedGgufTokenizer, ::testing::ValuesIn(cases()),
                         [](const auto& row) { return std::string(row.param.name); });

TEST_P(MalformedGgufTokenizer, IsRefusedInOneSentence) {
    EXPECT_EQ(refusalOf(GetParam().keys), "a.gguf: " + GetParam().sentence);
}

TEST(GoodGgufTokenizers, AreNotRefused) {
    EXPECT_EQ(refusalOf(llama()), "");
    EXPECT_EQ(refusalOf(byteLevel()), "");
    EXPECT_EQ(refusalOf(with(wordPieces(), "tokens", 9, texts({"[UNK]", "[CLS]", "[SEP]", "a", "b", "c"}))),
              "");
}

} // namespace
} // namespace headscope::test
