// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint.h"
#include "tests/core/checkpoint/safetensors_bytes.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace headscope::test {
namespace {

const std::string kPointer = "version https://git-lfs.github.com/spec/v1\noid sha256:53aa\nsize 612\n";
const std::string kWhatIsRead =
    "expected a folder with config.json and model.safetensors, which is what is read so far";

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

TEST_F(CheckpointFolder, SentenceTransformersFolderWithTheModelAtItsRootIsPlain) {
    writeModel();
    m_folder.write("modules.json", "[]");
    makeFolder("1_Pooling");
    EXPECT_EQ(sentence(), "");
}

TEST_F(CheckpointFolder, ConfigMayHoldByteOrderMarkAndNonFiniteNumbers) {
    writeModel();
    m_folder.write("config.json", "\xef\xbb\xbf{\"eps\": NaN, \"limit\": -Infinity}");
    EXPECT_EQ(sentence(), "");
}

TEST_F(CheckpointFolder, LinkedFilesAreFollowed) {
    writeModel();
    makeFolder("blobs");
    std::filesystem::rename(m_folder / "model.safetensors", m_folder / "blobs/0a");
    std::filesystem::create_symlink("blobs/0a", m_folder / "model.safetensors");
    EXPECT_EQ(sentence(), "");
    std::filesystem::remove(m_folder / "blobs/0a");
    EXPECT_EQ(sentence(), "model.safetensors is a link to a file that is not there; finish the download.");
    std::filesystem::rename(m_folder / "model.safetensors", m_folder / "config.json");
    EXPECT_EQ(sentence(), "config.json is a link to a file that is not there; finish the download.");
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

TEST_F(CheckpointFolder, MissingAndEmptyFoldersAreRefused) {
    EXPECT_EQ(sentenceFor(m_folder / "none"), "there is no such folder; check the path.");
    EXPECT_EQ(sentence(), "the folder is empty, " + kWhatIsRead + ".");
}

TEST_F(CheckpointFolder, FilesAreNoFolders) {
    EXPECT_EQ(sentenceFor(m_folder.write("model.safetensors", "")),
              "this is a file of weights, expected the folder it stands in, with its config.json; give " +
                  m_folder.path().string() + ".");
    EXPECT_EQ(sentenceFor(m_folder.write("model.gguf", "")), "GGUF files are not read, " + kWhatIsRead + ".");
    EXPECT_EQ(sentenceFor(m_folder.write("notes.txt", "")), "this is a file, " + kWhatIsRead + ".");
}

TEST_F(CheckpointFolder, FoldersWithoutConfigSayWhatTheyAre) {
    m_folder.write("README.md", "x");
    EXPECT_EQ(sentence(), "the folder has no config.json, " + kWhatIsRead + ".");
    m_folder.write("params.json", "{}");
    EXPECT_EQ(sentence(), "the folder has params.json but no config.json, " + kWhatIsRead +
                              "; convert the original weights to the Hugging Face layout first.");
    m_folder.write("model.gguf", "GGUF");
    EXPECT_EQ(sentence(),
              "the folder has model.gguf but no config.json, " + kWhatIsRead + "; GGUF files are not read.");
    m_folder.write("model_index.json", "{}");
    EXPECT_EQ(sentence(), "this is a diffusers pipeline of several models, " + kWhatIsRead +
                              "; give the folder of one of them, such as text_encoder.");
    makeFolder("0_Transformer");
    EXPECT_EQ(sentence(), "the model of this sentence-transformers folder stands in 0_Transformer; give " +
                              (m_folder / "0_Transformer").string() + ".");
}

TEST_F(CheckpointFolder, HubCacheFolderNamesItsSnapshot) {
    const std::string commit(40, 'a');
    makeFolder(("snapshots/" + commit).c_str());
    const std::string start = "this is a repository folder of the hub cache, " + kWhatIsRead + "; give ";
    EXPECT_EQ(sentence(), start + "one of the folders in " + (m_folder / "snapshots").string() + ".");
    makeFolder("refs");
    m_folder.write("refs/main", commit);
    EXPECT_EQ(sentence(), start + (m_folder / "snapshots" / commit).string() + ".");
}

TEST_F(CheckpointFolder, AdaptersNameTheirBaseModel) {
    const std::string start = "this is an adapter only, without the model's own weights, " + kWhatIsRead;
    m_folder.write("adapter_model.safetensors", "");
    m_folder.write("adapter_config.json", R"({"base_model_name_or_path":"org/base"})");
    EXPECT_EQ(sentence(), start + "; merge it into its base model \"org/base\" first.");
    m_folder.write("adapter_config.json", "not JSON");
    EXPECT_EQ(sentence(), start + "; merge it into its base model first.");
    m_folder.write("config.json", "{}");
    EXPECT_EQ(sentence(),
              "adapter_model.safetensors is an adapter only, without the model's own weights, expected "
              "model.safetensors; merge it into its base model first.");
}

TEST_F(CheckpointFolder, OtherWeightsAreNamed) {
    m_folder.write("config.json", "{}");
    EXPECT_EQ(sentence(), "the folder has no weights, expected model.safetensors.");
    const std::string end = " but no model.safetensors, which is what is read so far; save the model with "
                            "save_pretrained(..., safe_serialization=True).";
    // Each is more telling than those before it.
    for (const char* name : {"model.fp16.safetensors", "model.onnx", "tf_model.h5",
                             "pytorch_model.bin.index.json", "pytorch_model.bin"}) {
        m_folder.write(name, "x");
        EXPECT_EQ(sentence(), std::string("the folder has ") + name + end);
    }
    m_folder.write("model.safetensors.index.json", "{}");
    EXPECT_EQ(sentence(),
              "the weights are split over several files (model.safetensors.index.json), expected one "
              "model.safetensors, which is what is read so far; save the model with a max_shard_size above "
              "its size.");
}

TEST_F(CheckpointFolder, LeftoversOfTrainingAndDownloadsAreNoWeights) {
    m_folder.write("config.json", "{}");
    m_folder.write("training_args.bin", "x");
    m_folder.write("optimizer.pt", "x");
    EXPECT_EQ(sentence(), "the folder has no weights, expected model.safetensors.");
    m_folder.write("0a1b.incomplete", "x");
    EXPECT_EQ(sentence(),
              "0a1b.incomplete is an unfinished download, expected model.safetensors; finish the download.");
}

TEST_F(CheckpointFolder, LfsPointersAreRecognisedInEveryFile) {
    const std::string end = "; run \"git lfs pull\" in the folder.";
    writeModel();
    for (const auto& [name, wanted] : {std::pair{"tokenizer_config.json", "JSON"},
                                       {"tokenizer.json", "a tokenizer"},
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
    EXPECT_EQ(withConfig("{\"a\": }"), "config.json: the JSON is malformed (at byte 6).");
    EXPECT_EQ(withConfig("{\"a\": \"\xff\"}"), "config.json: the JSON is not valid UTF-8 (at byte 7).");
    EXPECT_EQ(withConfig("<html></html>"),
              "config.json: the file is a web page (HTML), not JSON; the download was "
              "answered by a login or error page: get the file again.");
    EXPECT_EQ(withConfig("{\"a\":" + std::string(600, '[')),
              "config.json: the JSON is nested deeper than 512 levels.");
}

TEST_F(CheckpointFolder, QuantisedWeightsAreRefused) {
    writeModel();
    m_folder.write("config.json", R"({"quantization_config":{"quant_method":"gptq","bits":4}})");
    EXPECT_EQ(sentence(),
              "config.json: quantization_config: the weights are quantised (\"gptq\"), expected plain F16, "
              "BF16, F32 or F64; take a version of the model that is not quantised.");
    m_folder.write("config.json", R"({"quantization_config":null})");
    EXPECT_EQ(sentence(), "");
}

TEST_F(CheckpointFolder, NamesWithControlCharactersAreEscaped) {
    EXPECT_EQ(sentenceOf([&] { openCheckpoint(m_folder / "a\nb"); }),
              (m_folder / "a\\x0ab").string() + ": there is no such folder; check the path.");
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
