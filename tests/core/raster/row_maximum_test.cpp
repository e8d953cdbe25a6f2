// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/raster/row_maximum.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

namespace headscope {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kLowest = -std::numeric_limits<float>::infinity();

/// Negative ones too, and where `withNaN` says so every fifth is none.
std::vector<float> numbersOf(std::size_t count, bool withNaN) {
    std::mt19937 random(static_cast<unsigned>(count));
    std::uniform_real_distribution<float> uniform(-3.0F, 1.0F);
    std::vector<float> numbers(count);
    for (std::size_t i = 0; i < count; ++i) numbers[i] = withNaN && i % 5 == 0 ? kNaN : uniform(random);
    return numbers;
}

float larger(float one, float other) {
    return other > one ? other : one;
}

TEST(RowMaxima, LargestSkipsNaN) {
    EXPECT_EQ(detail::rowMaxima().largest(nullptr, 0), kLowest);
    for (const bool withNaN : {false, true})
        for (std::size_t count = 1; count < 140; ++count) {
            const std::vector<float> numbers = numbersOf(count, withNaN);
            float expected = kLowest;
            for (const float number : numbers) expected = larger(expected, number);
            EXPECT_EQ(detail::rowMaxima().largest(numbers.data(), static_cast<std::int64_t>(count)), expected)
                << count;
        }
}

TEST(RowMaxima, KeepLargerSkipsNaNAndStaysWithinTheRow) {
    for (std::size_t count = 0; count < 80; ++count) {
        const std::vector<float> numbers = numbersOf(count, true);
        std::vector<float> into(count + 1, -1.0F);
        detail::rowMaxima().keepLarger(into.data(), numbers.data(), static_cast<std::int64_t>(count));
        for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(into[i], larger(-1.0F, numbers[i])) << count;
        EXPECT_EQ(into[count], -1.0F);
    }
}

} // namespace
} // namespace headscope
