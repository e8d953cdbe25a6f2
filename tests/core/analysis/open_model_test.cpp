// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/analysis.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace headscope {
namespace {

TEST(OpenModel, WithoutAReadableTokenizerTakesIds) {
    struct Case {
        const char* file;
        const char* content;
        std::string sentence;
    };
    const std::vector<Case> cases = {
        {"vocab.txt", "", "vocab.txt: model: vocab: no pieces, expected at least one"},
        {"tokenizer.json", "version https://git-lfs.github.com/spec/v1\noid sha256:53aa\nsize 612\n",
         "tokenizer.json: the file is a Git LFS pointer (68 bytes of text), not a tokenizer; run \"git lfs "
         "pull\" in the folder"},
    };
    for (const Case& one : cases) {
        const test::TemporaryFolder folder;
        for (const char* name : {"config.json", "model.safetensors"})
            folder.write(name, test::readBytes(test::dataPath("models/tiny-bert") / name));
        folder.write(one.file, one.content);
        const auto model = openModel(folder.path(), {DeviceChoice::Cpu}, {}, {});
        EXPECT_EQ(model->tokenizer, nullptr);
        ASSERT_FALSE(model->notes.empty());
        EXPECT_EQ(model->notes.back(), one.sentence);
        TextInput input;
        input.text = "a";
        EXPECT_EQ(test::sentenceOf([&] { tokenizeText(*model, input); }), one.sentence + ".");
        input.ids = {2, 30};
        EXPECT_EQ(tokenizeText(*model, input).tokens.size(), 2U);
    }
}

TEST(OpenModel, BytesNeedNoVocabularyFile) {
    const test::TemporaryFolder folder;
    for (const char* name : {"config.json", "model.safetensors"})
        folder.write(name, test::readBytes(test::dataPath("families/t5/plain") / name));
    EXPECT_EQ(openModel(folder.path(), {DeviceChoice::Cpu}, {}, {})->tokenizer, nullptr);
    folder.write("tokenizer_config.json", R"({"tokenizer_class":"ByT5Tokenizer"})");
    const auto model = openModel(folder.path(), {DeviceChoice::Cpu}, {}, {});
    TextInput input;
    input.text = "! ";
    input.target = "!";
    std::vector<std::int64_t> ids;
    for (const Token& token : tokenizeText(*model, input).tokens) ids.push_back(token.id);
    EXPECT_EQ(ids, (std::vector<std::int64_t>{36, 35, 1}));
}

TEST(OpenModel, ReadsAnOlderVocabulary) {
    const test::TemporaryFolder folder;
    for (const char* name : {"config.json", "model.safetensors"})
        folder.write(name, test::readBytes(test::dataPath("models/tiny-bert") / name));
    folder.write("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\ncat\n");
    const auto model = openModel(folder.path(), {DeviceChoice::Cpu}, {}, {});
    TextInput input;
    input.text = "Cat";
    std::vector<std::int64_t> ids;
    for (const Token& token : tokenizeText(*model, input).tokens) ids.push_back(token.id);
    EXPECT_EQ(ids, (std::vector<std::int64_t>{2, 5, 3}));
}

TEST(OpenModel, NamesSayWhereTheMapsAreNotOfTheModelItself) {
    const auto quantised =
        openModel(test::dataPath("gguf/llama-quantised.gguf"), {DeviceChoice::Cpu}, {}, {});
    EXPECT_EQ(quantised->name, "llama-quantised (quantised weights: Q4_0, Q8_0, Q5_1, Q5_0, Q4_1)");
    EXPECT_EQ(quantised->plainName(), "llama-quantised");
    const auto base = test::dataPath("families/gpt2/plain");
    for (const char* adapter : {"adapters/gpt2", "adapters/gpt2/"}) {
        const auto adapted =
            openModel(base, {.device = DeviceChoice::Cpu, .adapter = test::dataPath(adapter)}, {}, {});
        EXPECT_EQ(adapted->name, "plain + gpt2");
        EXPECT_EQ(adapted->plainName(), "plain");
    }
}

TEST(OpenModel, MapsHaveNoWeightsToAddTo) {
    EXPECT_EQ(
        test::sentenceOf(
            [] { openModel(test::dataPath("attention/maps.npz"), {.adapter = "some/lora"}, {}, {}); }),
        "lora: an adapter was given together with an attention file, expected a model, which has weights "
        "to add to.");
}

} // namespace
} // namespace headscope
