// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/confidence.h"

#include <gtest/gtest.h>

namespace headscope::test {
namespace {

TEST(Confidence, WilsonBoundsOfTextsThatAllFire) {
    // n / (n + z^2): 0.44, 0.57, 0.68, 0.76, 0.84 for 3, 5, 8, 12 and 20 texts.
    EXPECT_NEAR((TextCount{3, 3}.lowerBound()), 0.4385, 1e-4);
    EXPECT_NEAR((TextCount{5, 5}.lowerBound()), 0.5655, 1e-4);
    EXPECT_NEAR((TextCount{8, 8}.lowerBound()), 0.6756, 1e-4);
    EXPECT_NEAR((TextCount{12, 12}.lowerBound()), 0.7575, 1e-4);
    EXPECT_NEAR((TextCount{20, 20}.lowerBound()), 0.8389, 1e-4);
    EXPECT_NEAR((TextCount{11, 12}.lowerBound()), 0.6461, 1e-4);
    EXPECT_NEAR((TextCount{0, 12}.lowerBound()), 0.0, 1e-12);
    EXPECT_EQ((TextCount{0, 0}.lowerBound()), 0.0);
}

TEST(Confidence, Levels) {
    const auto levelOf = [](int fired, int tested) { return TextCount{fired, tested}.confidence(); };
    EXPECT_EQ(levelOf(0, 0), Confidence::NotTested);
    EXPECT_EQ(levelOf(1, 1), Confidence::Observed);
    EXPECT_EQ(levelOf(2, 2), Confidence::Observed);
    EXPECT_EQ(levelOf(3, 3), Confidence::Likely);
    EXPECT_EQ(levelOf(4, 5), Confidence::Likely);
    EXPECT_EQ(levelOf(7, 7), Confidence::Likely);
    EXPECT_EQ(levelOf(8, 8), Confidence::Confirmed);
    EXPECT_EQ(levelOf(7, 8), Confidence::Likely);      // bound 0.53
    EXPECT_EQ(levelOf(11, 13), Confidence::Likely);    // bound 0.58
    EXPECT_EQ(levelOf(19, 20), Confidence::Confirmed); // bound 0.76
    EXPECT_EQ(levelOf(3, 4), Confidence::InputDependent);
    EXPECT_EQ(levelOf(1, 5), Confidence::InputDependent);
    EXPECT_EQ(levelOf(1, 6), Confidence::NotListed);
    EXPECT_EQ(levelOf(0, 3), Confidence::NotListed);
}

} // namespace
} // namespace headscope::test
