// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/row_view.h"

#include <gtest/gtest.h>
#include <random>

namespace headscope {
namespace {

TEST(ArgmaxThreshold, IsTheLeastWeightWithinTheSlack) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> weight(1e-6F, 1.0F);
    int between = 0;
    for (int i = 0; i < 10'000; ++i) {
        const float largest = weight(random);
        const double exact = (1.0 - 1e-4) * static_cast<double>(largest);
        const float threshold = argmaxThreshold(largest);
        EXPECT_GE(static_cast<double>(threshold), exact);
        EXPECT_LT(static_cast<double>(std::nextafter(threshold, 0.0F)), exact);
        if (static_cast<double>(static_cast<float>(exact)) < exact) ++between;
    }
    EXPECT_GT(between, 1000) << "rounding to the nearest would have been too low for these";
    EXPECT_EQ(argmaxThreshold(0.0F), 0.0F);
}

} // namespace
} // namespace headscope
