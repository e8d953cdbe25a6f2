// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/npy_source.h"
#include "core/checkpoint/numpy.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope {
namespace {

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

} // namespace
} // namespace headscope
