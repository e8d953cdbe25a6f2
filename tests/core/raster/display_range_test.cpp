// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/raster/display_range.h"
#include "masked_map.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace headscope {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(ParseRange, KnowsTheFourForms) {
    EXPECT_EQ(parseRange("auto")->mode, RangeMode::Auto);
    EXPECT_EQ(parseRange("row")->mode, RangeMode::PerRow);
    EXPECT_EQ(parseRange("log")->mode, RangeMode::Log);
    EXPECT_EQ(parseRange("0:1"), (DisplayRange{RangeMode::Fixed, 0.0F, 1.0F}));
    EXPECT_EQ(parseRange("-0.5:2.5e-1"), (DisplayRange{RangeMode::Fixed, -0.5F, 0.25F}));
}

TEST(ParseRange, RefusesWhatIsNoRange) {
    for (const char* text : {"", ":", "1", "0:", ":1", "1:0", "1:1", "nan:1", "0:inf", "0:1:2", "0:1 ",
                             " 0:1", "a:b", "AUTO", "0,1", "0:1e99", "-3e38:3e38"})
        EXPECT_EQ(parseRange(text), std::nullopt) << text;
}

TEST(ParseRange, TextReadsBackExactly) {
    for (const char* text : {"auto", "row", "log", "0:1", "-0.5:0.25", "0:0.1", "0.0001:0.3333333"})
        EXPECT_EQ(parseRange(textOf(*parseRange(text))), parseRange(text)) << text;
    EXPECT_EQ(textOf({RangeMode::Fixed, 0.0F, 0.25F}), "0:0.25");
}

TEST(Resolve, FollowsTheRowMaximaButNeverBelowFourTimesEven) {
    // A peaked head: the row maxima decide.
    EXPECT_EQ(resolve({}, {0.5F, 0.01F, 0.9F}), (DisplayRange{RangeMode::Fixed, 0.0F, 0.5F}));
    // A flat head: 4 x 0.1 = 0.4, so that it looks flat.
    EXPECT_FLOAT_EQ(resolve({}, {0.11F, 0.1F, 0.12F}).high, 0.4F);
    // Two tokens: 4 x 0.5 = 2 is capped at 1.
    EXPECT_EQ(resolve({}, {0.6F, 0.5F, 0.6F}).high, 1.0F);
    EXPECT_EQ(resolve({}, {}).high, 1.0F);
    EXPECT_EQ(resolve({RangeMode::PerRow}, {0.5F, 0.1F, 0.5F}).mode, RangeMode::PerRow);
    EXPECT_EQ(resolve({RangeMode::Fixed, 0.2F, 0.3F}, {0.5F, 0.1F, 0.5F}).high, 0.3F);
}

TEST(Resolve, ClippingIsSaidWhenAWeightLiesAbove) {
    EXPECT_TRUE(isClipped({RangeMode::Fixed, 0.0F, 0.5F}, {0.5F, 0.01F, 0.9F}));
    EXPECT_FALSE(isClipped({RangeMode::Fixed, 0.0F, 0.9F}, {0.5F, 0.01F, 0.9F}));
    EXPECT_FALSE(isClipped({RangeMode::PerRow}, {0.5F, 0.01F, 0.9F}));
    EXPECT_FALSE(isClipped({RangeMode::Log}, {0.5F, 0.01F, 1.0F}));
}

TEST(RangeAccumulator, HandComputed) {
    // 4 x 4 causal. Row 0 sees key 0 alone and has no maximum without it. Without key 0: 0.7, 0.3, 0.6.
    const MaskRule mask = causalMask(4);
    const std::vector<float> weights = {1.0F, 0.0F, 0.0F, 0.0F, //
                                        0.3F, 0.7F, 0.0F, 0.0F, //
                                        0.5F, 0.2F, 0.3F, 0.0F, //
                                        0.1F, 0.6F, 0.2F, 0.1F};
    for (const std::int64_t strip : {1, 3, 4}) {
        RangeAccumulator accumulator(2, mask);
        feed(accumulator, HeadIndex(1), mask, weights, strip);
        const RangeStatistics statistics = accumulator.result(HeadIndex(1));
        EXPECT_EQ(statistics.upperRowMaximum, 0.7F);  // ceil(0.95 * 3) = 3rd of 0.3, 0.6, 0.7
        EXPECT_FLOAT_EQ(statistics.evenWeight, 0.4F); // 1 / mean(1, 2, 3, 4)
        EXPECT_EQ(statistics.maximum, 1.0F);
        EXPECT_EQ(accumulator.result(HeadIndex(0)).upperRowMaximum, 0.0F); // nothing came for this head
        EXPECT_EQ(statisticsOf(MaskedMap(mask, weights)), statistics);
    }
}

TEST(RangeAccumulator, PercentileIsNearestRank) {
    // 40 rows with maxima 0.01 to 0.40 at key 1: ceil(0.95 * 40) = 38th.
    MaskRule mask;
    mask.queries = 40;
    mask.keys = 3;
    std::vector<float> weights(120, 0.0F);
    for (std::size_t i = 0; i < 40; ++i) {
        weights[i * 3] = 0.59F; // key 0 does not count
        weights[i * 3 + 1] = static_cast<float>(40 - i) / 100.0F;
    }
    RangeAccumulator accumulator(1, mask);
    feed(accumulator, HeadIndex(0), mask, weights, 7);
    EXPECT_EQ(accumulator.result(HeadIndex(0)).upperRowMaximum, 0.38F);
    EXPECT_EQ(accumulator.result(HeadIndex(0)).maximum, 0.59F);
    EXPECT_FLOAT_EQ(accumulator.result(HeadIndex(0)).evenWeight, 1.0F / 3.0F);
}

TEST(RangeAccumulator, PaddingQueriesAndBlindRowsDoNotCount) {
    MaskRule mask = causalMask(3);
    mask.queryAllowed = {1, 1, 0};
    mask.keyAllowed = {0, 1, 1};
    const std::vector<float> weights = {0.0F, 0.0F, 0.0F, // sees nothing
                                        0.0F, 1.0F, 0.0F, // sees key 1 alone, which is not key 0
                                        0.0F, 0.1F, 0.9F};
    RangeAccumulator accumulator(1, mask);
    feed(accumulator, HeadIndex(0), mask, weights, 2);
    const RangeStatistics statistics = accumulator.result(HeadIndex(0));
    EXPECT_EQ(statistics.upperRowMaximum, 1.0F);
    EXPECT_EQ(statistics.evenWeight, 1.0F);
    EXPECT_EQ(statistics.maximum, 1.0F);
}

TEST(RangeAccumulator, NanDoesNotSpread) {
    MaskRule mask;
    mask.queries = 2;
    mask.keys = 20; // longer than the block of running maxima
    std::vector<float> weights(40, 0.02F);
    weights[0] = kNan;
    weights[5] = kNan;
    weights[19] = kNan;
    weights[33] = 0.3F;
    RangeAccumulator accumulator(1, mask);
    feed(accumulator, HeadIndex(0), mask, weights, 2);
    EXPECT_EQ(accumulator.result(HeadIndex(0)).maximum, 0.3F);
    EXPECT_EQ(accumulator.result(HeadIndex(0)).upperRowMaximum, 0.3F);
}

TEST(RangeAccumulator, AWeightOneDiagonalGetsTheSameRangeAtEveryLength) {
    for (const std::int64_t tokens : {32, 512}) {
        std::vector<float> weights(static_cast<std::size_t>(tokens * tokens));
        for (std::int64_t i = 0; i < tokens; ++i) weights[static_cast<std::size_t>(i * tokens + i)] = 1.0F;
        const StoredMap map({tokens, tokens}, weights);
        EXPECT_EQ(resolve({}, statisticsOf(map)).high, 1.0F) << tokens;
    }
}

TEST(RangeAccumulator, OneTokenAndNoToken) {
    RangeAccumulator one(1, causalMask(1));
    feed(one, HeadIndex(0), causalMask(1), {1.0F}, 1);
    EXPECT_EQ(one.result(HeadIndex(0)).upperRowMaximum, 0.0F);
    EXPECT_EQ(one.result(HeadIndex(0)).maximum, 1.0F);
    EXPECT_EQ(resolve({}, one.result(HeadIndex(0))).high, 1.0F);
    EXPECT_EQ(statisticsOf(StoredMap({0, 0}, {})), RangeStatistics{});
}

} // namespace
} // namespace headscope
