// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/byte_text.h"

#include <array>
#include <cstddef>
#include <fmt/format.h>

namespace headscope {

std::string byteText(std::uint64_t bytes) {
    static constexpr std::array<const char*, 6> kUnits = {"kB", "MB", "GB", "TB", "PB", "EB"};
    if (bytes < 1000) return fmt::format("{} {}", bytes, bytes == 1 ? "byte" : "bytes");
    double amount = static_cast<double>(bytes) / 1000.0;
    std::size_t unit = 0;
    while (amount >= 999.5 && unit + 1 < kUnits.size()) {
        amount /= 1000.0;
        ++unit;
    }
    const int decimals = amount < 9.995 ? 2 : amount < 99.95 ? 1 : 0;
    return fmt::format("{:.{}f} {}", amount, decimals, kUnits[unit]);
}

} // namespace headscope
