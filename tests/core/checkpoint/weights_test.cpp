// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/weights.h"
#include "tests/core/checkpoint/pickle_bytes.h"
#include "tests/core/checkpoint/safetensors_bytes.h"
#include "tests/core/checkpoint/zip_bytes.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <array>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace headscope::test {
namespace {

using Strings = std::vector<std::string>;

/// A safetensors file of tensors of one float each: their names and values.
std::string floatsFile(const std::vector<std::pair<std::string, float>>& tensors) {
    std::string header = "{";
    std::string data;
    for (const auto& [name, value] : tensors) {
        header += fmt::format(R"({}"{}":{{"dtype":"F32","shape":[1],"data_offsets":[{},{}]}})",
                              header.size() > 1 ? "," : "", name, data.size(), data.size() + 4);
        data += bytesOf(std::vector<float>{value});
    }
    return safetensorsBytes(header + "}", data);
}

/// A file of torch.save with one tensor of two floats.
std::string torchFile(const std::string& name) {
    return torchZip(pickle::program(pickle::dict({{name, pickle::pair()}})), {"abcdefgh"}).bytes;
}

class WeightsTest : public testing::Test {
  protected:
    Weights open() const { return openWeights(m_folder.path(), listFolder(m_folder.path())); }
    /// Without the folder's path.
    std::string sentence() const {
        std::string text = sentenceOf([&] { open(); });
        const std::string prefix = m_folder.path().string() + ": ";
        return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
    }
    static float value(const Weights& weights, const char* name) {
        const TensorInfo* tensor = weights.tensors->find(name);
        if (tensor == nullptr) return -1;
        std::array<float, 1> out{};
        weights.tensors->readFloats(*tensor, 0, out);
        return out[0];
    }
    static Strings names(const Weights& weights) {
        Strings found;
        for (const TensorInfo& tensor : weights.tensors->tensors()) found.push_back(tensor.name);
        return found;
    }

    TemporaryFolder m_folder;
};

TEST_F(WeightsTest, EachFormIsTakenBeforeThoseAfterIt) {
    const auto expectFile = [&](const std::string& name, const std::string& content) {
        m_folder.write(name, content);
        EXPECT_EQ(open().files, Strings{name});
    };
    // From the last choice to the first.
    expectFile("pytorch_model.fp16.bin", torchFile("w"));
    expectFile("model.fp16.safetensors", floatsFile({{"w", 1}}));
    expectFile("pytorch_model-00001-of-00001.bin", torchFile("w"));
    m_folder.write("pytorch_model.bin.index.json",
                   R"({"weight_map":{"w":"pytorch_model-00001-of-00001.bin"}})");
    EXPECT_EQ(open().files, (Strings{"pytorch_model.bin.index.json", "pytorch_model-00001-of-00001.bin"}));
    expectFile("pytorch_model.bin", torchFile("w"));
    expectFile("model-00001-of-00001.safetensors", floatsFile({{"w", 1}}));
    m_folder.write("model.safetensors.index.json",
                   R"({"weight_map":{"w":"model-00001-of-00001.safetensors"}})");
    EXPECT_EQ(open().files, (Strings{"model.safetensors.index.json", "model-00001-of-00001.safetensors"}));
    expectFile("model.safetensors", floatsFile({{"w", 1}}));
    EXPECT_EQ(open().notes, Strings{"model.safetensors.index.json is ignored: model.safetensors is there"});
}

TEST_F(WeightsTest, FilesOfOtherToolsAreIgnored) {
    m_folder.write("model.safetensors", floatsFile({{"w", 1}}));
    for (const char* name :
         {"consolidated.safetensors", "adapter_model.safetensors", "tf_model.h5", "openvino_model.bin",
          "training_args.bin", "optimizer.pt", "flax_model.msgpack", "model.onnx"})
        m_folder.write(name, "x");
    EXPECT_EQ(open().files, Strings{"model.safetensors"});
    EXPECT_TRUE(open().notes.empty());
}

TEST_F(WeightsTest, ShardsAreJoined) {
    m_folder.write("model-00001-of-00002.safetensors", floatsFile({{"a", 1}, {"extra", 9}}));
    m_folder.write("model-00002-of-00002.safetensors", floatsFile({{"b", 2}, {"c", 3}}));
    m_folder.write(
        "model.safetensors.index.json",
        R"({"weight_map":{"a":"model-00001-of-00002.safetensors","c":"model-00002-of-00002.safetensors",
                       "b":"model-00002-of-00002.safetensors"}})");
    const Weights weights = open();
    EXPECT_EQ(names(weights), (Strings{"a", "b", "c"})); // what the index does not name is left out
    EXPECT_EQ(value(weights, "a"), 1);
    EXPECT_EQ(value(weights, "b"), 2);
    EXPECT_EQ(value(weights, "c"), 3);
    EXPECT_EQ(weights.tensors->find("b")->file, 1U);
    EXPECT_EQ(weights.tensors->fileName(*weights.tensors->find("b")), "model-00002-of-00002.safetensors");
    EXPECT_TRUE(weights.notes.empty());
    weights.tensors->dropPages(*weights.tensors->find("c"));
    EXPECT_EQ(value(weights, "c"), 3);
}

TEST_F(WeightsTest, NumberedFilesWithoutAnIndexAreAllRead) {
    m_folder.write("model-00001-of-00002.safetensors", floatsFile({{"a", 1}}));
    m_folder.write("model-00002-of-00002.safetensors", floatsFile({{"b", 2}}));
    const Weights weights = open();
    EXPECT_EQ(names(weights), (Strings{"a", "b"}));
    EXPECT_EQ(weights.notes,
              Strings{"model.safetensors.index.json is missing: all 2 numbered files are read"});
    std::filesystem::remove(m_folder / "model-00001-of-00002.safetensors");
    EXPECT_EQ(sentence(),
              "model-00001-of-00002.safetensors is missing, 1 of 2 parts are there; finish the download.");
}

TEST_F(WeightsTest, VariantsComeInAllForms) {
    m_folder.write("model.fp16-00001-of-00002.safetensors", floatsFile({{"a", 1}}));
    m_folder.write("model.fp16-00002-of-00002.safetensors", floatsFile({{"b", 2}}));
    EXPECT_EQ(open().notes,
              (Strings{"model.safetensors.index.fp16.json is missing: all 2 numbered files are read",
                       "the weights are those of the variant \"fp16\": there are no others"}));
    m_folder.write("model.safetensors.index.fp16.json",
                   R"({"weight_map":{"a":"model.fp16-00001-of-00002.safetensors"}})");
    EXPECT_EQ(names(open()), Strings{"a"});
    m_folder.write("model.bf16.safetensors", floatsFile({{"a", 1}}));
    EXPECT_EQ(sentence(), "the weights are there in several variants, \"bf16\" and \"fp16\", expected "
                          "model.safetensors or one variant; keep one of them.");
}

TEST_F(WeightsTest, ContradictingShardsAreRefused) {
    const char* first = "model-00001-of-00002.safetensors";
    const char* second = "model-00002-of-00002.safetensors";
    const auto writeIndex = [&](const std::string& map) {
        m_folder.write("model.safetensors.index.json", "{\"weight_map\":{" + map + "}}");
    };
    m_folder.write(first, floatsFile({{"a", 1}}));
    writeIndex(R"("a":"model-00001-of-00002.safetensors","b":"model-00002-of-00002.safetensors")");
    EXPECT_EQ(sentence(),
              "model.safetensors.index.json: it names model-00002-of-00002.safetensors, which is not in the "
              "folder; finish the download.");
    m_folder.write(second, floatsFile({{"c", 1}}));
    EXPECT_EQ(sentence(), "model.safetensors.index.json: it places the tensor \"b\" in "
                          "model-00002-of-00002.safetensors, which lacks "
                          "it; the index belongs to other files: get it again with them.");
    // Whatever the index says about it, a tensor in two files is one of two models.
    m_folder.write(second, floatsFile({{"b", 1}, {"a", 2}}));
    const std::string twice =
        "model-00002-of-00002.safetensors: the tensor \"a\" stands here, and in "
        "model-00001-of-00002.safetensors too; the files belong to two models: get them again.";
    EXPECT_EQ(sentence(), twice);
    std::filesystem::remove(m_folder / "model.safetensors.index.json");
    EXPECT_EQ(sentence(), twice);
    m_folder.write(second, floatsFile({{"b", 1}}).substr(0, 30));
    EXPECT_EQ(sentence(),
              "model-00002-of-00002.safetensors: the file ends inside its header after 30 bytes, expected 62 "
              "and the data; the download is incomplete: get the file again.");
}

TEST_F(WeightsTest, WhatStandsInAnIndexsPlaceIsNamed) {
    m_folder.write("model.safetensors.index.json", "version https://git-lfs.github.com/spec/v1\nsize 9\n");
    EXPECT_EQ(sentence(),
              "model.safetensors.index.json: the file is a Git LFS pointer (50 bytes of text), not JSON; run "
              "\"git lfs pull\" in the folder.");
    m_folder.write("model.safetensors.index.json", "");
    EXPECT_EQ(sentence(),
              "model.safetensors.index.json: the file is empty, expected a JSON object; the download is "
              "incomplete: get the file again.");
    std::filesystem::remove(m_folder / "model.safetensors.index.json");
    std::filesystem::create_symlink("nowhere", m_folder / "model.safetensors.index.json");
    EXPECT_EQ(sentence(),
              "model.safetensors.index.json is a link to a file that is not there; finish the download.");
}

TEST_F(WeightsTest, LinksToMissingShardsAreRefused) {
    std::filesystem::create_symlink("nowhere", m_folder / "model-00001-of-00001.safetensors");
    m_folder.write("model.safetensors.index.json",
                   R"({"weight_map":{"w":"model-00001-of-00001.safetensors"}})");
    EXPECT_EQ(sentence(),
              "model.safetensors.index.json: it names model-00001-of-00001.safetensors, which is not in the "
              "folder; finish the download.");
}

TEST_F(WeightsTest, OtherWeightsAreNamed) {
    EXPECT_EQ(sentence(), "the folder has no weights, expected model.safetensors or pytorch_model.bin.");
    // Each is more telling than those before it.
    for (const char* name :
         {"weights.ckpt", "x.bin", "consolidated.safetensors", "model.onnx", "tf_model.h5"}) {
        m_folder.write(name, "x");
        EXPECT_EQ(sentence(), std::string("the folder has ") + name +
                                  ", expected model.safetensors or pytorch_model.bin; save the model with "
                                  "save_pretrained(..., safe_serialization=True).");
    }
    m_folder.write("adapter_model.bin", "x");
    EXPECT_EQ(sentence(),
              "adapter_model.bin is an adapter only, without the model's own weights, expected "
              "model.safetensors or pytorch_model.bin; open its base model and add it with --adapter.");
}

TEST_F(WeightsTest, LeftoversOfTrainingAndDownloadsAreNoWeights) {
    for (const char* name : {"training_args.bin", "optimizer.pt", "scheduler.pt", "rng_state.pth"})
        m_folder.write(name, "x");
    EXPECT_EQ(sentence(), "the folder has no weights, expected model.safetensors or pytorch_model.bin.");
    for (const char* name : {"model.safetensors.aria2", "model.safetensors.crdownload",
                             "model.safetensors.part", "0a1b.incomplete"}) {
        m_folder.write(name, "x");
        EXPECT_EQ(sentence(), std::string(name) + " is an unfinished download, expected model.safetensors or "
                                                  "pytorch_model.bin; finish the download.");
    }
}

} // namespace
} // namespace headscope::test
