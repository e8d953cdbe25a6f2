// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/analysis.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace headscope {
namespace {

TEST(OpenModel, WithoutAReadableTokenizerTakesIds) {
    const test::TemporaryFolder folder;
    for (const char* name : {"config.json", "model.safetensors"})
        folder.write(name, test::readBytes(test::dataPath("models/tiny-bert") / name));
    folder.write("vocab.txt", "");
    const auto model = openModel(folder.path(), DeviceChoice::Cpu, {}, {});
    EXPECT_EQ(model->tokenizer, nullptr);
    const std::string sentence = "vocab.txt: model: vocab: no pieces, expected at least one";
    ASSERT_FALSE(model->notes.empty());
    EXPECT_EQ(model->notes.back(), sentence);
    TextInput input;
    input.text = "a";
    EXPECT_EQ(test::sentenceOf([&] { tokenizeText(*model, input); }), sentence + ".");
    input.ids = {2, 30};
    EXPECT_EQ(tokenizeText(*model, input).tokens.size(), 2U);
}

TEST(OpenModel, ReadsAnOlderVocabulary) {
    const test::TemporaryFolder folder;
    for (const char* name : {"config.json", "model.safetensors"})
        folder.write(name, test::readBytes(test::dataPath("models/tiny-bert") / name));
    folder.write("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\ncat\n");
    const auto model = openModel(folder.path(), DeviceChoice::Cpu, {}, {});
    TextInput input;
    input.text = "Cat";
    std::vector<std::int64_t> ids;
    for (const Token& token : tokenizeText(*model, input).tokens) ids.push_back(token.id);
    EXPECT_EQ(ids, (std::vector<std::int64_t>{2, 5, 3}));
}

} // namespace
} // namespace headscope
