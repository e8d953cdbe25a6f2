// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"
#include "core/checkpoint/npz_source.h"
#include "core/checkpoint/numpy.h"
#include "tests/core/checkpoint/zip_bytes.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace headscope::test {
namespace {

using Shape = std::vector<std::int64_t>;

Json expected() {
    return parseJson(readBytes(dataPath("attention/types_expected.json")), "types_expected.json");
}

Shape shapeOf(const Json& array) {
    Shape shape;
    for (const Json& extent : array.find("shape")->items()) shape.push_back(extent.asInteger());
    return shape;
}

std::string hexOf(std::span<const std::byte> bytes) {
    std::string hex;
    for (const std::byte byte : bytes) hex += fmt::format("{:02x}", std::to_integer<int>(byte));
    return hex;
}

class NumpysFile : public ::testing::TestWithParam<const char*> {};

TEST_P(NumpysFile, HasTheNumbersThatNumpyHas) {
    const NpzContents file = openNpz(dataPath(GetParam()));
    const Json all = expected();
    const auto& arrays = all.find("arrays")->members();
    ASSERT_EQ(file.numbers->tensors().size(), arrays.size());
    for (const auto& [name, array] : arrays) {
        SCOPED_TRACE(name);
        const TensorInfo* tensor = file.numbers->find(name);
        ASSERT_NE(tensor, nullptr);
        EXPECT_EQ(tensor->shape, shapeOf(array));
        const auto size = static_cast<std::size_t>(sizeOf(tensor->dtype));
        std::vector<std::byte> bytes(static_cast<std::size_t>(tensor->elements) * size);
        file.numbers->readRaw(*tensor, 0, tensor->elements, bytes);
        EXPECT_EQ(hexOf(bytes), array.find("bytes")->asString());
        // Element by element, from the end: pieces need not come in order.
        for (std::int64_t i = tensor->elements; i-- > 0;) {
            std::vector<std::byte> one(size);
            file.numbers->readRaw(*tensor, i, 1, one);
            EXPECT_TRUE(
                std::equal(one.begin(), one.end(), bytes.begin() + i * static_cast<std::ptrdiff_t>(size)));
        }
        file.numbers->dropPages(*tensor);
    }
    EXPECT_EQ(file.numbers->find("type_bool")->dtype, DType::Bool);
    EXPECT_EQ(file.numbers->find("type_uint16")->dtype, DType::U16);
    EXPECT_EQ(file.numbers->find("type_int64")->dtype, DType::I64);
    EXPECT_EQ(file.numbers->find("type_float16")->dtype, DType::F16);
    EXPECT_EQ(file.numbers->find("type_float64")->dtype, DType::F64);
}

TEST_P(NumpysFile, HasTheTextsThatNumpyHas) {
    const NpzContents file = openNpz(dataPath(GetParam()));
    const Json all = expected();
    ASSERT_EQ(file.texts.size(), all.find("texts")->members().size());
    for (const auto& [name, array] : all.find("texts")->members()) {
        SCOPED_TRACE(name);
        std::vector<std::string> texts;
        for (const Json& text : array.find("texts")->items()) texts.push_back(text.asString());
        EXPECT_EQ(file.texts.at(name).texts, texts);
        EXPECT_EQ(file.texts.at(name).shape, shapeOf(array));
    }
}

INSTANTIATE_TEST_SUITE_P(All, NumpysFile,
                         ::testing::Values("attention/types.npz", "attention/types_packed.npz"),
                         [](const auto& row) {
                             return std::string(row.param).find("packed") == std::string::npos ? "Stored"
                                                                                               : "Deflated";
                         });

TEST(NpzSource, RefusesByNameWhatNumpyMayHold) {
    const auto sentence = [](const char* name) {
        return sentenceOf([&] { openNpz(dataPath(std::string("attention/") + name)); });
    };
    const auto starts = [&](const char* name, const std::string& start) {
        EXPECT_TRUE(sentence(name).starts_with(std::string(name) + ": array " + start)) << sentence(name);
    };
    starts("refused_object.npz", "\"meta\": it holds Python objects");
    starts("refused_records.npz", "\"records\": it holds records of several fields");
    starts("refused_big_endian.npz", "\"weights\": its type is \">f4\", big-endian");
    starts("refused_complex.npz", "\"weights\": its type is \"<c8\", complex numbers");
    starts("refused_date.npz", "\"weights\": its type is \"<M8[D]\"");
}

TEST(NpzSource, ReadsWhatTheWriterWrote) {
    const TemporaryFolder folder;
    const std::vector<float> values{1.0F, -2.5F, 3.0F, 0.0F, 5.0F, 6.0F};
    NpzEntry entry;
    entry.name = "t\u00f6kens/w.npy"; // only one ending is taken off
    entry.header = npyHeader(DType::F32, Shape{2, 3});
    entry.bytes = 24;
    entry.produce = [&](const auto& emit) { emit(std::as_bytes(std::span(values))); };
    writeNpz(folder / "a.npz", {entry});
    const NpzContents file = openNpz(folder / "a.npz");
    const TensorInfo* tensor = file.numbers->find("t\u00f6kens/w.npy");
    ASSERT_NE(tensor, nullptr);
    std::vector<float> read(4);
    file.numbers->readFloats(*tensor, 1, read);
    EXPECT_EQ(read, std::vector<float>(values.begin() + 1, values.begin() + 5));
}

std::string arrayOf(const std::string& type, const std::string& shape, const std::string& data) {
    const std::string dictionary =
        "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
    return pickle::joined({std::string("\x93NUMPY\x01\x00", 8),
                           pickle::raw(static_cast<std::uint16_t>(dictionary.size())), dictionary, data});
}

std::string sentenceOfFile(const std::string& bytes) {
    const TemporaryFolder folder;
    const auto path = folder.write("x.npz", bytes);
    return sentenceOf([&] { openNpz(path); });
}

TEST(NpzSource, LeavesOutEntriesThatAreNoArrays) {
    const TemporaryFolder folder;
    const auto path = folder.write("x.npz", zipBytes({{.name = "readme.txt", .stored = "hello"},
                                                      {.name = "empty.npy", .stored = ""},
                                                      {.name = "a", .stored = arrayOf("|u1", "(2,)", "ab")}})
                                                .bytes);
    const NpzContents file = openNpz(path);
    ASSERT_EQ(file.numbers->tensors().size(), 1U);
    EXPECT_EQ(file.numbers->tensors()[0].name, "a");
}

TEST(NpzSource, RefusesWhatStandsInItsPlace) {
    EXPECT_EQ(sentenceOfFile(""), "x.npz: the file is empty, expected an .npz archive; the download is "
                                  "incomplete: get the file again.");
    EXPECT_EQ(
        sentenceOfFile("<!DOCTYPE html>"),
        "x.npz: the file is a web page (HTML), not an .npz archive; the download was answered by a login "
        "or error page: get the file again.");
    EXPECT_EQ(sentenceOfFile(arrayOf("|u1", "(2,)", "ab")),
              "x.npz: the file is a single array (.npy), expected an .npz archive; give it the ending "
              ".npy.");
    EXPECT_EQ(sentenceOfFile("anything"),
              "x.npz: the file is of an unknown form, expected an .npz archive; the "
              "file is damaged or was made to mislead.");
    EXPECT_EQ(sentenceOfFile("PK\x03\x04"), "x.npz: zip archive: its directory is missing; the download is "
                                            "incomplete: get the file again.");
}

TEST(NpzSource, RefusesDamagedArchives) {
    const std::string array = arrayOf("|u1", "(2,)", "ab");
    EXPECT_EQ(
        sentenceOfFile(zipBytes({{.name = "a", .stored = array}, {.name = "a.npy", .stored = array}}).bytes),
        "x.npz: the name \"a\" stands twice; the file is damaged or was made to mislead.");
    EXPECT_EQ(
        sentenceOfFile(zipBytes({{.name = "a", .stored = array + "c"}}).bytes),
        "x.npz: array \"a\": 3 bytes of data follow its header, expected 2 for the shape [2]; the file is "
        "damaged or was made to mislead.");
    ZipPart broken = deflatedPart("a", array);
    broken.stored.resize(4);
    EXPECT_EQ(
        sentenceOfFile(zipBytes({broken}).bytes),
        "x.npz: zip archive: the compressed data of \"a\" do not unpack; the file is damaged or was made "
        "to mislead.");
    // The head unpacks; the checksum is compared when all is read.
    ZipPart other = deflatedPart("a", array);
    ++other.checksum;
    const TemporaryFolder folder;
    const auto path = folder.write("x.npz", zipBytes({other}).bytes);
    const std::string late = sentenceOf([&] {
        const NpzContents file = openNpz(path);
        std::vector<std::byte> bytes(2);
        file.numbers->readRaw(file.numbers->tensors()[0], 0, 2, bytes);
    });
    EXPECT_EQ(late,
              "x.npz: zip archive: the compressed data of \"a\" do not unpack; the file is damaged or was "
              "made to mislead.");
}

TEST(NpzSource, LimitsStopBombs) {
    // Deflate cannot pack tighter than 1032 to 1; what claims to is refused before anything is unpacked.
    ZipPart bomb = deflatedPart("a", arrayOf("|u1", "(2,)", "ab"));
    bomb.bytes = 4'000'000'000;
    EXPECT_EQ(
        sentenceOfFile(zipBytes({bomb}).bytes),
        fmt::format("x.npz: zip archive: \"a\" is said to unpack from {} bytes to 4000000000; the file is "
                    "damaged or was made to mislead.",
                    bomb.stored.size()));
    // A million texts of no width take no bytes at all.
    EXPECT_EQ(sentenceOfFile(zipBytes({{.name = "a", .stored = arrayOf("<U0", "(1000001,)", "")}}).bytes),
              "x.npz: array \"a\": it holds 1000001 texts, at most 1000000 are read.");
    const std::string half = arrayOf("|S33000000", "(1,)", std::string(33'000'000, 'a'));
    EXPECT_EQ(sentenceOfFile(zipBytes({{.name = "a", .stored = half}, {.name = "b", .stored = half}}).bytes),
              fmt::format("x.npz: array \"b\": with it the texts of the file take {} bytes, at most 64000000 "
                          "are read.",
                          2 * half.size()));
    std::vector<ZipPart> many;
    for (int i = 0; i < 10'001; ++i) many.push_back({.name = std::to_string(i), .stored = ""});
    EXPECT_EQ(sentenceOfFile(zipBytes(many).bytes), "x.npz: it holds 10001 entries, at most 10000 are read.");
}

TEST(NpzSource, TextsAreUtf8) {
    const auto text = [](const std::string& type, const std::string& data) {
        return sentenceOfFile(zipBytes({{.name = "a", .stored = arrayOf(type, "(1,)", data)}}).bytes);
    };
    EXPECT_EQ(text("<U1", pickle::raw(std::uint32_t{0xD800})),
              "x.npz: array \"a\": a text holds the number 0xd800, which is no character.");
    EXPECT_EQ(text("<U1", pickle::raw(std::uint32_t{0x110000})),
              "x.npz: array \"a\": a text holds the number 0x110000, which is no character.");
    EXPECT_NE(text("|S2", "\xff\xfe"), "");
    EXPECT_EQ(text("<U1", pickle::raw(std::uint32_t{0x10FFFF})), "");
}

TEST(NpzSource, AFileThatChangesWhileItIsOpenIsRefused) {
    const TemporaryFolder folder;
    const auto path = folder / "x.npz";
    std::filesystem::copy_file(dataPath("attention/types_packed.npz"), path);
    const NpzContents file = openNpz(path);
    folder.write("x.npz", "something else");
    std::vector<std::byte> bytes(8);
    EXPECT_EQ(sentenceOf([&] { file.numbers->readRaw(*file.numbers->find("scalar"), 0, 1, bytes); }),
              "x.npz: the file changed while it was open; open it again when it is complete.");
}

} // namespace
} // namespace headscope::test
