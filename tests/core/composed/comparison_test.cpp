// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/composed/comparison.h"
#include "tests/core/composed/random_map.h"

#include <gtest/gtest.h>

namespace headscope {
namespace {

using test::RandomMap;
using test::randomMap;

constexpr Extent kSize{40, 40};

MapComparison compare(const HeadMap& first, const HeadMap& second,
                      const std::vector<std::int64_t>& sinks = {}, std::size_t farthest = 5) {
    return compareMaps(first, second, {sinks, farthest}, CancelToken());
}

/// The definition, over whole rows of keys [from, end).
double jensenShannon(const RandomMap& a, const RandomMap& b, std::int64_t row, std::int64_t from) {
    double first = 0.0;
    double second = 0.0;
    for (std::int64_t k = from; k < a.end(row); ++k) {
        first += a.at(row, k);
        second += b.at(row, k);
    }
    double sum = 0.0;
    for (std::int64_t k = from; k < a.end(row); ++k) {
        const double p = a.at(row, k) / first;
        const double q = b.at(row, k) / second;
        sum += 0.5 * p * std::log(2.0 * p / (p + q)) + 0.5 * q * std::log(2.0 * q / (p + q));
    }
    return sum;
}

TEST(Comparison, OfAMapWithItselfIsNothing) {
    const auto map = randomMap(kSize, true, 1);
    const MapComparison result = compare(*map, *map);
    EXPECT_EQ(result.fewestKeys, 8);
    EXPECT_EQ(result.rows, 33) << "rows 7 to 39 see eight keys";
    EXPECT_EQ(result.divergence, 0.0);
    EXPECT_EQ(result.totalVariation, 0.0);
    EXPECT_NEAR(result.correlation.value(), 1.0, 1e-12);
    EXPECT_EQ(result.restDivergence.value(), 0.0);
}

TEST(Comparison, EqualsTheDefinitions) {
    for (const bool causal : {true, false}) {
        const auto a = randomMap(kSize, causal, 2);
        const auto b = randomMap(kSize, causal, 3, 1.0);
        const MapComparison result = compare(*a, *b, {0}, 40);
        const std::int64_t first = causal ? 7 : 0;
        double divergence = 0.0;
        double rest = 0.0;
        double apart = 0.0;
        double n = 0.0;
        double sums[5] = {};
        std::int64_t restRows = 0;
        for (std::int64_t row = first; row < 40; ++row) {
            divergence += jensenShannon(*a, *b, row, 0);
            if (1.0 - a->at(row, 0) >= 0.2 && 1.0 - b->at(row, 0) >= 0.2) {
                rest += jensenShannon(*a, *b, row, 1);
                ++restRows;
            }
            for (std::int64_t k = 0; k < a->end(row); ++k) {
                const double x = a->at(row, k);
                const double y = b->at(row, k);
                apart += 0.5 * std::abs(x - y);
                n += 1.0;
                sums[0] += x;
                sums[1] += y;
                sums[2] += x * x;
                sums[3] += y * y;
                sums[4] += x * y;
            }
        }
        const double rows = static_cast<double>(40 - first);
        EXPECT_EQ(result.rows, 40 - first);
        EXPECT_NEAR(result.divergence, divergence / rows, 1e-9);
        EXPECT_NEAR(result.totalVariation, apart / rows, 1e-9);
        EXPECT_EQ(result.restRows, restRows);
        EXPECT_NEAR(result.restDivergence.value(), rest / static_cast<double>(restRows), 1e-6);
        const double covariance = sums[4] - sums[0] * sums[1] / n;
        const double deviations =
            std::sqrt((sums[2] - sums[0] * sums[0] / n) * (sums[3] - sums[1] * sums[1] / n));
        EXPECT_NEAR(result.correlation.value(), covariance / deviations, 1e-9);
        ASSERT_EQ(result.farthest.size(), static_cast<std::size_t>(40 - first));
        for (std::size_t i = 1; i < result.farthest.size(); ++i)
            EXPECT_GE(result.farthest[i - 1].totalVariation, result.farthest[i].totalVariation);
        for (const MapComparison::Row& one : result.farthest)
            EXPECT_NEAR(one.divergence, jensenShannon(*a, *b, one.row, 0), 1e-9);
    }
}

TEST(Comparison, IsSymmetricToTheBitButForTheSides) {
    const auto a = randomMap(kSize, true, 4);
    const auto b = randomMap(kSize, true, 5);
    const MapComparison one = compare(*a, *b, {0, 3});
    const MapComparison other = compare(*b, *a, {0, 3});
    EXPECT_EQ(one.divergence, other.divergence);
    EXPECT_EQ(one.restDivergence, other.restDivergence);
    EXPECT_EQ(one.totalVariation, other.totalVariation);
    EXPECT_NEAR(one.correlation.value(), other.correlation.value(), 1e-14);
    ASSERT_EQ(one.farthest.size(), 5U);
    EXPECT_EQ(one.farthest[0].row, other.farthest[0].row);
    EXPECT_EQ(one.farthest[0].first, other.farthest[0].second);
}

TEST(Comparison, NamesTheRowAndTheKeyThatDiffer) {
    const auto a = randomMap(kSize, false, 6, 0.1);
    const auto b = std::make_shared<RandomMap>(*a);
    std::vector<float> weights(40, 0.0F);
    weights[17] = 1.0F;
    b->set(23, weights);
    const MapComparison result = compare(*a, *b, {}, 1);
    ASSERT_EQ(result.farthest.size(), 1U);
    EXPECT_EQ(result.farthest[0].row, 23);
    EXPECT_EQ(result.farthest[0].key, 17);
    EXPECT_EQ(result.farthest[0].second, 1.0);
    EXPECT_NEAR(result.farthest[0].totalVariation, 1.0 - a->at(23, 17), 1e-6);
    EXPECT_NEAR(result.largest, 1.0 - a->at(23, 17), 1e-6);
    EXPECT_EQ(compare(*a, *b, {}, 0).farthest.size(), 0U);
}

TEST(Comparison, HeadsThatShareNothingAreLogTwoApart) {
    const auto a = randomMap({20, 20}, false, 1);
    const auto b = std::make_shared<RandomMap>(*a);
    for (std::int64_t row = 0; row < 20; ++row) {
        std::vector<float> weights(20, 0.0F);
        weights[0] = 1.0F;
        a->set(row, weights);
        std::swap(weights[0], weights[1]);
        b->set(row, weights);
    }
    const MapComparison result = compare(*a, *b);
    EXPECT_NEAR(result.divergence, std::log(2.0), 1e-12);
    EXPECT_EQ(result.totalVariation, 1.0);
    EXPECT_FALSE(compare(*a, *b, {0, 1}).restDivergence.has_value()) << "nothing is kept without these";
}

TEST(Comparison, OfShortTextsSaysThatItTookShorterRows) {
    const auto a = randomMap({5, 5}, true, 1);
    const MapComparison result = compare(*a, *randomMap({5, 5}, true, 2));
    EXPECT_EQ(result.fewestKeys, 2);
    EXPECT_EQ(result.rows, 4);
    EXPECT_FALSE(result.restDivergence.has_value());
    const MapComparison single = compare(*randomMap({1, 1}, true, 1), *randomMap({1, 1}, true, 2));
    EXPECT_EQ(single.rows, 0);
    EXPECT_EQ(single.divergence, 0.0);
    EXPECT_FALSE(single.correlation.has_value());
}

TEST(Comparison, RowsWithoutWeightDoNotCount) {
    const auto a = randomMap({10, 10}, false, 1);
    const auto b = std::make_shared<RandomMap>(*a);
    b->set(3, std::vector<float>(10, 0.0F)); // a learned sink took it all
    const MapComparison result = compare(*a, *b);
    EXPECT_EQ(result.rows, 9);
    EXPECT_EQ(result.divergence, 0.0);
}

TEST(Comparison, FlatMapsHaveNoCorrelation) {
    const auto a = randomMap({10, 10}, false, 1, 0.0);
    EXPECT_FALSE(compare(*a, *randomMap({10, 10}, false, 2)).correlation.has_value());
}

/// Norms have any size: by shares both rows read alike, although no number is the same.
TEST(Comparison, RowsAreDividedByTheirSumsWhereAsked) {
    const auto a = std::make_shared<RandomMap>(*randomMap({1, 4}, false, 1));
    const auto b = std::make_shared<RandomMap>(*a);
    a->set(0, {1.0F, 1.0F, 2.0F, 4.0F});
    b->set(0, {4.0F, 4.0F, 8.0F, 0.0F});
    const MapComparison raw = compareMaps(*a, *b, {{}, 1}, CancelToken());
    EXPECT_DOUBLE_EQ(raw.totalVariation, 0.5 * (3.0 + 3.0 + 6.0 + 4.0));
    const MapComparison shares = compareMaps(*a, *b, {{}, 1, RowScale::Divided}, CancelToken());
    // Of 8 and of 16: 1/8, 1/8, 1/4, 1/2 against 1/4, 1/4, 1/2, 0.
    EXPECT_DOUBLE_EQ(shares.totalVariation, 0.5 * (0.125 + 0.125 + 0.25 + 0.5));
    EXPECT_EQ(shares.divergence, raw.divergence) << "that is of shares anyway";
    EXPECT_EQ(shares.largest, 6.0) << "as they are shown";
    EXPECT_EQ(shares.farthest[0].key, 2);
    EXPECT_EQ(shares.farthest[0].first, 2.0);
}

TEST(Comparison, CanBeCancelled) {
    const auto a = randomMap(kSize, false, 1);
    CancelToken cancelled;
    cancelled.cancel();
    EXPECT_THROW(compareMaps(*a, *a, {{}, 1}, cancelled), Error);
}

} // namespace
} // namespace headscope
