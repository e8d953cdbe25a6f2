// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/safetensors.h"
#include "tests/core/checkpoint/safetensors_bytes.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <array>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limits>

namespace headscope::test {
namespace {

/// Writes `values` as the tensor "w" of the given type and reads them as float32.
template <typename T>
std::vector<float> readAs(std::string_view dtype, const std::vector<T>& values) {
    const TemporaryFolder folder;
    const std::string data = bytesOf(values);
    const auto source = openSafetensors(folder.write(
        "model.safetensors",
        safetensorsBytes(fmt::format(R"({{"w":{{"dtype":"{}","shape":[{}],"data_offsets":[0,{}]}}}})", dtype,
                                     values.size(), data.size()),
                         data)));
    std::vector<float> floats(values.size());
    source->readFloats(source->tensors()[0], 0, floats);
    return floats;
}

using Halves = std::vector<std::uint16_t>;

TEST(ReadFloats, WidensF16ByHand) {
    // 1, -2, the largest, the smallest normal, the smallest subnormal, the largest subnormal, 0, -0, 1/3
    // rounded.
    const Halves halves{0x3c00, 0xc000, 0x7bff, 0x0400, 0x0001, 0x03ff, 0x0000, 0x8000, 0x3555};
    const std::vector<float> expected{1.0F, -2.0F, 65504.0F,       0x1p-14F, 0x1p-24F, 1023 * 0x1p-24F,
                                      0.0F, -0.0F, 0.333251953125F};
    const std::vector<float> read = readAs("F16", halves);
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_EQ(std::bit_cast<std::uint32_t>(read[i]), std::bit_cast<std::uint32_t>(expected[i])) << i;
}

TEST(ReadFloats, WidensEveryFiniteF16Exactly) {
    Halves halves;
    std::vector<float> expected;
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        const int exponent = static_cast<int>((bits >> 10U) & 0x1fU);
        const int mantissa = static_cast<int>(bits & 0x3ffU);
        if (exponent == 31) continue;
        halves.push_back(static_cast<std::uint16_t>(bits));
        const double magnitude =
            exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
        expected.push_back(static_cast<float>((bits & 0x8000U) != 0 ? -magnitude : magnitude));
    }
    const std::vector<float> read = readAs("F16", halves);
    ASSERT_EQ(read.size(), 63488U);
    for (std::size_t i = 0; i < read.size(); ++i)
        ASSERT_EQ(std::bit_cast<std::uint32_t>(read[i]), std::bit_cast<std::uint32_t>(expected[i]))
            << halves[i];
}

TEST(ReadFloats, WidensBF16ByShifting) {
    // 1, -3.140625, the smallest subnormal, the largest, -0.
    const std::vector<float> read = readAs("BF16", Halves{0x3f80, 0xc049, 0x0001, 0x7f7f, 0x8000});
    const std::vector<std::uint32_t> bits{0x3f800000, 0xc0490000, 0x00010000, 0x7f7f0000, 0x80000000};
    for (std::size_t i = 0; i < bits.size(); ++i)
        EXPECT_EQ(std::bit_cast<std::uint32_t>(read[i]), bits[i]) << i;
}

TEST(ReadFloats, RoundsF64ToNearest) {
    const std::vector<double> values{0.1, 1.0 + 0x1p-24, 1.0 + 0x1.8p-23, -1e-50, 3.4028234e38};
    EXPECT_EQ(readAs("F64", values),
              (std::vector<float>{0.1F, 1.0F, 1.0F + 0x1p-22F, -0.0F, std::numeric_limits<float>::max()}));
}

TEST(ReadFloats, LongTensorsAreWidenedInPieces) {
    std::vector<double> values(200'001);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
    const std::vector<float> read = readAs("F64", values);
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(read[i], static_cast<float>(i));
}

TEST(ReadFloats, NonFiniteWeightsAreRefusedByName) {
    const auto sentence = [](std::string_view dtype, const auto& values) {
        return sentenceOf([&] { readAs(dtype, values); });
    };
    const float infinity = std::numeric_limits<float>::infinity();
    EXPECT_EQ(sentence("F32", std::vector<float>{1, 2, NAN}),
              "model.safetensors: tensor \"w\": element 2 is NaN, expected finite weights.");
    EXPECT_EQ(sentence("F32", std::vector<float>{infinity}),
              "model.safetensors: tensor \"w\": element 0 is infinity, expected finite weights.");
    EXPECT_EQ(sentence("F16", Halves{0, 0xfc00}),
              "model.safetensors: tensor \"w\": element 1 is -infinity, expected finite weights.");
    EXPECT_EQ(sentence("F16", Halves{0x7e00}),
              "model.safetensors: tensor \"w\": element 0 is NaN, expected finite weights.");
    EXPECT_EQ(sentence("BF16", Halves{0x7f80}),
              "model.safetensors: tensor \"w\": element 0 is infinity, expected finite weights.");
    EXPECT_EQ(sentence("BF16", Halves{0, 0, 0, 0xffc1}),
              "model.safetensors: tensor \"w\": element 3 is NaN, expected finite weights.");
    EXPECT_EQ(sentence("F64", std::vector<double>{-1e300}),
              "model.safetensors: tensor \"w\": element 0 is -1e+300, expected weights that fit float32.");
    std::vector<float> late(100'000, 1.0F);
    late[99'999] = -infinity;
    EXPECT_EQ(sentence("F32", late),
              "model.safetensors: tensor \"w\": element 99999 is -infinity, expected finite weights.");
}

TEST(ReadFloats, IntegersAreNoWeights) {
    EXPECT_EQ(sentenceOf([] { readAs("I64", std::vector<std::int64_t>{1}); }),
              "model.safetensors: tensor \"w\": its type is I64, expected F16, BF16, F32 or F64.");
}

TEST(DTypes, NamesAndSizesAgreeWithTheFormat) {
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 13> kAll{{{"BOOL", 1},
                                                                              {"U8", 1},
                                                                              {"I8", 1},
                                                                              {"I16", 2},
                                                                              {"U16", 2},
                                                                              {"I32", 4},
                                                                              {"U32", 4},
                                                                              {"I64", 8},
                                                                              {"U64", 8},
                                                                              {"F16", 2},
                                                                              {"BF16", 2},
                                                                              {"F32", 4},
                                                                              {"F64", 8}}};
    for (const auto& [name, bytes] : kAll) {
        const auto type = dtypeOf(name);
        ASSERT_TRUE(type.has_value()) << name;
        EXPECT_EQ(nameOf(*type), name);
        EXPECT_EQ(sizeOf(*type), bytes);
    }
    EXPECT_FALSE(dtypeOf("f32").has_value());
    EXPECT_FALSE(dtypeOf("").has_value());
}

TEST(ShapeText, ShowsExtentsAndCutsEndlessOnes) {
    EXPECT_EQ(shapeText(std::vector<std::int64_t>{384, 30522}), "[384, 30522]");
    EXPECT_EQ(shapeText(std::vector<std::int64_t>{}), "[]");
    EXPECT_EQ(shapeText(std::vector<std::int64_t>(1000, 1)),
              "[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, ...]");
}

TEST(MemoryTensorSource, GivesBackWhatWasAdded) {
    MemoryTensorSource source;
    source.add("a", {2, 2}, {1, 2, 3, 4});
    source.add("b", {}, {5});
    source.add("none", {0, 3}, {});
    ASSERT_EQ(source.tensors().size(), 3U);
    EXPECT_EQ(source.find("c"), nullptr);
    std::array<float, 2> part{};
    source.readFloats(*source.find("a"), 2, part);
    EXPECT_EQ(part, (std::array<float, 2>{3, 4}));
    std::array<float, 1> one{};
    source.readFloats(*source.find("b"), 0, one);
    EXPECT_EQ(one[0], 5.0F);
    source.readFloats(*source.find("none"), 0, {});
}

TEST(MemoryTensorSourceDeathTest, ReadingPastTheEndIsAProgrammersError) {
    MemoryTensorSource source;
    source.add("a", {2}, {1, 2});
    std::array<float, 2> out{};
    EXPECT_DEATH(source.readFloats(*source.find("a"), 1, out), "this should hold");
    EXPECT_DEATH(source.add("a", {1}, {1}), "this should hold");
    EXPECT_DEATH(source.add("b", {3}, {1}), "this should hold");
}

} // namespace
} // namespace headscope::test
