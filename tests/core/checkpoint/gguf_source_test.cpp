// SPDX-License-Identifier: GPL-3.0-or-later
// tests/data/gguf/types.*: blocks of every type, and what gguf.quants makes of them.
#include "core/checkpoint/gguf/gguf_source.h"
#include "core/checkpoint/gguf/viewed_source.h"
#include "core/checkpoint/safetensors.h"
#include "tests/core/checkpoint/gguf_bytes_builder.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <bit>
#include <gtest/gtest.h>

namespace headscope::test {
namespace {

std::vector<float> floatsOf(const TensorSource& source, const TensorInfo& tensor, std::int64_t first,
                            std::int64_t count) {
    std::vector<float> values(static_cast<std::size_t>(count));
    source.readFloats(tensor, first, values);
    return values;
}

class GgufTypes : public ::testing::TestWithParam<std::string> {
  protected:
    GgufSource m_source{dataPath("gguf/types.gguf")};
    std::shared_ptr<const TensorSource> m_expected = openSafetensors(dataPath("gguf/types.safetensors"));
};
INSTANTIATE_TEST_SUITE_P(All, GgufTypes,
                         ::testing::Values("F32", "F16", "BF16", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0",
                                           "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K"),
                         [](const auto& parameter) { return parameter.param; });

TEST_P(GgufTypes, EqualTheReferenceToTheBit) {
    const TensorInfo* tensor = m_source.find(GetParam());
    const TensorInfo* expected = m_expected->find(GetParam());
    ASSERT_NE(tensor, nullptr);
    ASSERT_EQ(tensor->shape, expected->shape);
    EXPECT_EQ(m_source.stored(*tensor).type->name, GetParam());
    const std::vector<float> ours = floatsOf(m_source, *tensor, 0, tensor->elements);
    const std::vector<float> theirs = floatsOf(*m_expected, *expected, 0, tensor->elements);
    for (std::size_t i = 0; i < ours.size(); ++i)
        ASSERT_EQ(std::bit_cast<std::uint32_t>(ours[i]), std::bit_cast<std::uint32_t>(theirs[i])) << i;
}

/// A piece may begin and end inside a block.
TEST_P(GgufTypes, AnyPieceIsThatOfTheWhole) {
    const TensorInfo& tensor = *m_source.find(GetParam());
    const std::vector<float> all = floatsOf(m_source, tensor, 0, tensor.elements);
    for (const std::int64_t first : {std::int64_t{0}, std::int64_t{1}, tensor.elements / 2 - 1})
        for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, tensor.elements / 2}) {
            const std::vector<float> piece = floatsOf(m_source, tensor, first, count);
            const auto from = all.begin() + first;
            EXPECT_EQ(piece, std::vector<float>(from, from + count)) << first << ", " << count;
        }
}

TEST(GgufSource, ScalesThatAreNoNumbersAreRefused) {
    const TemporaryFolder folder;
    GgufBuilder builder;
    std::string block(34, '\1');
    block[1] = '\x7e'; // the scale 0x7e01 is NaN
    builder.tensor("a.weight", {32}, 8, std::string(34, '\1') + block);
    builder.tensors.back().extents = {32, 2};
    const GgufSource source(folder.write("a.gguf", builder.bytes()));
    const TensorInfo& tensor = *source.find("a.weight");
    EXPECT_EQ(tensor.shape, (std::vector<std::int64_t>{2, 32}));
    EXPECT_EQ(sentenceOf([&] { floatsOf(source, tensor, 0, 64); }),
              "a.gguf: tensor \"a.weight\": element 32 is NaN, expected finite weights.");
    EXPECT_EQ(floatsOf(source, tensor, 0, 32).size(), 32U);
}

TEST(GgufSource, AFileThatChangesIsNotReadOn) {
    const TemporaryFolder folder;
    GgufBuilder builder;
    builder.tensor("a", {4}, 0, std::string(16, '\0'));
    const auto path = folder.write("a.gguf", builder.bytes());
    const GgufSource source(path);
    folder.write("a.gguf", builder.bytes() + "x");
    EXPECT_EQ(sentenceOf([&] { floatsOf(source, *source.find("a"), 0, 4); }),
              "a.gguf: the file changed while it was open; open it again when it is complete.");
}

TEST(ViewedSource, RowsAreReadInTheViewsOrder) {
    const auto order = [](std::vector<std::int64_t> rows) {
        return std::make_shared<const std::vector<std::int64_t>>(std::move(rows));
    };
    auto memory = std::make_shared<MemoryTensorSource>();
    memory->add("rows", {4, 2}, {0, 1, 10, 11, 20, 21, 30, 31});
    memory->add("norm", {3}, {1, 2, 3});
    const auto views = viewTensors(memory, {{"turned", "rows", {4, 2}, order({2, 3, 0, 1}), 0.0F},
                                            {"mixed", "rows", {4, 2}, order({3, 1, 0, 2}), 0.0F},
                                            {"shifted", "norm", {3}, nullptr, -1.0F}});
    EXPECT_EQ(views->tensors().size(), 3U);
    EXPECT_EQ(views->find("rows"), nullptr);
    EXPECT_EQ(floatsOf(*views, *views->find("turned"), 0, 8),
              (std::vector<float>{20, 21, 30, 31, 0, 1, 10, 11}));
    EXPECT_EQ(floatsOf(*views, *views->find("mixed"), 0, 8),
              (std::vector<float>{30, 31, 10, 11, 0, 1, 20, 21}));
    EXPECT_EQ(floatsOf(*views, *views->find("mixed"), 1, 4), (std::vector<float>{31, 10, 11, 0}));
    EXPECT_EQ(floatsOf(*views, *views->find("mixed"), 7, 1), (std::vector<float>{21}));
    EXPECT_EQ(floatsOf(*views, *views->find("shifted"), 1, 2), (std::vector<float>{1, 2}));
}

} // namespace
} // namespace headscope::test
