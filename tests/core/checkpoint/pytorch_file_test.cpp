// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"
#include "core/checkpoint/pytorch/pytorch_file.h"
#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/weights.h"
#include "tests/core/checkpoint/safetensors_bytes.h"
#include "tests/core/checkpoint/zip_bytes.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <array>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>

namespace headscope::test {
namespace {

namespace fs = std::filesystem;
using namespace pickle;

std::string hex(std::span<const std::byte> bytes) {
    std::string text;
    for (const std::byte byte : bytes) text += fmt::format("{:02x}", std::to_integer<int>(byte));
    return text;
}

std::string bitsOf(const TensorSource& source, const TensorInfo& tensor) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(tensor.elements * sizeOf(tensor.dtype)));
    source.readRaw(tensor, 0, tensor.elements, bytes);
    return hex(bytes);
}

/// What the library itself reads from the files in tests/data/checkpoints.
const Json& expectedTensors() {
    static const Json expected = parseJson(readBytes(dataPath("checkpoints/expected.json")), "expected.json");
    return expected;
}

/// Holds `source` against the expected tensors; those that it lacks are skipped, `count` says how many it
/// has.
void expectTensors(const TensorSource& source, std::size_t count) {
    EXPECT_EQ(source.tensors().size(), count);
    for (const auto& [name, facts] : expectedTensors().members()) {
        const TensorInfo* tensor = source.find(name);
        if (tensor == nullptr) continue;
        std::vector<std::int64_t> shape;
        for (const Json& extent : facts.find("shape")->items()) shape.push_back(extent.asInteger());
        EXPECT_EQ(nameOf(tensor->dtype), facts.find("dtype")->asString()) << name;
        EXPECT_EQ(tensor->shape, shape) << name;
        EXPECT_EQ(bitsOf(source, *tensor), facts.find("bits")->asString()) << name;
    }
}

constexpr std::size_t kTensors = 19;

struct FileForm {
    const char* name;
    std::size_t tensors;
    std::vector<std::string> notes;
};

class RealPytorchFile : public testing::TestWithParam<FileForm> {};

TEST_P(RealPytorchFile, GivesTheTensorsThatWereSaved) {
    const PytorchFile file = openPytorch(dataPath("checkpoints") / (std::string(GetParam().name) + ".bin"));
    expectTensors(*file.tensors, GetParam().tensors);
    EXPECT_EQ(file.notes, GetParam().notes);
}

INSTANTIATE_TEST_SUITE_P(
    EveryForm, RealPytorchFile,
    testing::Values(
        FileForm{"zip", kTensors, {}}, FileForm{"protocol4", kTensors, {}}, FileForm{"legacy", kTensors, {}},
        FileForm{"deflated", kTensors, {}}, FileForm{"zip64", kTensors, {}}, FileForm{"model", kTensors, {}},
        FileForm{"state_dict",
                 kTensors,
                 {"state_dict.bin: this is a training checkpoint, of which only \"state_dict\" is read"}},
        FileForm{"parameters", 13, {}}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(RealWeights, SafetensorsGiveTheSameTensors) {
    expectTensors(*openSafetensors(dataPath("checkpoints/whole.safetensors")), kTensors);
}

TEST(RealWeights, ShardsOfBothFormsGiveTheSameTensors) {
    FolderContents contents = listFolder(dataPath("checkpoints"));
    for (const char* form : {"model-", "pytorch_model-"}) {
        // The first form is found first: leave its files out of the list, then the second is.
        const Weights weights = openWeights(dataPath("checkpoints"), contents);
        EXPECT_TRUE(weights.files.back().starts_with(form));
        EXPECT_EQ(weights.files.size(), 3U);
        expectTensors(*weights.tensors, kTensors);
        std::erase_if(contents.files,
                      [](const auto& name) { return name.find("safetensors") != std::string::npos; });
        contents.files.erase("model.bin");
    }
    contents.files.erase("pytorch_model.bin.index.json");
    const Weights weights = openWeights(dataPath("checkpoints"), contents);
    expectTensors(*weights.tensors, kTensors);
    EXPECT_EQ(weights.notes, std::vector<std::string>{
                                 "pytorch_model.bin.index.json is missing: all 2 numbered files are read"});
}

std::string refusal(const char* name) {
    return sentenceOf([&] { openPytorch(dataPath("checkpoints") / name); });
}

TEST(RealPytorchFile, ProgramsAreRefusedByName) {
    const std::string end =
        "; nothing in the file was run; where you trust it, save its tensors alone: a model with "
        "save_pretrained, maps with torch.save as a list of tensors.";
    EXPECT_EQ(refusal("runs_a_command.bin"), "runs_a_command.bin: data.pkl: the pickle refers to "
                                             "\"posix.system\", expected plain tensors (at byte 169)" +
                                                 end);
    EXPECT_EQ(refusal("whole_module.bin"),
              "whole_module.bin: data.pkl: the pickle refers to "
              "\"torch.nn.modules.linear.Linear\", expected plain tensors (at byte 2)" +
                  end);
    EXPECT_EQ(refusal("torchscript.bin"), "torchscript.bin: the file is a TorchScript program, which would "
                                          "have to be run, expected plain tensors; save its "
                                          "tensors instead, of a model the state_dict.");
    EXPECT_EQ(refusal("tar.bin"), "tar.bin: the file is a tar archive, the form of PyTorch before 0.1.10, "
                                  "expected a file written by torch.save "
                                  "since; load it and save it again with a PyTorch of today.");
    EXPECT_FALSE(fs::exists("headscope-was-here"));
}

class PytorchFileTest : public testing::Test {
  protected:
    PytorchFile open(const std::string& bytes) const { return openPytorch(m_folder.write("x.bin", bytes)); }
    /// Without "x.bin: ".
    std::string sentence(const std::string& bytes) const {
        const std::string text = sentenceOf([&] { open(bytes); });
        return text.starts_with("x.bin: ") ? text.substr(7) : text;
    }

    TemporaryFolder m_folder;
};

/// A float matrix [rows, columns] of 0, 1, 2, ... in storage "0", seen through its transpose.
std::string transposedFile(std::int64_t rows, std::int64_t columns) {
    std::vector<float> values(static_cast<std::size_t>(rows * columns));
    std::iota(values.begin(), values.end(), 0.0F);
    return torchZip(oneTensor(tensor(storage("0", rows * columns), 0, counts({columns, rows}),
                                     counts({1, columns}))),
                    {bytesOf(values)})
        .bytes;
}

TEST_F(PytorchFileTest, AnyPieceOfATransposedMatrixIsRead) {
    const PytorchFile file = open(transposedFile(300, 7));
    const TensorInfo& tensor = file.tensors->tensors()[0];
    for (const std::int64_t first : {0, 1, 299, 300, 1000, 2099}) {
        std::vector<float> out(static_cast<std::size_t>(std::min<std::int64_t>(500, 2100 - first)));
        file.tensors->readFloats(tensor, first, out);
        for (std::size_t i = 0; i < out.size(); ++i) {
            const std::int64_t element = first + static_cast<std::int64_t>(i);
            ASSERT_EQ(out[i], static_cast<float>(element % 300 * 7 + element / 300));
        }
    }
}

TEST_F(PytorchFileTest, LongRunsAreReadInPlace) {
    // Columns 10 to 2009 of 3 rows of 3000.
    std::vector<float> values(9000);
    std::iota(values.begin(), values.end(), 0.0F);
    const PytorchFile file =
        open(torchZip(oneTensor(tensor(storage("0", 9000), 10, counts({3, 2000}), counts({3000, 1}))),
                      {bytesOf(values)})
                 .bytes);
    std::vector<float> out(3000);
    file.tensors->readFloats(file.tensors->tensors()[0], 1500, out);
    EXPECT_EQ(out[0], 1510.0F);
    EXPECT_EQ(out[499], 2009.0F);
    EXPECT_EQ(out[500], 3010.0F);
    EXPECT_EQ(out[2999], 6509.0F);
}

TEST_F(PytorchFileTest, SeveralThreadsReadDifferentTensors) {
    std::vector<std::string> storages;
    std::string entries;
    for (int i = 0; i < 8; ++i) {
        storages.push_back(bytesOf(std::vector<float>(1000, static_cast<float>(i))));
        entries += text(std::to_string(i)) +
                   tensor(storage(std::to_string(i), 1000), 0, counts({10, 100}), counts({1, 10}));
    }
    const PytorchFile file = open(torchZip(joined({"\x80\x02}(", entries, "u."}), storages).bytes);
    std::vector<std::thread> threads;
    std::array<int, 4> wrong{};
    for (std::size_t t = 0; t < wrong.size(); ++t)
        threads.emplace_back([&, t] {
            for (int round = 0; round < 50; ++round)
                for (std::size_t i = 0; i < 8; ++i) {
                    const std::size_t which = (i + t) % 8;
                    std::vector<float> out(1000);
                    file.tensors->readFloats(file.tensors->tensors()[which], 0, out);
                    wrong[t] += out != std::vector<float>(1000, static_cast<float>(which)) ? 1 : 0;
                    file.tensors->dropPages(file.tensors->tensors()[which]);
                }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, (std::array<int, 4>{}));
}

TEST_F(PytorchFileTest, FilesThatChangeAreNoticed) {
    const PytorchFile file = open(transposedFile(10, 10));
    m_folder.write("x.bin", transposedFile(10, 11));
    std::vector<float> out(100);
    EXPECT_EQ(sentenceOf([&] { file.tensors->readFloats(file.tensors->tensors()[0], 0, out); }),
              "x.bin: the file changed while it was open; open it again when it is complete.");
}

TEST_F(PytorchFileTest, DamagedCompressedDataAreFoundWhenTheyAreRead) {
    ZipPart packed = deflatedPart("archive/data/0", "abcdefgh");
    packed.stored[7] = 'X';
    const PytorchFile file =
        open(zipBytes({{.name = "archive/data.pkl", .stored = oneTensor(pair())}, packed}).bytes);
    std::array<std::byte, 8> out{};
    EXPECT_EQ(sentenceOf([&] { file.tensors->readRaw(file.tensors->tensors()[0], 0, 2, out); }),
              "x.bin: zip archive: the compressed data of \"archive/data/0\" do not unpack; the file is "
              "damaged or was made "
              "to mislead.");
}

TEST_F(PytorchFileTest, WhatStandsInItsPlaceIsNamed) {
    EXPECT_EQ(sentence(""),
              "the file is empty, expected a file written by torch.save; the download is incomplete: get the "
              "file again.");
    EXPECT_EQ(
        sentence("version https://git-lfs.github.com/spec/v1\nsize 9\n"),
        "the file is a Git LFS pointer (50 bytes of text), not weights; run \"git lfs pull\" in the folder.");
    EXPECT_EQ(sentence("<!DOCTYPE html><html>"),
              "the file is a web page (HTML), not weights; the download was answered by a "
              "login or error page: get the file again.");
    EXPECT_EQ(sentence("GGUF\x03"),
              "the file is a GGUF file, not weights; it was given another file's name.");
    EXPECT_EQ(sentence(program("}")),
              "the file is a plain pickle, expected a file written by torch.save; where you "
              "trust it, load it and save its tensors with torch.save.");
    EXPECT_EQ(sentence(safetensorsBytes("{}")), "the file is in the safetensors format, expected a file "
                                                "written by torch.save; name it model.safetensors.");
    EXPECT_EQ(sentence("hello"),
              "the file is of an unknown form, expected a file written by torch.save; the file is damaged "
              "or was made to mislead.");
}

TEST_F(PytorchFileTest, ArchivesOfOtherKindsAreRefused) {
    const ZipPart data{.name = "archive/data/0", .stored = "abcdefgh"};
    const ZipPart pickled{.name = "archive/data.pkl", .stored = oneTensor(pair())};
    EXPECT_EQ(sentence(zipBytes({data}).bytes),
              "the zip archive holds no data.pkl, expected a file written by torch.save.");
    EXPECT_EQ(
        sentence(
            zipBytes({{.name = "a/b/data.pkl", .stored = "x"}, {.name = "/data.pkl", .stored = "x"}}).bytes),
        "the zip archive holds no data.pkl, expected a file written by torch.save.");
    EXPECT_EQ(sentence(zipBytes({pickled, {.name = "b/data.pkl", .stored = "x"}}).bytes),
              "the zip archive holds two files data.pkl, expected one; the file is damaged or was made to "
              "mislead.");
    const std::string program =
        "the file is a TorchScript program, which would have to be run, expected plain tensors; save its "
        "tensors instead, of a model the state_dict.";
    EXPECT_EQ(sentence(zipBytes({pickled, data, {.name = "archive/constants.pkl", .stored = "x"}}).bytes),
              program);
    EXPECT_EQ(sentence(zipBytes({pickled, data, {.name = "archive/code/m.py", .stored = "x"}}).bytes),
              program);
    EXPECT_EQ(sentence(zipBytes({pickled, data, {.name = "archive/byteorder", .stored = "big"}}).bytes),
              "its byte order is \"big\", expected \"little\"; save it again on a machine of today.");
    EXPECT_EQ(
        sentence(
            zipBytes({pickled, data, {.name = "archive/byteorder", .stored = std::string(65, 'x')}}).bytes),
        "zip archive: \"archive/byteorder\" has 65 bytes, at most 64 are read; save it as "
        "safetensors.");
}

TEST_F(PytorchFileTest, StoragesMustBeThereAndWhole) {
    const std::string end = "; the file is damaged or was made to mislead.";
    EXPECT_EQ(sentence(torchZip(oneTensor(pair()), {}).bytes),
              "the storage \"0\" is not in the zip archive" + end);
    EXPECT_EQ(sentence(torchZip(oneTensor(pair()), {"abcdefg"}).bytes),
              "the storage \"0\" has 7 bytes, expected 8 for 2 elements of F32" + end);
    // 2.4 MB declared, 24 bytes there.
    EXPECT_EQ(sentence(torchZip(oneTensor(tensor(storage("0", 600'000), 0, counts({600'000}), counts({1}))),
                                {std::string(24, 'x')})
                           .bytes),
              "the storage \"0\" has 24 bytes, expected 2400000 for 600000 elements of F32" + end);
    EXPECT_EQ(sentence(torchZip(oneTensor(pair("../../0")), {"abcdefgh"}).bytes),
              "the storage \"../../0\" is not in the zip archive" + end);
    EXPECT_EQ(sentence(torchZip(oneTensor(pair("")), {"abcdefgh"}).bytes),
              "the storage \"\" is not in the zip archive" + end);
}

} // namespace
} // namespace headscope::test
