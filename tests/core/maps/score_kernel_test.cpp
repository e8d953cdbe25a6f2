// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/maps/score_kernel.h"
#include "tests/core/maps/layer_fixture.h"

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>

namespace headscope {
namespace {

constexpr float kLowestNormal = std::numeric_limits<float>::min();

/// exp(x) as the kernel computes it: a weight whose row has m = 0 and l = 1.
std::vector<float> kernelExp(std::vector<float> x, Isa isa) {
    const auto count = static_cast<std::int64_t>(x.size());
    const RowNormaliser one{0.0F, 1.0F};
    weightsFromScores(openMask(1, count), {{0, 1}, {0, count}}, &one, {x.data(), 1, count}, isa);
    return x;
}

TEST(Isa, ScalarIsAlwaysThereAndTheBestIsSupported) {
    EXPECT_TRUE(isSupported(Isa::Scalar));
    EXPECT_TRUE(isSupported(bestIsa()));
    EXPECT_EQ(nameOf(Isa::Scalar), "scalar");
    EXPECT_EQ(nameOf(Isa::Avx2), "avx2");
    EXPECT_EQ(nameOf(Isa::Avx512), "avx512");
}

TEST(IsaDeathTest, TheEnvironmentLowersIt) {
    // A fresh process each: the choice is made once.
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    const auto chosenWith = [](const char* wish) {
        setenv("HEADSCOPE_ISA", wish, 1);
        std::exit(static_cast<int>(bestIsa()));
    };
    unsetenv("HEADSCOPE_ISA");
    const auto best = static_cast<int>(supportedIsas().back());
    EXPECT_EXIT(chosenWith("scalar"), testing::ExitedWithCode(0), "");
    EXPECT_EXIT(chosenWith("avx2"), testing::ExitedWithCode(std::min(best, 1)), "");
    EXPECT_EXIT(chosenWith("avx512"), testing::ExitedWithCode(best), "");
    EXPECT_EXIT(chosenWith("something else"), testing::ExitedWithCode(best), "");
}

class KernelExp : public testing::TestWithParam<Isa> {};
INSTANTIATE_TEST_SUITE_P(Every, KernelExp, testing::ValuesIn(supportedIsas()),
                         [](const auto& about) { return std::string(nameOf(about.param)); });

TEST_P(KernelExp, IsWithinOneUlpOverTheWholeRange) {
    std::vector<float> x;
    for (float value = -87.33F; value < 0.0F; value += 0.00037F) x.push_back(value);
    for (float value = 0.5F; value > 1e-9F; value *= 0.97F) x.push_back(-value);
    const std::vector<float> y = kernelExp(x, GetParam());
    double worst = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double exact = std::exp(static_cast<double>(x[i]));
        const auto rounded = static_cast<float>(exact);
        const double ulp = static_cast<double>(std::nextafter(rounded, 2.0F)) - rounded;
        worst = std::max(worst, std::abs(y[i] - exact) / ulp);
    }
    EXPECT_LT(worst, 1.0);
    RecordProperty("worst_ulp", std::to_string(worst));
}

TEST_P(KernelExp, IsOneAtZeroAndZeroBelowTheNormalNumbers) {
    EXPECT_EQ(kernelExp({0.0F, -0.0F}, GetParam()), (std::vector<float>{1.0F, 1.0F}));
    std::vector<float> x;
    for (float value = -87.0F; value > -104.5F; value -= 0.0009F) x.push_back(value);
    // The two floats on either side of ln 2^-126, and far out.
    for (const float value : {-87.33654F, -87.336548F, -150.0F, -1e3F, -1e9F, -3e38F}) x.push_back(value);
    x.push_back(-std::numeric_limits<float>::infinity());
    const std::vector<float> y = kernelExp(x, GetParam());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double exact = std::exp(static_cast<double>(x[i]));
        if (exact < static_cast<double>(kLowestNormal))
            EXPECT_EQ(y[i], 0.0F) << x[i];
        else
            EXPECT_NEAR(y[i], exact, exact * 1.2e-7) << x[i];
        EXPECT_TRUE(y[i] == 0.0F || y[i] >= kLowestNormal) << x[i];
    }
}

TEST_P(KernelExp, KeepsNaN) {
    EXPECT_TRUE(std::isnan(kernelExp({std::nanf("")}, GetParam())[0]));
}

TEST_P(KernelExp, SoftmaxOfHandComputedScores) {
    // exp of 0, ln 2, ln 4 is 1, 2, 4: weights 1/7, 2/7, 4/7.
    const float ln2 = std::log(2.0F);
    std::vector<float> row = {0.0F, ln2, 2 * ln2};
    RowSums sums;
    softmaxRows({openMask(1, 3)}, {0, 1}, {row.data(), 1, 3}, &sums, GetParam());
    EXPECT_NEAR(row[0], 1.0 / 7, 1e-7);
    EXPECT_NEAR(row[1], 2.0 / 7, 1e-7);
    EXPECT_NEAR(row[2], 4.0 / 7, 1e-7);
    EXPECT_EQ(sums.normaliser.maximum, 2 * ln2);
    EXPECT_NEAR(sums.normaliser.sum, 1.75, 1e-7);
    EXPECT_NEAR(sums.weightedScore, -0.25 * std::log(4.0) - 0.5 * std::log(2.0), 1e-7);
    EXPECT_NEAR(sums.weightSum, 1.0, 1e-7);
    EXPECT_NEAR(sums.scoreSum, -3 * std::log(2.0), 1e-6);
    EXPECT_NEAR(sums.scoreSquares, 5 * std::log(2.0) * std::log(2.0), 1e-6);
    const double entropy = std::log(7.0 / 4) - sums.weightedScore / 1.75;
    EXPECT_NEAR(entropy, std::log(7.0) - (2 * std::log(2.0) + 4 * std::log(4.0)) / 7, 1e-6);
}

TEST_P(KernelExp, ScoresNearOneThousandKeepTheirPrecision) {
    std::vector<float> row = {1000.0F, 999.0F, 1001.0F, -1000.0F};
    RowSums sums;
    softmaxRows({openMask(1, 4)}, {0, 1}, {row.data(), 1, 4}, &sums, GetParam());
    const double total = 1.0 + std::exp(-1.0) + std::exp(-2.0);
    EXPECT_NEAR(row[2], 1.0 / total, 1e-7);
    EXPECT_NEAR(row[0], std::exp(-1.0) / total, 1e-7);
    EXPECT_NEAR(row[1], std::exp(-2.0) / total, 1e-7);
    EXPECT_EQ(row[3], 0.0F);
}

TEST_P(KernelExp, HiddenCellsAreNeverRead) {
    MaskRule mask = openMask(2, 40);
    mask.keyAllowed.assign(40, 0);
    for (const std::size_t key : {1U, 2U, 17U, 39U}) mask.keyAllowed[key] = 1;
    std::vector<float> strip(80, std::nanf(""));
    for (const std::size_t key : {1U, 2U, 17U, 39U}) strip[key] = 3.0F;
    for (const std::size_t key : {1U, 2U, 17U, 39U}) strip[40 + key] = -2.0F;
    std::vector<RowSums> sums(2);
    softmaxRows({mask}, {0, 2}, {strip.data(), 2, 40}, sums.data(), GetParam());
    for (std::size_t i = 0; i < strip.size(); ++i)
        EXPECT_EQ(strip[i], mask.keyAllowed[i % 40] != 0 ? 0.25F : 0.0F) << i;
    EXPECT_EQ(sums[1].normaliser.sum, 4.0F);
}

TEST_P(KernelExp, ARowThatSeesNothingIsAllZeros) {
    MaskRule mask = openMask(1, 20);
    mask.keyAllowed.assign(20, 0);
    std::vector<float> strip(20, std::nanf(""));
    RowSums sums;
    softmaxRows({mask}, {0, 1}, {strip.data(), 1, 20}, &sums, GetParam());
    EXPECT_EQ(strip, std::vector<float>(20, 0.0F));
    EXPECT_EQ(sums.normaliser.maximum, -std::numeric_limits<float>::infinity());
    EXPECT_EQ(sums.normaliser.sum, 0.0F);
    EXPECT_EQ(sums.weightedScore, 0.0);
    EXPECT_EQ(sums.weightSum, 0.0);
}

TEST_P(KernelExp, ScoresAreScaledDotProducts) {
    const std::vector<float> q = {1, 2, 3, 4, 5, 6};
    const std::vector<float> k = {1, 0, -1, 2, 2, 2, 0, 0, 1};
    const KeyPanels panels({k.data(), 3, 3});
    std::vector<float> out(6);
    scoreBlock({{q.data(), 2, 3}, panels, 0.5F}, {{0, 2}, {0, 3}}, {out.data(), 2, 3}, GetParam());
    EXPECT_EQ(out, (std::vector<float>{-1, 6, 1.5, -1, 15, 3}));
}

TEST_P(KernelExp, WeightsTimesValuesByHandAndInDouble) {
    const std::vector<float> weights = {0.25F, 0.75F, 0.5F, 0.5F};
    const std::vector<float> v = {4, 8, -4, 0};
    std::vector<float> out(4, std::nanf(""));
    const ValueRows rows({v.data(), 2, 2});
    const MaskRule two = openMask(2, 2);
    mixValues({two, {0, 2}, {weights.data(), 2, 2}}, rows, {out.data(), 2, 2}, GetParam());
    EXPECT_EQ(out, (std::vector<float>{-2, 2, 0, 4}));

    for (const std::int64_t size : {1, 15, 16, 64, 70, 130}) {
        const std::int64_t keys = 600;
        const std::vector<float> a = randomNumbers(7 * keys, 3);
        const std::vector<float> b = randomNumbers(keys * size, 4);
        std::vector<float> product(static_cast<std::size_t>(7 * size));
        const MaskRule mask = openMask(7, keys);
        mixValues({mask, {0, 7}, {a.data(), 7, keys}}, ValueRows({b.data(), keys, size}),
                  {product.data(), 7, size}, GetParam());
        for (std::int64_t r = 0; r < 7; ++r)
            for (std::int64_t c = 0; c < size; ++c) {
                double exact = 0.0;
                for (std::int64_t i = 0; i < keys; ++i)
                    exact += static_cast<double>(a[static_cast<std::size_t>(r * keys + i)]) *
                             b[static_cast<std::size_t>(i * size + c)];
                EXPECT_NEAR(product[static_cast<std::size_t>(r * size + c)], exact,
                            1e-4); // 600 products of order 1
            }
    }
}

struct Shape {
    std::int64_t queries;
    std::int64_t keys;
    std::int64_t headSize;
};

/// Sizes on both sides of every block: 16 lanes, 4 panels, 256-key sums, 4- and 6-row tiles.
std::vector<Shape> oddShapes() {
    std::vector<Shape> shapes;
    for (const std::int64_t keys : {1, 2, 7, 15, 16, 17, 31, 33, 63, 65, 255, 257})
        shapes.push_back({keys, keys, 32});
    for (const std::int64_t headSize : {1, 3, 8, 64, 80, 128}) shapes.push_back({13, 65, headSize});
    shapes.push_back({5, 600, 16});
    return shapes;
}

std::vector<MaskRule> masksFor(const Shape& shape) {
    const MaskRule open = openMask(shape.queries, shape.keys);
    MaskRule causal = open;
    causal.causal = true;
    MaskRule window = open;
    window.window = 5;
    MaskRule scattered = open;
    std::mt19937 random(11);
    std::vector<std::uint8_t> allowed;
    for (std::int64_t c = 0; c < shape.queries * shape.keys; ++c) allowed.push_back(random() % 3 != 0);
    scattered.allowed = std::make_shared<const std::vector<std::uint8_t>>(std::move(allowed));
    return {open, causal, window, scattered};
}

TEST(ScoreKernel, EveryInstructionSetGivesTheSameBits) {
    for (const Shape& shape : oddShapes()) {
        for (const MaskRule& mask : masksFor(shape)) {
            const BuiltLayer reference = buildLayer(mask, {1, 1, shape.headSize, 2.0F}, Isa::Scalar);
            const std::vector<float> v = randomNumbers(shape.keys * shape.headSize, 5);
            const ValueRows values({v.data(), shape.keys, shape.headSize});
            const auto mixed = [&](const BuiltLayer& built, Isa isa) {
                std::vector<float> out(static_cast<std::size_t>(shape.queries * shape.headSize));
                mixValues({mask, {0, shape.queries}, {built.strips[0].data(), shape.queries, shape.keys}},
                          values, {out.data(), shape.queries, shape.headSize}, isa);
                return bitsOf(out);
            };
            const auto expected = mixed(reference, Isa::Scalar);
            for (const Isa isa : supportedIsas()) {
                SCOPED_TRACE(std::string(nameOf(isa)) + " keys " + std::to_string(shape.keys));
                const BuiltLayer other = buildLayer(mask, {1, 1, shape.headSize, 2.0F}, isa);
                ASSERT_EQ(bitsOf(other.strips[0]), bitsOf(reference.strips[0]));
                for (std::size_t r = 0; r < other.sums[0].size(); ++r) {
                    const RowSums& a = other.sums[0][r];
                    const RowSums& b = reference.sums[0][r];
                    ASSERT_EQ(a.normaliser.maximum, b.normaliser.maximum);
                    ASSERT_EQ(a.normaliser.sum, b.normaliser.sum);
                    ASSERT_EQ(a.weightedScore, b.weightedScore);
                    ASSERT_EQ(a.weightSum, b.weightSum);
                    ASSERT_EQ(a.scoreSum, b.scoreSum);
                    ASSERT_EQ(a.scoreSquares, b.scoreSquares);
                }
                ASSERT_EQ(mixed(other, isa), expected);
            }
        }
    }
}

TEST(ScoreKernel, StripTileRowColumnAndCellAreEqualToTheBit) {
    std::mt19937 random(3);
    const auto below = [&](std::int64_t n) {
        return static_cast<std::int64_t>(random() % static_cast<unsigned>(n));
    };
    for (const Shape& shape : oddShapes()) {
        for (const MaskRule& mask : masksFor(shape)) {
            const BuiltLayer built = buildLayer(mask, {2, 1, shape.headSize, 2.0F});
            for (int head = 0; head < 2; ++head) {
                SCOPED_TRACE("keys " + std::to_string(shape.keys));
                const auto map = built.map(head);
                const MatrixView<const float> strip(built.strips[static_cast<std::size_t>(head)].data(),
                                                    shape.queries, shape.keys);
                for (int trial = 0; trial < 6; ++trial) {
                    Span rows{below(shape.queries), 0};
                    Span columns{below(shape.keys), 0};
                    rows.end = rows.begin + 1 + below(shape.queries - rows.begin);
                    columns.end = columns.begin + 1 + below(shape.keys - columns.begin);
                    std::vector<float> tile(static_cast<std::size_t>(rows.size() * columns.size()), NAN);
                    const MatrixView<float> out(tile.data(), rows.size(), columns.size());
                    map->tile(rows, columns, out);
                    for (std::int64_t r = 0; r < rows.size(); ++r)
                        for (std::int64_t c = 0; c < columns.size(); ++c)
                            ASSERT_EQ(out.at(r, c), strip.at(rows.begin + r, columns.begin + c));
                    ASSERT_EQ(map->cell(rows.begin, columns.begin), strip.at(rows.begin, columns.begin));
                    const std::vector<float> row = map->row(rows.begin);
                    const std::vector<float> column = map->column(columns.begin);
                    for (std::int64_t k = 0; k < shape.keys; ++k)
                        ASSERT_EQ(row[static_cast<std::size_t>(k)], strip.at(rows.begin, k));
                    for (std::int64_t q = 0; q < shape.queries; ++q)
                        ASSERT_EQ(column[static_cast<std::size_t>(q)], strip.at(q, columns.begin));
                }
                std::vector<float> pooled(static_cast<std::size_t>(shape.queries * shape.keys), NAN);
                map->pooled({0, shape.queries}, {0, shape.keys}, map->extent(), Pooling::Max,
                            {pooled.data(), shape.queries, shape.keys});
                ASSERT_EQ(bitsOf(pooled), bitsOf(built.strips[static_cast<std::size_t>(head)]));
            }
        }
    }
}

TEST(ScoreKernel, StripsOfAnySizeGiveTheSameBits) {
    MaskRule mask = openMask(100, 300);
    mask.causal = true;
    mask.queryOffset = 50;
    const BuiltLayer whole = buildLayer(mask, {1, 1, 24});
    const LayerMaps& layer = *whole.layer;
    const ScoreSource source = layer.sourceOf(HeadIndex(0));
    for (const std::int64_t step : {1, 5, 6, 7, 48}) {
        std::vector<float> weights(100 * 300, NAN);
        std::vector<RowSums> sums(100);
        for (std::int64_t row = 0; row < 100; row += step) {
            const Span rows{row, std::min<std::int64_t>(row + step, 100)};
            const MatrixView<float> strip(weights.data() + row * 300, rows.size(), 300);
            scoreVisible(source, mask, {rows, {0, 300}}, strip);
            softmaxRows({mask}, rows, strip, sums.data() + row);
        }
        EXPECT_EQ(bitsOf(weights), bitsOf(whole.strips[0])) << step;
        EXPECT_EQ(sums[99].weightedScore, whole.sums[0][99].weightedScore);
    }
}

TEST(ScoreKernel, WeightsAgreeWithDoublePrecision) {
    MaskRule mask = openMask(40, 300);
    mask.causal = true;
    mask.queryOffset = 260;
    const BuiltLayer built = buildLayer(mask, {1, 1, 64, 2.0F});
    const std::vector<float> q = randomNumbers(40 * 64, 1, 2.0F);
    const std::vector<float> k = randomNumbers(300 * 64, 2, 2.0F);
    for (std::int64_t i = 0; i < 40; ++i) {
        std::vector<double> exact(300, 0.0);
        double largest = -HUGE_VAL;
        for (std::int64_t j = 0; j <= i + 260 && j < 300; ++j) {
            double dot = 0.0;
            for (std::int64_t d = 0; d < 64; ++d)
                dot += static_cast<double>(q[static_cast<std::size_t>(i * 64 + d)]) *
                       k[static_cast<std::size_t>(j * 64 + d)];
            exact[static_cast<std::size_t>(j)] = dot / 8.0;
            largest = std::max(largest, dot / 8.0);
        }
        double total = 0.0;
        double weighted = 0.0;
        for (std::int64_t j = 0; j <= i + 260 && j < 300; ++j) {
            const double shifted = exact[static_cast<std::size_t>(j)] - largest;
            total += std::exp(shifted);
            weighted += std::exp(shifted) * shifted;
            exact[static_cast<std::size_t>(j)] = std::exp(shifted);
        }
        for (std::int64_t j = 0; j < 300; ++j)
            EXPECT_NEAR(built.strips[0][static_cast<std::size_t>(i * 300 + j)],
                        exact[static_cast<std::size_t>(j)] / total, 3e-6);
        const RowSums& sums = built.sums[0][static_cast<std::size_t>(i)];
        EXPECT_NEAR(sums.normaliser.maximum, largest, 1e-5);
        EXPECT_NEAR(sums.normaliser.sum, total, 1e-5 * total);
        EXPECT_NEAR(sums.weightedScore, weighted, 1e-4 * total);
        EXPECT_NEAR(sums.weightSum, 1.0, 1e-6);
    }
}

TEST(KeyPanels, LieLaneByLaneAndAreZeroPadded) {
    std::vector<float> keys;
    for (int i = 0; i < 17 * 3; ++i) keys.push_back(static_cast<float>(i + 1));
    const KeyPanels panels({keys.data(), 17, 2, 3}); // the third column belongs to somebody else
    EXPECT_EQ(panels.keys(), 17);
    EXPECT_EQ(panels.headSize(), 2);
    EXPECT_EQ(panels.bytes(), 2U * 2 * 16 * sizeof(float));
    EXPECT_EQ(panels.panel(0)[0], 1.0F);
    EXPECT_EQ(panels.panel(0)[1], 4.0F);
    EXPECT_EQ(panels.panel(0)[16], 2.0F);
    EXPECT_EQ(panels.panel(1)[0], 49.0F);
    EXPECT_EQ(panels.panel(1)[1], 0.0F);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(panels.panel(0)) % 64, 0U);
}

} // namespace
} // namespace headscope
