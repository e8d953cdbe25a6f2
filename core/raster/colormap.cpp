// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/raster/colormap.h"

#include "core/base/check.h"
#include "core/raster/colormap_tables.h"

#include <cstddef>

namespace headscope {

namespace {

constexpr std::array kAll = {Colormap::Viridis, Colormap::Magma, Colormap::Cividis, Colormap::Grey,
                             Colormap::Diverging};

constexpr std::array<Rgb, 256> makeGrey() {
    std::array<Rgb, 256> table{};
    for (Rgb i = 0; i < 256; ++i) table[i] = 0xff000000U | i << 16 | i << 8 | i;
    return table;
}

/// Blue, white, red: one arm after the other, both from the same distance to white, so that equal weights of
/// opposite sign stand out equally. 256 is even, hence two neighbouring whites in the middle.
constexpr std::array<Rgb, 256> makeDiverging() {
    constexpr std::array<std::array<int, 3>, 4> blue = {
        {{247, 247, 247}, {160, 196, 236}, {58, 122, 200}, {14, 50, 112}}};
    constexpr std::array<std::array<int, 3>, 4> red = {
        {{247, 247, 247}, {244, 178, 160}, {208, 82, 72}, {120, 14, 34}}};
    std::array<Rgb, 256> table{};
    for (int i = 0; i < 128; ++i) {
        const int position = i * 3; // in 127ths between the four stops
        const auto stop = static_cast<std::size_t>(position / 127 < 3 ? position / 127 : 2);
        const int part = position - static_cast<int>(stop) * 127;
        Rgb low = 0xff;
        Rgb high = 0xff;
        for (std::size_t c = 0; c < 3; ++c) {
            const auto mix = [&](const auto& arm) {
                return static_cast<Rgb>((arm[stop][c] * (127 - part) + arm[stop + 1][c] * part + 63) / 127);
            };
            low = low << 8 | mix(blue);
            high = high << 8 | mix(red);
        }
        table[static_cast<std::size_t>(127 - i)] = low;
        table[static_cast<std::size_t>(128 + i)] = high;
    }
    return table;
}

constexpr auto kGrey = makeGrey();
constexpr auto kDiverging = makeDiverging();

} // namespace

const std::array<Rgb, 256>& colorsOf(Colormap map) {
    switch (map) {
    case Colormap::Viridis:
        return detail::kViridis;
    case Colormap::Magma:
        return detail::kMagma;
    case Colormap::Cividis:
        return detail::kCividis;
    case Colormap::Grey:
        return kGrey;
    case Colormap::Diverging:
        return kDiverging;
    }
    detail::checkFailed(__FILE__, __LINE__, "unknown colour map");
}

std::string_view nameOf(Colormap map) {
    switch (map) {
    case Colormap::Viridis:
        return "viridis";
    case Colormap::Magma:
        return "magma";
    case Colormap::Cividis:
        return "cividis";
    case Colormap::Grey:
        return "grey";
    case Colormap::Diverging:
        return "diverging";
    }
    detail::checkFailed(__FILE__, __LINE__, "unknown colour map");
}

std::optional<Colormap> colormapOf(std::string_view name) {
    for (const Colormap map : kAll)
        if (nameOf(map) == name) return map;
    return std::nullopt;
}

std::span<const Colormap> allColormaps() {
    return kAll;
}

} // namespace headscope
