// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/raster/raster.h"

#include <array>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace headscope {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr Rgb kMasked = 0xff123456;

TEST(ColorIndex, LinearBins) {
    const DisplayRange unit{RangeMode::Fixed, 0.0F, 1.0F};
    EXPECT_EQ(colorIndex(0.0F, unit, 0), 0);
    EXPECT_EQ(colorIndex(0.5F, unit, 0), 128);
    EXPECT_EQ(colorIndex(0.25F, unit, 0), 64);
    EXPECT_EQ(colorIndex(0.999F, unit, 0), 255); // floor(255.744)
    EXPECT_EQ(colorIndex(1.0F, unit, 0), 255);
    const DisplayRange part{RangeMode::Fixed, 0.25F, 0.75F};
    EXPECT_EQ(colorIndex(0.25F, part, 0), 0);
    EXPECT_EQ(colorIndex(0.5F, part, 0), 128);
    EXPECT_EQ(colorIndex(0.75F, part, 0), 255);
    const DisplayRange signedRange{RangeMode::Fixed, -1.0F, 1.0F};
    EXPECT_EQ(colorIndex(0.0F, signedRange, 0), 128);
    EXPECT_EQ(colorIndex(-1.0F, signedRange, 0), 0);
}

TEST(ColorIndex, ClipsAtBothEndsAndSurvivesWhatIsNoNumber) {
    for (const RangeMode mode : {RangeMode::Fixed, RangeMode::Log, RangeMode::PerRow}) {
        const DisplayRange range{mode, 0.0F, 0.5F};
        EXPECT_EQ(colorIndex(7.0F, range, 0.5F), 255);
        EXPECT_EQ(colorIndex(kInfinity, range, 0.5F), 255);
        EXPECT_EQ(colorIndex(-7.0F, range, 0.5F), 0);
        EXPECT_EQ(colorIndex(-kInfinity, range, 0.5F), 0);
        EXPECT_EQ(colorIndex(kNan, range, 0.5F), 0);
    }
}

TEST(ColorIndex, PerRowIsRelativeToTheRow) {
    const DisplayRange range{RangeMode::PerRow};
    EXPECT_EQ(colorIndex(0.01F, range, 0.02F), 128);
    EXPECT_EQ(colorIndex(0.02F, range, 0.02F), 255);
    EXPECT_EQ(colorIndex(0.0F, range, 0.0F), 0);
    EXPECT_EQ(colorIndex(0.0F, range, kNan), 0);
}

TEST(ColorIndex, LogarithmGivesEachDecadeAQuarter) {
    const DisplayRange range{RangeMode::Log};
    EXPECT_EQ(colorIndex(1e-4F, range, 0), 0);
    EXPECT_EQ(colorIndex(1e-9F, range, 0), 0);
    EXPECT_EQ(colorIndex(1.02e-3F, range, 0), 64);
    EXPECT_EQ(colorIndex(1.02e-2F, range, 0), 128);
    EXPECT_EQ(colorIndex(1.02e-1F, range, 0), 192);
    EXPECT_EQ(colorIndex(1.0F, range, 0), 255);
}

TEST(Colorize, ExactBuffer) {
    const std::array<float, 6> weights = {0.0F, 0.5F, 1.0F, 0.25F, kNan, 2.0F};
    std::array<Rgb, 6> pixels{};
    const RasterStyle style{{RangeMode::Fixed, 0.0F, 1.0F}, Pooling::Max, Colormap::Grey, {kMasked}};
    colorize({weights.data(), 2, 3}, style, nullptr, {pixels.data(), 2, 3});
    EXPECT_EQ(pixels,
              (std::array<Rgb, 6>{0xff000000, 0xff808080, 0xffffffff, 0xff404040, kMasked, 0xffffffff}));
}

TEST(Colorize, PerRowBuffer) {
    const std::array<float, 4> weights = {0.1F, 0.2F, 0.0F, 0.0F};
    const std::array<float, 2> maxima = {0.2F, 0.0F};
    std::array<Rgb, 4> pixels{};
    colorize({weights.data(), 2, 2}, {{RangeMode::PerRow}, Pooling::Max, Colormap::Grey, {}}, maxima.data(),
             {pixels.data(), 2, 2});
    EXPECT_EQ(pixels, (std::array<Rgb, 4>{0xff808080, 0xffffffff, 0xff000000, 0xff000000}));
}

TEST(Colorize, ViewsWithStride) {
    const std::array<float, 4> weights = {1.0F, 9.0F, 0.0F, 9.0F};
    std::array<Rgb, 6> pixels{};
    colorize({weights.data(), 2, 1, 2}, {{RangeMode::Fixed, 0.0F, 1.0F}, Pooling::Max, Colormap::Grey, {}},
             nullptr, {pixels.data(), 2, 1, 3});
    EXPECT_EQ(pixels, (std::array<Rgb, 6>{0xffffffff, 0, 0, 0xff000000, 0, 0}));
}

TEST(ColorizeThumbnail, MaskedCellsAndRowMaxima) {
    const Thumbnail thumbnail{{2, 2}, {0.2F, 0.0F, 0.1F, 0.4F}, {1, 0, 1, 1}};
    EXPECT_EQ(colorizeThumbnail(thumbnail, {RangeMode::Fixed, 0.0F, 0.4F}, Colormap::Grey, {kMasked}),
              (std::vector<Rgb>{0xff808080, kMasked, 0xff404040, 0xffffffff}));
    EXPECT_EQ(colorizeThumbnail(thumbnail, {RangeMode::PerRow}, Colormap::Grey, {kMasked}),
              (std::vector<Rgb>{0xffffffff, kMasked, 0xff404040, 0xffffffff}));
    EXPECT_TRUE(colorizeThumbnail({}, {RangeMode::Fixed, 0.0F, 1.0F}, Colormap::Grey).empty());
}

} // namespace
} // namespace headscope
