// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace headscope {

/// A number as it is written: `digits` times ten to the power of `exponent`. Digits of the fraction that do
/// not fit are left out.
struct JsonDecimal {
    std::uint64_t digits = 0;
    std::int32_t exponent = 0; ///< held within +-kMaxExponent
    bool negative = false;

    static constexpr std::int32_t kMaxExponent = 1'000'000'000;
    friend bool operator==(const JsonDecimal&, const JsonDecimal&) = default;
};

/// Takes a number apart. `spelling` is well formed as JSON has it; its point may be another character where
/// the locale has another. nullopt where the digits before the point do not fit.
std::optional<JsonDecimal> decimalOf(std::string_view spelling);

} // namespace headscope
