// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_decimal.h"

#include <algorithm>
#include <limits>

namespace headscope {

namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// Adds a digit unless the number would overflow.
bool appendDigit(std::uint64_t& digits, char c) {
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (digits > (std::numeric_limits<std::uint64_t>::max() - digit) / 10) return false;
    digits = digits * 10 + digit;
    return true;
}

} // namespace

std::optional<JsonDecimal> decimalOf(std::string_view spelling) {
    JsonDecimal result;
    std::size_t at = 0;
    const auto digitFollows = [&] { return at < spelling.size() && isDigit(spelling[at]); };
    const auto exponentFollows = [&] { return spelling[at] == 'e' || spelling[at] == 'E'; };
    if (spelling[at] == '-') {
        result.negative = true;
        ++at;
    }
    for (; digitFollows(); ++at)
        if (!appendDigit(result.digits, spelling[at])) return std::nullopt;
    if (at < spelling.size() && !exponentFollows()) {
        for (++at; digitFollows() && appendDigit(result.digits, spelling[at]); ++at) --result.exponent;
        while (digitFollows()) ++at;
    }
    if (at == spelling.size()) return result;
    ++at;
    const bool isDivisor = spelling[at] == '-';
    if (!isDigit(spelling[at])) ++at;
    std::int64_t exponent = 0;
    for (; digitFollows(); ++at)
        exponent = std::min<std::int64_t>(exponent * 10 + (spelling[at] - '0'), JsonDecimal::kMaxExponent);
    exponent = result.exponent + (isDivisor ? -exponent : exponent);
    result.exponent = static_cast<std::int32_t>(
        std::clamp<std::int64_t>(exponent, -JsonDecimal::kMaxExponent, JsonDecimal::kMaxExponent));
    return result;
}

} // namespace headscope
