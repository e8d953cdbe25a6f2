// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/pair_pass.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

namespace headscope {
namespace {

constexpr std::int64_t kLongest = 600;

/// Weights of all magnitudes, some of them 0.
std::vector<float> weightsOf(unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> magnitude(-37.5, 0.0);
    std::vector<float> weights(kLongest);
    for (float& weight : weights)
        weight = engine() % 7 == 0 ? 0.0F : static_cast<float>(std::pow(10.0, magnitude(engine)));
    return weights;
}

std::vector<Isa> supported() {
    std::vector<Isa> isas;
    for (const Isa isa : {Isa::Scalar, Isa::Avx2, Isa::Avx512})
        if (isSupported(isa)) isas.push_back(isa);
    return isas;
}

long double timesLog(long double x, long double y) {
    return x > 0.0L ? x * std::log(x / y) : 0.0L;
}

TEST(PairPass, TotalsOfAnyLength) {
    const std::vector<float> weights = weightsOf(1);
    long double sum = 0.0L;
    long double weightedLog = 0.0L;
    for (std::int64_t count = 0; count <= kLongest; ++count) {
        for (const Isa isa : supported()) {
            const WeightTotals totals = pairPass(isa).totals(weights.data(), count);
            ASSERT_NEAR(totals.sum, static_cast<double>(sum), 1e-13) << count;
            ASSERT_NEAR(totals.weightedLog, static_cast<double>(weightedLog), 1e-13) << count;
            ASSERT_EQ(totals.weightedLog, pairPass(Isa::Scalar).totals(weights.data(), count).weightedLog);
        }
        if (count == kLongest) break;
        const auto weight = static_cast<long double>(weights[static_cast<std::size_t>(count)]);
        sum += weight;
        weightedLog += timesLog(weight, 1.0L);
    }
}

TEST(PairPass, DivergenceOfAnyLength) {
    const std::vector<float> first = weightsOf(2);
    const std::vector<float> second = weightsOf(3);
    long double sum = 0.0L;
    for (std::int64_t count = 0; count <= kLongest; ++count) {
        const ScaledWeights one{first.data(), 0.75};
        const ScaledWeights other{second.data(), 3.5};
        for (const Isa isa : supported()) {
            const double divergence = pairPass(isa).divergence(one, other, count);
            ASSERT_NEAR(divergence, static_cast<double>(sum), 1e-12) << count;
            ASSERT_EQ(divergence, pairPass(isa).divergence(other, one, count)) << count;
            ASSERT_EQ(divergence, pairPass(Isa::Scalar).divergence(one, other, count)) << count;
            ASSERT_EQ(pairPass(isa).divergence(one, one, count), 0.0) << count;
        }
        if (count == kLongest) break;
        const auto j = static_cast<std::size_t>(count);
        const long double p = 0.75L * static_cast<long double>(first[j]);
        const long double q = 3.5L * static_cast<long double>(second[j]);
        const long double mean = (p + q) / 2.0L;
        sum += (timesLog(p, mean) + timesLog(q, mean)) / 2.0L;
    }
}

TEST(PairPass, DivergenceOfNearAndFarWeights) {
    // Every share of a key's weight, also where one formula gives way to the other, alone and among others.
    for (int step = 0; step <= 4000; ++step) {
        const auto p = static_cast<float>(step) / 4000.0F;
        const float firsts[4] = {p, p, 0.0F, 0.5F};
        const float seconds[4] = {1.0F - p, 1.0F - p, 1.0F, 0.5F};
        const long double one = static_cast<long double>(p);
        const long double other = static_cast<long double>(1.0F - p);
        const long double mean = (one + other) / 2.0L;
        const auto divergence = static_cast<double>((timesLog(one, mean) + timesLog(other, mean)) / 2.0L);
        for (const Isa isa : supported()) {
            ASSERT_NEAR(pairPass(isa).divergence({firsts, 1.0}, {seconds, 1.0}, 1), divergence, 1e-15) << p;
            ASSERT_NEAR(pairPass(isa).divergence({firsts, 1.0}, {seconds, 1.0}, 4),
                        2.0 * divergence + std::numbers::ln2 / 2.0, 1e-15)
                << p;
        }
    }
}

TEST(PairPass, SmallDivergencesKeepTheirDigits) {
    for (int power = 0; power < 22; ++power) {
        const float p = 0.5F;
        const float q = 0.5F + std::ldexp(1.0F, -2 - power);
        const long double d = (static_cast<long double>(q) - static_cast<long double>(p)) /
                              (static_cast<long double>(p) + static_cast<long double>(q));
        const long double terms = (1.0L + d) * std::log1p(d) + (1.0L - d) * std::log1p(-d);
        // At tiny differences these two terms cancel even with 64 bits: the series' first terms do not.
        const long double expected =
            d > 1e-3L ? terms : d * d + d * d * d * d / 6.0L + d * d * d * d * d * d / 15.0L;
        const long double total = static_cast<long double>(p) + static_cast<long double>(q);
        const auto divergence = static_cast<double>(total * expected / 4.0L);
        ASSERT_NEAR(pairPass().divergence({&p, 1.0}, {&q, 1.0}, 1), divergence, 1e-14 * divergence) << power;
    }
}

TEST(PairPass, DivergenceOfOneKey) {
    const auto divergence = [](float p, float q) { return pairPass().divergence({&p, 1.0}, {&q, 1.0}, 1); };
    EXPECT_EQ(divergence(0.0F, 0.0F), 0.0);
    EXPECT_EQ(divergence(0.3F, 0.3F), 0.0);
    EXPECT_DOUBLE_EQ(divergence(1.0F, 0.0F), std::numbers::ln2 / 2.0);
    EXPECT_DOUBLE_EQ(divergence(0.0F, 0.25F), std::numbers::ln2 / 8.0);
    constexpr float kSmallest = std::numeric_limits<float>::denorm_min();
    EXPECT_EQ(divergence(kSmallest, kSmallest), 0.0);
    EXPECT_DOUBLE_EQ(divergence(kSmallest, 0.0F), static_cast<double>(kSmallest) * std::numbers::ln2 / 2.0);
    EXPECT_NEAR(divergence(1.0F, kSmallest), std::numbers::ln2 / 2.0, 1e-15);
}

TEST(PairPass, ProductsOfAnyLength) {
    std::vector<std::vector<float>> rows;
    for (unsigned seed = 4; seed < 10; ++seed) rows.push_back(weightsOf(seed));
    for (std::int64_t count = 0; count <= kLongest; ++count)
        for (const Isa isa : supported()) {
            const ProductTask task{{rows[0].data(), rows[1].data()},
                                   {rows[2].data(), rows[3].data(), rows[4].data(), rows[5].data()},
                                   count};
            double products[8];
            double plain[8];
            pairPass(isa).products(task, products);
            pairPass(Isa::Scalar).products(task, plain);
            for (std::size_t pair = 0; pair < 8; ++pair) {
                long double sum = 0.0L;
                for (std::size_t j = 0; j < static_cast<std::size_t>(count); ++j)
                    sum += static_cast<long double>(rows[pair / 4][j]) *
                           static_cast<long double>(rows[2 + pair % 4][j]);
                ASSERT_NEAR(products[pair], static_cast<double>(sum),
                            PairPass::kProductRounding * static_cast<double>(sum) + 1e-44)
                    << count;
                ASSERT_EQ(products[pair], plain[pair]) << count;
            }
        }
}

} // namespace
} // namespace headscope
