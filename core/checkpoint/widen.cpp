// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/widen.h"

#include "core/base/check.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

// Every loop here is free of branches, so that the compiler makes vectors of it: reading then costs hardly
// more than copying. Whether a value is finite is told by adding one to its exponent: only that of NaN and
// the infinities, all ones, carries into the bit above; those bits are collected and looked at once.

namespace headscope {

namespace {

constexpr std::uint32_t kExponent = 0x7f800000U;
constexpr std::uint32_t kExponentStep = 0x00800000U;

template <typename T>
T elementAt(const std::byte* in, std::size_t i) {
    T value;
    std::memcpy(&value, in + i * sizeof(T), sizeof(T));
    return value;
}

bool allFinite(std::span<const float> values) {
    std::uint32_t carries = 0;
    for (const float value : values)
        carries |= (std::bit_cast<std::uint32_t>(value) & kExponent) + kExponentStep;
    return carries >> 31U == 0;
}

bool widenBF16(const std::byte* in, std::span<float> out) {
    std::uint32_t carries = 0;
    float* to = out.data();
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::uint32_t bits = std::uint32_t{elementAt<std::uint16_t>(in, i)} << 16U;
        carries |= (bits & kExponent) + kExponentStep;
        to[i] = std::bit_cast<float>(bits);
    }
    return carries >> 31U == 0;
}

bool widenF16(const std::byte* in, std::span<float> out) {
    std::uint32_t carries = 0;
    float* to = out.data();
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::uint32_t half = elementAt<std::uint16_t>(in, i);
        const std::uint32_t exponent = half & 0x7c00U;
        const std::uint32_t sign = (half & 0x8000U) << 16U;
        // A normal half gets float32's larger exponent bias. A subnormal one is mantissa * 2^-24, which is a
        // normal float: no intermediate is subnormal, so a flush-to-zero mode cannot change the result.
        const std::uint32_t normal = ((half & 0x7fffU) << 13U) + (112U << 23U);
        const auto mantissa = static_cast<std::int32_t>(half & 0x3ffU);
        const std::uint32_t small = std::bit_cast<std::uint32_t>(static_cast<float>(mantissa) * 0x1p-24F);
        const std::uint32_t isSmall = 0U - (((exponent + 0x7c00U) >> 15U) ^ 1U); // all ones for exponent 0
        carries |= exponent + 0x0400U;
        to[i] = std::bit_cast<float>(sign | (small & isSmall) | (normal & ~isSmall));
    }
    return carries >> 15U == 0;
}

bool narrowF64(const std::byte* in, std::span<float> out) {
    float* to = out.data();
    for (std::size_t i = 0; i < out.size(); ++i) to[i] = static_cast<float>(elementAt<double>(in, i));
    return allFinite(out);
}

double halfAsDouble(std::uint16_t half) {
    const int exponent = (half >> 10U) & 0x1f;
    const int mantissa = half & 0x3ff;
    const double sign = (half & 0x8000U) != 0 ? -1.0 : 1.0;
    if (exponent == 0) return sign * std::ldexp(mantissa, -24);
    if (exponent < 31) return sign * std::ldexp(1024 + mantissa, exponent - 25);
    return mantissa == 0 ? sign * std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
}

} // namespace

bool widenToFloat(DType type, const std::byte* in, std::span<float> out) {
    switch (type) {
    case DType::F16:
        return widenF16(in, out);
    case DType::BF16:
        return widenBF16(in, out);
    case DType::F32:
        if (!out.empty() && in != std::as_writable_bytes(out).data())
            std::memcpy(out.data(), in, out.size_bytes());
        return allFinite(out);
    case DType::F64:
        return narrowF64(in, out);
    default:
        HS_CHECK(!"a type of weights");
        return false;
    }
}

double elementAsDouble(DType type, const std::byte* in) {
    switch (type) {
    case DType::F16:
        return halfAsDouble(elementAt<std::uint16_t>(in, 0));
    case DType::BF16:
        return std::bit_cast<float>(std::uint32_t{elementAt<std::uint16_t>(in, 0)} << 16U);
    case DType::F32:
        return elementAt<float>(in, 0);
    case DType::F64:
        return elementAt<double>(in, 0);
    default:
        HS_CHECK(!"a type of weights");
        return 0;
    }
}

} // namespace headscope
