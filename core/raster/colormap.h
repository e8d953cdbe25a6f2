// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace headscope {

enum class Colormap { Viridis, Magma, Cividis, Grey, Diverging };

/// 0xffRRGGBB
using Rgb = std::uint32_t;

/// 256 entries, low to high.
const std::array<Rgb, 256>& colorsOf(Colormap map);
std::string_view nameOf(Colormap map); ///< "viridis"
std::optional<Colormap> colormapOf(std::string_view name);
std::span<const Colormap> allColormaps();

} // namespace headscope
