// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/models/score.h"

#include "core/base/check.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr int kLargestPower = 308;

/// The double nearest to ten to the power of `exponent`, from 0 to kLargestPower.
double powerOfTen(int exponent) {
    static const auto powers = [] {
        std::array<double, kLargestPower + 1> result{};
        for (int i = 0; i <= kLargestPower; ++i) {
            const std::string text = fmt::format("1e{}", i);
            const auto read = std::from_chars(text.data(), text.data() + text.size(), result.at(i));
            HS_CHECK(read.ec == std::errc());
        }
        return result;
    }();
    return powers.at(static_cast<std::size_t>(exponent));
}

double scaled(const JsonDecimal& decimal) {
    auto value = static_cast<double>(decimal.digits);
    std::int32_t exponent = decimal.exponent;
    for (; exponent < -kLargestPower && value != 0.0; exponent += kLargestPower)
        value /= powerOfTen(kLargestPower);
    if (value == 0.0) return value;
    if (exponent > kLargestPower) return INFINITY;
    return exponent < 0 ? value / powerOfTen(-exponent) : value * powerOfTen(exponent);
}

} // namespace

std::optional<double> readScore(const Json& value) {
    if (!value.isNumber()) return std::nullopt;
    if (value.isInteger()) return static_cast<double>(value.asInteger());
    const std::optional<JsonDecimal> decimal = value.decimal();
    const double score = decimal ? scaled(*decimal) : value.asReal();
    // An integer that does not fit has no decimal; the library would misread some digits, and no score is so
    // large.
    if (!std::isfinite(score) || (!decimal && std::abs(score) > 1e19)) return std::nullopt;
    return decimal && decimal->negative ? -score : score;
}

} // namespace headscope
