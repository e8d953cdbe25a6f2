// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/output_check.h"
#include "core/attention/row_norms.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace headscope {
namespace {

std::vector<float> randomNumbers(std::int64_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> uniform(-2.0F, 2.0F);
    std::vector<float> numbers(static_cast<std::size_t>(count));
    for (float& number : numbers) number = uniform(random);
    return numbers;
}

/// A map, values and their product as float32.
struct Head {
    Extent extent;
    std::int64_t size = 0;
    std::vector<float> weights, values, output;

    Head(Extent of, std::int64_t headSize)
        : extent(of), size(headSize), weights(randomNumbers(of.rows * of.columns, 1)),
          values(randomNumbers(of.columns * headSize, 2)) {
        for (std::int64_t row = 0; row < of.rows; ++row)
            for (std::int64_t d = 0; d < headSize; ++d) {
                double sum = 0.0;
                for (std::int64_t key = 0; key < of.columns; ++key)
                    sum += static_cast<double>(weights[static_cast<std::size_t>(row * of.columns + key)]) *
                           static_cast<double>(values[static_cast<std::size_t>(key * headSize + d)]);
                output.push_back(static_cast<float>(sum));
            }
    }
    double error() const {
        return outputError(StoredMap(extent, weights), ValueRows({values.data(), extent.columns, size}),
                           {output.data(), extent.rows, size});
    }
};

TEST(OutputError, IsNoMoreThanTheRoundingOfARightOutput) {
    for (const auto& [extent, size] : std::vector<std::pair<Extent, std::int64_t>>{
             {{40, 33}, 5}, {{1, 7}, 64}, {{3, 100}, 16}, {{9, 1}, 17}})
        EXPECT_LT(Head(extent, size).error(), 2e-5) << size;
}

TEST(OutputError, FindsTheLargestDifferenceInTheCheckedRows) {
    Head head({40, 33}, 20);
    head.output[39 * 20 + 19] += 0.25F; // the last row is one of the eight
    EXPECT_NEAR(head.error(), 0.25, 1e-4);
    head.output[3] -= 0.5F;
    EXPECT_NEAR(head.error(), 0.5, 1e-4);
}

TEST(OutputError, NeverLosesNaN) {
    for (const std::size_t place : {0U, 19U}) {
        Head head({40, 33}, 20);
        head.output[place] = std::numeric_limits<float>::quiet_NaN();
        EXPECT_TRUE(std::isnan(head.error())) << place;
        Head other({40, 33}, 20);
        other.values[place] = std::numeric_limits<float>::quiet_NaN();
        EXPECT_TRUE(std::isnan(other.error())) << place;
    }
}

TEST(OutputError, OfNothingIsNone) {
    EXPECT_EQ(Head({0, 3}, 4).error(), 0.0);
    EXPECT_EQ(Head({3, 0}, 40).error(), 0.0);
}

/// Norms of `count` stretches of numbers, which begin `step` apart.
std::vector<float> normsByDefinition(const std::vector<float>& numbers, std::int64_t count, std::int64_t size,
                                     std::int64_t step) {
    std::vector<float> norms;
    for (std::int64_t row = 0; row < count; ++row) {
        double squares = 0.0;
        for (std::int64_t c = 0; c < size; ++c)
            squares += std::pow(static_cast<double>(numbers[static_cast<std::size_t>(row * step + c)]), 2);
        norms.push_back(static_cast<float>(std::sqrt(squares)));
    }
    return norms;
}

TEST(EuclideanNorms, AreThoseOfTheDefinition) {
    for (const std::int64_t columns : {1, 4, 5, 8, 31, 64, 129}) {
        constexpr std::int64_t kRows = 35; // three panels, the last one cut
        const std::int64_t stride = columns + 3;
        const std::vector<float> numbers = randomNumbers(kRows * stride, 3);
        const std::vector<float> expected = normsByDefinition(numbers, kRows, columns, stride);
        const MatrixView<const float> rows(numbers.data(), kRows, columns, stride);
        std::vector<float> ofRows(kRows);
        euclideanNorms(rows, ofRows.data());
        std::vector<float> ofKeys(kRows);
        euclideanNorms(KeyPanels(rows), ofKeys.data());
        for (std::size_t row = 0; row < kRows; ++row) {
            EXPECT_FLOAT_EQ(ofRows[row], expected[row]) << columns;
            EXPECT_FLOAT_EQ(ofKeys[row], expected[row]) << columns;
        }
    }
}

} // namespace
} // namespace headscope
