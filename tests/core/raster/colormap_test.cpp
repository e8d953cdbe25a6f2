// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/raster/colormap.h"

#include <gtest/gtest.h>

namespace headscope {
namespace {

int red(Rgb c) {
    return static_cast<int>(c >> 16 & 0xffU);
}
int green(Rgb c) {
    return static_cast<int>(c >> 8 & 0xffU);
}
int blue(Rgb c) {
    return static_cast<int>(c & 0xffU);
}
double lightness(Rgb c) {
    return 0.299 * red(c) + 0.587 * green(c) + 0.114 * blue(c);
}

TEST(Colormap, EndsAreThePublishedOnes) {
    EXPECT_EQ(colorsOf(Colormap::Viridis).front(), 0xff440154U);
    EXPECT_EQ(colorsOf(Colormap::Viridis).back(), 0xfffde725U);
    EXPECT_EQ(colorsOf(Colormap::Viridis)[128], 0xff21918cU);
    EXPECT_EQ(colorsOf(Colormap::Magma).front(), 0xff000004U);
    EXPECT_EQ(colorsOf(Colormap::Magma).back(), 0xfffcfdbfU);
    EXPECT_EQ(colorsOf(Colormap::Cividis).front(), 0xff00224eU);
    EXPECT_EQ(colorsOf(Colormap::Cividis).back(), 0xfffee838U);
    EXPECT_EQ(colorsOf(Colormap::Grey)[127], 0xff7f7f7fU);
}

TEST(Colormap, EveryEntryIsOpaque) {
    for (const Colormap map : allColormaps())
        for (const Rgb color : colorsOf(map)) EXPECT_EQ(color >> 24, 0xffU) << nameOf(map);
}

TEST(Colormap, SequentialOnesGetLighterFromEndToEnd) {
    for (const Colormap map : {Colormap::Viridis, Colormap::Magma, Colormap::Cividis, Colormap::Grey})
        for (std::size_t i = 8; i < 256; ++i)
            EXPECT_LT(lightness(colorsOf(map)[i - 8]), lightness(colorsOf(map)[i]))
                << nameOf(map) << " at " << i;
}

TEST(Colormap, DivergingIsBlueBelowRedAboveAndWhiteInTheMiddle) {
    const auto& colors = colorsOf(Colormap::Diverging);
    EXPECT_EQ(colors[127], 0xfff7f7f7U);
    EXPECT_EQ(colors[128], 0xfff7f7f7U);
    EXPECT_GT(blue(colors.front()), red(colors.front()));
    EXPECT_GT(red(colors.back()), blue(colors.back()));
    for (std::size_t i = 129; i < 256; ++i) {
        EXPECT_LE(lightness(colors[i]), lightness(colors[i - 1])) << i;
        // Both arms darken alike: the same distance from the middle is about as dark on either side.
        EXPECT_NEAR(lightness(colors[i]), lightness(colors[255 - i]), 15.0) << i;
    }
}

TEST(Colormap, NamesReadBack) {
    for (const Colormap map : allColormaps()) EXPECT_EQ(colormapOf(nameOf(map)), map);
    EXPECT_EQ(allColormaps().size(), 5U);
    EXPECT_EQ(colormapOf("jet"), std::nullopt);
    EXPECT_EQ(colormapOf("Viridis"), std::nullopt);
    EXPECT_EQ(colormapOf(""), std::nullopt);
}

} // namespace
} // namespace headscope
