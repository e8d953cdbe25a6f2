// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/npy_source.h"
#include "core/checkpoint/numpy.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope {
namespace {

using test::sentenceOf;
using test::TemporaryFolder;
using ::testing::ElementsAre;

/// Version 1.0 with this dictionary, and what follows it.
std::string npy(const std::string& dictionary, const std::string& data) {
    std::string header = dictionary;
    header.resize(118, ' ');
    header.back() = '\n';
    return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + data;
}

std::string described(const std::string& type, const std::string& shape, bool fortran = false) {
    return "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") +
           ", 'shape': " + shape + ", }";
}

std::string floats(std::initializer_list<float> values) {
    return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(float)};
}

TEST(NpySource, IsOneArrayOfTheFilesName) {
    const TemporaryFolder folder;
    folder.write("scores.npy", npy(described("<f4", "(2, 3)"), floats({0, 1, 2, 3, 4, 5})));
    const auto source = openNpy(folder / "scores.npy");
    ASSERT_EQ(source->tensors().size(), 1U);
    EXPECT_EQ(source->tensors()[0].name, "scores");
    EXPECT_THAT(source->tensors()[0].shape, ElementsAre(2, 3));
    std::vector<float> values(3);
    source->readFloats(*source->find("scores"), 2, values);
    EXPECT_THAT(values, ElementsAre(2, 3, 4));
}

TEST(NpySource, FortranOrderIsTurned) {
    const TemporaryFolder folder;
    folder.write("a.npy", npy(described("<f4", "(2, 3)", true), floats({0, 3, 1, 4, 2, 5})));
    const auto source = openNpy(folder / "a.npy");
    std::vector<float> values(6);
    source->readFloats(*source->find("a"), 0, values);
    EXPECT_THAT(values, ElementsAre(0, 1, 2, 3, 4, 5));
    std::vector<float> part(2);
    source->readFloats(*source->find("a"), 3, part);
    EXPECT_THAT(part, ElementsAre(3, 4));
}

TEST(NpySource, WhatIsNoArrayOfNumbersIsRefused) {
    const TemporaryFolder folder;
    const auto sentence = [&](const std::string& bytes) {
        folder.write("a.npy", bytes);
        return sentenceOf([&] { openNpy(folder / "a.npy"); });
    };
    EXPECT_EQ(
        sentence(""),
        "a.npy: the file is empty, expected an .npy array; the download is incomplete: get the file again.");
    EXPECT_EQ(sentence("PK\x03\x04" + std::string(60, 'x')),
              "a.npy: the file is a zip archive, expected an .npy array; name it .npz.");
    EXPECT_EQ(sentence(std::string(64, 'x')),
              "a.npy: the file is of an unknown form, expected an .npy array; the "
              "file is damaged or was made to mislead.");
    EXPECT_EQ(sentence(npy(described("<U2", "(1,)"), std::string(8, '\0'))),
              "a.npy: it holds texts, expected an array of numbers.");
    for (const char* type : {"|O", ">f4", "<c8", "<M8[D]"})
        EXPECT_NE(sentence(npy(described(type, "(1,)"), std::string(16, '\0'))), "") << type;
    // Every beginning of a file, and shapes that do not fit what follows.
    const std::string whole = npy(described("<f4", "(2, 3)"), floats({0, 1, 2, 3, 4, 5}));
    for (std::size_t bytes = 0; bytes < whole.size(); ++bytes)
        EXPECT_NE(sentence(whole.substr(0, bytes)), "");
    for (const char* shape : {"(2, 4)", "(9223372036854775807, 2)", "(-1, 3)", "(4611686018427387904, 4)"})
        EXPECT_NE(sentence(npy(described("<f4", shape), floats({0, 1, 2, 3, 4, 5}))), "") << shape;
}

} // namespace
} // namespace headscope
