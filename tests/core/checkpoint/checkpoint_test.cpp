// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint.h"
#include "tests/core/checkpoint/safetensors_bytes.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace headscope::test {
namespace {

const std::string kPointer = "version https://git-lfs.github.com/spec/v1\noid sha256:53aa\nsize 612\n";
class CheckpointFolder : public testing::Test {
  protected:
    /// What openCheckpoint says about the folder, without its path.
    std::string sentence() const { return sentenceFor(m_folder.path()); }
    std::string sentenceFor(const std::filesystem::path& path) const {
        std::string text = sentenceOf([&] { openCheckpoint(path); });
        const std::string prefix = path.string() + ": ";
        return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
    }
    void writeModel() const {
        m_folder.write("config.json", R"({"model_type":"bert"})");
        m_folder.write("model.safetensors",
                       safetensorsBytes(R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", "abcd"));
    }
    void makeFolder(const char* name) const { std::filesystem::create_directories(m_folder / name); }

    TemporaryFolder m_folder;
};

TEST_F(CheckpointFolder, OpensConfigWeightsAndTokenizer) {
    writeModel();
    m_folder.write("tokenizer.json", "{}");
    m_folder.write("tokenizer_config.json",
                   R"({"model_max_length":1000000000000000019884624838656,"x":NaN})");
    const Checkpoint checkpoint = openCheckpoint(m_folder.path());
    EXPECT_EQ(checkpoint.folder, m_folder.path());
    EXPECT_EQ(checkpoint.config.find("model_type")->asString(), "bert");
    ASSERT_NE(checkpoint.weights, nullptr);
    EXPECT_NE(checkpoint.weights->find("w"), nullptr);
    EXPECT_EQ(checkpoint.tokenizerFile, m_folder / "tokenizer.json");
    ASSERT_TRUE(checkpoint.tokenizerConfig.has_value());
    EXPECT_EQ(checkpoint.tokenizerConfig->find("model_max_length")->asReal(), 1e30);
    ASSERT_EQ(checkpoint.files.size(), 4U);
    EXPECT_EQ(checkpoint.files[0].name, "config.json");
    EXPECT_EQ(checkpoint.files[0].bytes, 21U);
    EXPECT_EQ(checkpoint.files[1].name, "model.safetensors");
    EXPECT_TRUE(checkpoint.notes.empty());
}

TEST_F(CheckpointFolder, TokenizerIsOptional) {
    writeModel();
    const Checkpoint checkpoint = openCheckpoint(m_folder.path());
    EXPECT_FALSE(checkpoint.tokenizerFile.has_value());
    EXPECT_FALSE(checkpoint.tokenizerConfig.has_value());
    EXPECT_EQ(checkpoint.files.size(), 2U);
}

TEST_F(CheckpointFolder, ConfigMayHoldByteOrderMarkAndNonFiniteNumbers) {
    writeModel();
    m_folder.write("config.json", "\xef\xbb\xbf{\"eps\": NaN, \"limit\": -Infinity}");
    EXPECT_EQ(sentence(), "");
}

TEST_F(CheckpointFolder, RelativePathsBecomeAbsolute) {
    writeModel();
    EXPECT_TRUE(openCheckpoint(std::filesystem::relative(m_folder.path())).folder.is_absolute());
}

TEST_F(CheckpointFolder, IndexAndCustomCodeAreNoted) {
    writeModel();
    m_folder.write("config.json", R"({"auto_map":{"AutoModel":"modeling_x.X"}})");
    m_folder.write("model.safetensors.index.json", "{}");
    const Checkpoint checkpoint = openCheckpoint(m_folder.path());
    ASSERT_EQ(checkpoint.notes.size(), 2U);
    EXPECT_NE(checkpoint.notes[0].find("auto_map"), std::string::npos);
    EXPECT_NE(checkpoint.notes[1].find("model.safetensors.index.json is ignored"), std::string::npos);
}

TEST_F(CheckpointFolder, OtherWeightsThatConfigNamesAreRefused) {
    writeModel();
    const auto errorOf = [&](const std::string& value) {
        m_folder.write("config.json", "{\"transformers_weights\": " + value + "}");
        return sentenceOf([&] { openCheckpoint(m_folder.path()); });
    };
    EXPECT_EQ(errorOf("\"model.safetensors\""), "");
    EXPECT_EQ(errorOf("null"), "");
    EXPECT_EQ(errorOf("\"other.safetensors\""),
              "config.json: transformers_weights: it names \"other.safetensors\", expected none, or the file "
              "that is read, \"model.safetensors\".");
    EXPECT_EQ(errorOf("3"), "config.json: transformers_weights: found an integer, expected none, or the file "
                            "that is read, \"model.safetensors\".");
}

TEST_F(CheckpointFolder, LfsPointersAreRecognisedInEveryFile) {
    const std::string end = "; run \"git lfs pull\" in the folder.";
    writeModel();
    // Token ids need no tokenizer: its files are looked into when it is loaded.
    m_folder.write("tokenizer.json", kPointer);
    EXPECT_EQ(sentence(), "");
    for (const auto& [name, wanted] : {std::pair{"tokenizer_config.json", "JSON"},
                                       {"model.safetensors", "weights"},
                                       {"config.json", "JSON"}}) {
        m_folder.write(name, kPointer);
        EXPECT_EQ(sentence(), std::string(name) + ": the file is a Git LFS pointer (68 bytes of text), not " +
                                  wanted + end);
    }
}

TEST_F(CheckpointFolder, MalformedConfigsAreRefused) {
    writeModel();
    const auto withConfig = [&](std::string_view text) {
        m_folder.write("config.json", text);
        return sentence();
    };
    EXPECT_EQ(withConfig(""), "config.json: the file is empty, expected a JSON object.");
    EXPECT_EQ(withConfig("[]"), "config.json: this is an array, expected a JSON object.");
    EXPECT_EQ(withConfig("null"), "config.json: this is null, expected a JSON object.");
    EXPECT_EQ(withConfig("\"bert\""), "config.json: this is a string, expected a JSON object.");
    EXPECT_EQ(withConfig("{\"a\": }"), "config.json: the JSON is malformed (at byte 6).");
    EXPECT_EQ(withConfig("{\"a\": 1"), "config.json: the JSON is malformed (at byte 7).");
    EXPECT_EQ(withConfig("{\"a\": 1} x"), "config.json: the JSON is malformed (at byte 9).");
    EXPECT_EQ(withConfig("{\"a\": 01}"), "config.json: the JSON is malformed (at byte 7).");
    EXPECT_EQ(withConfig("{'a': 1}"), "config.json: the JSON is malformed (at byte 1).");
    EXPECT_EQ(withConfig("{\"a\": \"\xff\"}"), "config.json: the JSON is not valid UTF-8 (at byte 7).");
    EXPECT_EQ(withConfig(std::string_view("{\"a\"\0: 1}", 10)),
              "config.json: the JSON is malformed (at byte 4).");
    EXPECT_EQ(withConfig("<html></html>"),
              "config.json: the file is a web page (HTML), not JSON; the download was "
              "answered by a login or error page: get the file again.");
    EXPECT_EQ(withConfig("{\"a\":" + std::string(600, '[')),
              "config.json: the JSON is nested deeper than 512 levels.");
    EXPECT_EQ(withConfig(R"({"quantization_config":{"quant_method":"gptq","bits":4}})"),
              "config.json: quantization_config: the weights are quantised (\"gptq\"), expected plain F16, "
              "BF16, F32 or F64; take a version of the model that is not quantised.");
    EXPECT_EQ(withConfig(R"({"quantization_config":null})"), "");
}

TEST_F(CheckpointFolder, WrappedTensorsAreUnwrapped) {
    writeModel();
    m_folder.write(
        "model.safetensors",
        safetensorsBytes(R"({"module.w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", "abcd"));
    const Checkpoint checkpoint = openCheckpoint(m_folder.path());
    EXPECT_NE(checkpoint.weights->find("w"), nullptr);
    EXPECT_EQ(
        checkpoint.notes,
        std::vector<std::string>{
            "the tensors were saved from inside another module: \"module.\" in their names is left out"});
}

TEST_F(CheckpointFolder, FilesListTheConfigAndEveryPart) {
    m_folder.write("config.json", "{}");
    m_folder.write("model.safetensors.index.json",
                   R"({"weight_map":{"w":"model-00001-of-00001.safetensors"}})");
    m_folder.write("model-00001-of-00001.safetensors",
                   safetensorsBytes(R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", "abcd"));
    const Checkpoint checkpoint = openCheckpoint(m_folder.path());
    ASSERT_EQ(checkpoint.files.size(), 3U);
    EXPECT_EQ(checkpoint.files[1].name, "model.safetensors.index.json");
    EXPECT_EQ(checkpoint.files[2].name, "model-00001-of-00001.safetensors");
    EXPECT_EQ(checkpoint.files[2].bytes, 66U);
}

TEST_F(CheckpointFolder, AdaptersBesideTheWeightsAreNoted) {
    writeModel();
    m_folder.write("adapter_config.json", "{}");
    EXPECT_EQ(openCheckpoint(m_folder.path()).notes,
              std::vector<std::string>{
                  "the adapter beside the weights (adapter_config.json) is not added to them"});
}

TEST_F(CheckpointFolder, QuantisedTensorsAreRefused) {
    writeModel();
    m_folder.write(
        "model.safetensors",
        safetensorsBytes(R"({"a.qweight":{"dtype":"I32","shape":[1],"data_offsets":[0,4]}})", "abcd"));
    EXPECT_EQ(
        sentence(),
        "model.safetensors: tensor \"a.qweight\": the weights are quantised (GPTQ or AWQ) and stored as "
        "I32, expected plain F16, BF16, F32 or F64; take a version of the model that is not quantised.");
}

TEST(Checkpoint, MiniLmOpens) {
    const auto folder = minilmFolder();
    if (folder.empty()) GTEST_SKIP() << "skipped: no MiniLM checkpoint";
    const Checkpoint checkpoint = openCheckpoint(folder);
    EXPECT_EQ(checkpoint.config.find("model_type")->asString(), "bert");
    EXPECT_TRUE(checkpoint.tokenizerFile.has_value());
    EXPECT_TRUE(checkpoint.notes.empty());
}

} // namespace
} // namespace headscope::test
